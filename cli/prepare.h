/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before a command starts, the recorder prepares the files that the command will map: the program,
 * its interpreter and its libraries. So stacks are complete from the first system call on, and the
 * recorder does not read these files on a CPU that the command needs.
 */
#ifndef RSP_CLI_PREPARE_H
#define RSP_CLI_PREPARE_H

#include "cli/recorder.h"
#include "lib/client/client.h"

/*
 * Before the command starts: waits until the tables of its binaries are made, at most five seconds.
 * The recorder makes the rest later. A service does this for root and members of group rsp. A
 * private recorder has just started, so it also makes tables for all running programs, for at most
 * one second; then it lowers its priority below that of the command.
 */
void rsp_prepare_begin(const struct rsp_recorder *rec, char *const argv[]);
/* After the command has ended: a private recorder gets its usual priority. */
void rsp_prepare_end(const struct rsp_recorder *rec);

/*
 * Maps the program, its interpreter and its libraries until rspctl ends. A child that is forked
 * afterwards has them mapped, too, so that the recorder can attach probes to them before the child
 * executes the program.
 */
void rsp_prepare_map(char *const argv[]);

/* Waits until the recorder has prepared everything that was requested, at most five seconds. */
void rsp_prepare_wait(struct rsp_client *client);

#endif
