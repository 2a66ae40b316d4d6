/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The utilization and the chosen processes, for the files that write a report about them. */
#ifndef RSP_LIB_UTIL_VIEW_H
#define RSP_LIB_UTIL_VIEW_H

#include "lib/model/utilization/utilization.h"
#include "lib/report/util-report.h"

struct rsp_util_view {
	const struct rsp_util_options *opt;
	const struct rsp_trace *trace;
	struct rsp_names *names;
	/*
	 * the trace is redacted: use.all is the sum of the visible processes, and use.cpus is empty
	 */
	bool redacted;
	struct rsp_utilization use;
	bool *shows;	/* for each process of use: whether the report shows the process */
	__u64 lost_cnt; /* number of records that were lost within the span */
};

/*
 * Returns the container of a process at the end of the span, as rsp_container_print() writes it, or
 * "".
 */
const char *rsp_util_container(const struct rsp_util_view *v,
			       const struct rsp_use_process *process);
/*
 * Returns the name of a system call, like "read", "number 512", "i386 call 5" or "other calls". The
 * result is buf or a constant string.
 */
const char *rsp_util_call_name(__s32 nr, char *buf, size_t len);
/*
 * Writes an ID into buf, like "12", or like "12-0" for a program that the process executed earlier.
 * Returns buf.
 */
char *rsp_util_id(__u32 id, __s32 image, char *buf, size_t len);
#define RSP_UTIL_ID_BYTES 32

/* Returns the name of a source of times: "account", "samples", "both" or "none". */
const char *rsp_util_source_name(unsigned int source);

int rsp_util_text(const struct rsp_util_view *v, FILE *out); /* -ENOMEM */
int rsp_util_json(const struct rsp_util_view *v, FILE *out); /* -ENOMEM */

#endif
