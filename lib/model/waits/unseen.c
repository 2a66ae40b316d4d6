/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See unseen.h. */
#include "lib/model/waits/unseen.h"

#define LOOK_SPANS 250

/* Minimum number of timeouts; fewer may be a coincidence. */
#define TIMEOUTS_MIN 5

/* Number of timeouts that are required for each wait with another end. */
#define TIMEOUTS_FOR_ONE 10

static __u64 length_of(const struct rsp_thread *t, size_t i)
{
	return rsp_span_end(t, i) - t->spans.v[i].from_ns;
}

/*
 * Returns whether the wait `other` is evidence for the cause of the wait `wait`: it began at the
 * same place, and lasted about as long or, if it did not end with a timeout, longer.
 */
static bool is_alike(const struct rsp_thread *t, size_t wait, size_t other)
{
	const struct rsp_span *a = &t->spans.v[wait], *b = &t->spans.v[other];
	__u64 ns = length_of(t, wait);

	return b->kind == RSP_SPAN_BLOCKED && b->out && b->flags & RSP_SW_TIMEOUT &&
	       a->out->syscall_nr == b->out->syscall_nr && a->out->ustack == b->out->ustack &&
	       a->out->object == b->out->object && length_of(t, other) >= ns - ns / 10 &&
	       (b->cause != RSP_CAUSE_TIMEOUT || length_of(t, other) <= ns + ns / 10);
}

bool rsp_unseen_is_timeout(const struct rsp_thread *t, size_t i)
{
	size_t from = i > LOOK_SPANS ? i - LOOK_SPANS : 0;
	size_t to = t->spans.cnt - i > LOOK_SPANS ? i + LOOK_SPANS : t->spans.cnt;
	size_t timeout_cnt = 0, other_cnt = 0;

	if (!t->spans.v[i].out || !(t->spans.v[i].flags & RSP_SW_TIMEOUT))
		return false;
	for (size_t k = from; k < to; k++) {
		if (k == i || t->spans.v[k].cause == RSP_CAUSE_NONE || !is_alike(t, i, k))
			continue;
		if (t->spans.v[k].cause == RSP_CAUSE_TIMEOUT)
			timeout_cnt++;
		else
			other_cnt++;
	}
	return timeout_cnt >= TIMEOUTS_MIN && other_cnt * TIMEOUTS_FOR_ONE <= timeout_cnt;
}
