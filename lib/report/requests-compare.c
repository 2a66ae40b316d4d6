/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares where slow and typical requests spent their time. The time of a request has two parts:
 * the time until its thread had answered earlier requests, and the rest. Both parts are explained
 * by what the thread did and which tasks it waited for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "report-words.h"
#include "report.h"
#include "requests-view.h"

#define COMPARED_MIN 20	  /* requests; a hundredth of fewer is none */
#define SLOW_MAX     1000 /* explained at most; more would not change the result */
#define TYPICAL_MAX  100
#define SLOW_PPM     10000

struct comparing {
	struct rsp_requests_view *v;
	struct rsp_model *model;
	struct rsp_loops loops;
};

/* A sample of requests. */
struct group {
	struct rsp_served_split split;
	__u64 cnt, ns;
};

static void group_done(struct group *g)
{
	rsp_served_split_done(&g->split);
}

static int add_request(const struct comparing *x, __u32 request, struct group *g)
{
	const struct rsp_exchange *served = &x->v->found.served;
	struct rsp_served_part whole;

	if (!rsp_served_part_of(x->model, served, request, &whole))
		return 0;
	g->cnt++;
	g->ns += rsp_served_ns(&served->v[request]);
	return rsp_served_split(x->model, &x->loops, &whole, &g->split);
}

/* Chooses requests at equal distances in the order of their durations. */
static int add_requests(const struct comparing *x, const __u32 *order, size_t cnt, size_t max,
			struct group *g)
{
	size_t n = cnt < max ? cnt : max;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = add_request(x, order[i * cnt / n], g);
	return r;
}

/* --- what they are about ---------------------------------------------------------------------- */

/*
 * "waiting for php-fpm [1234], which was sleeping"; "computing"; "queued for the disk: /x". With
 * names_process false it does not contain the number.
 */
static void put_chain(FILE *f, const struct rsp_chain *chain, bool names_process)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	const struct rsp_words *words = rsp_category_words(rsp_words_of_leaf(leaf));
	char name[RSP_FORMAT_NAME_BYTES(80)];

	if (chain->hop_cnt > 1) {
		fprintf(f, "waiting for %s", rsp_format_name(leaf->comm, 80, name, sizeof(name)));
		if (names_process)
			fprintf(f, " [%u]", leaf->tgid);
		fputs(", which was ", f);
	}
	fputs(words->doing, f);
	if (*leaf->object)
		fprintf(f, "%s%s", words->object,
			rsp_format_name(leaf->object, 80, name, sizeof(name)));
	if (*leaf->behind && leaf->category != RSP_CAT_TIMEOUT && leaf->category != RSP_CAT_SLEEP)
		fprintf(f, " (%s)", rsp_format_name(leaf->behind, 80, name, sizeof(name)));
	if (leaf->why)
		fprintf(f, " (%s)", rsp_why_text(leaf->why));
}

static char *text_of(const struct rsp_chain *chain, bool is_behind, bool names_process)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (is_behind)
		fputs("waiting for the event loop, busy with other requests: ", f);
	put_chain(f, chain, names_process);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	rsp_text_clean(text);
	return text;
}

/* Finds or adds the difference. Its text names a process only if all of its chains end there. */
static struct rsp_difference *difference_of(struct rsp_comparison *c, const struct rsp_chain *chain,
					    bool is_behind)
{
	const struct rsp_hop *leaf = &chain->hops[chain->hop_cnt - 1];
	_cleanup_free_ char *text = text_of(chain, is_behind, leaf->task_cnt <= 1);
	_cleanup_free_ char *general = text_of(chain, is_behind, false);
	struct rsp_difference *d;

	if (!text || !general)
		return NULL;
	for (size_t i = 0; i < c->differences.cnt; i++) {
		d = &c->differences.v[i];
		if (strcmp(d->general, general) != 0)
			continue;
		if (strcmp(d->text, text) != 0)
			strcpy(d->text, general); /* it is the shorter one */
		return d;
	}
	d = rsp_array_add(&c->differences);
	if (!d)
		return NULL;
	d->text = rsp_take_ptr(text);
	d->general = rsp_take_ptr(general);
	d->key = rsp_category_key(leaf->category);
	d->is_behind = is_behind;
	return d;
}

/* Further chains are too short to matter, so the table omits them. */
#define CHAINS_MAX 300

