/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory pressure: the time in which threads reclaimed memory or waited until other threads had
 * reclaimed memory, and waits for memory that was in swap.
 */
#include <errno.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"

static int put_spent(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s,
		     const char *activity)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};

	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	rsp_put_waiters(f, e, &owners);
	fputs(" spent ", f);
	rsp_put_selected(f, e, s);
	rsp_put_through(f, &owners);
	fprintf(f, "%s %s", owners.others.cnt > 0 ? "," : "", activity);
	return 0;
}

/* --- reclaim ---------------------------------------------------------------------------------- */

static const struct rsp_hop *reclaimer(const struct rsp_explanation *e, const struct rsp_cover *t)
{
	for (size_t i = t->chain->hop_cnt; i-- > 0;)
		if (t->chain->hops[i].why == RSP_WHY_RECLAIM)
			return &t->chain->hops[i];
	return NULL;
}

static bool group_reclaim(const struct rsp_explanation *e, const struct rsp_cover *t,
			  struct rsp_subject *ret)
{
	const struct rsp_hop *hop = reclaimer(e, t);

	if (!hop)
		return false;
	*ret = RSP_SUBJECT(hop->behind);
	return true;
}

static int write_reclaim(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			 const struct rsp_selection *s)
{
	int r = put_spent(f, e, s, "freeing memory: ");

	if (r < 0)
		return r;
	if (!*group->name) {
		fputs("the machine or its cgroup ran short of it", f);
		return 0;
	}
	fputs("cgroup ", f);
	rsp_put_name(f, group->name);
	fputs(" reached its memory limit", f);
	return 0;
}

const struct rsp_finding_kind rsp_finding_reclaim = {
	.name = "reclaim",
	.group = group_reclaim,
	.write = write_reclaim,
	.hop = reclaimer,
};

/* --- swap ------------------------------------------------------------------------------------- */

static bool group_swap(const struct rsp_explanation *e, const struct rsp_cover *t,
		       struct rsp_subject *ret)
{
	*ret = RSP_SUBJECT("");
	return t->leaf->why == RSP_WHY_SWAP;
}

static int write_swap(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		      const struct rsp_selection *s)
{
	return put_spent(f, e, s, "waiting for memory that had been moved to swap");
}

const struct rsp_finding_kind rsp_finding_swap = {
	.name = "swap",
	.group = group_swap,
	.write = write_swap,
};
