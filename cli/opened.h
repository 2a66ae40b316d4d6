/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open snapshot and its records, for the process without rights that reads it. Functions that
 * fail tell the user why, and return an enum rsp_exit.
 */
#ifndef RSP_CLI_OPENED_H
#define RSP_CLI_OPENED_H

#include "cli/rspctl.h"
#include "lib/trace/trace.h"

struct rsp_opened {
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
};

/*
 * Reads the snapshot in fd, no more than the newest events_bytes_max bytes of its events, and
 * applies --pid and --whole. name: what the user calls it.
 */
int rsp_opened_read(int fd, const char *name, const struct rsp_options *opt,
		    uint64_t events_bytes_max, struct rsp_opened *ret);
void rsp_opened_done(struct rsp_opened *opened);

/* Returns whether the file is incomplete or damaged. */
bool rsp_opened_is_lossy(const struct rsp_opened *opened);

/* Tells why the snapshot called name could not be opened: error as of rsp_snapshot_open_fd(). */
int rsp_opened_fail_open(int error, const char *name);
/* "cannot VERB NAME: …" */
int rsp_opened_fail(const char *verb, int error, const char *name);
/* Tells that the process of interest does not occur in the snapshot. */
int rsp_opened_fail_absent(const struct rsp_opened *opened, const char *name,
			   const struct rsp_options *opt);

#endif
