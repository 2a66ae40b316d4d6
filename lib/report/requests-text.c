/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the report about requests as text. */
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/report-pen.h"
#include "lib/report/requests-view.h"
#include "lib/snapshot/decode.h"

/* maximum number of rows, to fit on a screen; JSON contains all rows */
#define PEERS_MAX	  20
#define SERVERS_MAX	  20
#define DIFFERENCES_MAX	  8 /* maximum number of lines for each stage of a comparison */
#define BAR_COLS	  40
#define DIFFERENCE_MIN_NS 1000
#define NUMBER_COLS	  12

struct writer {
	struct rsp_pen pen;
	const struct rsp_requests_view *v;
	FILE *out;
};

static const char *ns_text(__u64 ns, char *buf)
{
	return rsp_format_ns(ns, buf, RSP_FORMAT_MAX);
}

static void put_quantiles(const struct writer *w, const struct rsp_exchange *x,
			  const struct rsp_request_row *row)
{
	static const struct {
		const char *name;
		__u32 ppm;
	} quantiles[] = {{"p50", 500000}, {"p90", 900000}, {"p99", 990000}, {"max", 1000000}};
	char ns[RSP_FORMAT_MAX];

	for (size_t i = 0; row->cnt && i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		fprintf(w->out, "%s %s %s", i ? "," : ":", quantiles[i].name,
			ns_text(rsp_requests_quantile_ns(x, row, quantiles[i].ppm), ns));
}

static void put_rate(const struct writer *w, __u64 cnt)
{
	const struct rsp_requests *found = &w->v->found;
	__u64 ns = found->until_ns - found->since_ns;
	char text[RSP_FORMAT_MAX];

	ns -= found->paused_ns < ns ? found->paused_ns : 0;
	if (cnt && ns)
		fprintf(w->out, " (%s/s)", rsp_requests_rate(cnt, ns, text, sizeof(text)));
}

static void put_count(const struct writer *w, __u64 cnt, const char *what)
{
	char text[RSP_FORMAT_MAX];

	fprintf(w->out, "%s %s%s", rsp_requests_count(cnt, text, sizeof(text)), what,
		cnt == 1 ? "" : "s");
}

static void put_note(const struct writer *w, const char *what, const char *note)
{
	char text[256];

	snprintf(text, sizeof(text), "%s %s", what, note);
	fputs("    ", w->out);
	rsp_pen_sentence(&w->pen, "", 4, 6, text);
}

static void put_notes(const struct writer *w, const struct rsp_request_row *row, bool is_server)
{
	const struct {
		__u64 cnt;
		const char *server, *peer;
	} notes[] = {
		{row->in_flight_cnt, "in flight at the end", "in flight at the end"},
		{row->early_cnt, "pending at the beginning, not part of the percentiles",
		 "pending at the beginning, not part of the percentiles"},
		{row->closed_cnt, "never answered: the connection was closed",
		 "never answered: the connection was closed"},
		{row->more_cnt,
		 "got more data before the answer (large, pipelined or several at once): their "
		 "times are busy periods of the connection",
		 "sent more before the answer: their times are busy periods of the connection"},
	};
	char text[RSP_FORMAT_MAX];

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].cnt)
			put_note(w, rsp_requests_count(notes[i].cnt, text, sizeof(text)),
				 is_server ? notes[i].server : notes[i].peer);
	if (row->inferred)
		put_note(w, "which", "end accepted the connection is inferred (an older recorder)");
}

static void put_histogram(const struct writer *w, const struct rsp_request_row *row)
{
	__u64 buckets[RSP_BUCKETS], most = 0;
	size_t first = RSP_BUCKETS, last = 0;
	char from[RSP_FORMAT_MAX], to[RSP_FORMAT_MAX], count[RSP_FORMAT_MAX];

	rsp_requests_buckets(&w->v->found.served, row, buckets);
	for (size_t i = 0; i < RSP_BUCKETS; i++) {
		if (!buckets[i])
			continue;
		first = first == RSP_BUCKETS ? i : first;
		last = i;
		most = most < buckets[i] ? buckets[i] : most;
	}
	for (size_t i = first; i <= last && i < RSP_BUCKETS; i++) {
		size_t cols = (size_t)((buckets[i] * BAR_COLS + most - 1) / most);

		fputs("    ", w->out);
		rsp_pen_right(&w->pen, 8, i ? ns_text(1000ULL << (i - 1), from) : "0");
		fputs(" to ", w->out);
		rsp_pen_right(&w->pen, 8, ns_text(1000ULL << i, to));
		rsp_pen_right(&w->pen, 12, rsp_requests_count(buckets[i], count, sizeof(count)));
		fputs(cols ? "  " : "", w->out);
		for (size_t j = 0; j < cols; j++)
			fputc('#', w->out);
		fputc('\n', w->out);
	}
}

/* end_line() breaks the text into lines. */
static FILE *begin_line(struct writer *line, char **text, size_t *len)
{
	line->out = open_memstream(text, len);
	return line->out;
}

