/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes threads, sorted by process, with their spans and samples. */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/model/roots.h"
#include "lib/viewer/viewer-parts.h"

enum thread_flags {
	OF_KERNEL = 1 << 0,
	OF_TARGET = 1 << 1,
};

/* --- owners of threads ---------------------------------------------------------------------- */

struct member {
	__u64 from_ns; /* birth, or end of the previous thread with this tid; 0: unknown */
	__u32 tgid, tid;
	__u32 thread; /* index of the thread in the model */
};

static int compare_members(const void *pa, const void *pb)
{
	const struct member *a = pa, *b = pb;

	if (a->tgid != b->tgid)
		return a->tgid < b->tgid ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->thread < b->thread ? -1 : 1;
}

static const struct rsp_thread *thread_of(const struct rsp_viewer *v, const struct member *m)
{
	return &v->model->threads.v[m->thread];
}

static struct member *order_threads(const struct rsp_viewer *v)
{
	const struct rsp_model *m = v->model;
	struct member *members = calloc(m->threads.cnt + 1, sizeof(*members));

	for (size_t i = 0; members && i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task = rsp_thread_identity(m, t);

		members[i] = (struct member){
			.from_ns = t->known_ns,
			.tgid = task ? task->tgid : t->tid,
			.tid = t->tid,
			.thread = (__u32)i,
		};
	}
	if (members)
		qsort(members, m->threads.cnt, sizeof(*members), compare_members);
	return members;
}

/* If a tgid is used again, each new main thread begins a new process. */
static bool begins_process(const struct rsp_viewer *v, const struct member *members, size_t i,
			   const struct member *main)
{
	if (i == 0 || members[i].tgid != members[i - 1].tgid)
		return true;
	return members[i].tid == members[i].tgid && main &&
	       members[i].from_ns >= thread_of(v, main)->end_ns;
}

/* --- spans ------------------------------------------------------------------------------------ */

/* Values of the columns span.by and span.waker: see docs/viewer-format.md. */
struct ender {
	__u32 by, waker;
};

static __u32 name_of_request(struct rsp_viewer *v, const struct rsp_span *s)
{
	const struct rsp_ops *ops = &v->model->ops;
	const struct rsp_request *req = &ops->requests.v[ops->disk_waits.v[s->cause_id].request];
	__u64 file = rsp_ops_file(v->model->trace, req, s->out);

	return rsp_viewer_name(v, file ? rsp_names_object(v->names, file)
				       : rsp_names_device(v->names, req->dev));
}

static struct ender arrival(struct rsp_viewer *v, const struct rsp_span *s)
{
	const struct rsp_arrival *a = &v->model->ops.arrivals.v[s->cause_id];
	struct ender e = {0};

	if (a->sock)
		e.by = rsp_viewer_name(v, rsp_names_object(v->names, a->sock->id));
	if (a->sender != RSP_NO_THREAD)
		e.waker = v->thread_of[a->sender] + 1;
	return e;
}

/* In the file, a thread that made room in a socket is a waker like any other thread. */
static unsigned int cause_of(const struct rsp_span *s)
{
	return s->cause == RSP_CAUSE_READER ? RSP_CAUSE_TASK : s->cause;
}

static struct ender ender_of(struct rsp_viewer *v, const struct rsp_span *s)
{
	const struct rsp_ev_waking *waking = s->waking;

	switch (cause_of(s)) {
	case RSP_CAUSE_TASK:
		return (struct ender){
			v->thread_of[s->cause_id],
			waking ? rsp_viewer_stack(v, waking->kstack, waking->ustack) : 0,
		};
	case RSP_CAUSE_DISK:
		return (struct ender){name_of_request(v, s), 0};
	case RSP_CAUSE_NET:
		return arrival(v, s);
	case RSP_CAUSE_HARDWARE:
		return (struct ender){rsp_viewer_name(v, rsp_names_object(v->names, waking->cause)),
				      0};
	case RSP_CAUSE_KERNEL:
		return (struct ender){rsp_viewer_name(v, rsp_names_interrupt(v->names, waking)), 0};
	default:
		return (struct ender){0};
	}
}

static bool has_by(unsigned int cause)
{
	return cause == RSP_CAUSE_TASK || cause == RSP_CAUSE_DISK || cause == RSP_CAUSE_NET ||
	       cause == RSP_CAUSE_HARDWARE || cause == RSP_CAUSE_KERNEL;
}

/*
 * A run without a switch at its end continues in the next span because of an exec, or lasts until
 * the end of the recording.
 */
static size_t last_part(const struct rsp_thread *t, size_t i)
{
	while (i + 1 < t->spans.cnt && !t->spans.v[i].out && t->spans.v[i + 1].kind == RSP_SPAN_RUN)
		i++;
	return i;
}

