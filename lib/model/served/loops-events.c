/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Implements the queue of events that a thread has not handled yet. */
#include "lib/model/served/loops-parts.h"

#include <errno.h>
#include <string.h>

#include "lib/base/array.h"

static int make_room(struct rsp_events *q)
{
	size_t gap = q->cnt + 1;
	void *v = q->v;
	int r = 0;

	while (r == 0 && q->cap < q->cnt + gap)
		r = rsp_array_reserve(&v, q->cap, &q->cap, sizeof(*q->v));
	q->v = v;
	if (r < 0)
		return r;
	memmove(q->v + gap, q->v, q->cnt * sizeof(*q->v));
	q->head = gap;
	q->cnt += gap;
	return 0;
}

int rsp_events_add(struct rsp_events *q, struct rsp_event event, bool first)
{
	struct rsp_event *slot;

	if (rsp_events_is_empty(q))
		q->head = q->cnt = 0;
	if (first && q->head == 0 && make_room(q) < 0)
		return -ENOMEM;
	slot = first ? &q->v[--q->head] : rsp_array_add(q);
	if (!slot)
		return -ENOMEM;
	*slot = event;
	return 0;
}

struct rsp_event rsp_events_take(struct rsp_events *q, size_t i)
{
	struct rsp_event event = q->v[i];

	memmove(q->v + q->head + 1, q->v + q->head, (i - q->head) * sizeof(*q->v));
	q->head++;
	return event;
}
