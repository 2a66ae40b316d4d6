/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the time that a task ran into user and system time, in the ratio of the kernel's account
 * of that time. Most kernels count ticks in each mode. Without an account, the ratio of the task's
 * samples decides.
 *
 * Ticks and samples within a softirq count as system time. Ticks and samples within a hard
 * interrupt count as time of the interrupted mode.
 */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/format.h"
#include "lib/model/utilization/utilization-parts.h"

/*
 * The beginning and the end of an account may differ from those of the row by SLACK_NS, or by the
 * time of the row divided by SLACK_PART if this is more. The recorder reads the accounts of threads
 * one after the other.
 */
#define SLACK_NS   10000000ULL
#define SLACK_PART 20

#define HOW (RSP_ACCOUNT_EXACT | RSP_ACCOUNT_NO_IRQS)

/* The CPU time that the kernel had counted for a thread until ts_ns. */
struct point {
	__u32 tid;
	unsigned int flags; /* EXACT and NO_IRQS of enum rsp_account_flags */
	__u64 ts_ns;
	__u64 user_ns, system_ns;
};

/* The time of a row in each mode, in any unit, from an account or from samples. */
struct modes {
	__u64 user, system;
	unsigned int flags; /* as in a point */
};

struct points {
	struct point *v; /* by tid, then time */
	size_t cnt, cap;
};

static int add_point(struct points *points, const struct point *point)
{
	struct point *slot = rsp_array_add(points);

	if (!slot)
		return -ENOMEM;
	*slot = *point;
	return 0;
}

/* The record of a thread's birth counts as an account of zero time. */
static int collect(const struct rsp_trace *trace, struct points *points)
{
	int r = 0;

	for (size_t i = 0; i < trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_hdr *hdr = trace->events[i];
		const struct rsp_ev_account *account = (const void *)hdr;
		const struct rsp_ev_task *task = (const void *)hdr;

		if (hdr->kind == RSP_EV_ACCOUNT)
			r = add_point(points,
				      &(struct point){account->tid, hdr->flags & HOW, hdr->ts_ns,
						      account->user_ns, account->system_ns});
		else if (hdr->kind == RSP_EV_TASK && hdr->flags & RSP_TASK_FORK)
			r = add_point(points, &(struct point){task->tid, HOW, hdr->ts_ns, 0, 0});
	}
	return r;
}

static int compare_points(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->ts_ns < b->ts_ns ? -1 : a->ts_ns > b->ts_ns;
}

static size_t first_point(const struct points *points, __u32 tid, __u64 ts_ns)
{
	size_t lo = 0, hi = points->cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct point *point = &points->v[mid];

		if (point->tid < tid || (point->tid == tid && point->ts_ns < ts_ns))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

static const struct point *nearest(const struct points *points, __u32 tid, __u64 ts_ns)
{
	size_t i = first_point(points, tid, ts_ns);
	const struct point *after = i < points->cnt && points->v[i].tid == tid ? &points->v[i]
									       : NULL;
	const struct point *before = i && points->v[i - 1].tid == tid ? &points->v[i - 1] : NULL;

	if (!before || !after)
		return before ? before : after;
	return ts_ns - before->ts_ns < after->ts_ns - ts_ns ? before : after;
}

/* Returns false if no such account was recorded, or if it contains no tick. */
static bool find_account(const struct points *points, const struct rsp_use_task *row,
			 struct modes *ret)
{
	const struct point *from = nearest(points, row->tid, row->from_ns);
	const struct point *to = nearest(points, row->tid, row->to_ns);
	__u64 slack_ns = (row->to_ns - row->from_ns) / SLACK_PART;

	if (slack_ns < SLACK_NS)
		slack_ns = SLACK_NS;
	if (!from || from->ts_ns >= to->ts_ns || distance(from->ts_ns, row->from_ns) > slack_ns ||
	    distance(to->ts_ns, row->to_ns) > slack_ns || to->user_ns < from->user_ns ||
	    to->system_ns < from->system_ns)
		return false;
	*ret = (struct modes){to->user_ns - from->user_ns, to->system_ns - from->system_ns,
			      from->flags & to->flags};
	return ret->user || ret->system;
}

static size_t first_sample(const struct rsp_thread *t, __u64 ts_ns)
{
	size_t lo = 0, hi = t->samples.cnt;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->samples.v[mid]->hdr.ts_ns < ts_ns)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool find_samples(const struct rsp_model *m, const struct rsp_use_task *row,
			 struct modes *ret)
{
	const struct rsp_thread *t = &m->threads.v[row->thread];

	*ret = (struct modes){0};
	for (size_t i = first_sample(t, row->from_ns); i < t->samples.cnt; i++) {
		const struct rsp_ev_sample *sample = t->samples.v[i];

		if (sample->hdr.ts_ns >= row->to_ns)
			break;
		*(sample->kstack ? &ret->system : &ret->user) += 1;
	}
	return ret->user || ret->system;
}

/*
 * An account of less than half of the time is not exact: the task also ran on CPUs for which the
 * kernel counts ticks.
 */
static bool is_exact(const struct rsp_use *use, const struct modes *modes)
{
	return modes->flags & RSP_ACCOUNT_EXACT &&
	       modes->user + modes->system >= rsp_use_run_ns(use) / 2;
}

static __u64 user_ns_of(const struct rsp_use *use, const struct modes *modes)
{
	const __u64 weights[] = {modes->user, modes->system};
	__u64 parts[2], whole_ns = use->busy_ns;

	if (is_exact(use, modes))
		return modes->user;
	if (!(modes->flags & RSP_ACCOUNT_NO_IRQS))
		whole_ns += use->softirq_ns;
	rsp_format_apportion(weights, 2, modes->user + modes->system, whole_ns, parts);
	return parts[0];
}

static void divide(struct rsp_use_task *row, const struct modes *modes, enum rsp_use_source source)
{
	struct rsp_use *use = &row->use;
	__u64 user_ns;

	if (!use->busy_ns)
		return;
	user_ns = user_ns_of(use, modes);
	use->user_ns = user_ns < use->busy_ns ? user_ns : use->busy_ns;
	use->system_ns = use->busy_ns - use->user_ns;
	use->busy_ns = 0;
	row->source = source;
}

/* A kernel thread has no user time. */
static void find_modes(struct rsp_using *x, const struct points *points, struct rsp_use_task *row)
{
	const struct rsp_thread *t = &x->m->threads.v[row->thread];
	struct modes modes;

	if (rsp_thread_is_kthread(x->m, t, row->to_ns - 1))
		divide(row, &(struct modes){.system = 1}, RSP_USE_ACCOUNT);
	else if (find_account(points, row, &modes))
		divide(row, &modes, RSP_USE_ACCOUNT);
	else if (find_samples(x->m, row, &modes))
		divide(row, &modes, RSP_USE_SAMPLES);
}

int rsp_use_modes(struct rsp_using *x)
{
	struct points points = {0};
	int r = collect(x->m->trace, &points);

	if (points.cnt)
		qsort(points.v, points.cnt, sizeof(*points.v), compare_points);
	for (size_t i = 0; i < x->u->tasks.cnt && r == 0; i++)
		find_modes(x, &points, &x->u->tasks.v[i]);
	free(points.v);
	return r;
}
