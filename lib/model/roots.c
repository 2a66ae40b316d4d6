/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See roots.h. */
#include "lib/model/roots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/snapshot/owner.h"

/* The life of the process of interest: the time in which its tgid belongs to one process. */
struct target {
	__u32 main_thread; /* index */
	__u64 from_ns, to_ns;
};

/*
 * Looks up the record at the last moment before end_ns, because the next life of the tid may begin
 * at end_ns.
 */
const struct rsp_ev_task *rsp_thread_identity(const struct rsp_model *m, const struct rsp_thread *t)
{
	return rsp_thread_task(m, t, t->end_ns ? t->end_ns - 1 : 0);
}

static bool is_main_thread(const struct rsp_model *m, const struct rsp_thread *t)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	const struct rsp_ev_task *task = rsp_thread_identity(m, t);

	if (!task || task->tgid != meta->target_pid)
		return false;
	return !meta->target_start_ns || !task->start_ns || task->start_ns == meta->target_start_ns;
}

/*
 * If several processes had the pid, META's start time selects one of them. Without a start time,
 * the last process is the target.
 */
static struct target find_target(const struct rsp_model *m)
{
	struct target target = {.main_thread = RSP_NO_THREAD};
	__u64 start_ns = 0;

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task;

		if (t->tid != m->trace->snap->meta.target_pid)
			continue;
		task = rsp_thread_identity(m, t);
		if (!is_main_thread(m, t)) {
			if (target.to_ns == UINT64_MAX)
				target.to_ns = t->known_ns;
			continue;
		}
		/*
		 * The process stays the same if another of its threads calls exec and gets the main
		 * thread's tid.
		 */
		if (target.main_thread == RSP_NO_THREAD || !start_ns || start_ns != task->start_ns)
			target.from_ns = t->known_ns;
		target.main_thread = (__u32)i;
		target.to_ns = UINT64_MAX;
		start_ns = task->start_ns;
	}
	return target;
}

static bool is_awake(const struct rsp_thread *t, __u64 from_ns, __u64 to_ns)
{
	if (!t->spans.cnt)
		return false;
	for (size_t i = rsp_span_at(t, from_ns); i < t->spans.cnt; i++) {
		if (t->spans.v[i].from_ns >= to_ns)
			break;
		if (t->spans.v[i].kind != RSP_SPAN_BLOCKED && rsp_span_end(t, i) > from_ns)
			return true;
	}
	return false;
}

static bool make_root(const struct rsp_model *m, const struct target *target, __u32 thread,
		      struct rsp_root *ret)
{
	const struct rsp_meta *meta = &m->trace->snap->meta;
	const struct rsp_thread *t = &m->threads.v[thread];
	const struct rsp_ev_task *task = rsp_thread_identity(m, t);
	__u64 from_ns = t->known_ns > m->since_ns ? t->known_ns : m->since_ns;
	__u64 to_ns = t->end_ns < m->until_ns ? t->end_ns : m->until_ns;

	if (!task || task->tgid != meta->target_pid)
		return false;
	if (meta->target_tid && t->tid != meta->target_tid)
		return false;
	if (t->end_ns <= target->from_ns || t->known_ns >= target->to_ns || from_ns >= to_ns)
		return false;
	*ret = (struct rsp_root){thread, from_ns, to_ns, !is_awake(t, from_ns, to_ns)};
	return true;
}

static int find_roots(const struct rsp_model *m, const struct target *target, struct rsp_roots *ret)
{
	for (size_t i = 0; i < m->threads.cnt; i++) {
		struct rsp_root root, *slot;

		if (!make_root(m, target, (__u32)i, &root))
			continue;
		slot = rsp_array_add(ret);
		if (!slot)
			return -ENOMEM;
		*slot = root;
	}
	return ret->cnt ? 0 : -ESRCH;
}

static void choose(struct rsp_roots *roots)
{
	size_t main_root = 0;

	for (size_t i = 0; i < roots->cnt; i++) {
		roots->chosen_cnt += !roots->v[i].idle;
		if (roots->v[i].thread == roots->main_thread)
			main_root = i;
	}
	if (roots->chosen_cnt)
		return;
	roots->v[main_root].idle = false;
	roots->chosen_cnt = 1;
}

int rsp_roots_find(const struct rsp_model *m, struct rsp_roots *ret)
{
	struct target target = find_target(m);
	struct rsp_roots roots = {.main_thread = target.main_thread};
	int r;

	if (target.main_thread == RSP_NO_THREAD)
		return -ESRCH;
	r = find_roots(m, &target, &roots);
	if (r < 0) {
		rsp_roots_done(&roots);
		return r;
	}
	choose(&roots);
	*ret = roots;
	return 0;
}

int rsp_roots_find_own(const struct rsp_model *m, struct rsp_roots *ret)
{
	struct rsp_roots roots = {.main_thread = RSP_NO_THREAD};

	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		const struct rsp_ev_task *task = rsp_thread_identity(m, t);
		__u64 from_ns = t->known_ns > m->since_ns ? t->known_ns : m->since_ns;
		__u64 to_ns = t->end_ns < m->until_ns ? t->end_ns : m->until_ns;
		struct rsp_root *root;

		if (!task || !rsp_task_is_open(task) || from_ns >= to_ns)
			continue;
		root = rsp_array_add(&roots);
		if (!root) {
			rsp_roots_done(&roots);
			return -ENOMEM;
		}
		*root = (struct rsp_root){(__u32)i, from_ns, to_ns, !is_awake(t, from_ns, to_ns)};
		roots.chosen_cnt += !root->idle;
	}
	*ret = roots;
	return 0;
}

void rsp_roots_done(struct rsp_roots *r)
{
	free(r->v);
	*r = (struct rsp_roots){0};
}

const struct rsp_ev_task *rsp_thread_last_task(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_thread *t = &m->threads.v[thread];
	__u64 ts_ns = t->end_ns <= m->until_ns ? t->end_ns - 1 : m->until_ns;

	return rsp_thread_task(m, t, ts_ns);
}

void rsp_thread_comm(const struct rsp_model *m, __u32 thread, char comm[static RSP_COMM_MAX])
{
	const struct rsp_ev_task *task = rsp_thread_last_task(m, thread);

	if (task)
		rsp_meta_comm(&m->trace->snap->meta, task, comm);
	else
		snprintf(comm, RSP_COMM_MAX, "?");
}

__u32 rsp_thread_tgid(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_ev_task *task = rsp_thread_identity(m, &m->threads.v[thread]);

	return task ? task->tgid : m->threads.v[thread].tid;
}

__u32 rsp_thread_parent_tgid(const struct rsp_model *m, __u32 thread)
{
	const struct rsp_ev_task *task;
	__u32 tgid = rsp_thread_tgid(m, thread), parent;

	/* The parent of a thread is its creator, mostly a thread of the same process. */
	while ((parent = m->threads.v[thread].parent) != RSP_NO_THREAD) {
		if (rsp_thread_tgid(m, parent) != tgid)
			return rsp_thread_tgid(m, parent);
		thread = parent;
	}
	task = rsp_thread_identity(m, &m->threads.v[thread]);
	return task ? task->ptid : 0;
}
