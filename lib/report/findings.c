/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts an explanation to sentences, heaviest first. docs/json-report.md lists the kinds. */
#include "lib/report/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

#define SHARE_MIN_DIVISOR 100

/* The kinds, in the order in which they take time from the chains. */
static const struct rsp_finding_kind *const kinds[] = {
	&rsp_finding_idle,	  &rsp_finding_polling,	     &rsp_finding_throttled,
	&rsp_finding_reclaim,	  &rsp_finding_swap,	     &rsp_finding_tcp,
	&rsp_finding_lock_convoy, &rsp_finding_sync,	     &rsp_finding_round_trips,
	&rsp_finding_slow_remote, &rsp_finding_queue_behind, &rsp_finding_waits_on,
	&rsp_finding_class,
};
#define KIND_CNT (sizeof(kinds) / sizeof(kinds[0]))

bool rsp_findings_worth(const struct rsp_explanation *e, __u64 ns)
{
	return ns > 0 && ns >= e->clock_ns / SHARE_MIN_DIVISOR;
}

int rsp_findings_finish(struct rsp_findings_maker *m, FILE *f, char **text, const char *kind,
			__u64 ns, bool inferred)
{
	struct rsp_finding *finding = NULL;

	fputs(inferred ? " (inferred)." : ".", f);
	if (fclose(f) == 0)
		finding = rsp_array_add(&m->findings);
	if (!finding) {
		free(*text);
		return -ENOMEM;
	}
	*finding = (struct rsp_finding){.kind = kind,
					.ns = ns,
					.thread_ns = ns,
					.weight_ns = ns,
					.inferred = inferred,
					.text = *text};
	return 0;
}

/*
 * Returns whether the kernel's PSI counts time of the category as a stall for the resource. No
 * category corresponds to stalls for memory.
 */
static bool is_stall(const char *resource, enum rsp_category cat)
{
	if (strcmp(resource, "cpu") == 0)
		return cat == RSP_CAT_RUNQUEUE || cat == RSP_CAT_PREEMPTED;
	return strcmp(resource, "io") == 0 &&
	       (cat == RSP_CAT_DISK_ACTIVE || cat == RSP_CAT_DISK_QUEUED);
}

static __u64 before_window(const struct rsp_explanation *e, const struct rsp_selection *s)
{
	__u64 edge_ns = 0, most_ns = e->wall_ns - e->window_ns;

	for (size_t i = 0; i < s->cnt; i++)
		if (s->v[i].cover->leaf->category == RSP_CAT_EDGE)
			edge_ns += s->v[i].ns;
	if (edge_ns > s->clock.ns)
		edge_ns = s->clock.ns;
	return edge_ns < most_ns ? edge_ns : most_ns;
}

/*
 * Returns the weight by which findings are sorted: the elapsed time within the window. If a limit
 * on stalls (PSI) triggered the snapshot, stalls weigh most. In the recording of a command, time
 * without the main thread has no weight.
 */
static __u64 weigh(const struct rsp_explanation *e, const struct rsp_selection *s)
{
	__u64 stall_ns = 0;

	for (size_t i = 0; i < s->cnt; i++)
		if (is_stall(e->meta->trigger.resource, s->v[i].cover->leaf->category))
			stall_ns += s->v[i].ns;
	if (stall_ns > s->ns / 2)
		return e->clock_ns + s->clock.ns;
	if (e->by_main && !s->clock.main_ns)
		return 0;
	return s->clock.ns - before_window(e, s);
}

static bool is_idle(const struct rsp_selection *s)
{
	__u64 ns = 0;

	for (size_t i = 0; i < s->cnt; i++)
		ns += s->v[i].cover->is_idle ? s->v[i].ns : 0;
	return ns > s->ns / 2;
}

static int write_finding(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind,
			 const struct rsp_subject *group, struct rsp_selection *s)
{
	__u64 thread_ns = s->ns;
	struct rsp_finding *finding;
	char *text = NULL;
	size_t len;
	FILE *f;
	int r = rsp_selection_narrow(s, m->e);

	if (r < 0)
		return r;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	if (kind->write(f, m->e, group, s) < 0) {
		fclose(f);
		free(text);
		return -ENOMEM;
	}
	r = rsp_findings_finish(m, f, &text, kind->name ? kind->name : group->name, s->clock.ns,
				kind->is_inferred && kind->is_inferred(m->e));
	if (r < 0)
		return r;
	finding = &m->findings.v[m->findings.cnt - 1];
	finding->thread_ns = thread_ns;
	finding->weight_ns = weigh(m->e, s);
	finding->is_idle = is_idle(s);
	return rsp_findings_add_evidence(m, kind, s, finding);
}

static int find_group(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind,
		      const struct rsp_subject *group)
{
	_cleanup_(rsp_selection_done) struct rsp_selection s = {0};
	struct rsp_subject subject;

	for (size_t i = 0; i < m->covers.cnt; i++) {
		struct rsp_cover *t = &m->covers.v[i];

		if (t->left_ns > 0 && kind->group(m->e, t, &subject) &&
		    rsp_subject_compare(&subject, group) == 0 && rsp_selection_add(&s, t) < 0)
			return -ENOMEM;
	}
	if (kind->limit)
		rsp_selection_limit(&s, kind->limit(m->e, group));
	if (rsp_selection_measure(&s, m->e) < 0)
		return -ENOMEM;
	if (!rsp_findings_worth(m->e, s.clock.ns))
		return 0;
	rsp_selection_take(&s);
	return write_finding(m, kind, group, &s);
}

