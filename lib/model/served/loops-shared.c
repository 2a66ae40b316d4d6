/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the processes whose threads share the work on one request, as in Go programs: after a wait,
 * a goroutine continues in any thread, so the answer to a call wakes any thread.
 */
#include "lib/model/served/loops-parts.h"

#include <stdlib.h>

#include "lib/model/roots.h"

/* Minimum number of wakeups that are enough evidence. */
#define WAKEUPS_MIN 20

struct wakeups {
	/*
	 * cnt: number of wakeups by an answer; own_cnt: number of these wakeups in which the answer
	 * woke the thread that made the call
	 */
	__u32 cnt, own_cnt;
};

union count {
	uint64_t value;
	struct wakeups w;
};

static const struct rsp_trip *trip_until(const struct rsp_model *m,
					 const struct rsp_arrival *wakeup)
{
	size_t lo = 0, hi = m->trips.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->trips.v[mid].to_ns <= wakeup->ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo > 0 && wakeup->ts_ns - m->trips.v[lo - 1].to_ns <= RSP_WAKE_NS_MAX; lo--)
		if (m->ops.arrivals.v[m->trips.v[lo - 1].arrival].sock == wakeup->sock)
			return &m->trips.v[lo - 1];
	return NULL;
}

static void count_wakeup(const struct rsp_model *m, const struct rsp_thread *t,
			 const struct rsp_span *span, __u32 tgid, struct wakeups *w)
{
	const struct rsp_trip *trip;
	uint64_t caller;

	if (span->kind != RSP_SPAN_BLOCKED || span->cause != RSP_CAUSE_NET)
		return;
	trip = trip_until(m, &m->ops.arrivals.v[span->cause_id]);
	if (!trip || !rsp_idmap_get(&m->thread_of, trip->tid, &caller) ||
	    rsp_thread_tgid(m, (__u32)caller) != tgid)
		return;
	w->cnt++;
	w->own_cnt += t->tid == trip->tid;
}

static int count_wakeups(const struct rsp_model *m, struct rsp_idmap *wakeups_of)
{
	uint64_t tid, thread;
	size_t pos = 0;
	int r = 0;

	while (r == 0 && rsp_idmap_next(m->callers, &pos, &tid, &(uint64_t){0})) {
		union count count = {0};
		__u32 tgid;

		if (!rsp_idmap_get(&m->thread_of, tid, &thread))
			continue;
		tgid = rsp_thread_tgid(m, (__u32)thread);
		rsp_idmap_get(wakeups_of, tgid, &count.value);
		for (size_t i = 0; i < m->threads.v[thread].spans.cnt; i++)
			count_wakeup(m, &m->threads.v[thread], &m->threads.v[thread].spans.v[i],
				     tgid, &count.w);
		r = rsp_idmap_put(wakeups_of, tgid, count.value);
	}
	return r;
}

static bool shares(const struct rsp_idmap *wakeups_of, __u32 tgid)
{
	union count count;

	return rsp_idmap_get(wakeups_of, tgid, &count.value) && count.w.cnt >= WAKEUPS_MIN &&
	       count.w.own_cnt < count.w.cnt - count.w.cnt / 5;
}

int rsp_loops_find_shared(const struct rsp_model *m, struct rsp_idmap *ret)
{
	struct rsp_idmap wakeups_of = {0};
	uint64_t tid, thread;
	size_t pos = 0;
	int r = m->trips.cnt ? count_wakeups(m, &wakeups_of) : 0;

	while (r == 0 && rsp_idmap_next(m->callers, &pos, &tid, &(uint64_t){0})) {
		__u32 tgid;

		if (!rsp_idmap_get(&m->thread_of, tid, &thread))
			continue;
		tgid = rsp_thread_tgid(m, (__u32)thread);
		if (shares(&wakeups_of, tgid))
			r = rsp_idmap_put(ret, tid, tgid);
	}
	rsp_idmap_done(&wakeups_of);
	return r;
}
