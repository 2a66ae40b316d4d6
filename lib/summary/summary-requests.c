/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns the requests of servers into rows of their units. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/report/requests-view.h"
#include "lib/summary/summary-parts.h"

/*
 * Number of slowest requests that are explained. An explanation costs less than a millisecond of
 * CPU time, and its text up to some hundred bytes of the summary.
 */
#define SLOWEST_CNT 4

/*
 * Maximum number of servers of a unit. A unit with more servers probably tries to fill the summary.
 */
#define ROWS_MAX 16

static void fill_row(const struct rsp_exchange *served, const struct rsp_request_row *row,
		     struct rsp_summary_requests *ret)
{
	memcpy(ret->comm, row->comm, sizeof(ret->comm));
	ret->port = row->port;
	ret->answered = row->cnt;
	ret->pending = row->in_flight_cnt;
	ret->p50_ns = rsp_requests_quantile_ns(served, row, 500000);
	ret->p90_ns = rsp_requests_quantile_ns(served, row, 900000);
	ret->p99_ns = rsp_requests_quantile_ns(served, row, 990000);
	ret->max_ns = rsp_requests_quantile_ns(served, row, 1000000);
}

/* Returns NULL if the unit is unknown or has ROWS_MAX rows already. */
static struct rsp_summary_unit *unit_of(const struct rsp_summary *s,
					const struct rsp_request_row *row)
{
	struct rsp_summary_unit *unit;
	uint64_t i;

	if (!row->tgid || !rsp_idmap_get(&s->unit_of_tgid, row->tgid, &i))
		return NULL;
	unit = &s->units.v[i];
	return unit->requests.cnt < ROWS_MAX ? unit : NULL;
}

/* --- the slowest requests --------------------------------------------------------------------- */

/* Of all candidates, the SLOWEST_CNT slowest requests are explained. */
struct candidate {
	size_t unit, row;
	const struct rsp_served *slowest;
};

struct candidates {
	struct candidate *v;
	size_t cnt, cap;
};

static void candidates_done(struct candidates *c)
{
	free(c->v);
}

static int slowest_first(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	__u64 a_ns = rsp_served_ns(a->slowest), b_ns = rsp_served_ns(b->slowest);

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->slowest < b->slowest ? -1 : a->slowest > b->slowest;
}

static int explain_slowest(struct rsp_summary *s, struct rsp_requests_view *v, struct candidates *c)
{
	int r;

	if (c->cnt)
		qsort(c->v, c->cnt, sizeof(*c->v), slowest_first);
	for (size_t i = 0; i < c->cnt && i < SLOWEST_CNT; i++) {
		struct rsp_slow_request *slot = rsp_array_add(&v->slowest);

		if (!slot)
			return -ENOMEM;
		slot->served = c->v[i].slowest;
		v->shows_server[slot->served->row] = true;
	}
	r = v->slowest.cnt ? rsp_requests_explain_slowest(v) : 0;
	for (size_t i = 0; i < v->slowest.cnt && r == 0; i++)
		s->units.v[c->v[i].unit].requests.v[c->v[i].row].slowest_text = rsp_take_ptr(
			v->slowest.v[i].sentence);
	return r;
}

/* --- all of them ------------------------------------------------------------------------------ */

static int add_row(struct rsp_summary *s, const struct rsp_exchange *served,
		   const struct rsp_request_row *row, struct candidates *c)
{
	struct rsp_summary_unit *unit = unit_of(s, row);
	struct rsp_summary_requests *slot;
	struct candidate *candidate;

	if (!unit || (!row->cnt && !row->in_flight_cnt))
		return 0;
	slot = rsp_array_add(&unit->requests);
	if (!slot)
		return -ENOMEM;
	fill_row(served, row, slot);
	if (!row->cnt)
		return 0;
	candidate = rsp_array_add(c);
	if (!candidate)
		return -ENOMEM;
	*candidate = (struct candidate){
		.unit = (size_t)(unit - s->units.v),
		.row = unit->requests.cnt - 1,
		.slowest = &served->v[row->order[row->cnt - 1]],
	};
	return 0;
}

int rsp_summary_add_requests(struct rsp_summary *s)
{
	static const struct rsp_requests_options none = {0};
	_cleanup_(rsp_requests_view_done) struct rsp_requests_view v = {.trace = s->trace,
									.opt = &none};
	_cleanup_(candidates_done) struct candidates c = {0};
	int r = rsp_model_requests(s->model, &v.found);

	if (r < 0)
		return r;
	v.shows_server = calloc(v.found.served.rows.cnt + 1, sizeof(bool));
	if (!v.shows_server)
		return -ENOMEM;
	for (size_t i = 0; i < v.found.served.rows.cnt && r == 0; i++)
		r = add_row(s, &v.found.served, &v.found.served.rows.v[i], &c);
	return r == 0 ? explain_slowest(s, &v, &c) : r;
}
