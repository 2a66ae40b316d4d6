/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares how slow and typical requests spent their time. The time of a request is divided into
 * stages: the wait for its thread, the calls to other services, and the rest.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/text.h"
#include "lib/report/report-words.h"
#include "lib/report/report.h"
#include "lib/report/requests-view.h"

/* maximum number of explained slow requests; more would not change the result */
#define SLOW_MAX    1000
#define TYPICAL_MAX 100
#define SLOW_PPM    10000

struct comparing {
	const struct rsp_trace *trace;
	const struct rsp_requests *found;
	struct rsp_comparison *ret;
	struct rsp_model *model;
	struct rsp_loops loops;
};

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
	const struct rsp_exchange *served = &x->found->served;
	struct rsp_served_part whole;

	if (!rsp_served_part_of(x->model, served, request, &whole))
		return 0;
	g->cnt++;
	g->ns += rsp_served_ns(&served->v[request]);
	return rsp_served_split(x->model, &x->loops, &whole, &g->split);
}

/* Adds at most max of cnt requests to the group, at equal distances in the order by duration. */
static int add_requests(const struct comparing *x, const __u32 *order, size_t cnt, size_t max,
			struct group *g)
{
	size_t n = cnt < max ? cnt : max;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = add_request(x, order[i * cnt / n], g);
	return r;
}

/* --- stages ---------------------------------------------------------------------------------- */

/* After this number of stages, calls to all further peers share one more stage. */
#define STAGES_MAX 16

/* Returns whether two sockets have the same peer. All connections to a unix path have one peer. */
static bool has_peer(const struct rsp_trace *trace, const struct rsp_ev_socket *a,
		     const struct rsp_ev_socket *b)
{
	const struct rsp_ev_object *path = rsp_trace_unix_path(trace, a);

	if (!a || !b)
		return a == b;
	if (path)
		return rsp_trace_unix_path(trace, b) == path;
	return a->remote_port == b->remote_port &&
	       memcmp(a->remote, b->remote, sizeof(a->remote)) == 0;
}

/* Returns the number of stages if there is no such stage yet. */
static size_t find_stage(const struct comparing *x, const struct rsp_served_part *part)
{
	const struct rsp_comparison *c = x->ret;

	for (size_t i = 0; i < c->stages.cnt; i++)
		if (c->stages.v[i].kind == part->stage &&
		    (has_peer(x->trace, c->stages.v[i].peer, part->peer) || i >= STAGES_MAX))
			return i;
	return c->stages.cnt;
}

static void put_peer(const struct comparing *x, const struct rsp_ev_socket *peer, FILE *f)
{
	const struct rsp_requests *found = x->found;
	char name[RSP_SERVER_BYTES];

	for (size_t i = 0; peer && i < found->calls.rows.cnt; i++) {
		const struct rsp_request_row *row = &found->calls.rows.v[i];

		if (!has_peer(x->trace, row->sock, peer))
			continue;
		fprintf(f, "waiting for %s", rsp_requests_peer(found, row, name, sizeof(name)));
		return;
	}
	fputs(peer ? "waiting for the answer to a call" : "waiting for other answers", f);
}

static char *stage_text(const struct comparing *x, const struct rsp_served_part *part)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (part->stage == RSP_STAGE_CALL)
		put_peer(x, part->peer, f);
	else if (part->stage == RSP_STAGE_TURN)
		fputs(RSP_STAGE_TURN_TEXT, f);
	else
		fputs("in the server itself", f);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static struct rsp_stage_time *new_stage(const struct comparing *x,
					const struct rsp_served_part *part)
{
	struct rsp_comparison *c = x->ret;
	struct rsp_stage_time *stage = rsp_array_add(&c->stages);

	if (!stage)
		return NULL;
	stage->kind = part->stage;
	stage->peer = c->stages.cnt <= STAGES_MAX ? part->peer : NULL;
	stage->text = stage_text(x, part);
	return stage->text ? stage : NULL;
}

