/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See report-marks.h. A mark shows what happened at about the same time, and may not be the cause.
 * So a report mentions marks after its answer, in few words.
 */
#include "lib/report/report-marks.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/report/report-grid.h"

#define NEAR_NS	    10000000000ULL /* marks from 10 s before the span on are shown */
#define NEAR_MAX    3
#define INTERVAL_NS 1100000000ULL /* maximum time between two readings, unless rspd is late */
#define TEXT_COLS   60		  /* columns for the text of a mark within a sentence */

/* --- words ----------------------------------------------------------------------------------- */

/*
 * Types of marks: the key in JSON, words before and after the text of the mark, and words for a
 * mark without a text.
 */
static const struct type {
	const char *key, *before, *after, *nameless;
	unsigned int rank; /* if there are too many marks, those with the lowest ranks are shown */
} types[RSP_MARK_TYPE_MAX] = {
	[0] = {"unknown", "", "", "something", 5},
	[RSP_MARK_TEXT] = {"text", "mark \"", "\"", "a mark", 1},
	[RSP_MARK_BREACH] = {"breach", "SLO ", " was breached", "an SLO was breached", 3},
	[RSP_MARK_STARTED] = {"started", "", " started", "a unit started", 4},
	[RSP_MARK_STOPPED] = {"stopped", "", " stopped", "a unit stopped", 4},
	[RSP_MARK_FAILED] = {"failed", "", " failed", "a unit failed", 2},
	[RSP_MARK_DROPPED] = {"dropped", "", "", "marks came too fast to be kept", 5},
};

static const struct type *type_of(const struct rsp_ev_mark *mark)
{
	return &types[mark->hdr.flags < RSP_MARK_TYPE_MAX ? mark->hdr.flags : 0];
}

const char *rsp_mark_key(const struct rsp_ev_mark *mark)
{
	return type_of(mark)->key;
}

char *rsp_mark_words(const struct rsp_ev_mark *mark, size_t cols, char *buf, size_t len)
{
	const struct type *type = type_of(mark);
	char text[RSP_FORMAT_NAME_BYTES(RSP_MARK_TEXT_MAX)];

	if (mark->hdr.flags == RSP_MARK_DROPPED && mark->cnt)
		snprintf(buf, len, "%u %s", mark->cnt, type->nameless);
	else if (!*mark->text)
		snprintf(buf, len, "%s", type->nameless);
	else
		snprintf(buf, len, "%s%s%s", type->before,
			 rsp_format_name(mark->text, cols, text, sizeof(text)), type->after);
	return buf;
}

/* Writes a value like "12.3 MiB", "4.2 %", "2.40 GHz", "0.31" or "17". Returns buf. */
static char *format_counter(enum rsp_counter_unit unit, __u64 value, char *buf, size_t len)
{
	switch (unit) {
	case RSP_UNIT_PPM:
		return rsp_format_share(value, 1000000, buf, len);
	case RSP_UNIT_BYTES:
		return rsp_format_bytes(value, buf, len);
	case RSP_UNIT_HUNDREDTHS:
		snprintf(buf, len, "%" PRIu64 ".%02" PRIu64, (uint64_t)value / 100,
			 (uint64_t)value % 100);
		break;
	case RSP_UNIT_HZ:
		snprintf(buf, len, "%.2f GHz", (double)value / 1e9);
		break;
	default:
		snprintf(buf, len, "%" PRIu64, (uint64_t)value);
	}
	return buf;
}

int rsp_report_readings(const struct rsp_explanation *e, struct rsp_readings *ret)
{
	return rsp_readings_make(e->trace, e->meta->since_ns, e->meta->until_ns + INTERVAL_NS, ret);
}

static const char *when(const struct rsp_pen *pen, __u64 at_ns, char *buf, size_t len)
{
	__u64 since_ns = pen->e->meta->since_ns;
	__u64 ms = (at_ns < since_ns ? since_ns - at_ns : at_ns - since_ns) / 1000000;

	snprintf(buf, len, "%c%llu.%03llu s", at_ns < since_ns ? '-' : '+', ms / 1000, ms % 1000);
	return buf;
}

static void put_mark(const struct rsp_pen *pen, const struct rsp_ev_mark *mark)
{
	char at[RSP_FORMAT_MAX], words[RSP_MARK_WORDS_BYTES];

	fprintf(pen->out, "%s at %s", rsp_mark_words(mark, TEXT_COLS, words, sizeof(words)),
		when(pen, mark->hdr.ts_ns, at, sizeof(at)));
}

/* --- some marks ------------------------------------------------------------------------------ */

/* The first sentence of the report already contains the breach that triggered the snapshot. */
static bool is_trigger(const struct rsp_meta *meta, const struct rsp_ev_mark *mark)
{
	return mark->hdr.flags == RSP_MARK_BREACH && *meta->trigger.slo &&
	       strcmp(mark->text, meta->trigger.slo) == 0;
}

struct some {
	const struct rsp_ev_mark *v[NEAR_MAX]; /* oldest first */
	size_t cnt, left_out_cnt;
};

/* Returns the index of the mark to leave out first: the newest mark with the highest rank. */
static size_t least(const struct some *some)
{
	size_t at = 0;

	for (size_t i = 1; i < some->cnt; i++)
		if (type_of(some->v[i])->rank >= type_of(some->v[at])->rank)
			at = i;
	return at;
}

