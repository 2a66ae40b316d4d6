/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recorder just sent -> named, saved, explained. The common end of run and snapshot. */
#ifndef RSP_CLI_FRESH_H
#define RSP_CLI_FRESH_H

#include <stdbool.h>

#include "cli/client.h"
#include "cli/rspctl.h"

/* The parameters of io.rsp.Recorder.Snapshot. */
struct rsp_snapshot_wish {
	pid_t pid;
	uint64_t since_ns;
	uint64_t until_ns;
	const char *command; /* NULL: none */
	int exit_status;     /* as wait(2) reports it, -1: none */
};

/* Asks for a snapshot. Returns 0, or -errno as rsp_client_call(). */
int rsp_fresh_take(struct rsp_client *client, const struct rsp_snapshot_wish *wish, int *ret_fd);

/*
 * Explains the snapshot in fd, and saves it if opt names a file or to_store is set. What cannot be
 * saved is explained all the same. Returns an enum rsp_exit.
 */
int rsp_fresh_present(int fd, const struct rsp_options *opt, bool to_store);

/* Saves the snapshot in the memfd fd as path: there whole or not at all. 0 or -errno. */
int rsp_fresh_save(int fd, const char *path);

#endif
