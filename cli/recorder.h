/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the recorder for one command: the service if it answers, or else a private recorder. */
#ifndef RSP_CLI_RECORDER_H
#define RSP_CLI_RECORDER_H

#include "cli/fresh.h"
#include "cli/private-recorder.h"
#include "cli/rspctl.h"
#include "lib/client/client.h"

struct rsp_recorder {
	struct rsp_client *client;
	struct rsp_private_recorder private; /* pid 0: the service records */
	char exit_message[512];		     /* error message of a private recorder that failed */
};

/* Returns an enum rsp_exit, and reports errors. */
int rsp_recorder_open(const struct rsp_options *opt, struct rsp_recorder *ret);
/* Closes the connection without waiting. A private recorder then cleans up and ends. */
void rsp_recorder_close(struct rsp_recorder *rec);
void rsp_recorder_done(struct rsp_recorder *rec);

/*
 * Runs a command until it ends. Writes its process ID, its span and its exit status to params.
 * Calls ready, which may be NULL, before the first instruction of the command. If ready does not
 * return 0, the command does not run, and the function returns the result of ready. Returns an enum
 * rsp_exit, and reports errors.
 */
int rsp_recorder_run(char *const argv[], bool stdout_to_stderr,
		     int (*ready)(pid_t pid, void *userdata), void *userdata,
		     struct rsp_snapshot_params *params);

#endif
