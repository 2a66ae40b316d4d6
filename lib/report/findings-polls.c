/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timeouts that ran on although what was polled for had been done: the part of them after that. */
#include <string.h>

#include "findings.h"

static bool same_stack(const struct rsp_hop *a, const struct rsp_hop *b)
{
	if (a->frame_cnt != b->frame_cnt)
		return false;
	for (size_t i = 0; i < a->frame_cnt; i++)
		if (strcmp(a->frames[i].symbol, b->frames[i].symbol) != 0)
			return false;
	return true;
}

static bool is_of_poll(const struct rsp_hop *leaf, const struct rsp_hop *poll)
{
	return strcmp(leaf->comm, poll->comm) == 0 && strcmp(leaf->syscall, poll->syscall) == 0 &&
	       strcmp(leaf->object, poll->object) == 0 && same_stack(leaf, poll);
}

static bool group_polls(const struct rsp_explanation *e, const struct rsp_told *t,
			struct rsp_subject *ret)
{
	if (!*t->leaf->behind ||
	    (t->leaf->category != RSP_CAT_TIMEOUT && t->leaf->category != RSP_CAT_SLEEP))
		return false;
	for (size_t i = 0; i < e->late_poll_cnt; i++) {
		const struct rsp_late_poll *poll = &e->late_polls[i];

		if (!is_of_poll(t->leaf, &poll->hop))
			continue;
		*ret = RSP_SUBJECT(poll->hop.comm);
		ret->row = poll;
		return true;
	}
	return false;
}

/* Whoever of the process waits for the poller meanwhile loses the same time once more. */
static __u64 cost_of_polls(const struct rsp_explanation *e, const struct rsp_subject *group)
{
	const struct rsp_late_poll *poll = group->row;

	return poll->ns;
}

/*
 * "curl polled until a timeout for what getaddrinfo [123] had done already: 5.1 ms (63 % of 8.1 ms)
 * lost in 3 polls"
 */
static int write_polls(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		       const struct rsp_selection *s)
{
	const struct rsp_late_poll *poll = group->row;

	rsp_put_name(f, s->v[0].told->owner);
	fputs(s->v[0].told->leaf->category == RSP_CAT_SLEEP ? " went on sleeping for what "
							    : " polled until a timeout for what ",
	      f);
	rsp_put_name(f, poll->worker);
	fprintf(f, " [%u] had done already: ", poll->worker_tid);
	rsp_put_share(f, e, s->cost_ns);
	fprintf(f, " lost in %llu poll%s", poll->cnt, poll->cnt == 1 ? "" : "s");
	if (s->cost_ns < s->ns) {
		fputs(", ", f);
		rsp_put_duration(f, s->ns);
		fputs(" with those who waited for it", f);
	}
	return 0;
}

static void seen_poll(const struct rsp_subject *group, struct rsp_evidence *ret)
{
	const struct rsp_late_poll *poll = group->row;

	*ret = (struct rsp_evidence){
		.at_ns = poll->ready_ns,
		.ns = poll->noticed_ns - poll->ready_ns,
		.hop = &poll->hop,
	};
}

const struct rsp_finding_kind rsp_finding_late_poll = {
	.name = "late_poll",
	.inferred = true,
	.group = group_polls,
	.cost = cost_of_polls,
	.write = write_polls,
	.seen = seen_poll,
};
