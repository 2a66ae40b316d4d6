/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the requests of a trace: counts and latencies, the slowest requests, and how slow
 * requests use more time than typical ones. The same trace always gives the same bytes.
 */
#ifndef RSP_LIB_REQUESTS_REPORT_H
#define RSP_LIB_REQUESTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

#define RSP_SLOWEST_DEFAULT 5
#define RSP_SLOWEST_MAX	    1000

struct rsp_requests_options {
	__u32 pid;	  /* show only the servers and calls of this process; 0: all */
	const char *comm; /* show only servers and calls of processes with this name; NULL: all */
	size_t slowest;	  /* number of slowest requests to explain */
	/* Requests are slow if they took longer. 0: the slowest hundredth is slow. */
	__u64 slower_than_ns;
	bool json, pretty;
	bool openmetrics; /* latencies alone, as OpenMetrics text */
	bool colour;
	unsigned int width; /* width of the terminal; 0: do not break lines */
};

/*
 * Writes the report to out. Sets *ret_lossy if records were lost or the recorder paused. Returns 0,
 * -ENODATA if the trace has no network records, -ESRCH if no server and no client has that pid or
 * name, -ENOMEM, or -errno of the stream.
 */
int rsp_requests_report(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			FILE *out, bool *ret_lossy);

#endif
