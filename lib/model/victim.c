/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See victim.h. */
#include "lib/model/victim.h"

#include <errno.h>

#include "lib/base/idmap.h"
#include "lib/model/model.h"

static bool is_pressed(const struct rsp_span *span)
{
	switch (span->kind) {
	case RSP_SPAN_RUNNABLE:
	case RSP_SPAN_PREEMPTED:
		return true;
	case RSP_SPAN_BLOCKED:
		return span->cause == RSP_CAUSE_DISK || span->flags & RSP_SW_IOWAIT;
	default:
		return false;
	}
}

static __u64 pressed_ns(const struct rsp_model *m, const struct rsp_thread *t)
{
	__u64 sum_ns = 0;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u64 from_ns = t->spans.v[i].from_ns, to_ns = rsp_span_end(t, i);

		if (from_ns < m->since_ns)
			from_ns = m->since_ns;
		if (to_ns > m->until_ns)
			to_ns = m->until_ns;
		if (is_pressed(&t->spans.v[i]) && to_ns > from_ns)
			sum_ns += to_ns - from_ns;
	}
	return sum_ns;
}

/* Returns NULL for a kernel thread or an unknown thread. */
static const struct rsp_ev_task *process_of(const struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, m->until_ns);

	if (!task || task->attrs & RSP_TASK_ATTR_KTHREAD)
		return NULL;
	return rsp_trace_task(m->trace, task->tgid, task->hdr.ts_ns);
}

static int find(const struct rsp_model *m, struct rsp_idmap *ns_of, const struct rsp_ev_task **ret)
{
	const struct rsp_ev_task *most = NULL;
	uint64_t most_ns = 0;

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_ev_task *process = process_of(m, &m->threads.v[i]);
		uint64_t ns = 0;

		if (!process)
			continue;
		rsp_idmap_get(ns_of, process->tgid, &ns);
		ns += pressed_ns(m, &m->threads.v[i]);
		if (rsp_idmap_put(ns_of, process->tgid, ns) < 0)
			return -ENOMEM;
		if (ns > most_ns) {
			most_ns = ns;
			most = process;
		}
	}
	if (!most)
		return -ESRCH;
	*ret = most;
	return 0;
}

int rsp_victim_find(const struct rsp_trace *trace, const struct rsp_ev_task **ret)
{
	/* maps a tgid to its waited time, a sum over processes if the tgid was reused */
	struct rsp_idmap ns_of = {0};
	struct rsp_model *m;
	int r;

	r = rsp_model_new(trace, &m);
	if (r < 0)
		return r;
	r = find(m, &ns_of, ret);
	rsp_idmap_done(&ns_of);
	rsp_model_free(m);
	return r;
}
