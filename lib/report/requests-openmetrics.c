/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes latencies of requests and calls as OpenMetrics text: a gauge histogram for each server and
 * each peer. A gauge histogram is the right type, because the figures cover only one span.
 */
#include <stdio.h>

#include "lib/base/text.h"
#include "lib/report/requests-view.h"
#include "lib/snapshot/decode.h"

/*
 * Maximum number of servers, and of peers. Without this limit, a program could cause many time
 * series.
 */
#define ROWS_MAX  20
/* Bounds of buckets are 2^i microseconds: from 16 us (i = BOUND_MIN) to 34 s (i = BOUND_MAX). */
#define BOUND_MIN 4
#define BOUND_MAX 25

/* The label contains the ID, so that two containers with the same name have different series. */
static void put_container(const struct rsp_request_row *row, FILE *out)
{
	char described[RSP_CONTAINER_DESCRIBED_BYTES];
	struct rsp_container c;

	if (!rsp_container_parse(row->container, &c))
		return;
	rsp_text_put_label(out, "container", rsp_container_describe(&c, described));
	fputc(',', out);
}

static void put_labels(const struct rsp_requests_view *v, const struct rsp_exchange *x,
		       const struct rsp_request_row *row, FILE *out)
{
	char comm[RSP_COMM_MAX], peer[RSP_NAME_MAX + RSP_SERVER_BYTES];

	snprintf(comm, sizeof(comm), "%s", row->comm);
	rsp_text_clean(comm);
	rsp_text_put_label(out, "program", comm);
	fputc(',', out);
	put_container(row, out);
	if (x == &v->found.calls) {
		rsp_requests_peer(&v->found, row, peer, sizeof(peer));
		rsp_text_put_label(out, "peer", peer);
		return;
	}
	rsp_requests_place(row, peer, sizeof(peer));
	rsp_text_put_label(out, "at", peer);
}

/*
 * ret[i] counts requests that took more than 2^(i-1) and at most 2^i microseconds. Returns the sum
 * of all durations.
 */
static __u64 count(const struct rsp_exchange *x, const struct rsp_request_row *row,
		   __u64 ret[static BOUND_MAX + 1])
{
	__u64 sum_ns = 0;

	for (size_t i = 0; i < row->cnt; i++) {
		__u64 ns = rsp_served_ns(&x->v[row->order[i]]), us = ns ? (ns - 1) / 1000 : 0;
		size_t bound = us ? 64 - (size_t)__builtin_clzll(us) : 0;

		sum_ns += ns;
		if (bound <= BOUND_MAX)
			ret[bound]++;
	}
	return sum_ns;
}

static void put_row(const struct rsp_requests_view *v, const struct rsp_exchange *x,
		    const struct rsp_request_row *row, const char *family, FILE *out)
{
	__u64 buckets[BOUND_MAX + 1] = {0}, cnt = 0, sum_ns = count(x, row, buckets);

	for (size_t i = 0; i <= BOUND_MAX; i++) {
		cnt += buckets[i];
		if (i < BOUND_MIN)
			continue;
		fprintf(out, "%s_bucket{", family);
		put_labels(v, x, row, out);
		fprintf(out, ",le=\"%.6f\"} %llu\n", (double)(1ULL << i) / 1e6, cnt);
	}
	fprintf(out, "%s_bucket{", family);
	put_labels(v, x, row, out);
	fprintf(out, ",le=\"+Inf\"} %zu\n", row->cnt);
	fprintf(out, "%s_gcount{", family);
	put_labels(v, x, row, out);
	fprintf(out, "} %zu\n", row->cnt);
	fprintf(out, "%s_gsum{", family);
	put_labels(v, x, row, out);
	fprintf(out, "} %llu.%09llu\n", sum_ns / 1000000000, sum_ns % 1000000000);
}

static void put_family(const struct rsp_requests_view *v, const struct rsp_exchange *x,
		       const bool *shows, const char *family, const char *help, FILE *out)
{
	size_t shown = 0;

	fprintf(out, "# TYPE %s gaugehistogram\n# UNIT %s seconds\n# HELP %s %s\n", family, family,
		family, help);
	for (size_t i = 0; i < x->rows.cnt && shown < ROWS_MAX; i++) {
		if (!shows[i] || !x->rows.v[i].cnt)
			continue;
		put_row(v, x, &x->rows.v[i], family, out);
		shown++;
	}
}

static void put_gauge(const char *name, const char *help, __u64 ns, FILE *out)
{
	fprintf(out, "# TYPE %s gauge\n# UNIT %s seconds\n# HELP %s %s\n", name, name, name, help);
	fprintf(out, "%s %llu.%09llu\n", name, ns / 1000000000, ns % 1000000000);
}

int rsp_requests_openmetrics(const struct rsp_requests_view *v, FILE *out)
{
	const struct rsp_requests *found = &v->found;

	put_gauge("rsp_requests_span_seconds", "Time that the histograms cover.",
		  found->until_ns - found->since_ns, out);
	put_gauge("rsp_requests_paused_seconds", "Pauses of the recorder within it.",
		  found->paused_ns, out);
	put_family(v, &found->served, v->shows_server, "rsp_request_seconds",
		   "Time from the arrival of a request to the first byte of its answer.", out);
	put_family(v, &found->calls, v->shows_peer, "rsp_call_seconds",
		   "Time from a call to its answer.", out);
	fputs("# EOF\n", out);
	return 0;
}
