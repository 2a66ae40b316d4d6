/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters of capture, for the recorder's status. */
#ifndef RSP_DAEMON_CAPTURE_STATS_H
#define RSP_DAEMON_CAPTURE_STATS_H

#include <stddef.h>

#include "daemon/capture/symcopies.h"
#include "rsp/event.h"
#include "rsp/unwind.h"

struct rsp_binaries_stats {
	unsigned int binary_cnt;
	unsigned int table_cnt;
	size_t table_bytes;
	__u64 built_cnt;
	__u64 refused_cnt;     /* files that could not be read */
	__u64 left_out_cnt;    /* files that rspd did not read, because other files hang */
	unsigned int hung_cnt; /* files on which a process hangs now */
	__u64 evicted_cnt;
	struct rsp_symcopies_stats symbols;
	/* requests for a number that were refused; each refusal ends a stack early */
	__u64 unnumbered_cnt;
};

struct rsp_capture_stats {
	struct rsp_stack_stats stacks; /* of all CPUs */
	struct rsp_binaries_stats binaries;
};

#endif
