/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See model-parts.h. Handles the states of threads, and the lives of each tid. */
#include "lib/model/model-parts.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/model/near.h"

const struct rsp_ev_task *rsp_thread_task(const struct rsp_model *m, const struct rsp_thread *t,
					  __u64 ts_ns)
{
	return rsp_trace_identity_task(m->trace,
				       rsp_trace_identity(m->trace, t->identities, ts_ns));
}

bool rsp_thread_is_kthread(const struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, ts_ns);

	return task && (task->attrs & RSP_TASK_ATTR_KTHREAD);
}

struct rsp_span *rsp_span_last(const struct rsp_thread *t)
{
	return t->spans.cnt ? &t->spans.v[t->spans.cnt - 1] : NULL;
}

struct rsp_span *rsp_span_begin(struct rsp_thread *t, enum rsp_span_kind kind, __u64 ts_ns,
				const struct rsp_ev_switch *out)
{
	struct rsp_span *span = rsp_array_add(&t->spans);

	if (!span)
		return NULL;
	span->kind = kind;
	span->from_ns = ts_ns;
	span->out = out;
	span->flags = out ? out->hdr.flags : 0;
	if (kind == RSP_SPAN_RUN)
		t->last_run = (__u32)(t->spans.cnt - 1);
	return span;
}

int rsp_span_begin_run(struct rsp_thread *t, __u64 ts_ns, __u32 cpu)
{
	t->cpu = cpu;
	t->early = NULL;
	return rsp_span_begin(t, RSP_SPAN_RUN, ts_ns, NULL) ? 0 : -ENOMEM;
}

/*
 * If the last span is from before start_ns, drops all spans, because they are out of date.
 * Otherwise marks the last span as unexplained.
 */
void rsp_span_contradict(const struct rsp_model *m, struct rsp_thread *t)
{
	if (!t->spans.cnt)
		return;
	t->last_run = RSP_NO_THREAD;
	if (rsp_span_last(t)->from_ns < m->start_ns)
		t->spans.cnt = 0;
	else
		rsp_span_last(t)->kind = RSP_SPAN_UNEXPLAINED;
}

bool rsp_span_is_awake(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_RUN || span->kind == RSP_SPAN_RUNNABLE ||
	       span->kind == RSP_SPAN_PREEMPTED;
}

bool rsp_span_is_work(const struct rsp_span *span)
{
	return rsp_span_is_awake(span) ||
	       (span->kind == RSP_SPAN_BLOCKED && span->cause == RSP_CAUSE_DISK);
}

/*
 * From include/linux/sched.h. A kernel thread does not use these states while it works for others.
 */
#define TASK_INTERRUPTIBLE 0x0001
#define TASK_NOLOAD	   0x0400

bool rsp_span_waits_for_work(const struct rsp_span *span)
{
	return span->kind == RSP_SPAN_BLOCKED && span->flags & RSP_SW_KTHREAD &&
	       span->out->prev_state & (TASK_INTERRUPTIBLE | TASK_NOLOAD);
}

__u32 rsp_span_ender(const struct rsp_model *m, const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *span = &t->spans.v[i];
	const struct rsp_thread *waker;
	__u32 work;

	if (span->kind != RSP_SPAN_BLOCKED)
		return RSP_NO_THREAD;
	if (span->cause == RSP_CAUSE_NET)
		return m->ops.arrivals.v[span->cause_id].sender;
	if (span->cause == RSP_CAUSE_READER)
		return span->cause_id;
	if (span->cause != RSP_CAUSE_TASK)
		return RSP_NO_THREAD;
	waker = &m->threads.v[span->cause_id];
	work = rsp_work_at(waker, rsp_span_end(t, i));
	if (work == RSP_NO_WORK || waker->works.v[work].queuer == RSP_NO_THREAD)
		return span->cause_id;
	return waker->works.v[work].queuer;
}

__u64 rsp_span_end(const struct rsp_thread *t, size_t i)
{
	return i + 1 < t->spans.cnt ? t->spans.v[i + 1].from_ns : t->end_ns;
}

size_t rsp_span_near(const struct rsp_thread *t, __u64 ts_ns, size_t near)
{
	_Static_assert(offsetof(struct rsp_span, from_ns) == 0, "as near.h wants it");

	return rsp_near(t->spans.v, t->spans.cnt, sizeof(*t->spans.v), ts_ns, near);
}

size_t rsp_span_at(const struct rsp_thread *t, __u64 ts_ns)
{
	return rsp_span_near(t, ts_ns, t->spans.cnt / 2);
}

static int new_life(struct rsp_model *m, __u32 tid, __u32 *ret)
{
	struct rsp_thread *t = rsp_array_add(&m->threads);

	if (!t || rsp_idmap_put(&m->thread_of, tid, m->threads.cnt - 1) < 0)
		return -ENOMEM;
	t->tid = tid;
	t->identities = rsp_trace_identities(m->trace, tid);
	t->parent = RSP_NO_THREAD;
	t->end_ns = UINT64_MAX;
	t->last_run = RSP_NO_THREAD;
	*ret = (__u32)(m->threads.cnt - 1);
	return 0;
}

int rsp_model_thread(struct rsp_model *m, __u32 tid, __u32 *ret)
{
	__u64 known_ns = 0;
	uint64_t i;
	int r;

	if (rsp_idmap_get(&m->thread_of, tid, &i)) {
		known_ns = m->threads.v[i].end_ns;
		if (known_ns == UINT64_MAX) {
			*ret = (__u32)i;
			return 0;
		}
	}
	r = new_life(m, tid, ret);
	if (r == 0)
		m->threads.v[*ret].known_ns = known_ns;
	return r;
}

int rsp_thread_begin(struct rsp_model *m, __u32 tid, __u32 ptid, __u64 ts_ns, __u32 *ret)
{
	__u32 parent = RSP_NO_THREAD;
	struct rsp_thread *t;
	uint64_t old;

	if (rsp_idmap_get(&m->thread_of, tid, &old) && m->threads.v[old].end_ns > ts_ns)
		m->threads.v[old].end_ns = ts_ns;
	if (ptid && rsp_model_thread(m, ptid, &parent) < 0)
		return -ENOMEM;
	if (new_life(m, tid, ret) < 0)
		return -ENOMEM;
	t = &m->threads.v[*ret];
	t->parent = parent;
	t->birth_ns = ts_ns;
	t->known_ns = ts_ns;
	return 0;
}
