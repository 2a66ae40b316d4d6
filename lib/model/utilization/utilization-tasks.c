/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns threads into rows of tasks: a row for each program that a thread ran within the span. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/syscalls.h"
#include "lib/model/utilization/utilization-parts.h"

#define FRAMES_MAX 64

static __u64 max_of(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static __u64 min_of(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

/* --- programs --------------------------------------------------------------------------------- */

static __u64 life_from(const struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_ev_task *task = rsp_thread_task(m, t, m->since_ns);
	__u64 from_ns = max_of(t->birth_ns, t->known_ns);

	if (!from_ns && task && task->tid == t->tid)
		from_ns = task->start_ns;
	return from_ns;
}

static bool is_exec_within(const struct rsp_ev_task *task, __u64 from_ns, __u64 to_ns)
{
	return task && task->hdr.flags & RSP_TASK_EXEC && task->hdr.ts_ns > from_ns &&
	       task->hdr.ts_ns < to_ns;
}

static int add_image(struct rsp_using *x, __u32 thread, __u64 from_ns, __u64 to_ns, __s32 image)
{
	const struct rsp_thread *t = &x->m->threads.v[thread];
	const struct rsp_ev_task *who = rsp_thread_task(x->m, t, to_ns - 1);
	struct rsp_use_task *row = rsp_array_add(&x->u->tasks);

	if (!row)
		return -ENOMEM;
	row->tid = t->tid;
	row->tgid = who ? who->tgid : t->tid;
	row->thread = thread;
	row->image = image;
	row->name = rsp_names_thread(x->names, t, to_ns - 1);
	row->from_ns = from_ns;
	row->to_ns = to_ns;
	return 0;
}

static int add_images(struct rsp_using *x, __u32 thread)
{
	const struct rsp_thread *t = &x->m->threads.v[thread];
	__u64 from_ns = max_of(life_from(x->m, t), x->u->since_ns);
	__u64 to_ns = min_of(t->end_ns, x->u->until_ns), begin_ns = from_ns;
	__s32 image = 0;
	int r = 0;

	if (!t->tid || from_ns >= to_ns)
		return 0;
	for (__u32 i = t->identities.first; i < t->identities.end && r == 0; i++) {
		const struct rsp_ev_task *task = rsp_trace_identity_task(x->m->trace, i);

		if (!is_exec_within(task, begin_ns, to_ns))
			continue;
		r = add_image(x, thread, begin_ns, task->hdr.ts_ns, image++);
		begin_ns = task->hdr.ts_ns;
	}
	return r < 0 ? r : add_image(x, thread, begin_ns, to_ns, -1);
}

static int compare_tasks(const void *pa, const void *pb)
{
	const struct rsp_use_task *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

static size_t first_after(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns)
{
	size_t lo = 0, hi = u->tasks.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct rsp_use_task *row = &u->tasks.v[mid];

		if (row->tid < tid || (row->tid == tid && row->from_ns <= ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t rsp_use_task_at(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns)
{
	size_t i = first_after(u, tid, ts_ns);
	const struct rsp_use_task *row = i ? &u->tasks.v[i - 1] : NULL;

	return row && row->tid == tid && ts_ns <= row->to_ns ? i - 1 : RSP_NO_TASK;
}

size_t rsp_use_task_before_exec(const struct rsp_utilization *u, __u32 tid, __u64 ts_ns)
{
	size_t i = first_after(u, tid, ts_ns);
	const struct rsp_use_task *row = i ? &u->tasks.v[i - 1] : NULL;
	const struct rsp_use_task *before = i > 1 ? &u->tasks.v[i - 2] : NULL;

	if (!row || row->tid != tid)
		return RSP_NO_TASK;
	/*
	 * The records of an exec may come in any order, so this row may have begun with the same
	 * exec.
	 */
	if (before && before->tid == tid && before->thread == row->thread &&
	    ts_ns - row->from_ns < row->to_ns - min_of(ts_ns, row->to_ns))
		return i - 2;
	return row->image >= 0 ? i - 1 : RSP_NO_TASK;
}

/* --- states ----------------------------------------------------------------------------------- */

struct rsp_use_place *rsp_use_place_of(struct rsp_use_task *task, __u32 cpu)
{
	for (size_t i = 0; i < task->places.cnt; i++)
		if (task->places.v[i].cpu == cpu)
			return &task->places.v[i];
	return NULL;
}

static int add_place(struct rsp_use_task *row, __u32 cpu, __u64 ns)
{
	struct rsp_use_place *place = rsp_use_place_of(row, cpu);

	if (!place) {
		place = rsp_array_add(&row->places);
		if (!place)
			return -ENOMEM;
		*place = (struct rsp_use_place){.cpu = cpu};
	}
	place->run_ns += ns;
	return 0;
}

/* Running time is busy time until its mode is known. */
static int add_time(struct rsp_use_task *row, const struct rsp_span *span, __u32 cpu, __u64 ns)
{
	switch (span->kind) {
	case RSP_SPAN_RUN:
		row->use.busy_ns += ns;
		return add_place(row, cpu, ns);
	case RSP_SPAN_BLOCKED:
		row->use.idle_ns += ns;
		break;
	case RSP_SPAN_RUNNABLE:
	case RSP_SPAN_PREEMPTED:
		row->use.runnable_ns += ns;
		break;
	default:
		row->use.unknown_ns += ns;
	}
	return 0;
}

static bool asked_to_move(struct rsp_using *x, const struct rsp_ev_switch *out)
{
	const char *call = out ? rsp_syscall_name(out->syscall_nr) : NULL;
	struct rsp_frame frames[FRAMES_MAX];
	size_t cnt;

	if (!out)
		return false;
	if (call && !strcmp(call, "sched_setaffinity"))
		return true;
	if (!(out->hdr.flags & RSP_SW_PREEMPTED) || !out->kstack)
		return false;
	cnt = rsp_trace_frames(x->m->trace, out->kstack, frames, FRAMES_MAX);
	for (size_t i = 0; i < cnt; i++)
		if (strstr(frames[i].symbol, "sched_setaffinity"))
			return true;
	return false;
}

/* A run that ended with an exec has no switch at its end. It was on the CPU of the next run. */
static __u32 *cpus_of_runs(const struct rsp_thread *t)
{
	__u32 *cpus = calloc(t->spans.cnt + 1, sizeof(*cpus)), cpu = t->cpu;

	for (size_t i = t->spans.cnt; cpus && i-- > 0;) {
		if (t->spans.v[i].kind == RSP_SPAN_RUN && t->spans.v[i].out)
			cpu = t->spans.v[i].out->hdr.cpu;
		cpus[i] = cpu;
	}
	return cpus;
}

static int add_spans(struct rsp_using *x, struct rsp_use_task *row, const __u32 *cpus)
{
	const struct rsp_thread *t = &x->m->threads.v[row->thread];
	const struct rsp_span *last_run = NULL;
	size_t first = rsp_span_at(t, row->from_ns), last = 0;
	int r = 0;

	for (size_t i = first; i-- > 0 && !last_run;)
		if (t->spans.v[i].kind == RSP_SPAN_RUN) {
			last_run = &t->spans.v[i];
			last = i;
		}
	for (size_t i = first; i < t->spans.cnt && t->spans.v[i].from_ns < row->to_ns && r == 0;
	     i++) {
		const struct rsp_span *span = &t->spans.v[i];
		__u64 from_ns = max_of(span->from_ns, row->from_ns);
		__u64 to_ns = min_of(rsp_span_end(t, i), row->to_ns);

		r = add_time(row, span, cpus[i], to_ns > from_ns ? to_ns - from_ns : 0);
		if (span->kind != RSP_SPAN_RUN)
			continue;
		if (last_run && cpus[last] != cpus[i] && span->from_ns >= row->from_ns) {
			row->migration_cnt++;
			row->asked_cnt += asked_to_move(x, last_run->out);
		}
		last_run = span;
		last = i;
	}
	return r;
}

static int compare_places(const void *pa, const void *pb)
{
	const struct rsp_use_place *a = pa, *b = pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static int fill_task(struct rsp_using *x, struct rsp_use_task *row)
{
	const struct rsp_thread *t = &x->m->threads.v[row->thread];
	__u32 *cpus;
	__u64 known_ns;
	int r = 0;

	if (t->spans.cnt) {
		cpus = cpus_of_runs(t);
		r = cpus ? add_spans(x, row, cpus) : -ENOMEM;
		free(cpus);
	}
	known_ns = rsp_use_total_ns(&row->use);
	if (known_ns < row->to_ns - row->from_ns)
		row->use.unknown_ns += row->to_ns - row->from_ns - known_ns;
	if (row->places.cnt)
		qsort(row->places.v, row->places.cnt, sizeof(*row->places.v), compare_places);
	return r;
}

int rsp_use_tasks(struct rsp_using *x)
{
	struct rsp_utilization *u = x->u;
	int r = 0;

	for (size_t i = 0; i < x->m->threads.cnt && r == 0; i++)
		r = add_images(x, (__u32)i);
	if (u->tasks.cnt)
		qsort(u->tasks.v, u->tasks.cnt, sizeof(*u->tasks.v), compare_tasks);
	for (size_t i = 0; i < u->tasks.cnt && r == 0; i++)
		r = fill_task(x, &u->tasks.v[i]);
	return r;
}
