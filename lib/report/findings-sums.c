/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings about the whole span. Their time may overlap the time of other findings. */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"
#include "lib/report/report-samples.h"
#include "lib/report/report-words.h"

/*
 * fork, exec, the dynamic linker and exit together take about a millisecond. If many programs run
 * for less than ten milliseconds on average, starting them takes a considerable share of their
 * time.
 */
#define START_COST_NS	1000000ULL
#define SHORT_MEAN_NS	(10 * START_COST_NS)
#define SHORT_COUNT_MIN 20

/* Returns whether select_whole() selects the chain. */
typedef bool (*pick_fn)(const struct rsp_cover *t);

static int select_whole(struct rsp_findings_maker *m, pick_fn pick, struct rsp_selection *ret)
{
	_cleanup_(rsp_selection_done) struct rsp_selection s = {0};

	for (size_t i = 0; i < m->covers.cnt; i++)
		if (pick(&m->covers.v[i]) && rsp_selection_add_whole(&s, &m->covers.v[i]) < 0)
			return -ENOMEM;
	if (rsp_selection_measure(&s, m->e) < 0)
		return -ENOMEM;
	*ret = s;
	s = (struct rsp_selection){0};
	return 0;
}

static bool is_of_others(const struct rsp_cover *t)
{
	return !rsp_cover_is_own(t);
}

int rsp_findings_short_processes(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection others = {0};
	const struct rsp_explanation *e = m->e;
	char *text = NULL;
	__u64 ns = 0;
	size_t len;
	FILE *f;

	for (size_t i = 0; i < e->process_cnt; i++)
		ns += e->processes[i].is_root ? 0 : e->processes[i].ns;
	if (e->exec_cnt < SHORT_COUNT_MIN || ns / e->exec_cnt >= SHORT_MEAN_NS)
		return 0;
	if (select_whole(m, is_of_others, &others) < 0)
		return -ENOMEM;
	if (!rsp_findings_worth(e, others.clock.ns))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	fprintf(f, "%u programs were started (%u forks) and took ", e->exec_cnt, e->fork_cnt);
	rsp_put_duration(f, ns / e->exec_cnt);
	fputs(" each on average, ", f);
	rsp_put_selected(f, e, &others);
	fputs(" in all; starting and ending one costs about ", f);
	rsp_put_duration(f, START_COST_NS);
	return rsp_findings_finish(m, f, &text, "short_processes", others.clock.ns, true);
}

static bool is_lost(const struct rsp_cover *t)
{
	return t->leaf->category == RSP_CAT_LOST;
}

int rsp_findings_loss(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection lost = {0};
	char *text = NULL;
	size_t len;
	FILE *f;

	if (!rsp_report_lossy(m->e))
		return 0;
	if (select_whole(m, is_lost, &lost) < 0)
		return -ENOMEM;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	fprintf(f, "%llu record%s lost; ", m->e->lost_cnt, m->e->lost_cnt == 1 ? " was" : "s were");
	rsp_put_selected(f, m->e, &lost);
	fputs(" lies in the gaps and cannot be explained", f);
	return rsp_findings_finish(m, f, &text, "lossy", lost.clock.ns, false);
}

static bool is_unrecorded(const struct rsp_cover *t)
{
	return rsp_words_of_leaf(t->leaf) == RSP_CAT_UNRECORDED && t->relation == RSP_RELATION_SELF;
}

static void put_requested(FILE *f, const struct rsp_explanation *e)
{
	char ns[RSP_FORMAT_MAX];

	if (e->shed_ns[RSP_SHED_SLICES])
		fprintf(f,
			" was not recorded: recording was paused by request for %s; for the "
			"rest, the recorder paused by itself",
			rsp_format_ns(e->requested_ns, ns, sizeof(ns)));
	else
		fputs(" was not recorded: recording was paused by request (rspctl pause)", f);
}

int rsp_findings_pauses(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection pauses = {0};
	char *text = NULL;
	size_t len;
	FILE *f;

	if (select_whole(m, is_unrecorded, &pauses) < 0)
		return -ENOMEM;
	if (!rsp_findings_worth(m->e, pauses.clock.ns))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	rsp_put_selected(f, m->e, &pauses);
	/*
	 * Without a request and without a budget, the recorder pauses because of Time= in
	 * rspd.conf(5).
	 */
	if (m->e->requested_ns)
		put_requested(f, m->e);
	else
		fputs(m->e->budget_ppm
			      ? " was not recorded, to stay within the budget of the recorder"
			      : " was not recorded: the recorder paused",
		      f);
	return rsp_findings_finish(m, f, &text, "unrecorded", pauses.clock.ns, false);
}

int rsp_findings_nothing_else(struct rsp_findings_maker *m)
{
	__u64 ns = m->e->clock_ns;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	if (ns == 0) {
		fputs("Nothing that ", f);
		rsp_put_name(f, m->e->comm);
		fputs(" did in this span was recorded", f);
		return rsp_findings_finish(m, f, &text, "nothing", ns, false);
	}
	rsp_put_name(f, m->e->comm);
	fputs(" spent ", f);
	rsp_put_duration(f, ns);
	fputs(" on many things, none of which took 1 % of it", f);
	return rsp_findings_finish(m, f, &text, "scattered", ns, false);
}

/* --- too few CPUs ----------------------------------------------------------------------------- */

static bool wants_cpu(const struct rsp_cover *t)
{
	return *t->leaf->object && !(t->leaf->flags & RSP_HOP_THROTTLED) &&
	       (t->leaf->category == RSP_CAT_RUNQUEUE || t->leaf->category == RSP_CAT_PREEMPTED);
}

