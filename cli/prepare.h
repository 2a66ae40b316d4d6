/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before a command starts, the recorder makes the unwind tables of the files that the command will
 * map: the program, its interpreter and its libraries. Therefore stacks are complete from the first
 * system call on.
 */
#ifndef RSP_CLI_PREPARE_H
#define RSP_CLI_PREPARE_H

#include "cli/recorder.h"
#include "lib/client/client.h"

/*
 * Call before the command starts. Waits until the unwind tables of the command's binaries are made,
 * at most five seconds. A service makes tables only for root and for members of group rsp. A
 * private recorder also makes tables for all running programs, for which the function waits at most
 * one second, and then gets a lower priority than the command.
 */
void rsp_prepare_begin(const struct rsp_recorder *rec, char *const argv[]);
/* Call after the command has ended. Restores the priority of a private recorder. */
void rsp_prepare_end(const struct rsp_recorder *rec);

/*
 * Maps the program, its interpreter and its libraries until rspctl ends. A child inherits these
 * mappings at fork. Therefore the recorder can attach probes to the files before the child executes
 * the program.
 */
void rsp_prepare_map(char *const argv[]);

/*
 * Waits until the recorder has made all requested unwind tables and attached all probes of
 * allocators, at most five seconds.
 */
void rsp_prepare_wait(struct rsp_client *client);

#endif
