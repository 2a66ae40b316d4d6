/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a snapshot of a short time into a summary of all its processes, as JSON.
 * docs/json-summary.md describes the format. Kernel threads have no unit; they appear in the chains
 * of processes.
 */
#ifndef RSP_LIB_SUMMARY_H
#define RSP_LIB_SUMMARY_H

#include <stddef.h>

#include "lib/snapshot/snapshot.h"

struct rsp_summary_options {
	__u64 cpu_ns; /* CPU time that the previous summary took, to be written into this summary */
	/* limit of the result, as rsp_summary_cost() counts it; 0: RSP_SUMMARY_BYTES_MAX */
	size_t bytes_max;
};

/*
 * Makes the summary of the span in META. Changes the process of interest in META, because it
 * explains one process after the other. *ret: one line without newline, NUL-terminated; the caller
 * frees it. Returns 0, -ENOMEM, or -E2BIG if not even an empty summary fits.
 */
int rsp_summary_make(struct rsp_snapshot *snap, const struct rsp_summary_options *opt, char **ret,
		     size_t *ret_len);

/* Returns the length of the text in a JSON string, with escaped quotes and backslashes. */
size_t rsp_summary_cost(const char *text, size_t len);

#endif
