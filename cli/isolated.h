/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work on strangers' bytes, in a process without rights: rspctl itself parses no snapshot and no
 * binary, whoever runs it.
 */
#ifndef RSP_CLI_ISOLATED_H
#define RSP_CLI_ISOLATED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct rsp_wish_server;

struct rsp_isolated {
	int (*work)(void *userdata); /* returns an enum rsp_exit */
	void *userdata;
	const char *name; /* of what is worked on, for messages */
	int input;	  /* what it reads */
	int output; /* a memfd or file that it writes to, beside stdout and stderr; -1: none */
	const struct rsp_wish_server *server; /* NULL: it may not wish for files */
	bool is_large; /* the output may be many times as large as the input */
	/* Further inputs. The work reads one input after the other, and frees what it read. */
	const int *more;
	size_t more_cnt;
};

/*
 * Calls work(userdata) in a child, in a sandbox (lib/sandbox): it can use the descriptors above and
 * open nothing, but wish for files (rsp_wish_files) that another process opens, with the rights of
 * the user. Returns what work returned; RSP_EXIT_FAILURE if the child died, which the user has been
 * told.
 */
int rsp_isolated(const struct rsp_isolated *job);
/*
 * These functions do the same in two steps, for work that takes longer. rsp_isolated_begin() starts
 * the child and returns an enum rsp_exit; rsp_isolated_end() waits for the child.
 */
int rsp_isolated_begin(const struct rsp_isolated *job, pid_t *ret);
int rsp_isolated_end(pid_t pid, const char *name);

#endif
