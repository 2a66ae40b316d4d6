/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a command in two steps: the child waits until rspctl releases the command. The recording
 * therefore contains all instructions of the command. Times are CLOCK_MONOTONIC.
 */
#ifndef RSP_CLI_COMMAND_H
#define RSP_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct rsp_command {
	pid_t pid;
	int go_fd;    /* a byte releases the command */
	int errno_fd; /* receives the errno of exec; end of file: exec succeeded */
	sigset_t old_mask;
};

/*
 * Blocks SIGINT, SIGTERM and SIGCHLD until the child has been reaped. stdout_to_stderr: the
 * command's stdout goes to stderr. Returns 0 or -errno.
 */
int rsp_command_fork(char *const argv[], bool stdout_to_stderr, struct rsp_command *ret);
/* Releases the command. Returns 0, or -errno of execvp(3); then there is no child to wait for. */
int rsp_command_release(struct rsp_command *c, uint64_t *ret_since_ns);
/* Ends the child before it executes the command. */
void rsp_command_abandon(struct rsp_command *c);
/* Waits until the command ends. Forwards SIGTERM and SIGINT to the command, except a Ctrl-C. */
void rsp_command_wait(struct rsp_command *c, int *ret_status, uint64_t *ret_until_ns);

/*
 * Writes argv to buf as one line, with quotes for a shell and without control characters. If the
 * line and a NUL need more than len bytes, cuts the line and ends it with "…". len is at least 8.
 */
void rsp_command_line(char *const argv[], char *buf, size_t len);

#endif
