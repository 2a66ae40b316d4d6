/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits in the queue for a CPU or a disk behind a known task, and waits because a cgroup or a task
 * has reached a limit on CPU time, disk I/O or memory.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

/* --- throttled -------------------------------------------------------------------------------- */

/* Text for the limit of dirty pages, which does not belong to a cgroup. */
#define DIRTY_PAGES "too much written data is not on the disk yet (limit of dirty pages)"

static const char *limit_of(const struct rsp_hop *leaf)
{
	if (leaf->category == RSP_CAT_RUNQUEUE)
		return "used up its CPU quota";
	switch (leaf->why) {
	case RSP_WHY_DIRTY_PAGES:
		return DIRTY_PAGES;
	case RSP_WHY_IO_SHARE:
		return "used up its share of the disk (io.cost, io.latency)";
	case RSP_WHY_MEMORY_HIGH:
		return "uses more memory than memory.high";
	default:
		return "reached its I/O limit (io.max)";
	}
}

static bool group_throttled(const struct rsp_explanation *e, const struct rsp_cover *t,
			    struct rsp_subject *ret)
{
	bool of_cpu = t->leaf->category == RSP_CAT_RUNQUEUE;

	if (!(t->leaf->flags & RSP_HOP_THROTTLED))
		return false;
	*ret = RSP_SUBJECT(of_cpu ? t->leaf->object : t->leaf->behind);
	ret->object = limit_of(t->leaf);
	return true;
}

static int put_files(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally files = {0};

	for (size_t i = 0; i < s->cnt; i++) {
		const char *file = s->v[i].cover->leaf->object;

		if (rsp_tally_add(&files, RSP_SUBJECT(*file ? file : NULL), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&files);
	files.needs_shares = rsp_selection_needs_shares(s, e);
	rsp_put_subjects(f, "; ", "on", &files, files.ns, RSP_FINDINGS_NAMES_MAX);
	return 0;
}

static void put_limit(FILE *f, const struct rsp_subject *group)
{
	if (*group->name) {
		fputs("cgroup ", f);
		rsp_put_name(f, group->name);
		fputc(' ', f);
	} else if (strcmp(group->object, DIRTY_PAGES) != 0) {
		fputs("its cgroup ", f);
	}
	fputs(group->object, f);
}

static int write_throttled(FILE *f, const struct rsp_explanation *e,
			   const struct rsp_subject *group, const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};

	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_waiters(f, e, &owners);
	fputs(owners.own.cnt > 0 ? " was throttled for " : " waited ", f);
	rsp_put_selected(f, e, s);
	if (owners.own.cnt > 0) {
		rsp_put_through(f, &owners);
	} else {
		fputs(" for ", f);
		rsp_put_names(f, &owners.others);
		fputs(", throttled", f);
	}
	fputs(": ", f);
	put_limit(f, group);
	return s->v[0].cover->leaf->category == RSP_CAT_DISK_QUEUED ? put_files(f, e, s) : 0;
}

const struct rsp_finding_kind rsp_finding_throttled = {
	.name = "throttled",
	.group = group_throttled,
	.write = write_throttled,
};

/* --- behind others ---------------------------------------------------------------------------- */

#define FOR_CPU	 "CPU"
#define FOR_DISK "disk"

/*
 * Waits for a CPU count only if the first thread of the chain itself waited. Otherwise, the finding
 * about the waiting task contains this time.
 */
static bool group_behind(const struct rsp_explanation *e, const struct rsp_cover *t,
			 struct rsp_subject *ret)
{
	switch (t->leaf->category) {
	case RSP_CAT_RUNQUEUE:
	case RSP_CAT_PREEMPTED:
		*ret = RSP_SUBJECT(FOR_CPU);
		return *t->leaf->object && t->relation == RSP_RELATION_SELF;
	case RSP_CAT_DISK_QUEUED:
		*ret = RSP_SUBJECT(FOR_DISK);
		return *t->leaf->behind && !(t->leaf->flags & RSP_HOP_THROTTLED);
	default:
		return false;
	}
}

static int tally_front(const struct rsp_selection *s, struct rsp_tally *front,
		       __u64 *ret_preempted_ns)
{
	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *leaf = s->v[i].cover->leaf;
		bool disk = leaf->category == RSP_CAT_DISK_QUEUED;

		if (rsp_tally_add(front, RSP_SUBJECT(disk ? leaf->behind : leaf->object),
				  s->v[i].ns) < 0)
			return -ENOMEM;
		*ret_preempted_ns += leaf->category == RSP_CAT_PREEMPTED ? s->v[i].ns : 0;
	}
	rsp_tally_finish(front);
	return 0;
}

static void put_line(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s,
		     bool disk, __u64 preempted_ns, const struct rsp_tally *front)
{
	bool preempted = preempted_ns >= rsp_tally_nearly_ns(front->ns);

	fputs(preempted ? "preempted" : disk ? "queued for the disk" : "waiting for a CPU", f);
	if (!preempted && preempted_ns > 0 && preempted_ns >= rsp_tally_detail_ns(front->ns)) {
		fputs(", ", f);
		rsp_put_part(f, e, s, preempted_ns);
		fputs(" of it preempted", f);
	}
	rsp_put_subjects(f, "; ", preempted ? "by" : "behind", front, front->ns,
			 RSP_FINDINGS_NAMES_MAX);
}

static int write_behind(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally front = {0};
	__u64 preempted_ns = 0;

	if (tally_front(s, &front, &preempted_ns) < 0 || rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_waiters(f, e, &owners);
	fputs(" spent ", f);
	rsp_put_selected(f, e, s);
	rsp_put_through(f, &owners);
	fputc(' ', f);
	front.needs_shares = rsp_selection_needs_shares(s, e);
	put_line(f, e, s, strcmp(group->name, FOR_DISK) == 0, preempted_ns, &front);
	return 0;
}

const struct rsp_finding_kind rsp_finding_queue_behind = {
	.name = "queue_behind",
	.group = group_behind,
	.write = write_behind,
};