static int add_times(const struct comparing *x, const struct rsp_served_list *parts, bool is_slow,
		     bool is_behind)
{
	struct rsp_served_parts scope;
	struct rsp_explanation *e = NULL;
	int r;

	if (!parts->cnt)
		return 0;
	rsp_served_parts_init(&scope, x->model, &x->loops, parts->v, parts->cnt);
	r = rsp_explain_parts(&scope, &e);
	for (size_t i = 0; r == 0 && i < e->chain_cnt && i < CHAINS_MAX; i++) {
		struct rsp_difference *d = difference_of(&x->v->comparison, &e->chains[i],
							 is_behind);

		if (!d)
			r = -ENOMEM;
		else if (is_slow)
			d->slow_ns += e->chains[i].ns;
		else
			d->typical_ns += e->chains[i].ns;
	}
	rsp_explanation_free(e);
	rsp_served_parts_done(&scope);
	return r;
}

static int compare_differences(const void *pa, const void *pb)
{
	const struct rsp_difference *a = pa, *b = pb;
	__s64 more_a = (__s64)(a->slow_ns - a->typical_ns);
	__s64 more_b = (__s64)(b->slow_ns - b->typical_ns);

	if (more_a != more_b)
		return more_a > more_b ? -1 : 1;
	return strcmp(a->text, b->text);
}

static int compare_groups(const struct comparing *x, const struct group *slow,
			  const struct group *typical)
{
	struct rsp_comparison *c = &x->v->comparison;
	int r = add_times(x, &slow->split.behind, true, true);

	if (r == 0)
		r = add_times(x, &slow->split.own, true, false);
	if (r == 0)
		r = add_times(x, &typical->split.behind, false, true);
	if (r == 0)
		r = add_times(x, &typical->split.own, false, false);
	if (r < 0 || !slow->cnt)
		return r;
	c->slow_explained_cnt = slow->cnt;
	c->typical_explained_cnt = typical->cnt;
	c->slow_ns = slow->ns / slow->cnt;
	c->typical_ns = typical->cnt ? typical->ns / typical->cnt : 0;
	c->slow_behind_cnt = (double)slow->split.behind_cnt / (double)slow->cnt;
	for (size_t i = 0; i < c->differences.cnt; i++) {
		c->differences.v[i].slow_ns /= slow->cnt;
		c->differences.v[i].typical_ns /= typical->cnt ? typical->cnt : 1;
	}
	if (c->differences.cnt)
		qsort(c->differences.v, c->differences.cnt, sizeof(*c->differences.v),
		      compare_differences);
	return 0;
}

/* Counts the requests that are slow, from the slowest one on. */
static size_t slow_cnt_of(const struct rsp_requests_view *v, const struct rsp_request_row *row)
{
	size_t cnt = 0;

	if (!v->opt->slower_than_ns)
		return (row->cnt * (__u64)SLOW_PPM + 999999) / 1000000;
	while (cnt < row->cnt && rsp_served_ns(&v->found.served.v[row->order[row->cnt - 1 - cnt]]) >
					 v->opt->slower_than_ns)
		cnt++;
	return cnt;
}

/* Finds the server whose slow requests took most time beyond the median. */
static const struct rsp_request_row *find_subject(const struct rsp_requests_view *v)
{
	const struct rsp_exchange *x = &v->found.served;
	const struct rsp_request_row *subject = NULL;
	__u64 most_ns = 0;

	for (size_t i = 0; i < x->rows.cnt; i++) {
		const struct rsp_request_row *row = &x->rows.v[i];
		__u64 median_ns = rsp_requests_quantile_ns(x, row, 500000), ns = 0;
		size_t slow_cnt = slow_cnt_of(v, row);

		if (!v->shows_server[i] || row->cnt < COMPARED_MIN)
			continue;
		for (size_t j = row->cnt - slow_cnt; j < row->cnt; j++) {
			__u64 took_ns = rsp_served_ns(&x->v[row->order[j]]);

			ns += took_ns > median_ns ? took_ns - median_ns : 0;
		}
		if (ns > most_ns) {
			most_ns = ns;
			subject = row;
		}
	}
	return subject;
}

static int compare_requests(const struct comparing *x)
{
	_cleanup_(group_done) struct group slow = {0}, typical = {0};
	struct rsp_comparison *c = &x->v->comparison;
	const struct rsp_request_row *row = find_subject(x->v);
	int r;

	if (!row)
		return 0;
	c->row = row;
	c->slow_cnt = slow_cnt_of(x->v, row);
	c->typical_cnt = row->cnt - row->cnt / 4 - row->cnt / 4;
	r = add_requests(x, row->order + row->cnt - c->slow_cnt, c->slow_cnt, SLOW_MAX, &slow);
	if (r == 0)
		r = add_requests(x, row->order + row->cnt / 4, c->typical_cnt, TYPICAL_MAX,
				 &typical);
	return r == 0 ? compare_groups(x, &slow, &typical) : r;
}

/* --- the slowest ------------------------------------------------------------------------------ */

/*
 * Finds the slowest request that is not taken yet. taken: number of requests taken from each row.
 */
