/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot -> the same with names of functions, cut down to what its reader may see, and its
 * report's first sentence. Done by rsp-worker, a process of no rights, which gets the files that it
 * needs from us: we open and check, it parses. These functions wait for it: they are for a child of
 * the recorder (dump.h), never for its event loop.
 */
#ifndef RSP_DAEMON_ANALYSIS_H
#define RSP_DAEMON_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "rsp/event.h"

#define RSP_HEADLINE_MAX 512

struct rsp_binaries;

struct rsp_analysis_request {
	int snapshot; /* a sealed memfd */
	int naming;   /* a small one with all that naming needs (freeze.h), or the same */
	const struct rsp_binaries
		*binaries; /* files that may be opened: those the snapshot names */
	bool redact;	   /* leave only what uid may see (lib/snapshot/redact.h) */
	uid_t uid;
	bool choose;   /* the snapshot names no process (PSI): choose the most affected one */
	bool headline; /* make a headline, which takes as long as a report */
	unsigned int patience_s;
	int broker_places; /* of processes that open files (daemon/places.h); -1: any number */
};

struct rsp_analysis {
	int fd; /* a memfd with the snapshot, sealed; the caller's */
	size_t size;
	char headline[RSP_HEADLINE_MAX]; /* printable UTF-8, no newline */
	unsigned int left_out_cnt; /* files: half of the patience went into names, or they hang */
};

/*
 * 0; -EIO: the worker died or broke the protocol; -ETIMEDOUT; -EACCES: with redact, it is of a
 * process of somebody else; -ESRCH: with choose, nobody suffered; -errno. With redact there is no
 * result but a redacted one, and no file is opened that uid could not read. Without a headline
 * there is "". If something holds it up all the same SIGALRM ends this process.
 */
int rsp_analyse(const struct rsp_analysis_request *request, struct rsp_analysis *ret);

/*
 * Where in its file the function lies, for a uprobe. fd: the file. 0; -ENOENT: it has no such
 * function; -errno as above. Waits five seconds at most.
 */
int rsp_analysis_find_function(int fd, const char *name, __u64 *ret_offset);

#endif
