/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report about requests as JSON. docs/json-requests.md documents each field. */
#include <errno.h>
#include <string.h>

#include "lib/base/json.h"
#include "lib/report/report-container.h"
#include "lib/report/requests-view.h"
#include "lib/snapshot/decode.h"

#define REQUESTS_VERSION 1

static int add_quantiles(struct json_object *o, const struct rsp_exchange *x,
			 const struct rsp_request_row *row)
{
	static const struct {
		const char *key;
		__u32 ppm;
	} quantiles[] = {
		{"p50_ns", 500000}, {"p90_ns", 900000}, {"p99_ns", 990000}, {"max_ns", 1000000}};
	int r = 0;

	for (size_t i = 0; row->cnt && i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		r |= rsp_json_add_number(o, quantiles[i].key,
					 rsp_requests_quantile_ns(x, row, quantiles[i].ppm));
	return r;
}

static struct json_object *histogram(const struct rsp_exchange *x,
				     const struct rsp_request_row *row)
{
	struct json_object *array = json_object_new_array();
	__u64 buckets[RSP_BUCKETS];

	rsp_requests_buckets(x, row, buckets);
	for (size_t i = 0; array && i < RSP_BUCKETS; i++) {
		struct json_object *o = buckets[i] ? json_object_new_object() : NULL;

		if (!buckets[i])
			continue;
		if (!o || rsp_json_add_number(o, "below_us", 1ULL << i) < 0 ||
		    rsp_json_add_number(o, "count", buckets[i]) < 0 ||
		    rsp_json_append(array, o) < 0) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

static int add_place(struct json_object *o, __u16 port, const struct rsp_ev_object *path)
{
	char text[RSP_NAME_MAX];
	int r = rsp_json_add_number(o, "port", port);

	if (path)
		r |= rsp_json_add_string(o, "path", rsp_object_name(path, text, sizeof(text)));
	return r;
}

static struct json_object *row_object(const struct rsp_requests *found,
				      const struct rsp_exchange *x,
				      const struct rsp_request_row *row)
{
	struct json_object *o = json_object_new_object();
	char address[80];
	int r = o ? 0 : -ENOMEM;

	if (r < 0)
		return NULL;
	r |= rsp_json_add_string(o, "comm", row->comm);
	r |= rsp_json_add_container(o, row->container);
	r |= rsp_json_add_number(o, "pid", row->tgid);
	r |= rsp_json_add_number(o, "processes", row->process_cnt);
	r |= add_place(o, row->port, row->path);
	if (row->sock && !row->path)
		r |= rsp_json_add_string(o, "peer",
					 rsp_socket_remote(row->sock, address, sizeof(address)));
	if (row->server != RSP_NO_ROW)
		r |= rsp_json_add_string(o, "server", found->served.rows.v[row->server].comm);
	r |= rsp_json_add_bool(o, "inferred", row->inferred);
	r |= rsp_json_add_number(o, "connections", row->connection_cnt);
	r |= rsp_json_add_number(o, "answered", row->cnt);
	r |= rsp_json_add_number(o, "in_flight", row->in_flight_cnt);
	r |= rsp_json_add_number(o, "early", row->early_cnt);
	r |= rsp_json_add_number(o, "closed", row->closed_cnt);
	r |= rsp_json_add_number(o, "more_data", row->more_cnt);
	r |= add_quantiles(o, x, row);
	r |= rsp_json_add(o, "histogram", histogram(x, row));
	if (r == 0)
		return o;
	json_object_put(o);
	return NULL;
}

static struct json_object *rows_array(const struct rsp_requests *found,
				      const struct rsp_exchange *x, const bool *shows)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < x->rows.cnt; i++)
		if (shows[i] && rsp_json_append(array, row_object(found, x, &x->rows.v[i])) < 0) {
			json_object_put(array);
			return NULL;
		}
	return array;
}

static struct json_object *slow_object(const struct rsp_requests *found,
				       const struct rsp_slow_request *slow)
{
	const struct rsp_served *s = slow->served;
	const struct rsp_request_row *row = &found->served.rows.v[s->row];
	const struct rsp_ev_socket *sock = found->connections.v[s->connection].sock;
	struct json_object *o = json_object_new_object();
	char address[80] = "";
	int r = 0;

	if (!o)
		return NULL;
	if (sock && !row->path)
		rsp_socket_remote(sock, address, sizeof(address));
	r |= rsp_json_add_string(o, "comm", slow->comm);
	r |= rsp_json_add_number(o, "pid", slow->tgid);
	r |= rsp_json_add_number(o, "tid", s->tid);
	r |= add_place(o, row->port, row->path);
	r |= rsp_json_add_string(o, "peer", address);
	r |= rsp_json_add_number(o, "arrival_ns", s->arrival_ns);
	r |= rsp_json_add_number(o, "first_byte_ns", s->first_ns);
	r |= rsp_json_add_number(o, "last_byte_ns", s->last_ns);
	r |= rsp_json_add_number(o, "took_ns", rsp_served_ns(s));
	r |= rsp_json_add_bool(o, "more_data", s->flags & RSP_SERVED_MORE);
	r |= rsp_json_add_number(o, "behind_ns", slow->behind_ns);
	r |= rsp_json_add_number(o, "behind_requests", slow->behind_cnt);
	r |= rsp_json_add_string(o, "text", slow->sentence ? slow->sentence : "");
	if (r == 0)
		return o;
	json_object_put(o);
	return NULL;
}

static struct json_object *slowest_array(const struct rsp_requests_view *v)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < v->slowest.cnt; i++)
		if (rsp_json_append(array, slow_object(&v->found, &v->slowest.v[i])) < 0) {
			json_object_put(array);
			return NULL;
		}
	return array;
}

