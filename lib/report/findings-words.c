/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See findings-words.h. */
#include "lib/report/findings-words.h"

#include <errno.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/report-words.h"

void rsp_put_ids(FILE *f, const struct rsp_hop *hop)
{
	if (hop->tgid == hop->tid)
		fprintf(f, " [%u]", rsp_host_tid(hop->tid));
	else
		fprintf(f, " [%u/%u]", rsp_host_tid(hop->tgid), rsp_host_tid(hop->tid));
}

void rsp_put_share(FILE *f, const struct rsp_explanation *e, __u64 ns)
{
	char share[RSP_FORMAT_MAX];

	rsp_put_duration(f, ns);
	fprintf(f, " (%s of ", rsp_format_share(ns, e->clock_ns, share, sizeof(share)));
	rsp_put_duration(f, e->clock_ns);
	fputc(')', f);
}

void rsp_put_selected(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	fputs(rsp_selection_at_least(s) ? "at least " : "", f);
	rsp_put_share(f, e, s->clock.ns);
	if (s->clock.thread_cnt > 1)
		fprintf(f, " in %u threads", s->clock.thread_cnt);
}

void rsp_put_part(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s, __u64 ns)
{
	char share[RSP_FORMAT_MAX];

	if (rsp_selection_needs_shares(s, e))
		fputs(rsp_format_share(ns, s->ns, share, sizeof(share)), f);
	else
		rsp_put_duration(f, ns);
}

/* --- lists ------------------------------------------------------------------------------------ */

/*
 * Counts rows with at least a tenth of the first row's time, as rsp_clock_measure() counts threads,
 * so that the names in a sentence fit its number of threads.
 */
size_t rsp_names_cnt(const struct rsp_tally *t)
{
	size_t cnt = 0;

	while (cnt < t->cnt && t->v[cnt].ns >= rsp_tally_detail_ns(t->v[0].ns))
		cnt++;
	return cnt;
}

void rsp_put_names(FILE *f, const struct rsp_tally *t)
{
	size_t cnt = rsp_names_cnt(t);

	rsp_put_name(f, t->v[0].subject.name);
	if (cnt == 1)
		return;
	fputs(cnt == 2 ? " and " : ", ", f);
	rsp_put_name(f, t->v[1].subject.name);
	if (cnt > 2)
		fprintf(f, " and %zu other%s", cnt - 2, cnt > 3 ? "s" : "");
}

static void put_subject(FILE *f, const struct rsp_subject *subject)
{
	rsp_put_name(f, subject->name);
	fputs(subject->note, f);
	if (subject->place) {
		fputs(" at ", f);
		rsp_put_name(f, subject->place);
	}
	if (*subject->object) {
		fputs(subject->is_unanswered ? " without an answer from " : " on ", f);
		rsp_put_name(f, subject->object);
	}
}

static void put_row(FILE *f, const struct rsp_tally *t, __u64 ns)
{
	char share[RSP_FORMAT_MAX];

	if (t->needs_shares)
		fputs(rsp_format_share(ns, t->ns, share, sizeof(share)), f);
	else
		rsp_put_duration(f, ns);
}

