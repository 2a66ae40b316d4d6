/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes requests and calls: their table, their latencies as points, and the reasons for which some
 * were slow. A window may contain a million requests, so the points are the slowest requests of
 * all, the slowest request of each bucket of time, and an even sample of the rest.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"
#include "lib/snapshot/decode.h"
#include "lib/viewer/viewer-parts.h"

#define ROWS_MAX    100 /* people read these tables */
/* an explanation takes as long as a part of a report */
#define SLOWEST_CNT 10

/*
 * Limits for the number of points: about POINTS_MAX in the file, and from ROW_POINTS_MIN to
 * ROW_POINTS_MAX in a row.
 */
#define ROW_POINTS_MAX 4000
#define ROW_POINTS_MIN 200
#define POINTS_MAX     64000

/*
 * One in TOP_DIVISOR points of a row is for the slowest requests of all, and one in BUCKET_DIVISOR
 * for the slowest requests of the buckets of time.
 */
#define TOP_DIVISOR    20
#define BUCKET_DIVISOR 4

/* Flags of a point, see docs/viewer-format.md. */
enum point_flags {
	POINT_SAMPLED = 1 << 0,
	POINT_MORE = 1 << 1,
};

/* --- which requests are points ---------------------------------------------------------------- */

struct thinner {
	const struct rsp_viewer *v;
	const struct rsp_exchange *x;
	__u8 *kept; /* for each request: 0, KEPT, or KEPT | POINT_SAMPLED */
	size_t row_max;
};

#define KEPT (1 << 7)

/*
 * Keeps the slowest request of each of cnt buckets of time. row->order contains the requests by
 * duration, the slowest last.
 */
static int keep_buckets(const struct thinner *t, const struct rsp_request_row *row, size_t cnt)
{
	const struct rsp_requests *found = &t->v->requests->view.found;
	_cleanup_free_ bool *taken = calloc(cnt + 1, sizeof(*taken));
	__u64 span_ns = found->until_ns - found->since_ns + 1;

	if (!taken)
		return -ENOMEM;
	for (size_t i = row->cnt; i-- > 0;) {
		__u64 at_ns = t->x->v[row->order[i]].arrival_ns - found->since_ns;
		size_t bucket = (size_t)((double)at_ns / (double)span_ns * (double)cnt);

		if (bucket >= cnt || taken[bucket])
			continue;
		taken[bucket] = true;
		t->kept[row->order[i]] |= KEPT;
	}
	return 0;
}

static int thin_row(const struct thinner *t, const struct rsp_request_row *row)
{
	size_t top = t->row_max / TOP_DIVISOR, buckets = t->row_max / BUCKET_DIVISOR;
	size_t sample = t->row_max - top - buckets;

	if (row->cnt <= t->row_max) {
		for (size_t i = 0; i < row->cnt; i++)
			t->kept[row->order[i]] = KEPT | POINT_SAMPLED;
		return 0;
	}
	for (size_t i = 0; i < top; i++)
		t->kept[row->order[row->cnt - 1 - i]] |= KEPT;
	for (size_t i = 0; i < sample; i++)
		t->kept[row->order[i * row->cnt / sample]] |= KEPT | POINT_SAMPLED;
	return keep_buckets(t, row, buckets);
}

/* --- points ----------------------------------------------------------------------------------- */

