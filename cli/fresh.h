/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recorder just sent -> saved, explained. The common end of run and snapshot. */
#ifndef RSP_CLI_FRESH_H
#define RSP_CLI_FRESH_H

#include <stdbool.h>

#include "cli/client.h"
#include "cli/rspctl.h"

/* The parameters of io.rsp.Recorder.Snapshot; exactly one of the first six is given. */
struct rsp_snapshot_wish {
	pid_t pid;
	const char *unit, *cgroup, *comm;
	unsigned int port;
	bool own; /* the process of this user that ran most */
	uint64_t since_ns;
	uint64_t until_ns;
	const char *command; /* NULL: none */
	int exit_status;     /* as wait(2) reports it, -1: none */
	bool store;	     /* the recorder is to keep it, if we may ask for that */
};

struct rsp_fresh {
	int fd;		/* -1: none */
	char *path;	/* where the recorder keeps it; "": nowhere */
	char *unstored; /* why not, though it was asked for; "": no reason */
};

/* Asks for a snapshot, and waits for its span to end. Returns 0, or -errno as rsp_client_call(). */
int rsp_fresh_take(struct rsp_client *client, const struct rsp_snapshot_wish *wish,
		   struct rsp_fresh *ret);
void rsp_fresh_done(struct rsp_fresh *fresh);

/*
 * Explains the snapshot, and saves it if opt names a file. What cannot be saved is explained all
 * the same. Returns an enum rsp_exit.
 */
int rsp_fresh_present(const struct rsp_fresh *fresh, const struct rsp_options *opt);

/* Saves the snapshot in the memfd fd as path: there whole or not at all. 0 or -errno. */
int rsp_fresh_save(int fd, const char *path);

#endif
