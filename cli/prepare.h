/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before a command starts, the recorder makes the unwind tables of the files that the command will
 * map: the program, its interpreter and its libraries. Therefore stacks are complete from the first
 * system call on. The recorder also does not need to read these files later, on a CPU that the
 * command needs.
 */
#ifndef RSP_CLI_PREPARE_H
#define RSP_CLI_PREPARE_H

#include "cli/recorder.h"
#include "lib/client/client.h"

/*
 * Call before the command starts. Waits until the unwind tables of the command's binaries are made,
 * at most five seconds. The recorder makes the remaining tables later. A service makes tables only
 * for root and for members of group rsp. A private recorder has just started, so it also makes
 * tables for all running programs; the function waits for these at most one second. Then it lowers
 * the priority of the private recorder below that of the command.
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
