/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See requests-report.h. Chooses the servers to show, and makes the first sentence. */
#include "lib/report/requests-view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/report-container.h"
#include "lib/snapshot/decode.h"

/* --- words ------------------------------------------------------------------------------------ */

char *rsp_requests_count(__u64 n, char *buf, size_t len)
{
	char digits[32];
	size_t cnt = (size_t)snprintf(digits, sizeof(digits), "%llu", n), used = 0;

	for (size_t i = 0; i < cnt && used + 2 < len; i++) {
		if (i > 0 && (cnt - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
	return buf;
}

char *rsp_requests_rate(__u64 cnt, __u64 ns, char *buf, size_t len)
{
	double rate = ns ? (double)cnt * 1e9 / (double)ns : 0;

	if (rate >= 9.5)
		return rsp_requests_count((__u64)(rate + 0.5), buf, len);
	snprintf(buf, len, "%.2g", rate);
	return buf;
}

char *rsp_requests_server(const struct rsp_request_row *row, char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)], container[RSP_IN_CONTAINER_BYTES];

	rsp_format_name(row->comm, RSP_COMM_MAX, name, sizeof(name));
	rsp_in_container(row->container, container);
	if (row->process_cnt > 1)
		snprintf(buf, len, "%s (%u processes)%s", name, row->process_cnt, container);
	else if (row->tgid)
		snprintf(buf, len, "%s [%u]%s", name, rsp_host_tid(row->tgid), container);
	else
		snprintf(buf, len, "an unknown process");
	return buf;
}

char *rsp_requests_place(const struct rsp_request_row *row, char *buf, size_t len)
{
	char path[RSP_NAME_MAX];

	if (row->path)
		snprintf(buf, len, "socket %s", rsp_object_name(row->path, path, sizeof(path)));
	else
		snprintf(buf, len, "port %u", row->port);
	return buf;
}

char *rsp_requests_peer(const struct rsp_requests *found, const struct rsp_request_row *row,
			char *buf, size_t len)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)], address[RSP_NAME_MAX] = "?";

	if (row->path)
		rsp_object_name(row->path, address, sizeof(address));
	else if (row->sock)
		rsp_socket_remote(row->sock, address, sizeof(address));
	if (row->server == RSP_NO_ROW)
		snprintf(buf, len, "%s", address);
	else
		snprintf(buf, len, "%s [%s]",
			 rsp_format_name(found->served.rows.v[row->server].comm, RSP_COMM_MAX, name,
					 sizeof(name)),
			 address);
	return buf;
}

void rsp_requests_buckets(const struct rsp_exchange *x, const struct rsp_request_row *row,
			  __u64 ret[static RSP_BUCKETS])
{
	memset(ret, 0, RSP_BUCKETS * sizeof(*ret));
	for (size_t i = 0; i < row->cnt; i++) {
		__u64 us = rsp_served_ns(&x->v[row->order[i]]) / 1000;
		size_t bucket = us ? 64 - (size_t)__builtin_clzll(us) : 0;

		ret[bucket < RSP_BUCKETS ? bucket : RSP_BUCKETS - 1]++;
	}
}

bool rsp_requests_lossy(const struct rsp_requests_view *v)
{
	const __u64 kinds = 1 << RSP_EV_NET | 1 << RSP_EV_MESSAGE | 1 << RSP_EV_SWITCH |
			    1 << RSP_EV_WAKING;

	for (size_t i = 0; i < v->trace->losses.cnt; i++) {
		const struct rsp_ev_lost *lost = v->trace->losses.v[i];

		if (lost->lost_cnt && (!lost->kinds || lost->kinds & kinds) &&
		    lost->hdr.ts_ns >= v->found.since_ns && lost->from_ns <= v->found.until_ns)
			return true;
	}
	return false;
}

/*
 * The first sentence mentions pauses that take more than a twentieth of the span. Shorter pauses
 * are only mentioned at the end of the report.
 */
#define PAUSE_DIVISOR 20

