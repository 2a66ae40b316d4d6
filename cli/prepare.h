/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before a command starts, the recorder is told what it will map: the program, its interpreter and
 * its libraries. So the callers of its first system call are known, and nothing has to be read
 * while it runs, on a CPU that it may want.
 */
#ifndef RSP_CLI_PREPARE_H
#define RSP_CLI_PREPARE_H

#include <stdbool.h>

#include "cli/client.h"

/*
 * Waits until the tables are made: at most five seconds for those of the command, one second for
 * those of all other programs. The recorder makes the rest later.
 */
void rsp_prepare(struct rsp_client *client, char *const argv[]);

/* Lowers the recorder's priority below the command's, or restores it. */
void rsp_prepare_aside(struct rsp_client *client, bool aside);

#endif
