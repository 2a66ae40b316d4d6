/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds waits for data to be safely on disk: chains with a hop in a system call such as fsync. */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

static bool is_sync(const struct rsp_hop *hop)
{
	static const char *const calls[] = {
		"fsync", "fdatasync", "msync", "sync", "syncfs", "sync_file_range",
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(hop->syscall, calls[i]) == 0)
			return true;
	return false;
}

static const struct rsp_hop *sync_hop(const struct rsp_explanation *e, const struct rsp_cover *t)
{
	for (size_t i = t->chain->hop_cnt; i > 0; i--)
		if (is_sync(&t->chain->hops[i - 1]))
			return &t->chain->hops[i - 1];
	return NULL;
}

/*
 * The caller of sync was preempted inside the call, or is runnable after its wait. Other findings
 * are about such time.
 */
static bool lacks_cpu(const struct rsp_cover *t, const struct rsp_hop *sync)
{
	return sync == t->leaf &&
	       (sync->category == RSP_CAT_RUNQUEUE || sync->category == RSP_CAT_PREEMPTED);
}

/*
 * Calls of the process of interest never share a group with calls of other processes, even if the
 * names are equal.
 */
static bool group_syncs(const struct rsp_explanation *e, const struct rsp_cover *t,
			struct rsp_subject *ret)
{
	const struct rsp_hop *hop = sync_hop(e, t);

	if (!hop || lacks_cpu(t, hop))
		return false;
	*ret = RSP_SUBJECT(rsp_hop_program(e, t->chain, hop));
	if (hop->tgid != t->chain->hops[0].tgid)
		ret->note = "other";
	return true;
}

static int tally_syncs(const struct rsp_explanation *e, const struct rsp_selection *s,
		       struct rsp_tally *calls, struct rsp_tally *files)
{
	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_hop *hop = sync_hop(e, s->v[i].cover);
		const char *file = *hop->object ? hop->object : NULL;

		if (rsp_tally_add(calls, RSP_SUBJECT(hop->syscall), s->v[i].ns) < 0 ||
		    rsp_tally_add(files, RSP_SUBJECT(file), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(calls);
	rsp_tally_finish(files);
	return 0;
}

static int write_syncs(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally calls = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally files = {0};
	bool other = *group->note;

	if (tally_syncs(e, s, &calls, &files) < 0)
		return -ENOMEM;
	rsp_put_name(f, other ? e->comm : group->name);
	fputs(other ? " waited " : " spent ", f);
	rsp_put_selected(f, e, s);
	if (other) {
		fputs(" for ", f);
		rsp_put_name(f, group->name);
		fputs(" to sync to disk (", f);
	} else {
		fputs(" syncing to disk (", f);
	}
	rsp_put_names(f, &calls);
	fputc(')', f);
	files.needs_shares = rsp_selection_needs_shares(s, e);
	rsp_put_subjects(f, "; ", "on", &files, files.ns, RSP_FINDINGS_NAMES_MAX);
	return 0;
}

const struct rsp_finding_kind rsp_finding_sync = {
	.name = "sync",
	.group = group_syncs,
	.write = write_syncs,
	.hop = sync_hop,
};
