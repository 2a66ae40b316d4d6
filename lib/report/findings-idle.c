/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings about servers and idle threads. The answer for a server begins with its requests, and
 * the answer for a process that is mostly idle with its idle time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/report/findings.h"
#include "lib/report/requests-view.h"

/* --- idle threads ----------------------------------------------------------------------------- */

static bool group_idle(const struct rsp_explanation *e, const struct rsp_cover *t,
		       struct rsp_subject *ret)
{
	if (t->leaf->category != RSP_CAT_IDLE)
		return false;
	*ret = RSP_SUBJECT("idle");
	return true;
}

static int put_calls(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	_cleanup_(rsp_tally_done) struct rsp_tally calls = {0};

	calls.needs_shares = rsp_selection_needs_shares(s, e);
	for (size_t i = 0; i < s->cnt; i++) {
		const char *call = s->v[i].cover->leaf->syscall;

		if (rsp_tally_add(&calls, RSP_SUBJECT(*call ? call : NULL), s->v[i].ns) < 0)
			return -ENOMEM;
	}
	rsp_tally_finish(&calls);
	rsp_put_subjects(f, "; ", "in", &calls, calls.ns, RSP_FINDINGS_NAMES_MAX);
	return 0;
}

static int put_subject(FILE *f, const struct rsp_explanation *e, const struct rsp_selection *s)
{
	_cleanup_(rsp_owners_done) struct rsp_owners owners = {0};

	if (rsp_owners_make(s, &owners) < 0)
		return -ENOMEM;
	if (e->idle_is_inferred) {
		rsp_put_name(f, e->comm);
		fputs(" did next to nothing for ", f);
		return 0;
	}
	rsp_put_waiters(f, e, &owners);
	fputs(rsp_names_cnt(&owners.own) > 1 ? " were idle for " : " was idle for ", f);
	return 0;
}

static int write_idle(FILE *f, const struct rsp_explanation *e, const struct rsp_subject *group,
		      const struct rsp_selection *s)
{
	if (put_subject(f, e, s) < 0)
		return -ENOMEM;
	rsp_put_share(f, e, s->clock.ns);
	if (s->clock.thread_cnt > 1)
		fprintf(f, " in %u threads", s->clock.thread_cnt);
	if (put_calls(f, e, s) < 0)
		return -ENOMEM;
	if (e->idle_root_cnt)
		fprintf(f, "; %u more thread%s slept throughout", e->idle_root_cnt,
			e->idle_root_cnt == 1 ? "" : "s");
	if (e->idle_is_inferred)
		fputs("; so it was idle", f);
	if (e->is_asleep)
		fputs(", unless a request is pending since before the recording", f);
	return 0;
}

static bool is_rest(const struct rsp_explanation *e)
{
	return e->idle_is_inferred;
}

const struct rsp_finding_kind rsp_finding_idle = {
	.name = "idle",
	.group = group_idle,
	.write = write_idle,
	.is_inferred = is_rest,
};

/* --- requests --------------------------------------------------------------------------------- */

/*
 * A request without an answer is mentioned if it has waited for more than a tenth of the span, and
 * for longer than any answered request took.
 */
#define PENDING_DIVISOR 10
/* Minimum number of requests for which a rate is meaningful. */
#define RATE_MIN	10
/* Minimum number of requests for which a 99th percentile is meaningful. */
#define QUANTILE_MIN	100

static bool has_requests(const struct rsp_explanation *e)
{
	const struct rsp_requests_sum *sum = &e->requests;

	/* The process must serve requests, or be idle, for at least half of the time. */
	return sum->cnt + sum->pending_cnt > 0 && e->idle_ns + sum->busy_ns >= e->clock_ns / 2;
}

static void put_count(FILE *f, __u64 cnt)
{
	char count[RSP_FORMAT_MAX];

	fputs(rsp_requests_count(cnt, count, sizeof(count)), f);
}

static void put_latencies(FILE *f, const struct rsp_explanation *e)
{
	const struct rsp_requests_sum *sum = &e->requests;
	__u64 ns = rsp_report_recorded_ns(e);
	char rate[RSP_FORMAT_MAX];

	if (sum->cnt == 1) {
		fputs(": ", f);
		rsp_put_duration(f, sum->max_ns);
		return;
	}
	if (ns && sum->cnt >= RATE_MIN && sum->cnt >= 1e-9 * (double)ns) {
		fprintf(f, " (%s per second)", rsp_requests_rate(sum->cnt, ns, rate, sizeof(rate)));
	}
	fputs(": median ", f);
	rsp_put_duration(f, sum->p50_ns);
	fputs(sum->cnt < QUANTILE_MIN ? ", at most " : ", p99 ", f);
	rsp_put_duration(f, sum->cnt < QUANTILE_MIN ? sum->max_ns : sum->p99_ns);
}

