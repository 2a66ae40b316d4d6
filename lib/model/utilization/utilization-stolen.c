/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns STOLEN records into the time that the hypervisor took from each task, on each CPU. */
#include "lib/model/utilization/utilization-parts.h"

static __u64 min_of(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static void take(struct rsp_utilization *u, const struct rsp_ev_stolen *ev)
{
	size_t i = rsp_use_task_at(u, ev->tid, ev->hdr.ts_ns);
	struct rsp_use_task *task = i == RSP_NO_TASK ? NULL : &u->tasks.v[i];
	struct rsp_use_place *place = task ? rsp_use_place_of(task, ev->hdr.cpu) : NULL;
	__u64 ns;

	if (!place || ev->hdr.ts_ns > u->until_ns)
		return;
	ns = min_of(ev->stolen_ns, ev->hdr.ts_ns - task->from_ns);
	ns = min_of(ns, min_of(rsp_use_place_left_ns(place), task->use.busy_ns));
	place->stolen_ns += ns;
	task->use.busy_ns -= ns;
	task->use.stolen_ns += ns;
}

void rsp_use_stolen(struct rsp_using *x)
{
	const struct rsp_trace *trace = x->m->trace;

	for (size_t i = 0; i < trace->event_cnt; i++)
		if (trace->events[i]->kind == RSP_EV_STOLEN)
			take(x->u, (const void *)trace->events[i]);
}
