/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation -> sentences, the one about most time first. Patterns, which say why, come before
 * the plain kinds, which say where; what a sentence tells of is taken from the chains, so those
 * about where time went do not overlap. docs/json-report.md lists the kinds.
 */
#include "findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

#define SHARE_MIN_DIVISOR 100

/* The more exactly a kind tells what to change, the earlier it gets its chains. */
static const struct rsp_finding_kind *const kinds[] = {
	&rsp_finding_late_poll,	  &rsp_finding_throttled,    &rsp_finding_tcp,
	&rsp_finding_lock_convoy, &rsp_finding_sync,	     &rsp_finding_round_trips,
	&rsp_finding_slow_remote, &rsp_finding_queue_behind, &rsp_finding_waits_on,
	&rsp_finding_class,
};
#define KIND_CNT (sizeof(kinds) / sizeof(kinds[0]))

bool rsp_findings_worth(const struct rsp_explanation *e, __u64 ns)
{
	return ns > 0 && ns >= e->total_ns / SHARE_MIN_DIVISOR;
}

int rsp_findings_add(struct rsp_findings_maker *m, const char *kind, __u64 ns, char *text,
		     struct rsp_finding **ret)
{
	struct rsp_finding *finding = rsp_array_add(&m->findings);

	if (!finding) {
		free(text);
		return -ENOMEM;
	}
	*finding = (struct rsp_finding){.kind = kind, .ns = ns, .weight_ns = ns, .text = text};
	*ret = finding;
	return 0;
}

/* Time that the kernel counts as a stall for the resource; of memory there is no such category. */
static bool is_stall(const char *resource, enum rsp_category cat)
{
	if (strcmp(resource, "cpu") == 0)
		return cat == RSP_CAT_RUNQUEUE || cat == RSP_CAT_PREEMPTED;
	return strcmp(resource, "io") == 0 &&
	       (cat == RSP_CAT_DISK_ACTIVE || cat == RSP_CAT_DISK_QUEUED);
}

/* How much of it lies before the window, of which nothing can be known. */
static __u64 before_window(const struct rsp_explanation *e, const struct rsp_selection *s)
{
	__u64 edge_ns = 0, most_ns = (e->wall_ns - e->window_ns) * e->root_cnt;

	for (size_t i = 0; i < s->cnt; i++)
		if (s->v[i].told->leaf->category == RSP_CAT_EDGE)
			edge_ns += s->v[i].ns;
	return edge_ns < most_ns ? edge_ns : most_ns;
}

/*
 * What comes first. A breach of PSI is about stalls, and its span is that of the measurement: what
 * took longer, work or waiting for some, is not what was asked about.
 */
static __u64 weigh(const struct rsp_explanation *e, const struct rsp_selection *s)
{
	__u64 stall_ns = 0;

	for (size_t i = 0; i < s->cnt; i++)
		if (is_stall(e->meta->trigger.resource, s->v[i].told->leaf->category))
			stall_ns += s->v[i].ns;
	return stall_ns > s->ns / 2 ? e->total_ns + s->ns : s->ns - before_window(e, s);
}

static int write_finding(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind,
			 const struct rsp_subject *group, const struct rsp_selection *s)
{
	struct rsp_finding *finding;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	int r;

	if (!f)
		return -ENOMEM;
	r = kind->write(f, m->e, group, s);
	fputs(kind->inferred ? " (inferred)." : ".", f);
	if (fclose(f) != 0 || r < 0) {
		free(text);
		return -ENOMEM;
	}
	if (rsp_findings_add(m, kind->name ? kind->name : group->name, s->cost_ns, text, &finding) <
	    0)
		return -ENOMEM;
	finding->weight_ns = weigh(m->e, s);
	finding->inferred = kind->inferred;
	return rsp_findings_add_evidence(m, kind, group, s, finding);
}

