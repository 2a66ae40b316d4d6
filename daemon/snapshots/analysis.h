/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds names of functions to a snapshot, cuts the snapshot to the data that its reader may see, and
 * makes the first sentence of its report (the headline). rsp-worker, a process without privileges,
 * does the work. These functions block: call them in a child of the recorder (dump.h), never in its
 * event loop.
 */
#ifndef RSP_DAEMON_ANALYSIS_H
#define RSP_DAEMON_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "daemon/worker/worker-protocol.h"

struct rsp_binaries;

struct rsp_analysis_request {
	int snapshot; /* a sealed memfd */
	/*
	 * memfd of a small snapshot with all data for naming functions (freeze.h), or the same as
	 * snapshot
	 */
	int naming;
	const struct rsp_binaries *binaries; /* the binaries whose files the worker may request */
	bool redact; /* keep only data that uid may see (lib/snapshot/redact.h) */
	uid_t uid;
	bool choose;   /* the snapshot names no process (PSI): choose the most affected process */
	bool headline; /* takes as long as making a report */
	unsigned int patience_s;
	/* descriptor for rsp_places_take(), which limits the number of brokers; -1: no limit */
	int broker_places;
};

struct rsp_analysis {
	int fd; /* a sealed memfd with the snapshot, which the caller must close */
	size_t size;
	char headline[RSP_HEADLINE_MAX]; /* printable UTF-8, no newline */
	/* files not read, because time or places of brokers were used up, or because they hung */
	unsigned int left_out_cnt;
};

/*
 * Analyses a snapshot. Returns 0; -EIO: the worker died or violated the protocol; -ETIMEDOUT;
 * -EACCES: redact is set, and the process is not uid's; -ESRCH: choose is set, and no process was
 * affected; -errno.
 *
 * With redact, the result is always redacted, and only files that uid could read are opened. If the
 * call hangs, SIGALRM ends this process.
 */
int rsp_analyse(const struct rsp_analysis_request *request, struct rsp_analysis *ret);

/*
 * The worker gets only copies of symbols, and no files. cpu_ns: CPU time of the previous summary.
 * *ret: a sealed memfd with the summary, unchecked. Returns 0, or an error of rsp_analyse(). If the
 * call hangs, SIGALRM ends this process.
 */
int rsp_analysis_summarize(int snapshot, const struct rsp_binaries *binaries, __u64 cpu_ns,
			   unsigned int patience_s, int *ret, size_t *ret_len);

#endif
