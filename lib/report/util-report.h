/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports how CPUs, processes and tasks spent the span of a trace, and how often and how long tasks
 * were in system calls. The same trace always gives the same output.
 */
#ifndef RSP_LIB_UTIL_REPORT_H
#define RSP_LIB_UTIL_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/trace/trace.h"

struct rsp_util_options {
	__u32 pid;	  /* show only this process; 0: all processes */
	bool descendants; /* also show the descendants of pid */
	const char *comm; /* show only processes with this name; NULL: all */
	bool by_cpu;	  /* text: also show the time of each task on each CPU */
	size_t row_max;	  /* text: maximum number of rows per table; 0: the default of each table */
	bool json, pretty;
	bool colour;
	unsigned int width; /* columns of the terminal; 0: unknown */
};

/*
 * Writes the report to out. Sets *ret_lossy if records were lost. Returns 0, -ESRCH if no process
 * with that pid or name was alive, or another -errno.
 */
int rsp_util_report(const struct rsp_trace *trace, const struct rsp_util_options *opt, FILE *out,
		    bool *ret_lossy);

#endif