static void add(struct some *some, const struct rsp_ev_mark *mark)
{
	size_t at = some->cnt;

	if (some->cnt == NEAR_MAX) {
		some->left_out_cnt++;
		at = least(some);
		if (type_of(mark)->rank >= type_of(some->v[at])->rank)
			return;
		memmove(&some->v[at], &some->v[at + 1], (NEAR_MAX - 1 - at) * sizeof(some->v[0]));
		some->cnt--;
	}
	some->v[some->cnt++] = mark;
}

static struct some find(const struct rsp_pen *pen, __u64 from_ns, __u64 to_ns)
{
	const struct rsp_trace *trace = pen->e->trace;
	struct some some = {.cnt = 0};

	for (size_t i = 0; trace && i < trace->marks.cnt; i++) {
		const struct rsp_ev_mark *mark = trace->marks.v[i];

		if (mark->hdr.ts_ns >= from_ns && mark->hdr.ts_ns <= to_ns &&
		    !is_trigger(pen->e->meta, mark))
			add(&some, mark);
	}
	return some;
}

static void put_some(const struct rsp_pen *pen, const struct some *some)
{
	for (size_t i = 0; i < some->cnt; i++) {
		fputs(i ? "; " : "", pen->out);
		put_mark(pen, some->v[i]);
	}
	if (some->left_out_cnt)
		fprintf(pen->out, "; and %zu more", some->left_out_cnt);
}

void rsp_put_near_marks(const struct rsp_pen *pen)
{
	const struct rsp_meta *meta = pen->e->meta;
	__u64 before_ns = meta->since_ns < NEAR_NS ? meta->since_ns : NEAR_NS;
	struct some some = find(pen, meta->since_ns - before_ns, meta->until_ns);

	if (!some.cnt)
		return;
	fputs("Meanwhile, or shortly before: ", pen->out);
	put_some(pen, &some);
	fputs(some.left_out_cnt ? " (--view marks).\n" : ".\n", pen->out);
}

void rsp_put_chain_marks(const struct rsp_pen *pen, const struct rsp_chain *chain, size_t indent)
{
	struct some some = find(pen, chain->longest.from_ns,
				chain->longest.from_ns + chain->longest.ns);

	if (!some.cnt)
		return;
	fprintf(pen->out, "%*smeanwhile: ", (int)indent, "");
	put_some(pen, &some);
	fputc('\n', pen->out);
}

/* --- the view -------------------------------------------------------------------------------- */

static int put_all_marks(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {
		{"at", RSP_GRID_NUMBER, false}, {"what", RSP_GRID_TEXT, false}, {0}};
	const struct rsp_trace *trace = pen->e->trace;
	char at[RSP_FORMAT_MAX], words[RSP_MARK_WORDS_BYTES];
	struct rsp_grid g;
	int r;

	if (!trace->marks.cnt) {
		fputs("\nThe recording has no marks.\n", pen->out);
		return 0;
	}
	fprintf(pen->out,
		"\nMarks of the whole recording (%zu); times are from the beginning of the "
		"span\n",
		trace->marks.cnt);
	rsp_grid_init(&g, columns);
	for (size_t i = 0; i < trace->marks.cnt; i++) {
		const struct rsp_ev_mark *mark = trace->marks.v[i];

		rsp_grid_add(&g, "%s", when(pen, mark->hdr.ts_ns, at, sizeof(at)));
		rsp_grid_add(&g, "%s",
			     rsp_mark_words(mark, RSP_MARK_TEXT_MAX, words, sizeof(words)));
	}
	r = rsp_grid_print(&g, pen);
	rsp_grid_done(&g);
	return r;
}

static void add_counter(struct rsp_grid *g, unsigned int counter, const struct rsp_range *range)
{
	const struct rsp_counter_kind *kind = rsp_counter_kind(counter);
	char buf[RSP_FORMAT_MAX];

	rsp_grid_add(g, "%s", format_counter(kind->unit, range->min, buf, sizeof(buf)));
	rsp_grid_add(g, "%s", format_counter(kind->unit, range->mean, buf, sizeof(buf)));
	rsp_grid_add(g, "%s", format_counter(kind->unit, range->max, buf, sizeof(buf)));
	rsp_grid_add(g, "%s", kind->text);
}

static int put_counters(const struct rsp_pen *pen)
{
	static const struct rsp_grid_column columns[] = {{"lowest", RSP_GRID_NUMBER, false},
							 {"mean", RSP_GRID_NUMBER, false},
							 {"highest", RSP_GRID_NUMBER, false},
							 {"of the machine", RSP_GRID_NAME, false},
							 {0}};
	struct rsp_readings readings;
	struct rsp_grid g;
	int r = rsp_report_readings(pen->e, &readings);

	if (r < 0)
		return r;
	if (!readings.cnt) {
		fputs("\nNo counters of the machine were read for the span.\n", pen->out);
		return 0;
	}
	fprintf(pen->out, "\nCounters of the machine for the span (%zu reading%s)\n", readings.cnt,
		readings.cnt == 1 ? "" : "s");
	rsp_grid_init(&g, columns);
	for (unsigned int i = 0; i < RSP_COUNTER_CNT; i++) {
		struct rsp_range range = rsp_readings_range(&readings, i);

		if (range.cnt)
			add_counter(&g, i, &range);
	}
	r = rsp_grid_print(&g, pen);
	rsp_grid_done(&g);
	rsp_readings_done(&readings);
	return r;
}

int rsp_put_marks(const struct rsp_pen *pen)
{
	int r;

	if (!pen->e->trace)
		return 0;
	r = put_all_marks(pen);
	return r < 0 ? r : put_counters(pen);
}
