/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting in line for a CPU or a disk behind someone known; for a CPU that a quota denies, for a
 * disk that an I/O limit denies. */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "findings.h"

/* --- throttled -------------------------------------------------------------------------------- */

#define OF_IO "I/O"

static bool group_throttled(const struct rsp_explanation *e, const struct rsp_told *t,
			    struct rsp_subject *ret)
{
	if (!(t->leaf->flags & RSP_HOP_THROTTLED))
		return false;
	*ret = RSP_SUBJECT(t->leaf->object);
	if (t->leaf->category == RSP_CAT_DISK_QUEUED) {
		*ret = RSP_SUBJECT(t->leaf->behind);
		ret->object = OF_IO;
	}
	return true;
}

/*
 * "db was throttled for 1.04 s (52 % of 2.00 s): cgroup /db reached its I/O limit (io.max); on:
 * /var/lib/db", "app waited 1.04 s (52 % of 2.00 s) for db, throttled: …"
 */
static int write_io_limit(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			  const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally files = {0};

	for (size_t i = 0; i < s->cnt; i++) {
		const char *file = s->v[i].told->leaf->object;

		if (rsp_tally_add(&files, RSP_SUBJECT(*file ? file : NULL), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_settle(&files);
	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_who(f, e, &owners);
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
	if (*group->name) {
		fputs("cgroup ", f);
		rsp_put_name(f, group->name);
	} else {
		fputs("its cgroup", f);
	}
	fputs(" reached its I/O limit (io.max)", f);
	rsp_put_subjects(f, "; ", "on", &files, files.ns, RSP_FINDINGS_NAMES_MAX);
	return 0;
}

/*
 * "app was held off the CPU for 1.20 s (40 % of 3.00 s), in part through db: the CPU quota of
 * /app.slice was used up", "app waited 1.20 s (40 % of 3.00 s) for db, held off the CPU: …"
 */
static int write_throttled(FILE *f, const struct rsp_explanation *e,
			   const struct rsp_subject *group, const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};

	if (strcmp(group->object, OF_IO) == 0)
		return write_io_limit(f, e, group, s);
	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_who(f, e, &owners);
	fputs(owners.own.cnt > 0 ? " was held off the CPU for " : " waited ", f);
	rsp_put_selected(f, e, s);
	if (owners.own.cnt > 0) {
		rsp_put_through(f, &owners);
	} else {
		fputs(" for ", f);
		rsp_put_names(f, &owners.others);
		fputs(", held off the CPU", f);
	}
	fputs(": the CPU quota of ", f);
	if (*group->name)
		rsp_put_name(f, group->name);
	else
		fputs("its cgroup", f);
	fputs(" was used up", f);
	return 0;
}

const struct rsp_finding_kind rsp_finding_throttled = {
	.name = "throttled",
	.group = group_throttled,
	.write = write_throttled,
};

/* --- behind others ---------------------------------------------------------------------------- */

#define FOR_CPU	 "CPU"
#define FOR_DISK "disk"

/* Waits for a CPU by others belong to the wait for those. */
static bool group_behind(const struct rsp_explanation *e, const struct rsp_told *t,
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
		const struct rsp_hop *leaf = s->v[i].told->leaf;
		bool disk = leaf->category == RSP_CAT_DISK_QUEUED;

		if (rsp_tally_add(front, RSP_SUBJECT(disk ? leaf->behind : leaf->object),
				  s->v[i].ns) < 0)
			return -ENOMEM;
		*ret_preempted_ns += leaf->category == RSP_CAT_PREEMPTED ? s->v[i].ns : 0;
	}
	rsp_tally_settle(front);
	return 0;
}

/*
 * "in line for a CPU, pushed off it for 90.0 ms; behind: stress 200 ms, rspd 90.0 ms", "pushed off
 * the CPU; by: rspd"
 */
static void put_line(FILE *f, bool disk, __u64 preempted_ns, const struct rsp_tally *front)
{
	const char *label = "behind";

	if (preempted_ns >= rsp_tally_nearly_ns(front->ns)) {
		fputs("pushed off the CPU", f);
		label = "by";
	} else if (preempted_ns > 0 && preempted_ns >= rsp_tally_detail_ns(front->ns)) {
		fputs("in line for a CPU, pushed off it for ", f);
		rsp_put_duration(f, preempted_ns);
	} else {
		fprintf(f, "in line for %s", disk ? "the disk" : "a CPU");
	}
	rsp_put_subjects(f, "; ", label, front, front->ns, RSP_FINDINGS_NAMES_MAX);
}

static int write_behind(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally front = {0};
	__u64 preempted_ns = 0;

	if (tally_front(s, &front, &preempted_ns) < 0 || rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_who(f, e, &owners);
	fputs(" spent ", f);
	rsp_put_selected(f, e, s);
	rsp_put_through(f, &owners);
	fputc(' ', f);
	put_line(f, strcmp(group->name, FOR_DISK) == 0, preempted_ns, &front);
	return 0;
}

const struct rsp_finding_kind rsp_finding_queue_behind = {
	.name = "queue_behind",
	.group = group_behind,
	.write = write_behind,
};
