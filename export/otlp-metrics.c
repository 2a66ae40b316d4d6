/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts summaries to metrics of OTLP. Each unit of a summary becomes a resource, with the sums
 * and gauges of the slice, which is the time that the summary covers. Another resource for each
 * summary contains the state of the recorder. A sum is the increase within the slice.
 */
#include <errno.h>

#include "export/otlp-message.h"

typedef Rsp__Otlp__ExportMetricsServiceRequest Request;
typedef Rsp__Otlp__ResourceMetrics ResourceMetrics;
typedef Rsp__Otlp__ScopeMetrics ScopeMetrics;
typedef Rsp__Otlp__Metric Metric;
typedef Rsp__Otlp__Sum Sum;
typedef Rsp__Otlp__Gauge Gauge;
typedef Rsp__Otlp__NumberDataPoint Point;

#define METRICS_MAX 8 /* of a resource */

struct building {
	struct rsp_otlp_message *m;
	uint64_t since_ns, until_ns; /* of the slice, in nanoseconds since 1970 */
	Metric **metrics;
	size_t metric_cnt;
};

static Metric *new_metric(struct building *b, const char *name, const char *unit,
			  const char *description)
{
	Metric *metric = RSP_OTLP_NEW(b->m, Metric, RSP__OTLP__METRIC__INIT);

	metric->name = (char *)name;
	metric->unit = (char *)unit;
	metric->description = (char *)description;
	if (b->metrics && b->metric_cnt < METRICS_MAX)
		b->metrics[b->metric_cnt++] = metric;
	return metric;
}

/* The caller appends at most max data points. */
static Sum *new_sum(struct building *b, const char *name, const char *unit, const char *description,
		    size_t max)
{
	Metric *metric = new_metric(b, name, unit, description);
	Sum *sum = RSP_OTLP_NEW(b->m, Sum, RSP__OTLP__SUM__INIT);

	metric->data_case = RSP__OTLP__METRIC__DATA_SUM;
	metric->sum = sum;
	sum->aggregation_temporality = RSP__OTLP__AGGREGATION_TEMPORALITY__DELTA;
	sum->is_monotonic = true;
	sum->data_points = rsp_otlp_message_list(b->m, max);
	return sum;
}

static Gauge *new_gauge(struct building *b, const char *name, const char *unit,
			const char *description, size_t max)
{
	Metric *metric = new_metric(b, name, unit, description);
	Gauge *gauge = RSP_OTLP_NEW(b->m, Gauge, RSP__OTLP__GAUGE__INIT);

	metric->data_case = RSP__OTLP__METRIC__DATA_GAUGE;
	metric->gauge = gauge;
	gauge->data_points = rsp_otlp_message_list(b->m, max);
	return gauge;
}

static Point *new_point(struct building *b, uint64_t n)
{
	Point *point = RSP_OTLP_NEW(b->m, Point, RSP__OTLP__NUMBER_DATA_POINT__INIT);

	point->time_unix_nano = b->until_ns;
	point->value_case = RSP__OTLP__NUMBER_DATA_POINT__VALUE_AS_INT;
	point->as_int = (int64_t)n;
	return point;
}

static void set_attributes(Point *point, const struct rsp_otlp_attributes *a)
{
	point->n_attributes = a->cnt;
	point->attributes = a->v;
}

static void put_in_sum(struct building *b, Sum *sum, Point *point)
{
	point->start_time_unix_nano = b->since_ns;
	if (sum->data_points)
		sum->data_points[sum->n_data_points++] = point;
}

static void put_in_gauge(Gauge *gauge, Point *point)
{
	if (gauge->data_points)
		gauge->data_points[gauge->n_data_points++] = point;
}

static void put_total(struct building *b, const char *name, const char *unit,
		      const char *description, uint64_t n)
{
	put_in_sum(b, new_sum(b, name, unit, description, 1), new_point(b, n));
}

static void put_level(struct building *b, const char *name, const char *unit,
		      const char *description, uint64_t n)
{
	put_in_gauge(new_gauge(b, name, unit, description, 1), new_point(b, n));
}