static bool is_sliced(const struct rsp_requests_view *v)
{
	return v->found.paused_ns > (v->found.until_ns - v->found.since_ns) / PAUSE_DIVISOR;
}

/* --- which rows are shown --------------------------------------------------------------------- */

static bool is_chosen(const struct rsp_requests_view *v, const struct rsp_request_row *row)
{
	if (v->opt->comm)
		return strcmp(row->comm, v->opt->comm) == 0;
	if (v->opt->pid)
		return false;
	return rsp_requests_lists(v->trace, row);
}

/*
 * Chooses the servers that the first sentence may be about: the process of interest, if it is a
 * server and the user has not named a process, or else all visible servers.
 */
static void choose_subjects(struct rsp_requests_view *v)
{
	const struct rsp_requests *found = &v->found;
	__u32 target = v->trace->snap->meta.target_pid;
	bool any = false;

	for (size_t i = 0; i < found->connections.cnt && !v->opt->pid && !v->opt->comm; i++) {
		const struct rsp_connection *c = &found->connections.v[i];

		if (c->row == RSP_NO_ROW || c->tgid != target || c->end == RSP_END_CONNECTED ||
		    !v->shows_server[c->row])
			continue;
		v->is_subject[c->row] = any = true;
	}
	for (size_t i = 0; i < found->served.rows.cnt && !any; i++)
		v->is_subject[i] = v->shows_server[i];
}

/*
 * Returns 0, -ENOMEM, or -ESRCH if the user named a process that belongs to no row, unless the
 * recorder paused for long.
 */
static int choose(struct rsp_requests_view *v)
{
	const struct rsp_requests *found = &v->found;
	bool any = !v->opt->pid && !v->opt->comm;

	v->shows_server = calloc(found->served.rows.cnt + 1, sizeof(bool));
	v->is_subject = calloc(found->served.rows.cnt + 1, sizeof(bool));
	v->shows_peer = calloc(found->calls.rows.cnt + 1, sizeof(bool));
	if (!v->shows_server || !v->is_subject || !v->shows_peer)
		return -ENOMEM;
	for (size_t i = 0; i < found->served.rows.cnt; i++)
		any |= v->shows_server[i] = is_chosen(v, &found->served.rows.v[i]);
	for (size_t i = 0; i < found->calls.rows.cnt; i++)
		any |= v->shows_peer[i] = is_chosen(v, &found->calls.rows.v[i]);
	for (size_t i = 0; i < found->connections.cnt && v->opt->pid; i++) {
		const struct rsp_connection *c = &found->connections.v[i];

		if (c->row == RSP_NO_ROW || c->tgid != v->opt->pid)
			continue;
		any = true;
		(c->end == RSP_END_CONNECTED ? v->shows_peer : v->shows_server)[c->row] = true;
	}
	choose_subjects(v);
	return any || is_sliced(v) ? 0 : -ESRCH;
}

/* --- the first sentence ----------------------------------------------------------------------- */

/*
 * Unless the user sets a limit for slow requests, the first sentence compares slow with typical
 * requests only if their mean is at least twice the typical mean. If the 99th percentile is less
 * than half of the slow requests' mean, the sentence contains this mean instead of the percentile.
 */
#define SLOW_FACTOR 2

static void put_comparison(const struct rsp_requests_view *v, FILE *f)
{
	const struct rsp_comparison *c = &v->comparison;
	const struct rsp_exchange *x = &v->found.served;
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX], count[RSP_FORMAT_MAX];
	__u64 p99_ns = rsp_requests_quantile_ns(x, c->row, 990000);
	bool quotes_p99 = !v->opt->slower_than_ns && p99_ns >= c->slow_ns / SLOW_FACTOR;
	char name[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)];

	rsp_format_name(c->row->comm, RSP_COMM_MAX, name, sizeof(name));
	rsp_format_ns(rsp_requests_quantile_ns(x, c->row, 500000), b, sizeof(b));
	if (v->opt->slower_than_ns)
		fprintf(f, "%s request%s of %s took longer than %s, against a median of %s",
			rsp_requests_count(c->slow_cnt, count, sizeof(count)),
			c->slow_cnt == 1 ? "" : "s", name,
			rsp_format_ns(v->opt->slower_than_ns, a, sizeof(a)), b);
	else if (quotes_p99)
		fprintf(f, "p99 of %s is %s against a median of %s", name,
			rsp_format_ns(p99_ns, a, sizeof(a)), b);
	else /* so few requests are slow that they do not change the 99th percentile */
		fprintf(f,
			"The slowest 1 %% of the requests of %s took %s on average, against a "
			"median of %s",
			name, rsp_format_ns(c->slow_ns, a, sizeof(a)), b);
	rsp_comparison_put_cause(c, quotes_p99 ? ": the slowest 1 % spend" : ": they spend", f);
}