bool rsp_put_subjects(FILE *f, const char *joint, const char *label, const struct rsp_tally *t,
		      __u64 whole_ns, size_t max)
{
	if (t->cnt == 0 || t->ns < rsp_tally_detail_ns(whole_ns) ||
	    t->v[0].ns < rsp_tally_detail_ns(t->ns))
		return false;
	fprintf(f, "%s%s: ", joint, label);
	for (size_t i = 0; i < t->cnt && i < max; i++) {
		if (i > 0 && t->v[i].ns < rsp_tally_detail_ns(t->ns))
			break;
		fputs(i > 0 ? ", " : "", f);
		put_subject(f, &t->v[i].subject);
		if (rsp_tally_sole(t))
			break;
		fputc(' ', f);
		put_row(f, t, t->v[i].ns);
	}
	return true;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Minimum number of samples: with fewer samples, the shares of functions are due to chance. */
#define SAMPLES_MIN 5

/*
 * Returns the standard error, in percent, of a share measured with cnt samples. Adds two samples,
 * one inside and one outside of the share (Agresti and Coull): without them, the error of a share
 * of 100 % would be 0.
 */
static unsigned int error_pct(__u64 ns, __u64 whole_ns, __u64 cnt)
{
	double n = (double)cnt + 2;
	double p = ((double)ns / (double)whole_ns * (double)cnt + 1) / n;
	double variance = 10000 * p * (1 - p) / n;
	unsigned int pct = 1;

	while ((pct + 0.5) * (pct + 0.5) <= variance)
		pct++;
	return pct;
}

/*
 * Writes the largest shares of functions. Writes the first share even if it is small, unless it may
 * be due to chance.
 */
static void put_shares(FILE *f, const struct rsp_tally *t, __u64 cnt, size_t max)
{
	for (size_t i = 0; i < t->cnt && i < max; i++) {
		__u64 pct = (t->v[i].ns * 100 + t->ns / 2) / t->ns;
		unsigned int error = error_pct(t->v[i].ns, t->ns, cnt);

		if (t->v[i].ns < rsp_tally_detail_ns(t->ns) && (i > 0 || pct < 2 * error))
			break;
		fputs(i > 0 ? ", " : ": ", f);
		put_subject(f, &t->v[i].subject);
		fprintf(f, " %llu %% ± %u %%", pct, error);
	}
}

bool rsp_put_functions(FILE *f, const char *joint, const struct rsp_tally *t, __u64 sample_cnt,
		       __u64 whole_ns, size_t max)
{
	if (sample_cnt == 0 && whole_ns < RSP_UNSAMPLED_MIN_NS)
		return false;
	fputs(joint, f);
	if (sample_cnt == 0) {
		fputs("not sampled", f);
	} else if (sample_cnt < SAMPLES_MIN) {
		fprintf(f, "too few samples (%llu) to name a function", sample_cnt);
	} else {
		fprintf(f, "%llu samples", sample_cnt);
		if (t->ns < rsp_tally_nearly_ns(whole_ns) && !t->needs_shares) {
			fputs(" for ", f);
			rsp_put_duration(f, t->ns);
			fputs(" of it", f);
		}
		put_shares(f, t, sample_cnt, max);
	}
	return true;
}

/* --- subjects ------------------------------------------------------------------------------- */

int rsp_owners_make(const struct rsp_selection *s, struct rsp_owners *ret)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};

	for (size_t i = 0; i < s->cnt; i++) {
		const struct rsp_cover *t = s->v[i].cover;
		struct rsp_tally *tally = rsp_cover_is_own(t) ? &owners.own : &owners.others;

		if (rsp_tally_add(tally, RSP_SUBJECT(t->owner), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&owners.own);
	rsp_tally_finish(&owners.others);
	*ret = owners;
	owners = (struct rsp_owners){0};
	return 0;
}

void rsp_owners_done(struct rsp_owners *o)
{
	rsp_tally_done(&o->own);
	rsp_tally_done(&o->others);
}

void rsp_put_waiters(FILE *f, const struct rsp_explanation *e, const struct rsp_owners *owners)
{
	if (owners->own.cnt > 0)
		rsp_put_names(f, &owners->own);
	else
		rsp_put_name(f, e->comm);
}

void rsp_put_through(FILE *f, const struct rsp_owners *owners)
{
	__u64 detail_ns = rsp_tally_detail_ns(owners->own.ns + owners->others.ns);

	if (owners->others.cnt == 0 || owners->others.ns < detail_ns)
		return;
	fprintf(f, ", %sthrough ", owners->own.ns >= detail_ns ? "in part " : "");
	rsp_put_names(f, &owners->others);
}
