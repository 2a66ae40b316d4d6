/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Natural merge sort: records arrive as batches, one CPU after the other, each batch in order. The
 * batches that lie in order already are found, not made, and neighbours are merged only where they
 * overlap, so the cost follows the disorder: a drain of one period never moves another's records.
 */
#include "trace-sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

/* Ends of the ordered runs: run i is [ends[i - 1], ends[i]). */
struct ends {
	size_t *v;
	size_t cnt, cap;
};

static int find_runs(const struct rsp_ev_hdr **events, size_t cnt, struct ends *ends)
{
	for (size_t i = 1; i <= cnt; i++) {
		size_t *end;

		if (i < cnt && events[i - 1]->ts_ns <= events[i]->ts_ns)
			continue;
		end = rsp_array_add(ends);
		if (!end)
			return -ENOMEM;
		*end = i;
	}
	return 0;
}

/* First index in [lo, hi) whose time is above ts_ns (or not below it, if at_least). */
static size_t bound(const struct rsp_ev_hdr **events, size_t lo, size_t hi, __u64 ts_ns,
		    bool at_least)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (events[mid]->ts_ns < ts_ns || (!at_least && events[mid]->ts_ns == ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Merges the ordered [lo, mid) and [mid, hi); spare has room for the left one. */
static void merge(const struct rsp_ev_hdr **events, size_t lo, size_t mid, size_t hi,
		  const struct rsp_ev_hdr **spare)
{
	size_t left = 0, left_cnt, right = mid, out;

	if (events[mid - 1]->ts_ns <= events[mid]->ts_ns)
		return;
	lo = bound(events, lo, mid, events[mid]->ts_ns, false);
	hi = bound(events, mid, hi, events[mid - 1]->ts_ns, true);
	left_cnt = mid - lo;
	memcpy(spare, events + lo, left_cnt * sizeof(*spare));
	for (out = lo; left < left_cnt && right < hi; out++)
		events[out] = events[right]->ts_ns < spare[left]->ts_ns ? events[right++]
									: spare[left++];
	memcpy(events + out, spare + left, (left_cnt - left) * sizeof(*spare));
}

int rsp_trace_sort(const struct rsp_ev_hdr **events, size_t cnt)
{
	_cleanup_free_ const struct rsp_ev_hdr **spare = NULL;
	_cleanup_free_ size_t *to_free = NULL;
	struct ends ends = {0};
	int r;

	r = find_runs(events, cnt, &ends);
	to_free = ends.v;
	if (r < 0)
		return r;
	if (ends.cnt < 2)
		return 0;
	spare = malloc(cnt * sizeof(*spare));
	if (!spare)
		return -ENOMEM;
	while (ends.cnt > 1) {
		size_t kept = 0, lo = 0;

		for (size_t i = 0; i < ends.cnt; i += 2) {
			size_t hi = ends.v[i + 1 < ends.cnt ? i + 1 : i];

			if (i + 1 < ends.cnt)
				merge(events, lo, ends.v[i], hi, spare);
			ends.v[kept++] = lo = hi;
		}
		ends.cnt = kept;
	}
	return 0;
}