static int find_kind(struct rsp_findings_maker *m, const struct rsp_finding_kind *kind)
{
	_cleanup_(rsp_tally_done) struct rsp_tally groups = {0};
	struct rsp_subject subject;
	int r = 0;

	for (size_t i = 0; i < m->covers.cnt; i++) {
		struct rsp_cover *t = &m->covers.v[i];

		if (t->left_ns > 0 && kind->group(m->e, t, &subject) &&
		    rsp_tally_add(&groups, subject, t->left_ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&groups);
	for (size_t i = 0; i < groups.cnt && r == 0; i++) {
		if (!rsp_findings_worth(m->e, groups.v[i].ns))
			break;
		r = find_group(m, kind, &groups.v[i].subject);
	}
	return r;
}

#define PAUSED_MIN_DIVISOR 100

bool rsp_report_lossy(const struct rsp_explanation *e)
{
	return e->lost_cnt > 0 || e->cat_ns[RSP_CAT_LOST] > 0;
}

__u64 rsp_report_paused_ns(const struct rsp_explanation *e)
{
	return e->shed_ns[RSP_SHED_SLICES] + e->requested_ns;
}

__u64 rsp_report_recorded_ns(const struct rsp_explanation *e)
{
	__u64 paused_ns = rsp_report_paused_ns(e);

	return paused_ns < e->window_ns ? e->window_ns - paused_ns : 0;
}

static bool precedes(const struct rsp_finding *a, const struct rsp_finding *b)
{
	if (a->is_idle != b->is_idle)
		return b->is_idle;
	return a->weight_ns > b->weight_ns;
}

/* Findings about idle threads come last. Findings with equal weights keep their order. */
static void sort_findings(struct rsp_finding *v, size_t cnt)
{
	for (size_t i = 1; i < cnt; i++) {
		struct rsp_finding moved = v[i];
		size_t at = i;

		for (; at > 0 && precedes(&moved, &v[at - 1]); at--)
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
	int r = rsp_findings_polled_for(m);

	if (r == 0)
		r = rsp_findings_late_polls(m);
	if (r == 0)
		r = rsp_findings_short_processes(m);
	if (r == 0)
		r = rsp_findings_cpu_contention(m);
	if (r == 0)
		r = rsp_findings_loss(m);
	if (r == 0)
		r = rsp_findings_pauses(m);
	if (r == 0 && m->findings.cnt == 0)
		r = rsp_findings_nothing_else(m);
	if (r == 0 && m->e->idle_ns <= m->e->clock_ns / 2)
		r = rsp_findings_nothing_to_gain(m);
	return r;
}

int rsp_findings_replace_text(struct rsp_finding *finding, FILE *f, char **text)
{
	if (fclose(f) != 0) {
		free(*text);
		return -ENOMEM;
	}
	free(finding->text);
	finding->text = *text;
	return 0;
}

static int say_coverage(struct rsp_findings_maker *m)
{
	struct rsp_finding *answer = &m->findings.v[0];
	char share[RSP_FORMAT_MAX];
	const struct rsp_explanation *e = m->e;
	char *text = NULL;
	size_t len, size;
	FILE *f;

	if (rsp_report_paused_ns(e) * PAUSED_MIN_DIVISOR < e->wall_ns)
		return 0;
	f = open_memstream(&text, &size);
	if (!f)
		return -ENOMEM;
	len = strlen(answer->text);
	len -= len && answer->text[len - 1] == '.';
	fprintf(f, "%.*s (%s of the time was recorded).", (int)len, answer->text,
		rsp_format_share(rsp_report_recorded_ns(e), e->wall_ns, share, sizeof(share)));
	return rsp_findings_replace_text(answer, f, &text);
}

/* Findings about the whole span are never the answer, unless there is no other finding. */
static int make(struct rsp_findings_maker *m)
{
	size_t answer_cnt;
	int r = make_parts(m);

	sort_findings(m->findings.v, m->findings.cnt);
	if (r == 0)
		r = rsp_findings_lead(m);
	answer_cnt = m->findings.cnt > 0;
	if (r == 0)
		r = make_whole(m);
	sort_findings(m->findings.v + answer_cnt, m->findings.cnt - answer_cnt);
	if (r == 0 && m->findings.cnt && rsp_report_paused_ns(m->e))
		r = say_coverage(m);
	return r;
}

int rsp_findings_make(const struct rsp_explanation *e, struct rsp_findings *ret)
{
	struct rsp_findings_maker m = {.e = e};
	struct rsp_findings made;
	int r = rsp_covers_make(e, &m.covers);

	if (r < 0)
		return r;
	r = rsp_findings_find_trips(e, &m.covers);
	if (r == 0)
		r = make(&m);
	rsp_covers_done(&m.covers);
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
