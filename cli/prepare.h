/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before a command starts, the recorder prepares the files that the command will map: the program,
 * its interpreter and its libraries. So stacks are complete from the first system call on, and the
 * recorder does not read these files on a CPU that the command needs.
 */
#ifndef RSP_CLI_PREPARE_H
#define RSP_CLI_PREPARE_H

#include <stdbool.h>

#include "lib/client/client.h"

/*
 * Waits until the tables are made: at most five seconds for those of the command, one second for
 * those of all other programs. The recorder makes the rest later.
 */
void rsp_prepare(struct rsp_client *client, char *const argv[]);

/*
 * Maps the program, its interpreter and its libraries until rspctl ends. A child that is forked
 * afterwards has them mapped, too, so that the recorder can attach probes to them before the child
 * executes the program.
 */
void rsp_prepare_map(char *const argv[]);

/* Waits until the recorder has prepared everything that was requested, at most five seconds. */
void rsp_prepare_wait(struct rsp_client *client);

/* Lowers the recorder's priority below the command's, or restores it. */
void rsp_prepare_aside(struct rsp_client *client, bool aside);

#endif
