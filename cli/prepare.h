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

/* Waits for a while until the recorder is ready; what is not ready then is made later. */
void rsp_prepare(struct rsp_client *client, char *const argv[]);

/* The recorder leaves the CPUs to the command, or no more. */
void rsp_prepare_aside(struct rsp_client *client, bool aside);

#endif
