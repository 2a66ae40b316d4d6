/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's program: which one belongs to this rspctl, and how it is started. */
#ifndef RSP_CLI_RSPD_H
#define RSP_CLI_RSPD_H

#include <sys/types.h>

/*
 * Beside rspctl's own executable (a build tree), else where PREFIX has it if rspctl is
 * PREFIX/bin/rspctl, else in PATH. The caller's (free). -ENOENT.
 */
int rsp_rspd_find(char **ret_path);

struct rsp_rspd_fds {
	int output;  /* becomes its stdout */
	int error;   /* becomes its stderr */
	int private; /* becomes its descriptor 3; -1: none */
};

/*
 * Starts it in a session of its own: the terminal's Ctrl-C is for others. Behind argv come the
 * words of the environment's RSP_RSPD_ARGS. 0 or -errno.
 */
int rsp_rspd_spawn(const char *path, char *const argv[], const struct rsp_rspd_fds *fds,
		   pid_t *ret_pid);

/*
 * Why it ended, as wait(2) reports it in status: the signal that killed it, else what it said last
 * on its stderr, kept in log_fd, without its name. "" if it said nothing. Returns buf.
 */
char *rsp_rspd_last_words(int log_fd, int status, char *buf, size_t len);

/* What the end of it, as wait(2) reports it, means to us: 0, -EPERM or -EIO. */
int rsp_rspd_status_to_errno(int status);

#endif
