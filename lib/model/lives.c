/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles TASK and EXIT records: births, execs, deaths. */
#include "lib/model/model-parts.h"

#include <stdlib.h>

#include "lib/model/roots.h"

bool rsp_thread_is_newborn(const struct rsp_thread *t)
{
	return t->birth_ns &&
	       (!t->spans.cnt || (t->spans.cnt == 1 && rsp_span_last_kind(t) == RSP_SPAN_RUNNABLE));
}

int rsp_thread_begin_life(struct rsp_thread *t, __u64 ts_ns)
{
	if (t->spans.cnt)
		return 0;
	return rsp_span_begin(t, RSP_SPAN_RUNNABLE, ts_ns, NULL) ? 0 : -ENOMEM;
}

static bool in_span(const struct rsp_model *m, __u64 ts_ns)
{
	return ts_ns >= m->since_ns && ts_ns <= m->until_ns;
}

static int on_fork(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	uint64_t parent;
	__u32 i;

	if (rsp_thread_begin(m, ev->tid, ev->ptid, ev->hdr.ts_ns, &i) < 0)
		return -ENOMEM;
	/* A record from before start_ns was kept from an evicted part of the window. */
	if (ev->hdr.ts_ns >= m->start_ns &&
	    rsp_thread_begin_life(&m->threads.v[i], ev->hdr.ts_ns) < 0)
		return -ENOMEM;
	if (rsp_idmap_get(&m->thread_of, ev->ptid, &parent) && in_span(m, ev->hdr.ts_ns))
		m->threads.v[parent].fork_cnt++;
	return 0;
}

/*
 * If a thread other than the main thread calls exec, the kernel gives it the tid of the main
 * thread.
 */
static int take_over_tid(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	const struct rsp_cpu *cpu = rsp_cpu_get(m, ev->hdr.cpu);
	const struct rsp_ev_task *task;
	const struct rsp_turn *turn;
	struct rsp_thread *t;
	uint64_t first;

	if (!cpu)
		return -ENOMEM;
	turn = rsp_turn_last(cpu);
	if (!turn || turn->thread == RSP_NO_THREAD)
		return 0;
	t = &m->threads.v[turn->thread];
	task = rsp_thread_task(m, t, ev->hdr.ts_ns);
	if (t->tid == ev->tid || !task || task->tgid != ev->tgid)
		return 0;
	if (rsp_idmap_get(&m->thread_of, ev->tid, &first) &&
	    m->threads.v[first].end_ns > ev->hdr.ts_ns)
		m->threads.v[first].end_ns = ev->hdr.ts_ns;
	rsp_idmap_remove(&m->thread_of, t->tid);
	t->tid = ev->tid;
	t->identities = rsp_trace_identities(m->trace, t->tid);
	return rsp_idmap_put(&m->thread_of, t->tid, turn->thread);
}

/* The thread continues to run under another name, in a second run. */
static int on_exec(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	struct rsp_thread *t;
	__u32 i;

	if (take_over_tid(m, ev) < 0 || rsp_model_thread(m, ev->tid, &i) < 0)
		return -ENOMEM;
	t = &m->threads.v[i];
	if (in_span(m, ev->hdr.ts_ns))
		t->exec_cnt++;
	if (!t->spans.cnt || rsp_span_last_kind(t) != RSP_SPAN_RUN)
		return 0;
	return rsp_span_begin_run(t, ev->hdr.ts_ns, t->cpu);
}

int rsp_model_task(struct rsp_model *m, const struct rsp_ev_task *ev)
{
	if (ev->tid == 0)
		return 0;
	if (ev->hdr.flags & RSP_TASK_FORK)
		return on_fork(m, ev);
	if (ev->hdr.flags & RSP_TASK_EXEC)
		return on_exec(m, ev);
	return rsp_model_thread(m, ev->tid, &(__u32){0});
}

/*
 * Handles the end of the tid of a thread that calls exec. If the thread is still on this CPU,
 * take_over_tid() continues its life under the new tid.
 */
static void give_up_tid(struct rsp_model *m, __u32 i, const struct rsp_ev_exit *ev)
{
	const struct rsp_turn *turn = ev->hdr.cpu < m->cpus.cnt
					      ? rsp_turn_last(&m->cpus.v[ev->hdr.cpu])
					      : NULL;

	if (!turn || turn->thread != i)
		m->threads.v[i].end_ns = ev->hdr.ts_ns;
}

/* After an EXIT record, the thread still runs: it frees its memory and wakes its parent. */
int rsp_model_exit(struct rsp_model *m, const struct rsp_ev_exit *ev)
{
	__u32 i;

	if (ev->tid == 0)
		return 0;
	if (rsp_model_thread(m, ev->tid, &i) < 0)
		return -ENOMEM;
	if (ev->hdr.flags & RSP_EXIT_EXEC)
		give_up_tid(m, i, ev);
	else
		m->threads.v[i].exit_ns = ev->hdr.ts_ns;
	return 0;
}

/* Parents precede their children in the array, so one pass suffices. */
int rsp_model_find_family(const struct rsp_model *m, __u32 tgid, bool **ret)
{
	bool *marked = calloc(m->threads.cnt + 1, sizeof(*marked));

	if (!marked)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task = rsp_thread_identity(m, t);

		marked[i] = (task ? task->tgid : t->tid) == tgid ||
			    (t->parent < i && marked[t->parent]);
	}
	*ret = marked;
	return 0;
}