static int compare_arrivals(const void *pa, const void *pb)
{
	const struct rsp_served *a = *(const struct rsp_served *const *)pa;
	const struct rsp_served *b = *(const struct rsp_served *const *)pb;

	if (a->arrival_ns != b->arrival_ns)
		return a->arrival_ns < b->arrival_ns ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void rank(struct rsp_viewer *v, __u32 thread, const struct rsp_request_row *row)
{
	unsigned int *rank = &v->processes[v->process_of[thread]].server_rank;

	if (row == v->requests->view.comparison.row)
		*rank = 2;
	else if (!*rank)
		*rank = 1;
}

/* Returns 1 + the number of the thread; 0: unknown. */
static __u32 thread_of(struct rsp_viewer *v, const struct rsp_exchange *x,
		       const struct rsp_served *s)
{
	__u32 thread = rsp_served_thread(v->model, s);

	if (thread == RSP_NO_THREAD)
		return 0;
	if (x == &v->requests->view.found.served)
		rank(v, thread, &x->rows.v[s->row]);
	return v->thread_of[thread] + 1;
}

static int put_row_points(struct rsp_viewer *v, const struct thinner *t,
			  const struct rsp_request_row *row, size_t *ret_cnt)
{
	_cleanup_free_ const struct rsp_served **points = calloc(row->cnt + 1, sizeof(*points));
	size_t cnt = 0;
	__s64 last = 0;

	if (!points)
		return -ENOMEM;
	for (size_t i = 0; i < row->cnt; i++)
		if (t->kept[row->order[i]])
			points[cnt++] = &t->x->v[row->order[i]];
	qsort(points, cnt, sizeof(*points), compare_arrivals);
	for (size_t i = 0; i < cnt; i++) {
		const struct rsp_served *s = points[i];
		__s64 at = rsp_viewer_time(v, s->arrival_ns);

		rsp_columns_put(&v->columns, RSP_COL_POINT_GAP, at - last);
		rsp_columns_put(&v->columns, RSP_COL_POINT_NS, (__s64)rsp_served_ns(s));
		rsp_columns_put(&v->columns, RSP_COL_POINT_THREAD, thread_of(v, t->x, s));
		rsp_columns_put(&v->columns, RSP_COL_POINT_FLAGS,
				(t->kept[s - t->x->v] & POINT_SAMPLED) |
					(s->flags & RSP_SERVED_MORE ? POINT_MORE : 0));
		last = at;
	}
	*ret_cnt = cnt;
	return 0;
}

/* --- the table -------------------------------------------------------------------------------- */

static int add_durations(struct json_object *o, const struct rsp_exchange *x,
			 const struct rsp_request_row *row)
{
	size_t slow = (row->cnt + 99) / 100, quarter = row->cnt / 4;
	const struct {
		const char *key;
		size_t index;
	} bounds[] = {
		{"typical_from", quarter},
		{"typical_to", row->cnt - quarter - 1},
		{"slow_from", row->cnt - slow},
	};
	static const struct {
		const char *key;
		__u32 ppm;
	} quantiles[] = {{"p50", 500000}, {"p90", 900000}, {"p99", 990000}, {"max", 1000000}};
	int r = 0;

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		r |= rsp_json_add_number(o, quantiles[i].key,
					 rsp_requests_quantile_ns(x, row, quantiles[i].ppm));
	for (size_t i = 0; row->cnt && i < sizeof(bounds) / sizeof(bounds[0]); i++)
		r |= rsp_json_add_number(o, bounds[i].key,
					 rsp_served_ns(&x->v[row->order[bounds[i].index]]));
	return r;
}

static int fill_row(struct json_object *o, const struct rsp_requests *found,
		    const struct rsp_exchange *x, const struct rsp_request_row *row, size_t points)
{
	char name[RSP_SERVER_BYTES], peer[RSP_SERVER_BYTES], path[RSP_NAME_MAX];
	bool is_call = x == &found->calls;
	int r = rsp_json_add_bool(o, "call", is_call);

	r |= rsp_json_add_string(o, "name", rsp_requests_server(row, name, sizeof(name)));
	r |= rsp_json_add_number(o, "port", row->port);
	if (row->path)
		r |= rsp_json_add_string(o, "path", rsp_object_name(row->path, path, sizeof(path)));
	if (is_call)
		r |= rsp_json_add_string(o, "peer",
					 rsp_requests_peer(found, row, peer, sizeof(peer)));
	r |= rsp_json_add_bool(o, "inferred", row->inferred);
	r |= rsp_json_add_number(o, "connections", row->connection_cnt);
	r |= rsp_json_add_number(o, "count", row->cnt);
	r |= rsp_json_add_number(o, "in_flight", row->in_flight_cnt);
	r |= rsp_json_add_number(o, "early", row->early_cnt);
	r |= rsp_json_add_number(o, "closed", row->closed_cnt);
	r |= rsp_json_add_number(o, "more_data", row->more_cnt);
	r |= add_durations(o, x, row);
	r |= rsp_json_add_number(o, "points", points);
	return r;
}

static int put_row(struct rsp_viewer *v, const struct thinner *t, const struct rsp_request_row *row,
		   struct json_object *rows)
{
	struct json_object *o = json_object_new_object();
	size_t points = 0;
	int r = rsp_json_append(rows, o);

	if (r == 0)
		r = thin_row(t, row);
	if (r == 0)
		r = put_row_points(v, t, row, &points);
	return r == 0 ? fill_row(o, &v->requests->view.found, t->x, row, points) : r;
}

static bool lists_any(const struct rsp_requests_view *view, const struct rsp_exchange *x)
{
	for (size_t i = 0; i < x->rows.cnt; i++)
		if (rsp_requests_lists(view->trace, &x->rows.v[i]))
			return true;
	return false;
}

/*
 * Returns the number of rows of an exchange that the page contains. The page contains no requests
 * if all of them went to the recorder.
 */
static size_t shown_cnt(const struct rsp_requests_view *view, const struct rsp_exchange *x)
{
	if (!lists_any(view, &view->found.served) && !lists_any(view, &view->found.calls))
		return 0;
	return x->rows.cnt < ROWS_MAX ? x->rows.cnt : ROWS_MAX;
}

static size_t row_points_max(const struct rsp_requests_view *view)
{
	size_t cnt = shown_cnt(view, &view->found.served) + shown_cnt(view, &view->found.calls);
	size_t most = cnt ? POINTS_MAX / cnt : ROW_POINTS_MAX;

	return most > ROW_POINTS_MAX   ? ROW_POINTS_MAX
	       : most < ROW_POINTS_MIN ? ROW_POINTS_MIN
				       : most;
}

static int put_exchange(struct rsp_viewer *v, const struct rsp_exchange *x,
			struct json_object *rows)
{
	_cleanup_free_ __u8 *kept = calloc(x->cnt + 1, sizeof(*kept));
	struct thinner t = {v, x, kept, row_points_max(&v->requests->view)};
	size_t cnt = shown_cnt(&v->requests->view, x);
	int r = kept ? 0 : -ENOMEM;

	for (size_t i = 0; i < cnt && r == 0; i++)
		r = put_row(v, &t, &x->rows.v[i], rows);
	return r;
}

/* --- why -------------------------------------------------------------------------------------- */

struct slow {
	const struct rsp_viewer *v;
	const struct rsp_slow_request *slow;
};

static int fill_slow(struct json_object *o, const void *from)
{
	const struct slow *one = from;
	const struct rsp_served *s = one->slow->served;
	__u32 thread = rsp_served_thread(one->v->model, s);
	int r = rsp_json_add_number(o, "row", s->row);

	r |= rsp_json_add(o, "thread",
			  json_object_new_int64(
				  thread == RSP_NO_THREAD ? -1 : (__s64)one->v->thread_of[thread]));
	r |= rsp_json_add_number(o, "at", (__u64)rsp_viewer_time(one->v, s->arrival_ns));
	r |= rsp_json_add_number(o, "ns", rsp_served_ns(s));
	r |= rsp_json_add_string(o, "text", one->slow->sentence ? one->slow->sentence : "");
	return r;
}

static struct json_object *slowest_of(const struct rsp_viewer *v)
{
	const struct rsp_requests_view *view = &v->requests->view;
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < view->slowest.cnt; i++) {
		struct slow one = {v, &view->slowest.v[i]};

		if (one.slow->served->row < ROWS_MAX &&
		    rsp_json_append(array, rsp_json_object_of(fill_slow, &one)) < 0)
			return NULL;
	}
	return rsp_take_ptr(array);
}

