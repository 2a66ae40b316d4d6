/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See handoffs.h. */
#include "lib/model/explain/handoffs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

struct work {
	__u64 count, ns;
};

static __u64 clipped_ns(const struct rsp_model *m, __u64 from_ns, __u64 to_ns)
{
	if (from_ns < m->since_ns)
		from_ns = m->since_ns;
	if (to_ns > m->until_ns)
		to_ns = m->until_ns;
	return from_ns < to_ns ? to_ns - from_ns : 0;
}

/*
 * Returns the time of the work that begins with span *i, or 0 if a part of the work is on a path:
 * then a thread waited for it. Moves *i to the span that ends the work.
 */
static __u64 unplaced_work(const struct rsp_explain *x, const struct rsp_paths *p, __u32 thread,
			   size_t *i)
{
	const struct rsp_model *m = x->model;
	const struct rsp_thread *t = &m->threads.v[thread];
	bool placed = false;
	__u64 ns = 0;

	for (; *i < t->spans.cnt && rsp_span_is_work(&t->spans.v[*i]); ++*i) {
		rsp_used_span(x->used, thread, *i);
		placed |= p->owner[t->first_span + *i] != RSP_NO_PATH;
		ns += clipped_ns(m, t->spans.v[*i].from_ns, rsp_span_end(t, *i));
	}
	rsp_used_span(x->used, thread, *i);
	return placed ? 0 : ns;
}

static void add_work(struct work *work, __u64 ns)
{
	work->ns += ns;
	work->count += ns > 0;
}

static struct work handed_to(const struct rsp_explain *x, const struct rsp_paths *p,
			     const bool *is_root, __u32 thread)
{
	const struct rsp_thread *t = &x->model->threads.v[thread];
	struct work work = {0};
	size_t i = 0;

	if (t->parent != RSP_NO_THREAD && is_root[t->parent])
		add_work(&work, unplaced_work(x, p, thread, &i));
	for (; i < t->spans.cnt; i++) {
		const struct rsp_span *span = &t->spans.v[i];
		size_t first = i + 1;

		if (span->kind != RSP_SPAN_BLOCKED || span->cause != RSP_CAUSE_TASK ||
		    !is_root[span->cause_id])
			continue;
		add_work(&work, unplaced_work(x, p, thread, &first));
		i = first - 1;
	}
	return work;
}

static int compare_names(const void *pa, const void *pb)
{
	const struct rsp_handoff *a = pa, *b = pb;
	int order = strcmp(a->comm, b->comm);

	if (order)
		return order;
	return a->ns > b->ns ? -1 : a->ns < b->ns;
}

static int compare_ns(const void *pa, const void *pb)
{
	const struct rsp_handoff *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->comm, b->comm);
}

/* Merges rows of the same name; the IDs of the heaviest thread remain. */
static void merge(struct rsp_path_profile *p)
{
	size_t kept = 0;

	if (p->handoff_cnt == 0)
		return;
	qsort(p->handoffs, p->handoff_cnt, sizeof(*p->handoffs), compare_names);
	for (size_t i = 1; i < p->handoff_cnt; i++) {
		struct rsp_handoff *last = &p->handoffs[kept];

		if (strcmp(p->handoffs[i].comm, last->comm) != 0) {
			p->handoffs[++kept] = p->handoffs[i];
			continue;
		}
		last->ns += p->handoffs[i].ns;
		last->count += p->handoffs[i].count;
	}
	p->handoff_cnt = kept + 1;
	qsort(p->handoffs, p->handoff_cnt, sizeof(*p->handoffs), compare_ns);
}

static void fill(struct rsp_explain *x, __u32 thread, const struct work *work,
		 struct rsp_handoff *ret)
{
	const struct rsp_thread *t = &x->model->threads.v[thread];
	const struct rsp_ev_task *task = rsp_thread_identity(x->model, t);

	*ret = (struct rsp_handoff){
		.tgid = rsp_thread_tgid(x->model, thread),
		.tid = t->tid,
		.comm = rsp_names_text(
			x->names, rsp_names_thread(x->names, t, t->end_ns ? t->end_ns - 1 : 0)),
		.is_kthread = task && (task->attrs & RSP_TASK_ATTR_KTHREAD),
		.count = work->count,
		.ns = work->ns,
	};
}

int rsp_handoffs_find(struct rsp_explain *x, const struct rsp_paths *p,
		      struct rsp_path_profile *ret)
{
	const struct rsp_model *m = x->model;
	_cleanup_free_ bool *is_root = calloc(m->threads.cnt + 1, sizeof(*is_root));

	ret->handoffs = calloc(m->threads.cnt + 1, sizeof(*ret->handoffs));
	if (!is_root || !ret->handoffs)
		return -ENOMEM;
	for (size_t i = 0; i < x->roots.cnt; i++)
		is_root[x->roots.v[i].thread] = true;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct work work = {0};

		if (!is_root[i])
			work = handed_to(x, p, is_root, (__u32)i);
		if (work.ns)
			fill(x, (__u32)i, &work, &ret->handoffs[ret->handoff_cnt++]);
	}
	merge(ret);
	return 0;
}
