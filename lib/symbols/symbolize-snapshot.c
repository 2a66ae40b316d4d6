/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with a snapshot -> names for its user stacks; it stays as it is. See symbolize.h. Most
 * records are switches and wakeups, of which nothing is needed here: they are not kept.
 */
#include "symbolize.h"

#include "lib/snapshot/snapshot.h"

/* Stacks, the files that they lie in, and the processes that ran them. */
#define KINDS (1U << RSP_EV_STACK | 1U << RSP_EV_BINARY | 1U << RSP_EV_TASK)

int rsp_symbolize_snapshot(int fd, const struct rsp_symbolize_options *options, void **ret,
			   size_t *ret_len)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	int r;

	r = rsp_snapshot_open_kinds_fd(fd, KINDS, &snap);
	if (r < 0)
		return r;
	r = rsp_trace_new(snap, &trace);
	if (r == 0) {
		r = rsp_symbolize_user(trace, options, ret, ret_len);
		rsp_trace_free(trace);
	}
	rsp_snapshot_free(snap);
	return r;
}
