/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See trace-sort.h. Records arrive in batches, one CPU after the other, and each batch is in order.
 * So a natural merge sort (lib/base/sort.h) is fast: it only merges batches that overlap in time.
 */
#include "lib/trace/trace-sort.h"

#include "lib/base/sort.h"

static int compare_times(const void *pa, const void *pb)
{
	__u64 a = (*(const struct rsp_ev_hdr *const *)pa)->ts_ns;
	__u64 b = (*(const struct rsp_ev_hdr *const *)pb)->ts_ns;

	return a < b ? -1 : a > b;
}

int rsp_trace_sort(const struct rsp_ev_hdr **events, size_t cnt)
{
	return rsp_sort(events, cnt, sizeof(*events), compare_times);
}