/*
 * Adds a finding about all waits for CPUs that known tasks used, both of the process and of the
 * tasks for which it waited. Adds nothing if these tasks hardly waited for CPUs.
 */
int rsp_findings_cpu_contention(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection waits = {0};
	_cleanup_(rsp_tally_done) struct rsp_tally front = {0};
	const struct rsp_explanation *e = m->e;
	__u64 others_ns = 0;
	char *text = NULL;
	size_t len;
	FILE *f;

	if (select_whole(m, wants_cpu, &waits) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < waits.cnt; i++) {
		const struct rsp_cover *t = waits.v[i].cover;

		if (rsp_tally_add(&front, RSP_SUBJECT(t->leaf->object), t->chain->ns) < 0)
			return -ENOMEM;
		others_ns += t->relation == RSP_RELATION_SELF ? 0 : t->chain->ns;
	}
	if (others_ns == 0 || others_ns < rsp_tally_detail_ns(e->total_ns))
		return 0;
	rsp_tally_finish(&front);
	front.needs_shares = rsp_selection_needs_shares(&waits, e);
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	rsp_put_name(f, e->comm);
	fputs(" and the tasks it waited for spent ", f);
	rsp_put_selected(f, e, &waits);
	if (e->meta->host_cnt)
		fputs(" waiting for a CPU of their host", f);
	else
		fprintf(f, " waiting for one of %u CPUs", e->meta->cpu_cnt);
	rsp_put_subjects(f, "; ", "behind", &front, front.ns, RSP_FINDINGS_NAMES_MAX);
	return rsp_findings_finish(m, f, &text, "cpu_contention", waits.clock.ns, false);
}

/*
 * --- code that is not worth optimizing ----------------------------------------------------------
 */

/*
 * Code that takes less than a twentieth of the time is not worth optimizing: the gain would be
 * smaller than the variation of measurements.
 */
#define GAIN_MIN_DIVISOR 20
/*
 * Number of samples with which a share of a twentieth can be distinguished from a share of a tenth.
 */
#define SAMPLES_MIN	 200

static bool ran(const struct rsp_cover *t)
{
	return t->leaf->category == RSP_CAT_RUNNING_SAMPLED ||
	       t->leaf->category == RSP_CAT_RUNNING_UNSAMPLED;
}

static bool ran_itself(const struct rsp_cover *t)
{
	return rsp_cover_is_own(t) && ran(t);
}

static int say_own_code(struct rsp_findings_maker *m, const struct rsp_selection *own)
{
	_cleanup_(rsp_selection_done) struct rsp_selection all = {0};
	bool nobody_ran;
	char *text = NULL;
	size_t len;
	FILE *f;

	if (select_whole(m, ran, &all) < 0)
		return -ENOMEM;
	nobody_ran = all.clock.ns < m->e->clock_ns / GAIN_MIN_DIVISOR;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	rsp_put_name(f, m->e->comm);
	fputs(nobody_ran ? " and the tasks it waited for computed for only "
			 : "'s own code ran for only ",
	      f);
	rsp_put_selected(f, m->e, nobody_ran ? &all : own);
	fprintf(f, ": optimizing %s cannot gain more", nobody_ran ? "their code" : "it");
	return rsp_findings_finish(m, f, &text, "nothing_to_gain",
				   nobody_ran ? all.clock.ns : own->clock.ns, false);
}

static int tally_functions(const struct rsp_findings_maker *m, struct rsp_tally *ret,
			   __u64 *ret_sample_cnt)
{
	_cleanup_(rsp_samples_done) struct rsp_samples samples = {0};

	for (size_t i = 0; i < m->covers.cnt; i++) {
		const struct rsp_cover *t = &m->covers.v[i];

		if (!rsp_hop_is_sampled(t->leaf))
			continue;
		if (rsp_samples_add(&samples, t->chain) < 0 ||
		    rsp_tally_add(ret, rsp_subject_of_leaf(t->leaf), t->chain->ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(ret);
	*ret_sample_cnt = rsp_samples_cnt(&samples);
	return 0;
}

static int say_hottest(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_tally_done) struct rsp_tally functions = {0};
	const struct rsp_explanation *e = m->e;
	char *text = NULL;
	__u64 sample_cnt;
	size_t len;
	FILE *f;

	if (tally_functions(m, &functions, &sample_cnt) < 0)
		return -ENOMEM;
	if (functions.ns < e->total_ns / 2 || sample_cnt < SAMPLES_MIN || functions.cnt == 0 ||
	    functions.v[0].ns >= e->clock_ns / GAIN_MIN_DIVISOR)
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	fputs("No function ran for more than ", f);
	rsp_put_share(f, e, functions.v[0].ns);
	fputs(", the hottest being ", f);
	rsp_put_name(f, functions.v[0].subject.name);
	fputs(": speeding up any one of them cannot gain more", f);
	return rsp_findings_finish(m, f, &text, "nothing_to_gain", functions.v[0].ns, false);
}

int rsp_findings_nothing_to_gain(struct rsp_findings_maker *m)
{
	_cleanup_(rsp_selection_done) struct rsp_selection own = {0};

	if (select_whole(m, ran_itself, &own) < 0)
		return -ENOMEM;
	if (own.clock.ns > 0 && own.clock.ns < m->e->clock_ns / GAIN_MIN_DIVISOR)
		return say_own_code(m, &own);
	return say_hottest(m);
}