/* --- a unit ----------------------------------------------------------------------------------- */

static void put_times(struct building *b, struct json_object *unit)
{
	struct json_object *categories = rsp_otlp_member(unit, "categories", json_type_object);
	Sum *sum = NULL; /* made with the first data point, because a metric needs one */

	if (!categories)
		return;
	json_object_object_foreach (categories, key, value) {
		struct rsp_otlp_attributes a = rsp_otlp_attributes_new(b->m);
		uint64_t ns = json_object_get_uint64(value);
		Point *point;

		if (!ns)
			continue;
		if (!sum)
			sum = new_sum(b, "rsp.time", "ns",
				      "Time of the unit's threads in the slice, by category",
				      (size_t)json_object_object_length(categories));
		point = new_point(b, ns);
		rsp_otlp_attributes_text(&a, "category", key);
		set_attributes(point, &a);
		put_in_sum(b, sum, point);
	}
}

static struct rsp_otlp_attributes server_of(struct building *b, struct json_object *row)
{
	struct rsp_otlp_attributes a = rsp_otlp_attributes_new(b->m);

	rsp_otlp_attributes_text(&a, "rsp.comm", rsp_otlp_member_text(row, "comm"));
	rsp_otlp_attributes_number(&a, "server.port", rsp_otlp_member_number(row, "port"));
	return a;
}

static Point *new_server_point(struct building *b, struct json_object *row, uint64_t n)
{
	struct rsp_otlp_attributes a = server_of(b, row);
	Point *point = new_point(b, n);

	set_attributes(point, &a);
	return point;
}

/*
 * A Summary of OTLP would need the sum of all durations, and a histogram would need buckets. The
 * recorder's summaries contain neither.
 */
static void put_durations(struct building *b, Gauge *gauge, struct json_object *row)
{
	static const struct {
		const char *key, *quantile;
	} quantiles[] = {{"p50_ns", "0.5"}, {"p90_ns", "0.9"}, {"p99_ns", "0.99"}, {"max_ns", "1"}};

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(*quantiles); i++) {
		Point *point = new_point(b, rsp_otlp_member_number(row, quantiles[i].key));
		struct rsp_otlp_attributes a = server_of(b, row);

		rsp_otlp_attributes_text(&a, "quantile", quantiles[i].quantile);
		set_attributes(point, &a);
		put_in_gauge(gauge, point);
	}
}

static void put_requests(struct building *b, struct json_object *unit)
{
	struct json_object *rows = rsp_otlp_member(unit, "requests", json_type_array);
	size_t cnt = rows ? json_object_array_length(rows) : 0;
	Gauge *pending, *durations = NULL;
	Sum *answered;

	if (!cnt)
		return;
	answered = new_sum(b, "rsp.requests", "{request}", "Requests answered in the slice", cnt);
	pending = new_gauge(b, "rsp.requests.pending", "{request}",
			    "Requests without an answer at the end of the slice", cnt);
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		uint64_t done = rsp_otlp_member_number(row, "answered");

		put_in_sum(b, answered, new_server_point(b, row, done));
		put_in_gauge(pending,
			     new_server_point(b, row, rsp_otlp_member_number(row, "pending")));
		if (!done)
			continue;
		if (!durations)
			durations = new_gauge(
				b, "rsp.request.duration", "ns",
				"Durations of the requests answered in the slice, by quantile",
				4 * cnt);
		put_durations(b, durations, row);
	}
}

/* --- resources -------------------------------------------------------------------------------- */

static void begin(struct building *b, struct json_object *summary, struct rsp_otlp_message *m)
{
	uint64_t until_ns = rsp_otlp_member_number(summary, "realtime_ns");
	uint64_t slice_ns = rsp_otlp_member_number(summary, "until_ns") -
			    rsp_otlp_member_number(summary, "since_ns");

	*b = (struct building){.m = m,
			       .since_ns = until_ns - slice_ns,
			       .until_ns = until_ns,
			       .metrics = rsp_otlp_message_list(m, METRICS_MAX)};
}