static int fill_stage(struct json_object *o, const void *from)
{
	static const char *const names[] = {
		[RSP_STAGE_OWN] = "own", [RSP_STAGE_CALL] = "call", [RSP_STAGE_TURN] = "turn"};
	const struct rsp_stage_time *stage = from;
	int r = rsp_json_add_string(o, "stage", names[stage->kind]);

	r |= rsp_json_add_string(o, "text", stage->text);
	r |= rsp_json_add_number(o, "slow_ns", stage->slow_ns);
	r |= rsp_json_add_number(o, "typical_ns", stage->typical_ns);
	return r;
}

static int fill_difference(struct json_object *o, const void *from)
{
	const struct rsp_difference *d = from;
	int r = rsp_json_add_string(o, "text", d->text);

	r |= rsp_json_add_string(o, "category", d->key);
	r |= rsp_json_add_number(o, "stage", d->stage);
	r |= rsp_json_add_number(o, "slow_ns", d->slow_ns);
	r |= rsp_json_add_number(o, "typical_ns", d->typical_ns);
	return r;
}

int rsp_requests_fill_comparison(struct json_object *o, const void *comparison)
{
	const struct rsp_comparison *c = comparison;
	int r = rsp_json_add_string(o, "comm", c->row->comm);

	r |= add_place(o, c->row->port, c->row->path);
	r |= rsp_json_add_number(o, "slow", c->slow_cnt);
	r |= rsp_json_add_number(o, "slow_explained", c->slow_explained_cnt);
	r |= rsp_json_add_number(o, "typical", c->typical_cnt);
	r |= rsp_json_add_number(o, "typical_explained", c->typical_explained_cnt);
	r |= rsp_json_add_number(o, "slow_mean_ns", c->slow_ns);
	r |= rsp_json_add_number(o, "typical_mean_ns", c->typical_ns);
	r |= rsp_json_add(o, "stages", RSP_JSON_ARRAY_OF(fill_stage, c->stages.v, c->stages.cnt));
	r |= rsp_json_add(o, "differences",
			  RSP_JSON_ARRAY_OF(fill_difference, c->differences.v, c->differences.cnt));
	return r;
}

static int fill_pending(struct json_object *o, const void *from)
{
	const struct rsp_requests_view *v = from;
	const struct rsp_pending *p = &v->pending;
	const struct rsp_request_row *row = &v->found.served.rows.v[p->oldest->row];
	int r = rsp_json_add_string(o, "comm", row->comm);

	r |= rsp_json_add_number(o, "port", row->port);
	r |= rsp_json_add_number(o, "requests", p->cnt);
	r |= rsp_json_add_number(o, "oldest_arrival_ns", p->oldest->arrival_ns);
	r |= rsp_json_add_number(o, "oldest_ns", v->found.until_ns - p->oldest->arrival_ns);
	r |= rsp_json_add_string(o, "text", p->sentence ? p->sentence : "");
	return r;
}

static int fill(struct json_object *o, const struct rsp_requests_view *v)
{
	const struct rsp_requests *found = &v->found;
	int r = rsp_json_add_number(o, "version", REQUESTS_VERSION);

	r |= rsp_json_add_string(o, "headline", v->headline);
	r |= rsp_json_add_number(o, "since_ns", found->since_ns);
	r |= rsp_json_add_number(o, "until_ns", found->until_ns);
	r |= rsp_json_add_number(o, "paused_ns", found->paused_ns);
	r |= rsp_json_add_number(o, "dropped", found->dropped_cnt);
	r |= rsp_json_add_bool(o, "lossy", rsp_requests_lossy(v));
	r |= rsp_json_add(o, "servers", rows_array(found, &found->served, v->shows_server));
	r |= rsp_json_add(o, "calls", rows_array(found, &found->calls, v->shows_peer));
	r |= rsp_json_add(o, "slowest", slowest_array(v));
	if (v->pending.oldest)
		r |= rsp_json_add(o, "pending", rsp_json_object_of(fill_pending, v));
	if (v->comparison.row && v->comparison.slow_explained_cnt)
		r |= rsp_json_add(o, "comparison",
				  rsp_json_object_of(rsp_requests_fill_comparison, &v->comparison));
	return r;
}

int rsp_requests_json(const struct rsp_requests_view *v, FILE *out)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE |
		    (v->opt->pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0);
	_cleanup_json_ struct json_object *o = json_object_new_object();
	const char *text;
	size_t len;

	if (!o || fill(o, v) < 0)
		return -ENOMEM;
	text = json_object_to_json_string_length(o, flags, &len);
	if (!text)
		return -ENOMEM;
	rsp_json_put(text, len, 0, out);
	fputc('\n', out);
	return 0;
}
