/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs work on untrusted files in an unprivileged process. The main process of rspctl parses
 * neither snapshots nor binaries.
 */
#ifndef RSP_CLI_ISOLATED_H
#define RSP_CLI_ISOLATED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct rsp_file_server;

struct rsp_isolated {
	int (*work)(void *userdata); /* returns an enum rsp_exit */
	void *userdata;
	const char *name; /* name of the input for messages */
	int input;	  /* descriptor of the file that the work reads */
	/*
	 * descriptor of the memfd or file to which the work may write, besides stdout and stderr;
	 * -1: none
	 */
	int output;
	const struct rsp_file_server *server; /* NULL: the work may not request files */
	bool is_large; /* the output may be many times as large as the input */
	/*
	 * Descriptors of further inputs. The work reads them one after the other, and may free the
	 * data of one input before it reads the next one.
	 */
	const int *more;
	size_t more_cnt;
};

/*
 * Calls work(userdata) in a child, in a sandbox (lib/sandbox). The child can use the descriptors in
 * job, and it can request files, but not open them (rsp_file_server_files). Returns the result of
 * work, or RSP_EXIT_FAILURE if the child died; then the function has reported the error.
 */
int rsp_isolated(const struct rsp_isolated *job);
/*
 * Starts the child of rsp_isolated(), so that the caller can work while the child runs. The caller
 * waits for the child, or kills it. Returns an enum rsp_exit.
 */
int rsp_isolated_begin(const struct rsp_isolated *job, pid_t *ret);

#endif