static int find_group(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind,
		      const struct rsp_subject *group)
{
	_cleanup_(rsp_selection_done) struct rsp_selection s = {0};
	struct rsp_subject subject;

	for (size_t i = 0; i < m->told.cnt; i++) {
		struct rsp_told *t = &m->told.v[i];

		if (t->left_ns > 0 && kind->group(m->e, t, &subject) &&
		    rsp_subject_compare(&subject, group) == 0 && rsp_selection_add(&s, t) < 0)
			return -ENOMEM;
	}
	if (kind->limit)
		rsp_selection_limit(&s, kind->limit(m->e, group));
	if (!rsp_findings_worth(m->e, s.ns))
		return 0;
	rsp_selection_take(&s);
	s.cost_ns = kind->cost ? kind->cost(m->e, group) : s.ns;
	if (s.cost_ns > s.ns)
		s.cost_ns = s.ns;
	return write_finding(m, kind, group, &s);
}

/* One for each group that is worth it. */
static int find_kind(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind)
{
	_cleanup_(rsp_tally_done) struct rsp_tally groups = {0};
	struct rsp_subject subject;
	int r = 0;

	for (size_t i = 0; i < m->told.cnt; i++) {
		struct rsp_told *t = &m->told.v[i];

		if (t->left_ns > 0 && kind->group(m->e, t, &subject) &&
		    rsp_tally_add(&groups, subject, t->left_ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_settle(&groups);
	for (size_t i = 0; i < groups.cnt && r == 0; i++) {
		if (!rsp_findings_worth(m->e, groups.v[i].ns))
			break;
		r = find_group(m, kind, &groups.v[i].subject);
	}
	return r;
}

bool rsp_report_lossy(const struct rsp_explanation *e)
{
	return e->lost_cnt > 0 || e->cat_ns[RSP_CAT_LOST] > 0;
}

/* Most time first; of equal time, the one made first. */
static void sort_findings(struct rsp_finding *v, size_t cnt)
{
	for (size_t i = 1; i < cnt; i++) {
		struct rsp_finding moved = v[i];
		size_t at = i;

		for (; at > 0 && v[at - 1].weight_ns < moved.weight_ns; at--)
			v[at] = v[at - 1];
		v[at] = moved;
	}
}

static int make_parts(struct rsp_findings_maker *m)
{
	int r = 0;

	for (size_t i = 0; i < KIND_CNT && r == 0; i++)
		r = find_kind(m, kinds[i]);
	return r;
}

static int make_whole(struct rsp_findings_maker *m)
{
	int r = rsp_findings_short_processes(m);

	if (r == 0)
		r = rsp_findings_cpu_contention(m);
	if (r == 0)
		r = rsp_findings_loss(m);
	if (r == 0 && m->findings.cnt == 0)
		r = rsp_findings_nothing_else(m);
	return r == 0 ? rsp_findings_nothing_to_gain(m) : r;
}

/* The answer is what took most of the time, not what can be said of all of it. */
static int make(struct rsp_findings_maker *m)
{
	size_t answer_cnt;
	int r = make_parts(m);

	sort_findings(m->findings.v, m->findings.cnt);
	answer_cnt = m->findings.cnt > 0;
	if (r == 0)
		r = make_whole(m);
	sort_findings(m->findings.v + answer_cnt, m->findings.cnt - answer_cnt);
	return r;
}

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret)
{
	struct rsp_findings_maker m = {.e = e};
	struct rsp_findings made;
	int r = rsp_told_make(e, &m.told);

	if (r < 0)
		return r;
	r = rsp_findings_find_trips(e, &m.told);
	if (r == 0)
		r = make(&m);
	rsp_told_done(&m.told);
	made = (struct rsp_findings){m.findings.v, m.findings.cnt};
	if (r < 0) {
		rsp_findings_done(&made);
		return r;
	}
	*ret = made;
	return 0;
}

void rsp_findings_done(struct rsp_findings *f)
{
	for (size_t i = 0; i < f->cnt; i++) {
		for (size_t k = 0; k < f->v[i].evidence_cnt; k++)
			free(f->v[i].evidence[k].text);
		free(f->v[i].text);
	}
	free(f->v);
	*f = (struct rsp_findings){0};
}