static ResourceMetrics *finish(struct building *b, OtlpResource *resource)
{
	ResourceMetrics *outer = RSP_OTLP_NEW(b->m, ResourceMetrics,
					      RSP__OTLP__RESOURCE_METRICS__INIT);
	ScopeMetrics *inner = RSP_OTLP_NEW(b->m, ScopeMetrics, RSP__OTLP__SCOPE_METRICS__INIT);
	ScopeMetrics **list = rsp_otlp_message_list(b->m, 1);

	inner->scope = rsp_otlp_scope(b->m);
	inner->n_metrics = b->metric_cnt;
	inner->metrics = b->metrics;
	if (list)
		list[0] = inner;
	outer->resource = resource;
	outer->n_scope_metrics = list ? 1 : 0;
	outer->scope_metrics = list;
	return outer;
}

static ResourceMetrics *make_unit(struct rsp_otlp_message *m, const struct rsp_export_host *host,
				  struct json_object *summary, struct json_object *unit)
{
	struct json_object *container = rsp_otlp_member(unit, "container", json_type_object);
	const char *id = container ? rsp_otlp_member_text(container, "id") : "";
	struct building b;

	if (container && !*id)
		id = rsp_otlp_member_text(container, "name");
	begin(&b, summary, m);
	put_times(&b, unit);
	put_level(&b, "rsp.threads", "{thread}", "Threads of the unit in the slice",
		  rsp_otlp_member_number(unit, "threads"));
	put_requests(&b, unit);
	return finish(&b, rsp_otlp_resource(m, host, rsp_otlp_member_text(unit, "unit"), id,
					    rsp_otlp_member_text(unit, "cgroup")));
}

static ResourceMetrics *make_recorder(struct rsp_otlp_message *m,
				      const struct rsp_export_host *host,
				      struct json_object *summary)
{
	struct building b;

	begin(&b, summary, m);
	put_total(&b, "rsp.recorded", "ns", "Part of the slice that was recorded",
		  rsp_otlp_member_number(summary, "recorded_ns"));
	put_total(&b, "rsp.lost", "{record}", "Records that were lost in the slice",
		  rsp_otlp_member_number(summary, "lost"));
	put_level(&b, "rsp.cpus", "{cpu}", "CPUs of the host",
		  rsp_otlp_member_number(summary, "cpus"));
	put_level(&b, "rsp.summary.cpu_time", "ns", "CPU time that the previous summary cost",
		  rsp_otlp_member_number(summary, "cpu_ns"));
	put_level(&b, "rsp.summary.left_out", "{unit}", "Units left out of the summary",
		  rsp_otlp_member_number(summary, "left_out"));
	return finish(&b, rsp_otlp_resource(m, host, "rspd.service", "", ""));
}

static size_t count_units(struct json_object *summary)
{
	struct json_object *units = rsp_otlp_member(summary, "units", json_type_array);

	return units ? json_object_array_length(units) : 0;
}

int rsp_otlp_put_metrics(const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	_cleanup_(rsp_otlp_message_done) struct rsp_otlp_message m = {0};
	Request request = RSP__OTLP__EXPORT_METRICS_SERVICE_REQUEST__INIT;
	size_t max = batch->summary_cnt;

	for (size_t i = 0; i < batch->summary_cnt; i++)
		max += count_units(batch->summaries[i]);
	request.resource_metrics = rsp_otlp_message_list(&m, max);
	if (!request.resource_metrics)
		return m.error;
	for (size_t i = 0; i < batch->summary_cnt; i++) {
		struct json_object *summary = batch->summaries[i];
		size_t cnt = count_units(summary);

		request.resource_metrics[request.n_resource_metrics++] = make_recorder(
			&m, batch->host, summary);
		for (size_t k = 0; k < cnt; k++)
			request.resource_metrics[request.n_resource_metrics++] = make_unit(
				&m, batch->host, summary,
				json_object_array_get_idx(json_object_object_get(summary, "units"),
							  k));
	}
	return rsp_otlp_message_pack(&m, &request.base, ret);
}
