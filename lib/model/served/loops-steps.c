/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists all arrivals and sends of the threads that answer requests, in order of time for each
 * worker.
 */
#include "lib/model/served/loops-parts.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"

#define INDEX_MAX ((1U << 30) - 1)

static int add(struct rsp_steps *steps, __u64 ts_ns, __u32 worker, size_t index,
	       enum rsp_step_kind kind)
{
	struct rsp_step *step;

	if (index > INDEX_MAX)
		return 0;
	step = rsp_array_add(steps);
	if (!step)
		return -ENOMEM;
	*step = (struct rsp_step){ts_ns, worker, (__u32)index, kind};
	return 0;
}

static __u32 worker_of(const struct rsp_idmap *shared, __u32 tid)
{
	uint64_t tgid;

	return rsp_idmap_get(shared, tid, &tgid) ? RSP_STEP_PROCESS | (__u32)tgid : tid;
}

static int compare(const void *pa, const void *pb)
{
	const struct rsp_step *a = pa, *b = pb;

	if (a->worker != b->worker)
		return a->worker < b->worker ? -1 : 1;
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

int rsp_steps_list(const struct rsp_model *m, const struct rsp_exchange *served,
		   const struct rsp_idmap *shared, struct rsp_steps *ret)
{
	int r = 0;

	for (size_t i = 0; i < served->cnt && r == 0; i++) {
		const struct rsp_served *s = &served->v[i];
		__u32 worker = worker_of(shared, s->tid);

		if (!s->first_ns || !rsp_idmap_get(m->callers, s->tid, &(uint64_t){0}))
			continue;
		r = add(ret, s->arrival_ns, worker, i, RSP_STEP_REQUEST);
		if (r == 0)
			r = add(ret, s->first_ns, worker, i, RSP_STEP_ANSWER);
	}
	for (size_t i = 0; i < m->trips.cnt && r == 0; i++) {
		const struct rsp_trip *t = &m->trips.v[i];
		__u32 worker = worker_of(shared, t->tid);

		if (t->before == RSP_NO_TRIP)
			r = add(ret, t->from_ns, worker, i, RSP_STEP_CALL);
		if (r == 0)
			r = add(ret, t->to_ns, worker, i, RSP_STEP_ANSWERED);
	}
	if (r == 0 && ret->cnt)
		qsort(ret->v, ret->cnt, sizeof(*ret->v), compare);
	return r;
}
