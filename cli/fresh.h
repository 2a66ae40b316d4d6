/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a snapshot from a recorder, saves it and explains it. The verbs run and snapshot use these
 * functions.
 */
#ifndef RSP_CLI_FRESH_H
#define RSP_CLI_FRESH_H

#include <stdbool.h>

#include "cli/rspctl.h"
#include "lib/client/client.h"

/*
 * The parameters of io.rsp.Recorder.Snapshot. Exactly one of pid, unit, cgroup, comm, container,
 * port and own is set.
 */
struct rsp_snapshot_params {
	pid_t pid;
	const char *unit, *cgroup, *comm, *container;
	unsigned int port;
	bool own; /* choose the process of this user that left a CPU most often */
	uint64_t since_ns;
	uint64_t until_ns;
	const char *command; /* NULL: none */
	/* exit status of the command, as wait(2) returns it; -1: there is no command */
	int exit_status;
	bool store; /* store the snapshot in the recorder's store, if this user may */
};

struct rsp_fresh {
	int fd;	    /* -1: none */
	char *path; /* path of the file in the recorder's store; "": not stored */
	/* why the recorder could not store the snapshot as requested; "": no error */
	char *unstored;
};

/* Returns 0, or -errno like rsp_client_call(). */
int rsp_fresh_take(struct rsp_client *client, const struct rsp_snapshot_params *params,
		   struct rsp_fresh *ret);
void rsp_fresh_done(struct rsp_fresh *fresh);

/* Explains the snapshot, and saves it if opt names a file. Returns an enum rsp_exit. */
int rsp_fresh_present(const struct rsp_fresh *fresh, const struct rsp_options *opt);

#endif