static const struct rsp_request_row *first_shown(const struct rsp_exchange *x, const bool *shows)
{
	for (size_t i = 0; i < x->rows.cnt; i++)
		if (shows[i])
			return &x->rows.v[i];
	return NULL;
}

static __u64 recorded_ns(const struct rsp_requests_view *v)
{
	__u64 ns = v->found.until_ns - v->found.since_ns;

	return ns - (v->found.paused_ns < ns ? v->found.paused_ns : ns);
}

static void put_span(const struct rsp_requests_view *v, FILE *f)
{
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];

	rsp_format_ns(v->found.until_ns - v->found.since_ns, a, sizeof(a));
	if (is_sliced(v))
		fprintf(f, "the %s of %s that were recorded",
			rsp_format_ns(recorded_ns(v), b, sizeof(b)), a);
	else
		fputs(a, f);
}

static void put_counts(const struct rsp_requests_view *v, const struct rsp_request_row *row,
		       const char *did, const char *what, const struct rsp_exchange *x, FILE *f)
{
	char who[RSP_SERVER_BYTES], a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX], c[RSP_FORMAT_MAX];
	char count[RSP_FORMAT_MAX], rate[RSP_FORMAT_MAX];

	fprintf(f, "%s %s %s %s%s in ", rsp_requests_server(row, who, sizeof(who)), did,
		rsp_requests_count(row->cnt, count, sizeof(count)), what, row->cnt == 1 ? "" : "s");
	put_span(v, f);
	if (!row->cnt)
		return;
	fprintf(f, " (%s per second): median %s, p99 %s, at most %s",
		rsp_requests_rate(row->cnt, recorded_ns(v), rate, sizeof(rate)),
		rsp_format_ns(rsp_requests_quantile_ns(x, row, 500000), a, sizeof(a)),
		rsp_format_ns(rsp_requests_quantile_ns(x, row, 990000), b, sizeof(b)),
		rsp_format_ns(rsp_requests_quantile_ns(x, row, 1000000), c, sizeof(c)));
}

static void put_pending(const struct rsp_requests_view *v, FILE *f)
{
	const struct rsp_pending *p = &v->pending;
	char who[RSP_SERVER_BYTES], a[RSP_FORMAT_MAX], count[RSP_FORMAT_MAX];

	fprintf(f, "%s request%s of %s ha%s no answer yet, the oldest for %s",
		rsp_requests_count(p->cnt, count, sizeof(count)), p->cnt == 1 ? "" : "s",
		rsp_requests_server(&v->found.served.rows.v[p->oldest->row], who, sizeof(who)),
		p->cnt == 1 ? "s" : "ve",
		rsp_format_ns(v->found.until_ns - p->oldest->arrival_ns, a, sizeof(a)));
	if (p->sentence)
		fprintf(f, ": %s ", p->sentence);
	else
		fputs(". ", f);
}

bool rsp_requests_has_tail(const struct rsp_requests_view *v)
{
	const struct rsp_comparison *c = &v->comparison;

	if (!c->row || !c->slow_explained_cnt)
		return false;
	return v->opt->slower_than_ns || c->slow_ns >= SLOW_FACTOR * c->typical_ns;
}