static int add_comparison(struct json_object *o, const struct rsp_viewer *v)
{
	const struct rsp_requests_view *view = &v->requests->view;
	const struct rsp_comparison *c = &view->comparison;
	struct json_object *comparison;
	size_t row;

	if (!c->row || !c->slow_explained_cnt)
		return 0;
	row = (size_t)(c->row - view->found.served.rows.v);
	if (row >= ROWS_MAX)
		return 0;
	comparison = rsp_json_object_of(rsp_requests_fill_comparison, c);
	if (rsp_json_add(o, "comparison", comparison) < 0)
		return -ENOMEM;
	return rsp_json_add_number(comparison, "row", row);
}

static int fill_requests(struct json_object *o, struct rsp_viewer *v)
{
	const struct rsp_requests_view *view = &v->requests->view;
	const struct rsp_requests *found = &view->found;
	struct json_object *rows = json_object_new_array();
	int r = rsp_json_add(o, "rows", rows);

	if (r == 0)
		r = put_exchange(v, &found->served, rows);
	if (r == 0)
		r = put_exchange(v, &found->calls, rows);
	if (r < 0)
		return r;
	r |= rsp_json_add_number(o, "left_out",
				 found->served.rows.cnt - shown_cnt(view, &found->served) +
					 found->calls.rows.cnt - shown_cnt(view, &found->calls));
	r |= rsp_json_add_string(o, "headline", view->headline);
	r |= rsp_json_add_number(o, "since", (__u64)rsp_viewer_time(v, found->since_ns));
	r |= rsp_json_add_number(o, "until", (__u64)rsp_viewer_time(v, found->until_ns));
	r |= rsp_json_add_number(o, "span", found->until_ns - found->since_ns);
	r |= rsp_json_add_number(o, "paused", found->paused_ns);
	r |= rsp_json_add_number(o, "dropped", found->dropped_cnt);
	r |= rsp_json_add(o, "slowest", slowest_of(v));
	r |= add_comparison(o, v);
	if (v->requests->beside.sentence)
		r |= rsp_json_add_string(o, "beside", v->requests->beside.sentence);
	return r;
}

struct json_object *rsp_viewer_put_requests(struct rsp_viewer *v)
{
	_cleanup_json_ struct json_object *o = json_object_new_object();

	if (!o || fill_requests(o, v) < 0)
		return NULL;
	return rsp_take_ptr(o);
}

/* --- the whole -------------------------------------------------------------------------------- */

int rsp_viewer_requests_make(const struct rsp_trace *trace, struct rsp_viewer_requests *ret)
{
	int r;

	*ret = (struct rsp_viewer_requests){
		.snap = *trace->snap, .trace = *trace, .opt = {.slowest = SLOWEST_CNT}};
	ret->trace.snap = &ret->snap;
	if (*ret->snap.meta.trigger.slo)
		rsp_meta_choose_whole(&ret->snap.meta);
	r = rsp_requests_view_make(&ret->trace, &ret->opt, &ret->view);
	ret->is_there = r == 0;
	if (r == 0)
		r = rsp_beside_make(trace, &ret->beside);
	return r == -ENODATA ? 0 : r;
}

void rsp_viewer_requests_done(struct rsp_viewer_requests *r)
{
	rsp_requests_view_done(&r->view);
	rsp_beside_done(&r->beside);
}