static int add_stages(const struct comparing *x, const struct group *g, bool is_slow)
{
	struct rsp_comparison *c = x->ret;

	for (size_t i = 0; i < g->split.parts.cnt; i++) {
		const struct rsp_served_part *part = &g->split.parts.v[i];
		size_t at = find_stage(x, part);
		struct rsp_stage_time *stage = at < c->stages.cnt ? &c->stages.v[at]
								  : new_stage(x, part);

		if (!stage)
			return -ENOMEM;
		*(is_slow ? &stage->slow_ns : &stage->typical_ns) += part->to_ns - part->from_ns;
	}
	return 0;
}

/* Maximum number of chains in a stage. Further chains are too short to matter. */
#define CHAINS_MAX 300

static int add_chains(const struct comparing *x, const struct rsp_served_part *v, size_t cnt,
		      size_t stage, bool is_slow)
{
	struct rsp_served_parts scope;
	struct rsp_explanation *e = NULL;
	int r;

	rsp_served_parts_init(&scope, x->model, &x->loops, v, cnt);
	r = rsp_explain_parts(&scope, &e);
	for (size_t i = 0; r == 0 && i < e->chain_cnt && i < CHAINS_MAX; i++) {
		r = rsp_difference_add(x->ret, stage, &e->chains[i], is_slow);
	}
	rsp_explanation_free(e);
	rsp_served_parts_done(&scope);
	return r;
}

static int add_stage_times(const struct comparing *x, const struct group *g, size_t stage,
			   bool is_slow)
{
	_cleanup_free_ struct rsp_served_part *v = calloc(g->split.parts.cnt + 1, sizeof(*v));
	size_t cnt = 0;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < g->split.parts.cnt; i++) {
		const struct rsp_served_part *part = &g->split.parts.v[i];

		if (find_stage(x, part) == stage)
			v[cnt++] = *part;
	}
	return cnt ? add_chains(x, v, cnt, stage, is_slow) : 0;
}

static int add_times(const struct comparing *x, const struct group *g, bool is_slow)
{
	int r = 0;

	for (size_t i = 0; i < x->ret->stages.cnt && r == 0; i++)
		r = add_stage_times(x, g, i, is_slow);
	return r;
}

/* --- two groups ------------------------------------------------------------------------------- */

static int compare_more(__s64 a, __s64 b)
{
	return a > b ? -1 : a < b;
}

static int compare_stages(const void *pa, const void *pb)
{
	const struct rsp_stage_time *a = pa, *b = pb;
	int r = compare_more((__s64)(a->slow_ns - a->typical_ns),
			     (__s64)(b->slow_ns - b->typical_ns));

	return r ? r : strcmp(a->text, b->text);
}

static int compare_differences(const void *pa, const void *pb)
{
	const struct rsp_difference *a = pa, *b = pb;
	int r = compare_more((__s64)(a->slow_ns - a->typical_ns),
			     (__s64)(b->slow_ns - b->typical_ns));

	return r ? r : strcmp(a->text, b->text);
}

static int find_stages(const struct comparing *x, const struct group *slow,
		       const struct group *typical)
{
	struct rsp_comparison *c = x->ret;
	int r = add_stages(x, slow, true);

	if (r == 0)
		r = add_stages(x, typical, false);
	if (r < 0)
		return r;
	for (size_t i = 0; i < c->stages.cnt; i++) {
		c->stages.v[i].slow_ns /= slow->cnt;
		c->stages.v[i].typical_ns /= typical->cnt ? typical->cnt : 1;
	}
	if (c->stages.cnt)
		qsort(c->stages.v, c->stages.cnt, sizeof(*c->stages.v), compare_stages);
	return 0;
}

