/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the requests of a trace: numbers and latencies, the slowest requests, and where slow
 * requests spend more time than typical ones. The same trace always gives the same output.
 */
#ifndef RSP_LIB_REQUESTS_REPORT_H
#define RSP_LIB_REQUESTS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

#define RSP_SLOWEST_DEFAULT 5
#define RSP_SLOWEST_MAX	    1000

struct rsp_requests_options {
	__u32 pid;	  /* show only servers and calls of this process; 0: all */
	const char *comm; /* show only servers and calls of processes with this name; NULL: all */
	size_t slowest;	  /* number of slowest requests to explain */
	/* a request that took longer than this is slow; 0: the slowest hundredth is slow */
	__u64 slower_than_ns;
	bool json, pretty;
	bool openmetrics; /* write only the latencies, as OpenMetrics text */
	bool colour;
	unsigned int width; /* columns of the terminal; 0: do not break lines */
};

/*
 * Writes the report to out. Sets *ret_lossy to whether records of the network or of the scheduler
 * were lost. Returns 0, -ENODATA if the trace has no network records, -ESRCH if no server and no
 * client has that pid or name, -ENOMEM, or -errno of the stream.
 */
int rsp_requests_report(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			FILE *out, bool *ret_lossy);

#endif
