/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace -> what servers did with the requests they got: counts and latencies, the slowest ones,
 * and what slow ones have more of than typical ones. Pure: the same trace gives the same bytes.
 */
#ifndef RSP_LIB_REQUESTS_REPORT_H
#define RSP_LIB_REQUESTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

#define RSP_SLOWEST_DEFAULT 5
#define RSP_SLOWEST_MAX	    1000

struct rsp_requests_options {
	__u32 pid;	  /* of a process: its servers and its calls alone; 0: all */
	const char *comm; /* the same of all processes of that name; NULL: all */
	size_t slowest;	  /* how many of the slowest requests to explain */
	/* Requests that took longer are slow; 0: the slowest hundredth is. */
	__u64 slower_than_ns;
	bool json, pretty;
	bool colour;
	unsigned int width; /* of the terminal; 0: lines are not broken */
};

/*
 * Writes the report to out. lossy: records were lost, or the recorder paused. 0; -ENODATA: the
 * trace has no network records; -ESRCH: no server and no client is of that pid or name; -ENOMEM;
 * -errno of the stream.
 */
int rsp_requests_report(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			FILE *out, bool *ret_lossy);

#endif