static int find_differences(const struct comparing *x, const struct group *slow,
			    const struct group *typical)
{
	struct rsp_comparison *c = x->ret;
	int r = add_times(x, slow, true);

	if (r == 0)
		r = add_times(x, typical, false);
	for (size_t i = 0; i < c->differences.cnt && r == 0; i++) {
		r = rsp_difference_finish(&c->differences.v[i]);
		c->differences.v[i].slow_ns /= slow->cnt;
		c->differences.v[i].typical_ns /= typical->cnt ? typical->cnt : 1;
	}
	if (r == 0 && c->differences.cnt)
		qsort(c->differences.v, c->differences.cnt, sizeof(*c->differences.v),
		      compare_differences);
	return r;
}

static int compare_groups(const struct comparing *x, const struct group *slow,
			  const struct group *typical)
{
	struct rsp_comparison *c = x->ret;
	int r;

	if (!slow->cnt)
		return 0;
	c->slow_explained_cnt = slow->cnt;
	c->typical_explained_cnt = typical->cnt;
	c->slow_ns = slow->ns / slow->cnt;
	c->typical_ns = typical->cnt ? typical->ns / typical->cnt : 0;
	c->slow_behind_cnt = (double)slow->split.behind_cnt / (double)slow->cnt;
	r = find_stages(x, slow, typical);
	return r == 0 ? find_differences(x, slow, typical) : r;
}

void rsp_comparison_done(struct rsp_comparison *c)
{
	for (size_t i = 0; i < c->differences.cnt; i++)
		rsp_difference_done(&c->differences.v[i]);
	for (size_t i = 0; i < c->stages.cnt; i++)
		free(c->stages.v[i].text);
	free(c->differences.v);
	free(c->stages.v);
	*c = (struct rsp_comparison){0};
}

/* Slow requests are the last ones in row->order. */
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

