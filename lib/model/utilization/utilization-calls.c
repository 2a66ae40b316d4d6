/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns CALLS records into the system calls of each task. A record includes the counts of earlier
 * records of the same task and call, so the newest record counts.
 */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/utilization/utilization-parts.h"

struct calls {
	struct rsp_using *x;
	struct rsp_intern keys; /* the number of a struct key is its index in found */
	struct {
		const struct rsp_ev_calls **v; /* the newest record of each key */
		size_t cnt, cap;
	} found;
};

struct key {
	__u64 task;
	__s64 nr;
};

static size_t task_of(const struct rsp_utilization *u, const struct rsp_ev_calls *ev)
{
	if (ev->hdr.flags & RSP_ACCOUNT_EXEC)
		return rsp_use_task_before_exec(u, ev->tid, ev->hdr.ts_ns);
	/* The recorder may have read the counts shortly after the span. */
	return rsp_use_task_at(u, ev->tid,
			       ev->hdr.ts_ns < u->until_ns ? ev->hdr.ts_ns : u->until_ns);
}

static int see(struct calls *c, const struct rsp_ev_calls *ev)
{
	size_t task = task_of(c->x->u, ev);
	const struct key key = {task, ev->syscall_nr};
	const struct rsp_ev_calls **slot;
	uint32_t i;

	if (task == RSP_NO_TASK)
		return 0;
	if (rsp_intern_put(&c->keys, &key, sizeof(key), &i) < 0)
		return -ENOMEM;
	slot = i < c->found.cnt ? &c->found.v[i] : rsp_array_add(&c->found);
	if (!slot)
		return -ENOMEM;
	*slot = ev;
	return 0;
}

static int add_call(struct rsp_utilization *u, const struct key *key, const struct rsp_ev_calls *ev)
{
	struct rsp_use_call *call = rsp_array_add(&u->tasks.v[key->task].calls);

	if (!call)
		return -ENOMEM;
	*call = (struct rsp_use_call){
		.nr = ev->syscall_nr,
		.cnt = ev->cnt,
		.sum_ns = ev->sum_ns,
		.min_ns = ev->min_ns,
		.max_ns = ev->max_ns,
		.pending_ns = ev->pending_ns,
	};
	return 0;
}

static int compare_calls(const void *pa, const void *pb)
{
	const struct rsp_use_call *a = pa, *b = pb;
	__u64 a_ns = a->sum_ns + a->pending_ns, b_ns = b->sum_ns + b->pending_ns;

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

/* Returns 0 if no calls were counted. */
static __u64 last_watch(const struct rsp_trace *trace)
{
	__u64 from_ns = 0;

	for (size_t i = 0; i < trace->event_cnt; i++) {
		const struct rsp_ev_calls *ev = (const void *)trace->events[i];

		if (ev->hdr.kind == RSP_EV_CALLS && ev->from_ns > from_ns)
			from_ns = ev->from_ns;
	}
	return from_ns;
}

static int collect(struct calls *c)
{
	const struct rsp_trace *trace = c->x->m->trace;
	struct rsp_utilization *u = c->x->u;
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_calls *ev = (const void *)trace->events[i];

		if (ev->hdr.kind == RSP_EV_CALLS && ev->from_ns == u->calls_from_ns)
			r = see(c, ev);
	}
	for (size_t i = 0; i < c->found.cnt && r == 0; i++)
		r = add_call(u, rsp_intern_data(&c->keys, (uint32_t)i), c->found.v[i]);
	for (size_t i = 0; i < u->tasks.cnt && r == 0; i++)
		if (u->tasks.v[i].calls.cnt)
			qsort(u->tasks.v[i].calls.v, u->tasks.v[i].calls.cnt,
			      sizeof(*u->tasks.v[i].calls.v), compare_calls);
	return r;
}

int rsp_use_calls(struct rsp_using *x)
{
	struct calls c = {.x = x};
	int r;

	x->u->calls_from_ns = last_watch(x->m->trace);
	x->u->has_calls = x->u->calls_from_ns;
	r = x->u->has_calls ? collect(&c) : 0;
	rsp_intern_done(&c.keys);
	free(c.found.v);
	return r;
}