static int take_slowest(struct rsp_requests_view *v, size_t *taken)
{
	const struct rsp_exchange *x = &v->found.served;
	struct rsp_slow_request *slot;

	while (v->slowest.cnt < v->opt->slowest) {
		const struct rsp_served *most = NULL;
		size_t of = 0;

		for (size_t i = 0; i < x->rows.cnt; i++) {
			const struct rsp_request_row *row = &x->rows.v[i];
			const struct rsp_served *s;

			if (!v->shows_server[i] || taken[i] == row->cnt)
				continue;
			s = &x->v[row->order[row->cnt - 1 - taken[i]]];
			if (!most || rsp_served_ns(s) > rsp_served_ns(most)) {
				most = s;
				of = i;
			}
		}
		if (!most)
			break;
		taken[of]++;
		slot = rsp_array_add(&v->slowest);
		if (!slot)
			return -ENOMEM;
		slot->served = most;
	}
	return 0;
}

static void name_thread(const struct rsp_requests_view *v, struct rsp_slow_request *slow)
{
	const struct rsp_ev_task *task = rsp_trace_task(v->trace, slow->served->tid,
							slow->served->first_ns);

	snprintf(slow->comm, sizeof(slow->comm), "%s", task ? task->comm : "?");
	rsp_text_clean(slow->comm);
	slow->tgid = task ? task->tgid : slow->served->tid;
}

/* A wait for the event loop below this fraction of the request's time is not reported. */
#define BEHIND_DIVISOR 10

static int write_sentence(struct rsp_slow_request *slow, const struct rsp_explanation *e)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	char ns[RSP_FORMAT_MAX];
	size_t len;
	FILE *f;
	int r = rsp_findings_make(e, &findings);

	if (r < 0)
		return r;
	f = open_memstream(&slow->sentence, &len);
	if (!f)
		return -ENOMEM;
	if (slow->behind_ns > rsp_served_ns(slow->served) / BEHIND_DIVISOR)
		fprintf(f,
			"Waited %s for the event loop, which answered %llu other request%s first. ",
			rsp_format_ns(slow->behind_ns, ns, sizeof(ns)), slow->behind_cnt,
			slow->behind_cnt == 1 ? "" : "s");
	fputs(findings.cnt ? findings.v[0].text : "", f);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

static int explain_slow(const struct comparing *x, struct rsp_slow_request *slow)
{
	const struct rsp_exchange *served = &x->v->found.served;
	_cleanup_(rsp_served_split_done) struct rsp_served_split split = {0};
	struct rsp_served_part whole;
	struct rsp_served_parts scope;
	struct rsp_explanation *e;
	int r;

	name_thread(x->v, slow);
	if (!rsp_served_part_of(x->model, served, (__u32)(slow->served - served->v), &whole))
		return 0;
	r = rsp_served_split(x->model, &x->loops, &whole, &split);
	if (r < 0)
		return r;
	slow->behind_ns = split.behind_ns;
	slow->behind_cnt = split.behind_cnt;
	rsp_served_parts_init(&scope, x->model, &x->loops, &whole, 1);
	r = rsp_explain_parts(&scope, &e);
	if (r == 0) {
		r = write_sentence(slow, e);
		rsp_explanation_free(e);
	}
	rsp_served_parts_done(&scope);
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int find_slowest(struct rsp_requests_view *v)
{
	_cleanup_free_ size_t *taken = calloc(v->found.served.rows.cnt + 1, sizeof(*taken));

	return taken ? take_slowest(v, taken) : -ENOMEM;
}

static int find_callers(const struct rsp_requests_view *v, struct rsp_idmap *ret)
{
	const struct rsp_exchange *served = &v->found.served;
	int r = 0;

	for (size_t i = 0; i < served->rows.cnt && r == 0; i++)
		if (v->shows_server[i])
			r = rsp_loops_callers(served, &served->rows.v[i], ret);
	return r;
}

int rsp_requests_explain(struct rsp_requests_view *v)
{
	struct rsp_idmap callers = {0};
	struct comparing x = {.v = v};
	int r = find_slowest(v);

	if (r < 0 || (!v->slowest.cnt && !find_subject(v)))
		return r;
	r = find_callers(v, &callers);
	if (r == 0)
		r = rsp_model_new_trips(v->trace, &callers, &x.model);
	if (r == 0)
		r = rsp_loops_find(x.model, &v->found.served, &x.loops);
	if (r == 0)
		r = compare_requests(&x);
	for (size_t i = 0; i < v->slowest.cnt && r == 0; i++)
		r = explain_slow(&x, &v->slowest.v[i]);
	rsp_loops_done(&x.loops);
	rsp_model_free(x.model);
	rsp_idmap_done(&callers);
	return r;
}
