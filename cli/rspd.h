/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts rspd. */
#ifndef RSP_CLI_RSPD_H
#define RSP_CLI_RSPD_H

#include <sys/types.h>

struct rsp_rspd_fds {
	int output;  /* becomes its stdout */
	int error;   /* becomes its stderr */
	int private; /* becomes descriptor 3 of rspd; -1: none */
};

/*
 * Starts rspd in its own session, so that Ctrl-C does not reach it. Appends the words of the
 * environment variable RSP_RSPD_ARGS to argv. Returns 0 or -errno.
 */
int rsp_rspd_spawn(const char *path, char *const argv[], const struct rsp_rspd_fds *fds,
		   pid_t *ret_pid);

/*
 * Writes the reason why rspd ended to buf: the signal that killed rspd, or the last line of its
 * stderr in log_fd. status is from wait(2). Returns buf.
 */
char *rsp_rspd_exit_message(int log_fd, int status, char *buf, size_t len);

/* Converts the status of wait(2) to 0, -EPERM or -EIO. */
int rsp_rspd_status_to_errno(int status);

#endif
