/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds function names for the user stacks of a snapshot file, without changing the file. See
 * symbolize.h. Switches and wakeups, which are most records of a snapshot, are not kept in memory.
 */
#include "lib/symbols/symbolize.h"

#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/symbols.h"

int rsp_symbolize_snapshot(int fd, const struct rsp_symbolize_options *options, void **ret,
			   size_t *ret_len)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	int r;

	r = rsp_snapshot_open_kinds_fd(fd, RSP_SYMBOLS_KINDS, &snap);
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
