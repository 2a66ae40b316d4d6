/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot of a short time -> a summary of all its processes, as JSON: by systemd unit, where the
 * time went, the heaviest chains of waits, and the requests. docs/json-summary.md describes it.
 * Kernel threads have no part of their own; they appear in the chains of processes.
 */
#ifndef RSP_LIB_SUMMARY_H
#define RSP_LIB_SUMMARY_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"

struct rsp_summary_options {
	__u64 cpu_ns; /* CPU time that the previous summary took; only reported */
	/* limit of the result, as rsp_summary_cost() counts it; 0: RSP_SUMMARY_BYTES_MAX */
	size_t bytes_max;
};

/*
 * Makes the summary of the span in META. Explains one process after the other, and so changes the
 * process of interest in META. *ret: one line without newline, NUL-terminated, which the caller
 * frees. 0; -E2BIG: not even an empty summary fits; -ENOMEM.
 */
int rsp_summary_make(struct rsp_snapshot *snap, const struct rsp_summary_options *opt, char **ret,
		     size_t *ret_len);

/* Returns the length of the text within a JSON string: quotes and backslashes are escaped there. */
size_t rsp_summary_cost(const char *text, size_t len);

#endif