static void end_line(const struct writer *w, FILE *line, const char *const *text)
{
	if (fclose(line) != 0)
		return;
	fputs("  ", w->out);
	rsp_pen_sentence(&w->pen, "", 2, 4, *text);
}

static void put_server(const struct writer *w, const struct rsp_request_row *row)
{
	char name[RSP_SERVER_BYTES], place[RSP_SERVER_BYTES];
	_cleanup_free_ char *text = NULL;
	struct writer line = *w;
	size_t len;

	if (!begin_line(&line, &text, &len))
		return;
	fprintf(line.out, "%s, %s: ", rsp_requests_server(row, name, sizeof(name)),
		rsp_requests_place(row, place, sizeof(place)));
	put_count(&line, row->cnt, "request");
	put_rate(&line, row->cnt);
	fputs(" on ", line.out);
	put_count(&line, row->connection_cnt, "connection");
	put_quantiles(&line, &w->v->found.served, row);
	end_line(w, line.out, (const char *const *)&text);
	put_notes(w, row, true);
	put_histogram(w, row);
}

static void put_peer(const struct writer *w, const struct rsp_request_row *row)
{
	char name[RSP_SERVER_BYTES], peer[RSP_SERVER_BYTES];
	_cleanup_free_ char *text = NULL;
	struct writer line = *w;
	size_t len;

	if (!begin_line(&line, &text, &len))
		return;
	fprintf(line.out, "%s to %s: ", rsp_requests_server(row, name, sizeof(name)),
		rsp_requests_peer(&w->v->found, row, peer, sizeof(peer)));
	put_count(&line, row->cnt, "call");
	put_rate(&line, row->cnt);
	put_quantiles(&line, &w->v->found.calls, row);
	end_line(w, line.out, (const char *const *)&text);
	put_notes(w, row, false);
}

static void put_rows(const struct writer *w, const struct rsp_exchange *x, const bool *shows,
		     const char *title, size_t max,
		     void (*put)(const struct writer *w, const struct rsp_request_row *row))
{
	size_t cnt = 0;

	for (size_t i = 0; i < x->rows.cnt; i++) {
		if (!shows[i])
			continue;
		if (cnt == 0)
			fprintf(w->out, "\n%s:\n", title);
		if (cnt++ < max)
			put(w, &x->rows.v[i]);
	}
	if (cnt > max)
		fprintf(w->out, "  … and %zu more; --json has them all\n", cnt - max);
}

/* --- why -------------------------------------------------------------------------------------- */

static void put_slow(const struct writer *w, const struct rsp_slow_request *slow)
{
	const struct rsp_served *s = slow->served;
	const struct rsp_ev_socket *sock = w->v->found.connections.v[s->connection].sock;
	const struct rsp_ev_object *path = rsp_trace_unix_path(w->v->trace, sock);
	char task[RSP_PEN_TASK_BYTES], peer[RSP_NAME_MAX] = "?", ns[RSP_FORMAT_MAX];
	char text[sizeof(task) + sizeof(peer) + 128];

	if (path)
		rsp_object_name(path, peer, sizeof(peer));
	else if (sock)
		rsp_socket_remote(sock, peer, sizeof(peer));
	fputs("  ", w->out);
	rsp_pen_right(&w->pen, 8, ns_text(rsp_served_ns(s), ns));
	snprintf(text, sizeof(text), "at +%.3f s, %s %s %s%s",
		 (double)(s->arrival_ns - w->v->found.since_ns) / 1e9,
		 rsp_pen_task(slow->comm, slow->tgid, s->tid, task, sizeof(task)),
		 path ? "on" : "for", peer,
		 s->flags & RSP_SERVED_MORE ? " (more data came before the answer)" : "");
	fputs("  ", w->out);
	rsp_pen_sentence(&w->pen, "", 12, 12, text);
	if (slow->sentence && *slow->sentence) {
		fprintf(w->out, "%12s", "");
		rsp_pen_sentence(&w->pen, "", 12, 12, slow->sentence);
	}
}

static void put_slowest(const struct writer *w)
{
	if (w->v->slowest.cnt)
		fputs("\nSlowest requests:\n", w->out);
	for (size_t i = 0; i < w->v->slowest.cnt; i++)
		put_slow(w, &w->v->slowest.v[i]);
}

static void put_difference(const struct rsp_pen *pen, __u64 slow_ns, __u64 typical_ns,
			   const char *indent, const char *text)
{
	char number[RSP_FORMAT_MAX];

	snprintf(number, sizeof(number), "%+.3f", ((double)slow_ns - (double)typical_ns) / 1e6);
	rsp_pen_right(pen, NUMBER_COLS, number);
	snprintf(number, sizeof(number), "%.3f", (double)slow_ns / 1e6);
	rsp_pen_right(pen, NUMBER_COLS, number);
	snprintf(number, sizeof(number), "%.3f", (double)typical_ns / 1e6);
	rsp_pen_right(pen, NUMBER_COLS, number);
	fprintf(pen->out, "  %s", indent);
	rsp_pen_sentence(pen, "", 3 * NUMBER_COLS + 2 + strlen(indent),
			 3 * NUMBER_COLS + 4 + strlen(indent), text);
}

