/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way of a snapshot through the core library: file -> names added -> explanation -> report.
 * Each function tells the user what failed and returns an enum rsp_exit.
 */
#ifndef RSP_CLI_PIPELINE_H
#define RSP_CLI_PIPELINE_H

#include "cli/rspctl.h"
#include "lib/model/explain.h"

struct rsp_pipeline {
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	struct rsp_explanation *explanation;
};

/* Tells why the snapshot called name could not be opened: error as of rsp_snapshot_open_fd(). */
int rsp_pipeline_fail_open(int error, const char *name);
/*
 * Reads and explains the snapshot in fd. name: what the user calls it. pid: the process to explain,
 * 0: the one it was taken of. whole: not just the span it was taken for, but all that it holds.
 */
int rsp_pipeline_open(int fd, const char *name, pid_t pid, bool whole, struct rsp_pipeline *ret);
void rsp_pipeline_done(struct rsp_pipeline *p);

/*
 * The report that opt asks for, on stdout. source: as in struct rsp_report_options. RSP_EXIT_LOSSY
 * if something is missing from it.
 */
int rsp_pipeline_report(const struct rsp_pipeline *p, const struct rsp_options *opt,
			const char *source);

struct rsp_symbolize_options;
/*
 * The recorder names no user functions: it reads nobody's ELF files. We do, while they are as they
 * were. *ret_fd: a memfd with the snapshot of fd, which the user calls name, and what could be
 * named.
 */
int rsp_pipeline_symbolize(int fd, const char *name, const struct rsp_symbolize_options *how,
			   int *ret_fd);

#endif
