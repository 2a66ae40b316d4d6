/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time in timeouts is measured, but the worker is inferred. So one finding reports the time of
 * the polls, and separate findings report the inferred worker.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings-class.h"
#include "lib/report/findings.h"

/* Returns the hop whose thread probably polls for the thread of the next hop, or NULL. */
static const struct rsp_hop *polling_hop(const struct rsp_explanation *e, const struct rsp_cover *t)
{
	for (size_t i = 0; i < t->chain->hop_cnt; i++)
		if (t->chain->hops[i].flags & RSP_HOP_POLLS)
			return &t->chain->hops[i];
	return NULL;
}

/* --- the time --------------------------------------------------------------------------------- */

static bool group_polling(const struct rsp_explanation *e, const struct rsp_cover *t,
			  struct rsp_subject *ret)
{
	const struct rsp_hop *hop = polling_hop(e, t);

	if (!hop)
		return false;
	*ret = (struct rsp_subject){rsp_hop_program(e, t->chain, hop), "", hop->syscall, NULL,
				    false};
	if (hop->tgid != t->chain->hops[0].tgid)
		ret->note = "other";
	return true;
}

static int write_polling(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
			 const struct rsp_selection *s)
{
	bool other = *group->note;

	rsp_put_name(f, other ? e->comm : group->name);
	fputs(other ? " waited " : " spent ", f);
	rsp_put_selected(f, e, s);
	if (other) {
		fputs(" for ", f);
		rsp_put_name(f, group->name);
		fputs(", which was", f);
	}
	fputs(" polling", f);
	if (*group->object)
		fprintf(f, " (%s)", group->object);
	fputs(", timeout after timeout", f);
	return 0;
}

const struct rsp_finding_kind rsp_finding_polling = {
	.name = "polling",
	.group = group_polling,
	.write = write_polling,
	.hop = polling_hop,
};

/* --- the worker ------------------------------------------------------------------------------- */

static bool same_owner(const struct rsp_cover *a, const struct rsp_cover *b)
{
	return strcmp(a->owner, b->owner) == 0 && a->relation == b->relation;
}

/*
 * Selects the heaviest chain that contains a poll, and the other chains with a poll whose last hop
 * has the same program and relation.
 */
static int select_polled(struct rsp_findings_maker *m, struct rsp_selection *s)
{
	for (size_t i = 0; i < m->covers.cnt; i++) {
		struct rsp_cover *t = &m->covers.v[i];

		if (polling_hop(m->e, t) && (s->cnt == 0 || same_owner(t, s->v[0].cover)) &&
		    rsp_selection_add_whole(s, t) < 0)
			return -ENOMEM;
	}
	return rsp_selection_measure(s, m->e);
}

int rsp_findings_polled_for(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection s = {0};
	const struct rsp_hop *poller, *leaf;
	char *text = NULL;
	size_t len;
	FILE *f;
	int r;

	if (select_polled(m, &s) < 0)
		return -ENOMEM;
	if (!rsp_findings_worth(m->e, s.clock.ns))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	poller = polling_hop(m->e, s.v[0].cover);
	leaf = s.v[0].cover->leaf;
	rsp_put_name(f, poller->comm);
	fputs(" probably polled until ", f);
	rsp_put_name(f, (poller + 1)->comm);
	rsp_put_ids(f, poller + 1);
	fputs(" was done, which it had started or woken: for ", f);
	rsp_put_selected(f, m->e, &s);
	fputc(' ', f);
	rsp_put_name(f, leaf->comm);
	rsp_put_ids(f, leaf);
	fputs(" was ", f);
	if (rsp_put_activities(f, m->e, &s) < 0) {
		fclose(f);
		free(text);
		return -ENOMEM;
	}
	r = rsp_findings_finish(m, f, &text, "polled_for", s.clock.ns, true);
	if (r < 0)
		return r;
	/* In the report of a command, only time of the main thread has weight. */
	if (m->e->by_main && !s.clock.main_ns)
		m->findings.v[m->findings.cnt - 1].weight_ns = 0;
	return 0;
}

/* --- too long --------------------------------------------------------------------------------- */

static int say_late(struct rsp_findings_maker *m, const struct rsp_late_poll *poll)
{
	/*
	 * If the sum exceeds the elapsed time, several threads polled at the same time. The finding
	 * then contains only the longest late poll.
	 */
	__u64 ns = poll->ns <= m->e->clock_ns ? poll->ns : poll->longest_ns;
	struct rsp_finding *finding;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int r;

	if (!f)
		return -ENOMEM;
	rsp_put_name(f, poll->hop.comm);
	fputs(" probably polled for longer than it needed: ", f);
	rsp_put_name(f, poll->worker);
	fprintf(f, " [%u], which it had started or woken, was done %s",
		rsp_host_tid(poll->worker_tid), ns < poll->ns ? "up to " : "");
	rsp_put_duration(f, ns);
	if (poll->cnt > 1)
		fprintf(f, " before the timeouts ended, in %llu polls", poll->cnt);
	else
		fputs(" before the timeout ended", f);
	r = rsp_findings_finish(m, f, &text, "late_poll", ns, true);
	if (r < 0)
		return r;
	finding = &m->findings.v[m->findings.cnt - 1];
	if (m->e->by_main && poll->hop.tid != m->e->meta->target_pid)
		finding->weight_ns = 0;
	return rsp_findings_add_seen(finding, poll->ready_ns, poll->noticed_ns - poll->ready_ns,
				     &poll->hop);
}

int rsp_findings_late_polls(struct rsp_findings_maker *m)
{
	int r = 0;

	for (size_t i = 0; i < m->e->late_poll_cnt && r == 0; i++)
		if (rsp_findings_worth(m->e, m->e->late_polls[i].ns))
			r = say_late(m, &m->e->late_polls[i]);
	return r;
}
