/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file with a snapshot -> names for its user stacks; it stays as it is. See symbolize.h. */
#include "symbolize.h"

#include "lib/snapshot/snapshot.h"

int rsp_symbolize_snapshot(int fd, const struct rsp_symbolize_options *options, void **ret,
			   size_t *ret_len)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	int r;

	r = rsp_snapshot_open_fd(fd, &snap);
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