static bool is_worth_a_line(const struct rsp_comparison *c, __u64 slow_ns, __u64 typical_ns)
{
	__u64 most_ns = slow_ns > typical_ns ? slow_ns : typical_ns;

	return most_ns >= DIFFERENCE_MIN_NS && most_ns >= c->slow_ns / 100;
}

static void put_differences(const struct rsp_pen *pen, const struct rsp_comparison *c, size_t stage)
{
	size_t shown = 0;

	for (size_t i = 0; i < c->differences.cnt && shown < DIFFERENCES_MAX; i++) {
		const struct rsp_difference *d = &c->differences.v[i];

		if (d->stage != stage || !is_worth_a_line(c, d->slow_ns, d->typical_ns))
			continue;
		put_difference(pen, d->slow_ns, d->typical_ns, "    ", d->text);
		shown++;
	}
}

void rsp_requests_put_differences(const struct rsp_pen *pen, const struct rsp_comparison *c,
				  const char *slow)
{
	rsp_pen_right(pen, NUMBER_COLS, "more");
	rsp_pen_right(pen, NUMBER_COLS, slow);
	rsp_pen_right(pen, NUMBER_COLS, "typical");
	fputc('\n', pen->out);
	put_difference(pen, c->slow_ns, c->typical_ns, "", "in all");
	for (size_t i = 0; i < c->stages.cnt; i++) {
		const struct rsp_stage_time *stage = &c->stages.v[i];

		if (!is_worth_a_line(c, stage->slow_ns, stage->typical_ns))
			continue;
		put_difference(pen, stage->slow_ns, stage->typical_ns, "  ", stage->text);
		put_differences(pen, c, i);
	}
}

static void put_comparison(const struct writer *w)
{
	const struct rsp_comparison *c = &w->v->comparison;
	char name[RSP_SERVER_BYTES], place[RSP_SERVER_BYTES], a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX];
	char slow[96];

	if (!c->row || !c->slow_explained_cnt)
		return;
	if (w->v->opt->slower_than_ns)
		snprintf(slow, sizeof(slow), "the %s slower than %s",
			 rsp_requests_count(c->slow_cnt, a, sizeof(a)),
			 ns_text(w->v->opt->slower_than_ns, b));
	else
		snprintf(slow, sizeof(slow), "the slowest 1 %% (%s)",
			 rsp_requests_count(c->slow_cnt, a, sizeof(a)));
	fputc('\n', w->out);
	rsp_pen_say(
		&w->pen, "",
		"Slow against typical, %s, %s: %s compared with the middle half (%s of %s explained), ms "
		"per request",
		rsp_requests_server(c->row, name, sizeof(name)),
		rsp_requests_place(c->row, place, sizeof(place)), slow,
		rsp_requests_count(c->typical_explained_cnt, a, sizeof(a)),
		rsp_requests_count(c->typical_cnt, b, sizeof(b)));
	rsp_requests_put_differences(&w->pen, c, "slow");
	if (c->slow_behind_cnt >= 0.05)
		fprintf(w->out,
			"  A slow request came behind %.1f others that its thread answered first.\n",
			c->slow_behind_cnt);
}

static void put_coverage(const struct writer *w)
{
	const struct rsp_requests *found = &w->v->found;
	char a[RSP_FORMAT_MAX], b[RSP_FORMAT_MAX], dropped[RSP_FORMAT_MAX];

	if (found->paused_ns) {
		fputc('\n', w->out);
		rsp_pen_say(
			&w->pen, "",
			"The recorder paused for %s of %s; requests of that time are missing, and "
			"%s that were pending then.",
			ns_text(found->paused_ns, a), ns_text(found->until_ns - found->since_ns, b),
			rsp_requests_count(found->dropped_cnt, dropped, sizeof(dropped)));
	}
	if (rsp_requests_lossy(w->v)) {
		fputc('\n', w->out);
		rsp_pen_say(&w->pen, "",
			    "INCOMPLETE: records were lost; counts may be too small, some "
			    "durations too long.");
	}
}

int rsp_requests_text(const struct rsp_requests_view *v, FILE *out)
{
	const struct rsp_report_options how = {.colour = v->opt->colour, .width = v->opt->width};
	struct writer w = {
		.pen = {.out = out, .opt = &how, .width = v->opt->width}, .v = v, .out = out};

	rsp_pen_sentence(&w.pen, RSP_SGR_ANSWER, 0, 0, v->headline);
	put_rows(&w, &v->found.served, v->shows_server, "Served", SERVERS_MAX, put_server);
	put_rows(&w, &v->found.calls, v->shows_peer, "Called", PEERS_MAX, put_peer);
	put_slowest(&w);
	put_comparison(&w);
	put_coverage(&w);
	return 0;
}
