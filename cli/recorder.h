/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder for one command: the service if it answers, else a private one. */
#ifndef RSP_CLI_RECORDER_H
#define RSP_CLI_RECORDER_H

#include "cli/client.h"
#include "cli/fresh.h"
#include "cli/private-recorder.h"
#include "cli/rspctl.h"

struct rsp_recorder {
	struct rsp_client *client;
	struct rsp_private_recorder private; /* pid 0: the service records */
	char last_words[512];		     /* of a private one that ended badly */
};

/* Returns an enum rsp_exit. If it is not 0, the function has reported the error. */
int rsp_recorder_open(const struct rsp_options *opt, struct rsp_recorder *ret);
/* Closes the connection. A private recorder begins to clean up, and need not be waited for yet. */
void rsp_recorder_close(struct rsp_recorder *rec);
/* Closes the connection and waits for a private recorder to end. */
void rsp_recorder_done(struct rsp_recorder *rec);

/*
 * Runs a command to its end, and notes its process, its span and its exit status in the wish.
 * Returns an enum rsp_exit, and reports the error.
 */
int rsp_recorder_run(char *const argv[], bool stdout_to_stderr, struct rsp_snapshot_wish *wish);

#endif