/* Returns 1 + the CPU; 0: unknown. */
static __u32 cpu_of(const struct rsp_thread *t, size_t i)
{
	if (t->spans.v[i].out)
		return t->spans.v[i].out->hdr.cpu + 1U;
	return i + 1 == t->spans.cnt ? t->cpu + 1 : 0;
}

static void put_blocked(struct rsp_viewer *v, const struct rsp_span *s)
{
	struct ender e = ender_of(v, s);

	rsp_columns_put(&v->columns, RSP_COL_SPAN_WAIT, rsp_viewer_wait(v, s->out));
	if (has_by(cause_of(s)))
		rsp_columns_put(&v->columns, RSP_COL_SPAN_BY, e.by);
	if (cause_of(s) == RSP_CAUSE_TASK || s->cause == RSP_CAUSE_NET)
		rsp_columns_put(&v->columns, RSP_COL_SPAN_WAKER, e.waker);
}

/*
 * If no sample shows what the thread did in the run, the page shows the stack with which the thread
 * left the CPU. Runs outside of the requested span have no estimate.
 */
static bool is_shown_by_place(const struct rsp_viewer *v, const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *s = &t->spans.v[i];
	struct rsp_estimated_part part;

	if (s->kind != RSP_SPAN_RUN || s->samples.cnt || !s->out ||
	    s->from_ns >= v->model->until_ns || rsp_span_end(t, i) <= v->model->since_ns)
		return false;
	rsp_estimate_at(v->estimate, (__u32)(t - v->model->threads.v), i, s->from_ns, &part);
	return part.by == RSP_ESTIMATED_PLACE;
}

/* marks a run for which is_shown_by_place() is true */
#define SHOWN_BY_PLACE 1

static unsigned int shown_cause(const struct rsp_viewer *v, const struct rsp_thread *t, size_t i)
{
	if (t->spans.v[i].kind == RSP_SPAN_BLOCKED)
		return cause_of(&t->spans.v[i]);
	return is_shown_by_place(v, t, i) ? SHOWN_BY_PLACE : RSP_CAUSE_NONE;
}

/* cpu is only used for runs. */
static void put_span(struct rsp_viewer *v, const struct rsp_thread *t, size_t i, __u32 cpu,
		     __s64 ns)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u32 cause = shown_cause(v, t, i);

	rsp_columns_put(&v->columns, RSP_COL_SPAN_NS, ns);
	rsp_columns_put(&v->columns, RSP_COL_SPAN_WHAT, s->kind + 8 * cause);
	if (s->kind == RSP_SPAN_BLOCKED)
		put_blocked(v, s);
	else if (s->kind == RSP_SPAN_PREEMPTED)
		rsp_columns_put(&v->columns, RSP_COL_SPAN_WAIT, rsp_viewer_wait(v, s->out));
	else if (s->kind == RSP_SPAN_RUN)
		rsp_columns_put(&v->columns, RSP_COL_SPAN_CPU, cpu);
	v->run_cnt += s->kind == RSP_SPAN_RUN;
}