/* Returns the server whose slow requests together exceed the median by the most time, or NULL. */
static const struct rsp_request_row *find_subject(const struct rsp_requests_view *v)
{
	const struct rsp_exchange *x = &v->found.served;
	const struct rsp_request_row *subject = NULL;
	__u64 most_ns = 0;

	for (size_t i = 0; i < x->rows.cnt; i++) {
		const struct rsp_request_row *row = &x->rows.v[i];
		__u64 median_ns = rsp_requests_quantile_ns(x, row, 500000), ns = 0;
		size_t slow_cnt = slow_cnt_of(v, row);

		if (!v->is_subject[i] || row->cnt < RSP_COMPARED_MIN)
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

static int compare_requests(const struct comparing *x, const struct rsp_requests_view *v)
{
	_cleanup_(group_done) struct group slow = {0}, typical = {0};
	struct rsp_comparison *c = x->ret;
	const struct rsp_request_row *row = find_subject(v);
	int r;

	if (!row)
		return 0;
	c->row = row;
	c->slow_cnt = slow_cnt_of(v, row);
	c->typical_cnt = row->cnt - row->cnt / 4 - row->cnt / 4;
	r = add_requests(x, row->order + row->cnt - c->slow_cnt, c->slow_cnt, SLOW_MAX, &slow);
	if (r == 0)
		r = add_requests(x, row->order + row->cnt / 4, c->typical_cnt, TYPICAL_MAX,
				 &typical);
	return r == 0 ? compare_groups(x, &slow, &typical) : r;
}

/* --- one request ------------------------------------------------------------------------------ */

/* Returns all requests of the row except one, by duration, or NULL if out of memory. */
static __u32 *list_others(const struct rsp_request_row *row, __u32 request, size_t *ret_cnt)
{
	__u32 *v = calloc(row->cnt + 1, sizeof(*v));

	*ret_cnt = 0;
	for (size_t i = 0; v && i < row->cnt; i++)
		if (row->order[i] != request)
			v[(*ret_cnt)++] = row->order[i];
	return v;
}

static int compare_one(const struct comparing *x, __u32 request)
{
	_cleanup_(group_done) struct group one = {0}, typical = {0};
	struct rsp_comparison *c = x->ret;
	_cleanup_free_ __u32 *others = NULL;
	size_t cnt;
	int r;

	others = list_others(c->row, request, &cnt);
	if (!others)
		return -ENOMEM;
	c->slow_cnt = 1;
	c->typical_cnt = cnt - cnt / 4 - cnt / 4;
	r = add_requests(x, &request, 1, 1, &one);
	if (r == 0)
		r = add_requests(x, others + cnt / 4, c->typical_cnt, TYPICAL_MAX, &typical);
	return r == 0 ? compare_groups(x, &one, &typical) : r;
}

int rsp_requests_compare_one(const struct rsp_trace *trace, const struct rsp_requests *found,
			     __u32 request, struct rsp_comparison *ret)
{
	const struct rsp_exchange *served = &found->served;
	struct rsp_comparison c = {.row = &served->rows.v[served->v[request].row]};
	struct comparing x = {.trace = trace, .found = found, .ret = &c};
	struct rsp_idmap callers = {0}; /* x.model keeps a pointer to callers */
	int r = rsp_loops_callers(served, c.row, &callers);

	if (r == 0)
		r = rsp_model_new_trips(trace, &callers, &x.model);
	if (r == 0)
		r = rsp_loops_find(x.model, served, &x.loops);
	if (r == 0)
		r = compare_one(&x, request);
	rsp_loops_done(&x.loops);
	rsp_model_free(x.model);
	rsp_idmap_done(&callers);
	if (r < 0)
		rsp_comparison_done(&c);
	else
		*ret = c;
	return r;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int find_callers(const struct rsp_requests_view *v, struct rsp_idmap *ret)
{
	const struct rsp_exchange *served = &v->found.served;
	int r = 0;

	for (size_t i = 0; i < served->rows.cnt && r == 0; i++)
		if (v->shows_server[i])
			r = rsp_loops_callers(served, &served->rows.v[i], ret);
	return r;
}

/* The caller must free x and callers, even on failure. callers must live longer than the model. */
static int begin(const struct rsp_requests_view *v, struct rsp_idmap *callers, struct comparing *x)
{
	int r = find_callers(v, callers);

	if (r == 0)
		r = rsp_model_new_trips(v->trace, callers, &x->model);
	return r == 0 ? rsp_loops_find(x->model, &v->found.served, &x->loops) : r;
}

static int explain_slowest(struct comparing *x, struct rsp_requests_view *v)
{
	int r = 0;

	for (size_t i = 0; i < v->slowest.cnt && r == 0; i++)
		r = rsp_slowest_explain(v, x->model, &x->loops, &v->slowest.v[i]);
	return r;
}

static void end(struct comparing *x, struct rsp_idmap *callers)
{
	rsp_loops_done(&x->loops);
	rsp_model_free(x->model);
	rsp_idmap_done(callers);
}

int rsp_requests_explain_slowest(struct rsp_requests_view *v)
{
	struct rsp_idmap callers = {0};
	struct comparing x = {.trace = v->trace, .found = &v->found};
	int r = begin(v, &callers, &x);

	if (r == 0)
		r = explain_slowest(&x, v);
	end(&x, &callers);
	return r;
}

int rsp_requests_explain(struct rsp_requests_view *v)
{
	struct rsp_idmap callers = {0};
	struct comparing x = {.trace = v->trace, .found = &v->found, .ret = &v->comparison};
	int r = rsp_slowest_find(v);

	rsp_pending_find(v);
	if (r < 0 || (!v->slowest.cnt && !find_subject(v) && !v->pending.oldest))
		return r;
	r = begin(v, &callers, &x);
	if (r == 0)
		r = compare_requests(&x, v);
	if (r == 0)
		r = rsp_pending_explain(v, x.model, &x.loops);
	if (r == 0)
		r = explain_slowest(&x, v);
	end(&x, &callers);
	return r;
}
