/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for other tasks: chains whose last hop is the activity of another task, grouped by that
 * task's program.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "lib/report/findings-class.h"
#include "lib/report/findings.h"
#include "lib/report/report-frames.h"

/*
 * Words before the name of the awaited program. They distinguish groups of tasks with the same
 * name.
 */
static const char *const whose[] = {
	[RSP_RELATION_OWN_THREAD] = "its own thread",
	[RSP_RELATION_OTHER_PROCESS] = "",
	[RSP_RELATION_KERNEL_THREAD] = "kernel thread",
};

static bool group_waits(const struct rsp_explanation *e, const struct rsp_cover *t,
			struct rsp_subject *ret)
{
	if (!rsp_class_is_wait(t))
		return false;
	*ret = (struct rsp_subject){t->family, whose[t->relation], "", NULL, false};
	return true;
}

/* A task with less than a hundredth of its group's time does not count as a member. */
#define PART_DIVISOR 100

/* The number of tasks in a group that have a minimum of time each, and the sum of their times. */
struct members {
	size_t cnt;
	__u64 ns;
};

static bool is_of_one(const struct rsp_selection *s)
{
	const struct rsp_hop *first = s->v[0].cover->leaf;
	__u64 ns = 0;

	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *leaf = s->v[i].cover->leaf;

		ns += leaf->tid == first->tid && leaf->task_cnt == 1 ? s->v[i].ns : 0;
	}
	return ns >= rsp_tally_nearly_ns(s->ns);
}

static bool is_member(const struct rsp_cover *one, const char *comm)
{
	if (one->relation == RSP_RELATION_OWN_THREAD)
		return rsp_names_are_of_family(one->family, comm);
	return strcmp(one->owner, comm) == 0;
}

static int count_members(const struct rsp_explanation *e, const struct rsp_cover *one,
			 __u64 least_ns, struct members *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	bool own = one->relation == RSP_RELATION_OWN_THREAD;

	ret->ns = 0;
	for (size_t i = 0; i < e->process_cnt; i++) {
		const struct rsp_process *p = &e->processes[i];
		__u32 id = one->relation == RSP_RELATION_OTHER_PROCESS ? p->tgid : p->tid;

		if (p->ns == 0 || p->ns < least_ns || p->is_root != own || !is_member(one, p->comm))
			continue;
		if (rsp_idmap_put(&seen, id, 0) < 0)
			return -ENOMEM;
		ret->ns += p->ns;
	}
	ret->cnt = seen.cnt;
	return 0;
}

/*
 * Also looks at the chains, because the list of processes does not contain a task under the name
 * that it had before an exec.
 */
static int count_crowd(const struct rsp_explanation *e, const struct rsp_selection *s, size_t *ret)
{
	struct members all;

	if (count_members(e, s->v[0].cover, 0, &all) < 0)
		return -ENOMEM;
	*ret = all.cnt;
	for (size_t i = 0; i < s->cnt; i++)
		if (s->v[i].cover->leaf->task_cnt > *ret)
			*ret = s->v[i].cover->leaf->task_cnt;
	return 0;
}

/*
 * Sets *ret to the number of processes, or of threads of one process or of the kernel, that have
 * most of the group's time.
 */
static int count_tasks(const struct rsp_explanation *e, const struct rsp_selection *s, size_t *ret)
{
	struct members members;

	if (is_of_one(s)) {
		*ret = 1;
		return 0;
	}
	if (count_members(e, s->v[0].cover, s->ns / PART_DIVISOR, &members) < 0)
		return -ENOMEM;
	if (members.ns < s->ns / 2)
		return count_crowd(e, s, ret);
	*ret = members.cnt;
	return 0;
}

static void put_awaited(FILE *f, const struct rsp_selection *s, const struct rsp_subject *group,
			const struct rsp_tally *names, size_t cnt)
{
	if (*group->note)
		fprintf(f, "%s%s ", group->note, cnt > 1 ? "s" : "");
	if (cnt > 1 && rsp_names_cnt(names) > 1) {
		rsp_put_names(f, names);
		return;
	}
	rsp_put_name(f, cnt > 1 ? names->v[0].subject.name : s->v[0].cover->owner);
	if (cnt > 1)
		fprintf(f, " (%zu%s)", cnt, *group->note ? "" : " processes");
	else
		rsp_put_ids(f, s->v[0].cover->leaf);
}

/* --- places of waits ------------------------------------------------------------------------ */

static const char *function_of(const struct rsp_hop *hop)
{
	const struct rsp_frame *frame;

	if (!rsp_frames_select(hop, &frame, 1) || !rsp_frame_has_name(frame))
		return "";
	return frame->symbol;
}

