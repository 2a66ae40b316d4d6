/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For whom the process waited: chains that end in another task's own doings, by the program at
 * their end.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"
#include "findings-class.h"
#include "findings.h"

/* Namesakes of different relation are different groups: what stands before their name tells. */
static const char *const whose[] = {
	[RSP_RELATION_OWN_THREAD] = "its own thread",
	[RSP_RELATION_OTHER_PROCESS] = "",
	[RSP_RELATION_KERNEL_THREAD] = "kernel thread",
};

static bool group_waits(const struct rsp_explanation *e, const struct rsp_told *t,
			struct rsp_subject *ret)
{
	if (!rsp_class_is_wait(t))
		return false;
	*ret = (struct rsp_subject){t->owner, whose[t->relation], "", NULL};
	return true;
}

/* How many processes (threads, when they are of one process or of the kernel) a group means. */
static int count_tasks(const struct rsp_explanation *e, const struct rsp_told *one, size_t *ret)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap seen = {0};
	bool own = one->relation == RSP_RELATION_OWN_THREAD;

	for (size_t i = 0; i < e->process_cnt; i++) {
		const struct rsp_process *p = &e->processes[i];
		__u32 id = one->relation == RSP_RELATION_OTHER_PROCESS ? p->tgid : p->tid;

		if (p->ns > 0 && p->is_root == own && strcmp(p->comm, one->owner) == 0 &&
		    rsp_idmap_put(&seen, id, 0) < 0)
			return -ENOMEM;
	}
	*ret = seen.cnt;
	return 0;
}

/* "cc1 (38 processes)", "another make", "its own thread worker", "kernel thread jbd2/vda1-8" */
static void put_whom(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		     size_t cnt)
{
	if (*group->note)
		fprintf(f, "%s%s ", group->note, cnt > 1 ? "s" : "");
	else if (cnt <= 1 && strcmp(group->name, e->comm) == 0)
		fputs("another ", f);
	rsp_put_name(f, group->name);
	if (cnt > 1)
		fprintf(f, " (%zu%s)", cnt, *group->note ? "" : " processes");
}

/* " in read on pipe": if that is so of nearly all the time. */
static int put_where(FILE *f, const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally syscalls = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally objects = {0};
	const struct rsp_subject *syscall, *object;

	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *root = &s->v[i].told->chain->hops[0];

		if (rsp_tally_add(&syscalls, RSP_SUBJECT(root->syscall), s->v[i].ns) < 0 ||
		    rsp_tally_add(&objects, RSP_SUBJECT(root->object), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_settle(&syscalls);
	rsp_tally_settle(&objects);
	syscall = rsp_tally_sole(&syscalls);
	object = rsp_tally_sole(&objects);
	if (syscall && *syscall->name)
		fprintf(f, " in %s", syscall->name);
	if (object && *object->name && !(syscall && strcmp(object->name, syscall->name) == 0)) {
		fputs(" on ", f);
		rsp_put_name(f, object->name);
	}
	return 0;
}

static int write_waits(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	size_t task_cnt;

	if (count_tasks(e, s->v[0].told, &task_cnt) < 0)
		return -ENOMEM;
	rsp_put_name(f, e->comm);
	fputs(" waited ", f);
	rsp_put_selected(f, e, s);
	if (put_where(f, s) < 0)
		return -ENOMEM;
	fputs(" for ", f);
	put_whom(f, e, group, task_cnt);
	fprintf(f, ", which %s ", task_cnt > 1 ? "were" : "was");
	return rsp_put_doings(f, s);
}

const struct rsp_finding_kind rsp_finding_waits_on = {
	.name = "waits_on",
	.group = group_waits,
	.write = write_waits,
};
