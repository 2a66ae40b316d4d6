/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trace-comm.h. */
#include "lib/trace/trace-comm.h"

#include <errno.h>
#include <string.h>

#include "lib/base/idmap.h"

/*
 * Adds the processes with this name to switches, which maps their IDs to 0. The last name counts: a
 * process has the name of its parent until it executes a program.
 */
static int find_named(const struct rsp_trace *trace, const char *comm, struct rsp_idmap *switches)
{
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_task *task = (const void *)trace->events[i];

		if (task->hdr.kind != RSP_EV_TASK || task->tid != task->tgid)
			continue;
		if (rsp_trace_lists(trace, task) &&
		    strncmp(task->comm, comm, sizeof(task->comm)) == 0)
			r = rsp_idmap_put(switches, task->tgid, 0);
		else
			rsp_idmap_remove(switches, task->tgid);
	}
	return r;
}

/* Sets the values of switches: how often the threads of each process left a CPU. */
static int count_switches(const struct rsp_trace *trace, struct rsp_idmap *switches)
{
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_switch *sw = (const void *)trace->events[i];
		const struct rsp_ev_task *task;
		uint64_t cnt;

		if (sw->hdr.kind != RSP_EV_SWITCH)
			continue;
		task = rsp_trace_task(trace, sw->prev_tid, sw->hdr.ts_ns);
		if (task && rsp_idmap_get(switches, task->tgid, &cnt))
			r = rsp_idmap_put(switches, task->tgid, cnt + 1);
	}
	return r;
}

static ssize_t choose(const struct rsp_trace *trace, const struct rsp_idmap *switches,
		      __u32 *ret_tgid)
{
	uint64_t tgid, cnt, most_cnt = 0;
	__u32 best = 0;
	ssize_t found = 0;
	size_t pos = 0;

	while (rsp_idmap_next(switches, &pos, &tgid, &cnt)) {
		found++;
		if (best && (cnt < most_cnt || (cnt == most_cnt && tgid > best)))
			continue;
		best = (__u32)tgid;
		most_cnt = cnt;
	}
	if (rsp_idmap_get(switches, trace->snap->meta.target_pid, &cnt))
		best = trace->snap->meta.target_pid;
	if (found)
		*ret_tgid = best;
	return found;
}

ssize_t rsp_trace_find_comm(const struct rsp_trace *trace, const char *comm, __u32 *ret_tgid)
{
	struct rsp_idmap switches = {0};
	ssize_t r = find_named(trace, comm, &switches);

	if (r == 0)
		r = count_switches(trace, &switches);
	if (r == 0)
		r = choose(trace, &switches, ret_tgid);
	rsp_idmap_done(&switches);
	return r;
}