/* Omits each part that does not apply to nearly all of the time. */
static int put_where(FILE *f, const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally syscalls = {0}, objects = {0}, functions = {0};
	const struct rsp_subject *syscall, *object, *function;

	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *root = &s->v[i].cover->chain->hops[0];
		__u64 ns = s->v[i].ns;

		if (rsp_tally_add(&syscalls, RSP_SUBJECT(root->syscall), ns) < 0 ||
		    rsp_tally_add(&objects, RSP_SUBJECT(root->object), ns) < 0 ||
		    rsp_tally_add(&functions, RSP_SUBJECT(function_of(root)), ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&syscalls);
	rsp_tally_finish(&objects);
	rsp_tally_finish(&functions);
	syscall = rsp_tally_sole(&syscalls);
	object = rsp_tally_sole(&objects);
	function = rsp_tally_sole(&functions);
	if (syscall && *syscall->name)
		fprintf(f, " in %s", syscall->name);
	if (function && *function->name &&
	    !(syscall && strcmp(function->name, syscall->name) == 0)) {
		fputs(" at ", f);
		rsp_put_name(f, function->name);
	}
	if (object && *object->name && !(syscall && strcmp(object->name, syscall->name) == 0)) {
		fputs(" on ", f);
		rsp_put_name(f, object->name);
	}
	return 0;
}

/* --- the tasks between ------------------------------------------------------------------------ */

/* Maximum number of tasks that a sentence names between the first and the last task of a chain. */
#define PATH_TASKS_MAX 4

static size_t own_hops(const struct rsp_chain *chain)
{
	size_t i = 1;

	while (i < chain->hop_cnt && chain->hops[i].tgid == chain->hops[0].tgid)
		i++;
	return i;
}

/* If both chains leave the process of interest, other threads of this process may differ. */
static bool same_path(const struct rsp_chain *a, const struct rsp_chain *b)
{
	size_t own_a = own_hops(a), own_b = own_hops(b);
	bool inside = own_a == a->hop_cnt || own_b == b->hop_cnt;
	size_t at_a = inside ? 1 : own_a, at_b = inside ? 1 : own_b;

	if (a->hop_cnt - at_a != b->hop_cnt - at_b)
		return false;
	for (; at_a < a->hop_cnt; at_a++, at_b++)
		if (a->hops[at_a].tid != b->hops[at_b].tid)
			return false;
	return true;
}

static void put_hop(FILE *f, const struct rsp_hop *hop)
{
	const char *function = function_of(hop);

	rsp_put_name(f, hop->comm);
	if (hop->task_cnt > 1)
		fprintf(f, " (%u tasks)", hop->task_cnt);
	else
		rsp_put_ids(f, hop);
	if (*function) {
		fputs(" at ", f);
		rsp_put_name(f, function);
	} else if (*hop->syscall) {
		fprintf(f, " in %s", hop->syscall);
	}
}

/*
 * Writes nothing and returns false if there are no tasks between the first and the last one, or if
 * most of the time went through other tasks.
 */
static bool put_path(FILE *f, const struct rsp_selection *s)
{
	const struct rsp_chain *chain = s->v[0].cover->chain;
	size_t task_cnt;
	__u64 ns = 0;

	for (size_t i = 0; i < s->cnt; i++)
		ns += same_path(s->v[i].cover->chain, chain) ? s->v[i].ns : 0;
	if (chain->hop_cnt < 3 || ns <= s->ns / 2)
		return false;
	task_cnt = chain->hop_cnt - 2;
	for (size_t i = 0; i < task_cnt; i++) {
		if (task_cnt > PATH_TASKS_MAX && i == PATH_TASKS_MAX / 2) {
			fputs(" → …", f);
			i = task_cnt - PATH_TASKS_MAX / 2;
		}
		fputs(i == 0 ? ", by way of " : " → ", f);
		put_hop(f, &chain->hops[i + 1]);
	}
	return true;
}

/* Adds the ID if the awaited task has the same name. */
static void put_waiter(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	const struct rsp_cover *one = s->v[0].cover;
	const struct rsp_hop *waiter = &one->chain->hops[0];
	bool is_alone = one->relation == RSP_RELATION_OWN_THREAD && waiter->task_cnt == 1;

	for (size_t i = 1; i < s->cnt && is_alone; i++)
		is_alone = s->v[i].cover->chain->hops[0].tid == waiter->tid;
	if (!is_alone) {
		rsp_put_name(f, e->comm);
		if (strcmp(one->owner, e->comm) == 0)
			fprintf(f, " [%u]", rsp_host_tid(e->meta->target_pid));
		return;
	}
	rsp_put_name(f, rsp_hop_program(e, one->chain, waiter));
	if (strcmp(one->owner, rsp_hop_program(e, one->chain, waiter)) == 0)
		rsp_put_ids(f, waiter);
}

static int write_waits(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally names = {0};
	size_t task_cnt;

	for (size_t i = 0; i < s->cnt; i++)
		if (rsp_tally_add(&names, RSP_SUBJECT(s->v[i].cover->owner), s->v[i].ns) < 0)
			return -ENOMEM;
	rsp_tally_finish(&names);
	if (count_tasks(e, s, &task_cnt) < 0)
		return -ENOMEM;
	put_waiter(f, e, s);
	fputs(" waited ", f);
	rsp_put_selected(f, e, s);
	if (put_where(f, s) < 0)
		return -ENOMEM;
	fputs(" for ", f);
	put_awaited(f, s, group, &names, task_cnt);
	if (put_path(f, s)) {
		fputs("; ", f);
		if (task_cnt > 1)
			rsp_put_names(f, &names);
		else
			rsp_put_name(f, s->v[0].cover->owner);
	} else {
		fputs(", which", f);
	}
	fputs(task_cnt > 1 ? " were " : " was ", f);
	return rsp_put_activities(f, e, s);
}

const struct rsp_finding_kind rsp_finding_waits_on = {
	.name = "waits_on",
	.group = group_waits,
	.write = write_waits,
};