static int write_headline(struct rsp_requests_view *v)
{
	const struct rsp_requests *found = &v->found;
	const struct rsp_request_row *server = first_shown(&found->served, v->is_subject);
	const struct rsp_request_row *client = first_shown(&found->calls, v->shows_peer);
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];
	size_t len;
	FILE *f = open_memstream(&v->headline, &len);

	if (!f)
		return -ENOMEM;
	if (v->pending.oldest)
		put_pending(v, f);
	if (rsp_requests_has_tail(v)) {
		put_comparison(v, f);
		if (is_sliced(v)) {
			fputs(" (in ", f);
			put_span(v, f);
			fputs(")", f);
		}
	} else if (server)
		put_counts(v, server, "answered", "request", &found->served, f);
	else if (client)
		put_counts(v, client, "served no requests; it made", "call", &found->calls, f);
	else if (is_sliced(v))
		fprintf(f, "No requests are known: the recorder paused for %s of %s",
			rsp_format_ns(found->paused_ns, a, sizeof(a)),
			rsp_format_ns(found->until_ns - found->since_ns, b, sizeof(b)));
	else if (found->served.rows.cnt || found->calls.rows.cnt)
		fprintf(f, "No requests, except to the recorder, in %s",
			rsp_format_ns(found->until_ns - found->since_ns, a, sizeof(a)));
	else
		fprintf(f, "No requests: no TCP or unix connection was used in %s",
			rsp_format_ns(found->until_ns - found->since_ns, a, sizeof(a)));
	fputc('.', f);
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void find_span(const struct rsp_trace *trace, __u64 *ret_since_ns, __u64 *ret_until_ns)
{
	const struct rsp_meta *meta = &trace->snap->meta;

	*ret_since_ns = meta->since_ns ? meta->since_ns : trace->first_ns;
	if (meta->window_oldest_ns > *ret_since_ns)
		*ret_since_ns = meta->window_oldest_ns;
	*ret_until_ns = meta->until_ns ? meta->until_ns : trace->last_ns;
	if (*ret_until_ns < *ret_since_ns)
		*ret_until_ns = *ret_since_ns;
}

int rsp_requests_view_make(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			   struct rsp_requests_view *ret)
{
	struct rsp_requests_view v = {.trace = trace, .opt = opt};
	__u64 since_ns, until_ns;
	int r;

	find_span(trace, &since_ns, &until_ns);
	r = rsp_requests_find(trace, since_ns, until_ns, &v.found);
	if (r == 0 && !v.found.has_network && !v.found.paused_ns)
		r = -ENODATA;
	if (r == 0)
		r = choose(&v);
	if (r == 0 && !opt->openmetrics)
		r = rsp_requests_explain(&v);
	if (r == 0 && !opt->openmetrics)
		r = write_headline(&v);
	if (r < 0)
		rsp_requests_view_done(&v);
	else
		*ret = v;
	return r;
}

void rsp_requests_view_done(struct rsp_requests_view *v)
{
	rsp_requests_done(&v->found);
	free(v->shows_server);
	free(v->is_subject);
	free(v->shows_peer);
	for (size_t i = 0; i < v->slowest.cnt; i++)
		free(v->slowest.v[i].sentence);
	free(v->slowest.v);
	rsp_comparison_done(&v->comparison);
	free(v->pending.sentence);
	free(v->headline);
	*v = (struct rsp_requests_view){0};
}

int rsp_requests_report(const struct rsp_trace *trace, const struct rsp_requests_options *opt,
			FILE *out, bool *ret_lossy)
{
	_cleanup_(rsp_requests_view_done) struct rsp_requests_view v = {0};
	int r = rsp_requests_view_make(trace, opt, &v);

	if (r == 0 && opt->openmetrics)
		r = rsp_requests_openmetrics(&v, out);
	else if (r == 0)
		r = opt->json ? rsp_requests_json(&v, out) : rsp_requests_text(&v, out);
	if (r < 0)
		return r;
	*ret_lossy = rsp_requests_lossy(&v);
	errno = 0;
	if (fflush(out) != 0 || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
