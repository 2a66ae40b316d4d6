/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command that waits to be let go, so that its recording begins with its first instruction and
 * includes its last. Times are CLOCK_MONOTONIC.
 */
#ifndef RSP_CLI_COMMAND_H
#define RSP_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct rsp_command {
	pid_t pid;
	int go_fd;    /* a byte lets it go */
	int errno_fd; /* says why it could not be executed; end of file: it was */
	sigset_t old_mask;
};

/*
 * Forks. From here to the end of the wait, SIGINT, SIGTERM and SIGCHLD are ours to wait for, and no
 * reason to die. stdout_to_stderr: the command's, ours has another use.
 */
int rsp_command_fork(char *const argv[], bool stdout_to_stderr, struct rsp_command *ret);
/* Lets it go. -errno of execvp(3): there is no such command, and nothing is left to wait for. */
int rsp_command_release(struct rsp_command *c, uint64_t *ret_since_ns);
/* Ends it before it is executed. */
void rsp_command_abandon(struct rsp_command *c);
/*
 * Until it ends. SIGTERM and SIGINT sent to us are handed on to it; a Ctrl-C at the terminal has
 * reached it by itself.
 */
void rsp_command_wait(struct rsp_command *c, int *ret_status, uint64_t *ret_until_ns);

/*
 * argv as one line of clean text that means these words to a shell, cut to len bytes, 8 at least;
 * "…" marks the cut.
 */
void rsp_command_line(char *const argv[], char *buf, size_t len);

#endif