static void put_requests(FILE *f, const struct rsp_explanation *e)
{
	const struct rsp_requests_sum *sum = &e->requests;
	bool is_late = sum->pending_cnt && sum->pending_ns > sum->max_ns &&
		       sum->pending_ns > e->wall_ns / PENDING_DIVISOR;

	rsp_put_name(f, e->comm);
	fprintf(f, " [%u] answered ", rsp_host_tid(e->meta->target_pid));
	if (sum->cnt)
		put_count(f, sum->cnt);
	else
		fputs("no", f);
	fprintf(f, " request%s in ", sum->cnt == 1 ? "" : "s");
	rsp_put_duration(f, e->wall_ns);
	if (sum->cnt)
		put_latencies(f, e);
	if (!is_late)
		return;
	fputs("; ", f);
	put_count(f, sum->pending_cnt);
	fputs(sum->pending_cnt == 1 ? " has no answer after "
				    : " have no answer, the oldest after ",
	      f);
	rsp_put_duration(f, sum->pending_ns);
}

/* Sets *ret to a sentence without its full stop, or to NULL if there is nothing to compare. */
static int compare_requests(const struct rsp_explanation *e, char **ret)
{
	struct rsp_requests_options opt = {.pid = e->meta->target_pid};
	_cleanup_(rsp_requests_view_done) struct rsp_requests_view v = {0};
	size_t len;
	int r;

	*ret = NULL;
	if (!e->trace || e->requests.cnt < RSP_COMPARED_MIN)
		return 0;
	r = rsp_requests_view_make(e->trace, &opt, &v);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (!rsp_requests_has_tail(&v))
		return 0;
	len = strlen(v.headline);
	*ret = strndup(v.headline, len && v.headline[len - 1] == '.' ? len - 1 : len);
	return *ret ? 0 : -ENOMEM;
}

/* --- the answer ------------------------------------------------------------------------------- */

static bool is_worth(const struct rsp_explanation *e)
{
	return e->idle_ns > 0 && rsp_findings_worth(e, e->idle_ns);
}

static void put_idle_share(FILE *f, const struct rsp_explanation *e)
{
	char share[RSP_FORMAT_MAX];

	fprintf(f, "idle %s of the time",
		rsp_format_share(e->idle_ns, e->clock_ns, share, sizeof(share)));
}

/* Closes f, a stream of open_memstream() into *text. Adds the text as the first finding. */
static int prepend(struct rsp_findings_maker *m, FILE *f, char **text)
{
	struct rsp_finding first;
	int r = rsp_findings_finish(m, f, text, "requests", m->e->requests.busy_ns, false);

	if (r < 0)
		return r;
	first = m->findings.v[m->findings.cnt - 1];
	memmove(&m->findings.v[1], &m->findings.v[0], (m->findings.cnt - 1) * sizeof(first));
	m->findings.v[0] = first;
	return 0;
}

/* tail: sentence that compares slow requests with typical ones, or NULL. */
static int lead_with_requests(struct rsp_findings_maker *m, const char *tail)
{
	struct rsp_finding *answer = m->findings.cnt ? &m->findings.v[0] : NULL;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	if (tail)
		fputs(tail, f);
	else
		put_requests(f, m->e);
	if (is_worth(m->e)) {
		fputs("; ", f);
		put_idle_share(f, m->e);
	}
	if (tail || !answer || answer->is_idle)
		return prepend(m, f, &text);
	fprintf(f, "; %s%s", is_worth(m->e) ? "else " : "", answer->text);
	return rsp_findings_replace_text(answer, f, &text);
}

static int lead_with_idle(struct rsp_findings_maker *m)
{
	struct rsp_finding *answer = m->findings.cnt ? &m->findings.v[0] : NULL;
	char share[RSP_FORMAT_MAX];
	char *text = NULL;
	size_t len;
	FILE *f;

	if (!answer || answer->is_idle || m->e->idle_ns <= m->e->clock_ns / 2)
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	rsp_put_name(f, m->e->comm);
	fprintf(f, " was idle for %s of the time; else %s",
		rsp_format_share(m->e->idle_ns, m->e->clock_ns, share, sizeof(share)),
		answer->text);
	return rsp_findings_replace_text(answer, f, &text);
}

static void put_rest_first(struct rsp_findings_maker *m)
{
	struct rsp_finding moved;
	size_t i = 0;

	while (i < m->findings.cnt && !m->findings.v[i].is_idle)
		i++;
	if (i == m->findings.cnt)
		return;
	moved = m->findings.v[i];
	memmove(&m->findings.v[1], &m->findings.v[0], i * sizeof(moved));
	m->findings.v[0] = moved;
}

int rsp_findings_lead(struct rsp_findings_maker *m)
{
	_cleanup_free_ char *tail = NULL;
	int r;

	if (*m->e->meta->trigger.slo)
		return 0;
	if (m->e->idle_is_inferred) {
		put_rest_first(m);
		return 0;
	}
	if (!has_requests(m->e))
		return lead_with_idle(m);
	r = compare_requests(m->e, &tail);
	return r < 0 ? r : lead_with_requests(m, tail);
}