static __u64 overlap_ns(__u64 from_ns, __u64 to_ns, __u64 since_ns, __u64 until_ns)
{
	if (from_ns < since_ns)
		from_ns = since_ns;
	if (to_ns > until_ns)
		to_ns = until_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Returns the thread's time on CPUs within the requested span. */
static __u64 put_spans(struct rsp_viewer *v, const struct rsp_thread *t)
{
	__u64 run_ns = 0, begin_ns = 0;
	size_t cnt = 0, last = 0;

	for (size_t i = 0; i < t->spans.cnt; i++) {
		__u64 from_ns = t->spans.v[i].from_ns, to_ns = rsp_span_end(t, i);
		__s64 from = rsp_viewer_time(v, from_ns), to = rsp_viewer_time(v, to_ns);

		if (to <= from)
			continue;
		if (cnt++ == 0)
			begin_ns = (__u64)from;
		if (i >= last)
			last = last_part(t, i);
		put_span(v, t, i, cpu_of(t, last), to - from);
		if (t->spans.v[i].kind == RSP_SPAN_RUN)
			run_ns += overlap_ns(from_ns, to_ns, v->model->since_ns,
					     v->model->until_ns);
	}
	rsp_columns_put(&v->columns, RSP_COL_THREAD_SPANS, (__s64)cnt);
	rsp_columns_put(&v->columns, RSP_COL_THREAD_FROM, (__s64)begin_ns);
	return run_ns;
}

static void put_samples(struct rsp_viewer *v, const struct rsp_thread *t)
{
	__s64 last = 0;

	for (size_t i = 0; i < t->samples.cnt; i++) {
		const struct rsp_ev_sample *s = t->samples.v[i];
		__s64 at = rsp_viewer_time(v, s->hdr.ts_ns);

		rsp_columns_put(&v->columns, RSP_COL_SAMPLE_AT, at - last);
		rsp_columns_put(&v->columns, RSP_COL_SAMPLE_STACK,
				rsp_viewer_stack(v, s->kstack, s->ustack));
		rsp_columns_put(&v->columns, RSP_COL_SAMPLE_STANDS,
				(__s64)v->stands[t->first_sample + i]);
		last = at;
	}
	rsp_columns_put(&v->columns, RSP_COL_THREAD_SAMPLES, (__s64)t->samples.cnt);
}

/* --- threads and processes -------------------------------------------------------------------- */

static const struct rsp_ev_task *last_name(const struct rsp_viewer *v, const struct rsp_thread *t)
{
	__u64 ts_ns = t->end_ns <= v->end_ns ? t->end_ns - 1 : v->end_ns;

	return rsp_thread_task(v->model, t, ts_ns);
}

static __u32 name_of(struct rsp_viewer *v, const struct rsp_thread *t)
{
	const struct rsp_ev_task *task = last_name(v, t);

	return task ? rsp_viewer_string(v, task->comm) : 0;
}

static void put_thread(struct rsp_viewer *v, const struct member *m,
		       struct rsp_viewer_process *process)
{
	const struct rsp_thread *t = thread_of(v, m);
	const struct rsp_ev_task *task = last_name(v, t);
	bool is_kthread = task && task->attrs & RSP_TASK_ATTR_KTHREAD;
	__u32 flags = is_kthread ? OF_KERNEL : 0;

	if (v->target_thread != RSP_NO_THREAD &&
	    v->process_of[m->thread] == v->process_of[v->target_thread])
		flags |= OF_TARGET;
	rsp_columns_put(&v->columns, RSP_COL_THREAD_TID, m->tid);
	rsp_columns_put(&v->columns, RSP_COL_THREAD_PROCESS, v->process_of[m->thread]);
	rsp_columns_put(&v->columns, RSP_COL_THREAD_NAME, name_of(v, t));
	rsp_columns_put(&v->columns, RSP_COL_THREAD_FLAGS, flags);
	rsp_columns_put(&v->columns, RSP_COL_THREAD_PARENT,
			t->parent == RSP_NO_THREAD ? 0 : v->thread_of[t->parent] + 1);
	process->run_ns += put_spans(v, t);
	process->is_kthread |= is_kthread;
	put_samples(v, t);
}

/* If the records contain no main thread, the process has the name of its first thread. */
static void put_process(struct rsp_viewer *v, const struct member *main)
{
	rsp_columns_put(&v->columns, RSP_COL_PROCESS_PID, main->tgid);
	rsp_columns_put(&v->columns, RSP_COL_PROCESS_NAME, name_of(v, thread_of(v, main)));
}

static void number_threads(struct rsp_viewer *v, const struct member *members, size_t cnt)
{
	const struct member *first = NULL, *main = NULL;

	for (size_t i = 0; i < cnt; i++) {
		if (begins_process(v, members, i, main)) {
			if (first)
				put_process(v, main ? main : first);
			first = &members[i];
			main = NULL;
			v->processes[v->process_cnt++].pid = members[i].tgid;
		}
		if (members[i].tid == members[i].tgid)
			main = &members[i];
		v->thread_of[members[i].thread] = (__u32)i;
		v->process_of[members[i].thread] = (__u32)v->process_cnt - 1;
	}
	if (first)
		put_process(v, main ? main : first);
}

void rsp_viewer_put_threads(struct rsp_viewer *v)
{
	size_t cnt = v->model->threads.cnt;
	_cleanup_free_ struct member *members = order_threads(v);

	v->thread_of = calloc(cnt + 1, sizeof(*v->thread_of));
	v->process_of = calloc(cnt + 1, sizeof(*v->process_of));
	v->processes = calloc(cnt + 1, sizeof(*v->processes));
	if (!members || !v->thread_of || !v->process_of || !v->processes) {
		v->error = -ENOMEM;
		return;
	}
	number_threads(v, members, cnt);
	for (size_t i = 0; i < cnt; i++)
		put_thread(v, &members[i], &v->processes[v->process_of[members[i].thread]]);
}

__u32 rsp_viewer_thread_at(const struct rsp_viewer *v, __u32 tid, __u64 ts_ns)
{
	const struct rsp_model *m = v->model;

	for (size_t i = 0; i < m->threads.cnt; i++)
		if (m->threads.v[i].tid == tid && ts_ns >= m->threads.v[i].known_ns &&
		    ts_ns < m->threads.v[i].end_ns)
			return v->thread_of[i];
	return UINT32_MAX;
}
