/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command that waits until it is released, so that its recording begins with its first
 * instruction and includes its last. Times are CLOCK_MONOTONIC.
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
	int errno_fd; /* receives the errno of exec; end of file: the command runs */
	sigset_t old_mask;
};

/*
 * Forks the command. From here to the end of rsp_command_wait(), SIGINT, SIGTERM and SIGCHLD are
 * blocked. stdout_to_stderr: the command's stdout goes to stderr. Returns 0 or -errno.
 */
int rsp_command_fork(char *const argv[], bool stdout_to_stderr, struct rsp_command *ret);
/* Releases the command. Returns 0, or -errno of execvp(3); then there is no child to wait for. */
int rsp_command_release(struct rsp_command *c, uint64_t *ret_since_ns);
/* Ends the child before it executes the command. */
void rsp_command_abandon(struct rsp_command *c);
/*
 * Waits until the command ends. Forwards SIGTERM and SIGINT to it, but not a Ctrl-C at the
 * terminal, which the command receives anyway.
 */
void rsp_command_wait(struct rsp_command *c, int *ret_status, uint64_t *ret_until_ns);

/*
 * Writes argv as one line of clean text that a shell parses into these words, cut to len bytes, at
 * least 8; "…" marks the cut.
 */
void rsp_command_line(char *const argv[], char *buf, size_t len);

#endif
