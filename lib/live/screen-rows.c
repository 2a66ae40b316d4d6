/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See screen-rows.h. */
#include "lib/live/screen-rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"

#define WIDE 120 /* minimum width of a terminal for longer rows, in columns */

static const char *const sort_names[RSP_PANELS][8] = {
	[RSP_PANEL_FUNCTIONS] = {"now", "count", "name", ""},
	[RSP_PANEL_WAITERS] = {"longest", "shortest", "name", ""},
	[RSP_PANEL_REQUESTS] = {"in flight", "oldest", "answered", ""},
	[RSP_PANEL_TIMES] = {"cpu", "queue", "disk", "lock", "net", "other", ""},
};

const char *rsp_panel_sort_name(enum rsp_panel panel, unsigned int key)
{
	return panel < RSP_PANELS && key < 8 && sort_names[panel][key] ? sort_names[panel][key]
								       : "";
}

/* --- order ------------------------------------------------------------------------------------ */

struct item {
	__u64 weight;	  /* the largest weight comes first */
	const char *name; /* sort key; NULL: sorted by weight */
	__u32 index;
};

static int compare(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;
	int by_name = a->name && b->name ? strcmp(a->name, b->name) : 0;

	if (by_name)
		return by_name;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static struct item item_of(const struct rsp_live_view *view, enum rsp_panel panel, __u32 i,
			   unsigned int key)
{
	struct item ret = {.index = i};

	switch (panel) {
	case RSP_PANEL_FUNCTIONS:
		ret.name = key == 2 ? view->functions[i].name : NULL;
		ret.weight = key == 1 ? view->functions[i].total_cnt : view->functions[i].now_cnt;
		break;
	case RSP_PANEL_WAITERS:
		ret.name = key == 2 ? view->waiters[i].comm : NULL;
		ret.weight = key == 1 ? ~view->waiters[i].ns : view->waiters[i].ns;
		break;
	case RSP_PANEL_REQUESTS:
		ret.weight = key == 2	? view->servers[i].answered_cnt
			     : key == 1 ? view->servers[i].oldest_ns
					: view->servers[i].in_flight_cnt;
		break;
	default:
		ret.weight = view->processes[i].cat_ns[key < RSP_LIVE_CATEGORIES ? key : 0];
		break;
	}
	return ret;
}

/* --- text ------------------------------------------------------------------------------------- */

struct line {
	char *text;
	size_t len, size;
};

static void __attribute__((format(printf, 2, 3))) put(struct line *line, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line->text + line->len, line->size - line->len, format, args);
	va_end(args);
	line->len += n > 0 ? (size_t)n : 0;
	if (line->len >= line->size)
		line->len = line->size - 1;
}

/* Writes a cell of |cols| columns, and a blank. If cols is negative, the text is right-aligned. */
static void put_cell(struct line *line, const char *text, int cols)
{
	char cut[RSP_FORMAT_NAME_BYTES(160)];
	int width = cols < 0 ? -cols : cols, pad;

	rsp_format_name(text, (size_t)width, cut, sizeof(cut));
	pad = width - (int)rsp_format_columns(cut);
	if (cols < 0)
		put(line, "%*s%s ", pad, "", cut);
	else
		put(line, "%s%*s ", cut, pad, "");
}

static void put_pct(struct line *line, __u64 part, __u64 whole)
{
	if (whole)
		put(line, "%6.1f ", 100.0 * (double)part / (double)whole);
	else
		put_cell(line, "–", -6);
}

static void put_duration(struct line *line, __u64 ns, bool at_least)
{
	char time[RSP_FORMAT_MAX], text[RSP_FORMAT_MAX + 4];

	snprintf(text, sizeof(text), "%s%s", at_least ? "≥ " : "",
		 rsp_format_ns(ns, time, sizeof(time)));
	put_cell(line, text, -10);
}

static void put_process(struct line *line, const char *comm, __u32 id, int cols)
{
	char text[48];

	if (id)
		snprintf(text, sizeof(text), "%.16s [%u]", comm, id);
	else
		snprintf(text, sizeof(text), "%.16s", comm);
	put_cell(line, text, cols);
}

/* --- rows ------------------------------------------------------------------------------------- */

static __u32 put_function(const struct rsp_live_view *view, const struct rsp_screen_how *how,
			  __u32 i, struct line *line)
{
	const struct rsp_live_function *f = &view->functions[i];
	int process = how->cols >= WIDE ? 26 : 22;
	int name = (int)how->cols - 23 - process - 1;

	put_pct(line, f->now_cnt, view->now_sample_cnt);
	put(line, "%8llu ", f->total_cnt);
	put_pct(line, f->total_cnt, view->total_sample_cnt);
	if (how->cols >= WIDE) {
		put_cell(line, f->name, name - 25 > 150 ? 150 : name - 25);
		put_cell(line, f->module, 24);
	} else {
		put_cell(line, f->name, name > 10 ? name : 10);
	}
	put_process(line, f->comm[0] ? f->comm : "(all)", f->tgid, process);
	return f->tgid;
}

static __u32 put_waiter(const struct rsp_live_view *view, const struct rsp_screen_how *how, __u32 i,
			struct line *line)
{
	const struct rsp_live_waiter *w = &view->waiters[i];
	bool wide = how->cols >= WIDE;
	char awaited[224];

	snprintf(awaited, sizeof(awaited), "%s%s", w->awaited[0] ? "for " : "", w->awaited);
	put_duration(line, w->ns, w->at_least);
	put_process(line, w->comm, w->tid, wide ? 25 : 22);
	put_cell(line, w->is_idle ? "idle" : rsp_live_category_name(w->category), 5);
	put_cell(line, w->call, wide ? 16 : 10);
	if (wide)
		put_cell(line, w->place, 32);
	if (wide || !w->awaited[0])
		put_cell(line, w->object[0] ? w->object : wide ? "" : w->place, 28);
	put(line, "%s", awaited);
	return w->tgid;
}

static __u32 put_server(const struct rsp_live_view *view, const struct rsp_screen_how *how, __u32 i,
			struct line *line)
{
	const struct rsp_live_server *s = &view->servers[i];
	double seconds = (double)view->seen_ns / 1e9;

	put(line, "%9llu ", s->in_flight_cnt);
	put_duration(line, s->oldest_ns, false);
	if (seconds > 0)
		put(line, "%10.1f ", (double)s->answered_cnt / seconds);
	else
		put_cell(line, "–", -10);
	put_duration(line, s->answered_cnt ? s->sum_ns / s->answered_cnt : 0, false);
	put_duration(line, s->max_ns, false);
	put_cell(line, s->where, how->cols >= WIDE ? 40 : 12);
	put_process(line, s->tgid ? s->comm : "?", s->tgid, 22);
	return s->tgid;
}

static __u32 put_times(const struct rsp_live_view *view, const struct rsp_screen_how *how, __u32 i,
		       struct line *line)
{
	const struct rsp_live_process *p = &view->processes[i];
	const char *cgroup = NULL;
	char id[32];

	for (int cat = RSP_LIVE_CPU; cat <= RSP_LIVE_OTHER; cat++)
		put_pct(line, p->cat_ns[cat], view->seen_ns);
	put(line, "%7u ", p->thread_cnt);
	if (p->tgid) {
		put_process(line, p->comm, p->tgid, how->cols >= WIDE ? 40 : 26);
		return p->tgid;
	}
	if (how->cgroup)
		cgroup = how->cgroup(p->cgroup_id, how->userdata);
	snprintf(id, sizeof(id), "cgroup %llu", p->cgroup_id);
	put_cell(line, cgroup ? cgroup : id, how->cols >= WIDE ? 60 : 26);
	return 0;
}

/* --- panels ----------------------------------------------------------------------------------- */

static const struct {
	const char *narrow, *wide;
	__u32 (*put)(const struct rsp_live_view *view, const struct rsp_screen_how *how, __u32 i,
		     struct line *line);
} panels[RSP_PANELS] = {
	[RSP_PANEL_FUNCTIONS] = {" NOW %    COUNT  ALL %  FUNCTION", NULL, put_function},
	[RSP_PANEL_WAITERS] =
		{"   WAITING THREAD                 ON    IN         AWAITED (INFERRED), OR PLACE",
		 "   WAITING THREAD                    ON    IN               AT                     "
		 "          OBJECT                       AWAITED (INFERRED)",
		 put_waiter},
	[RSP_PANEL_REQUESTS] =
		{"IN FLIGHT     OLDEST   ANSWERS/S       MEAN        MAX AT           SERVER", NULL,
		 put_server},
	[RSP_PANEL_TIMES] = {" CPU %  QUEUE   DISK   LOCK    NET  OTHER THREADS PROCESS", NULL,
			     put_times},
};

void rsp_rows_header(enum rsp_panel panel, const struct rsp_screen_how *how, char *buf, size_t size)
{
	const char *text = panels[panel].narrow;

	if (how->cols >= WIDE && panels[panel].wide)
		text = panels[panel].wide;
	snprintf(buf, size, "%s", text);
	if (how->sort[panel])
		snprintf(buf, size, "%s  (by %s)", text,
			 rsp_panel_sort_name(panel, how->sort[panel]));
}

static __u32 cnt_of(const struct rsp_live_view *view, enum rsp_panel panel)
{
	const __u32 cnts[RSP_PANELS] = {view->function_rows, view->waiter_rows, view->server_rows,
					view->process_rows};

	return cnts[panel] < RSP_LIVE_ROWS ? cnts[panel] : RSP_LIVE_ROWS;
}

static bool is_empty(const struct rsp_live_view *view, enum rsp_panel panel, __u32 i)
{
	__u64 sum = 0;

	if (panel != RSP_PANEL_TIMES)
		return false;
	for (int cat = RSP_LIVE_CPU; cat <= RSP_LIVE_OTHER; cat++)
		sum += view->processes[i].cat_ns[cat];
	return !sum;
}

int rsp_rows_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		  enum rsp_panel panel, struct rsp_rows *ret)
{
	__u32 cnt = cnt_of(view, panel);
	_cleanup_free_ struct item *items = reallocarray(NULL, (size_t)cnt + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	for (__u32 i = 0; i < cnt; i++)
		items[i] = item_of(view, panel, i, how->sort[panel]);
	qsort(items, cnt, sizeof(*items), compare);
	for (__u32 i = 0; i < cnt; i++) {
		struct rsp_row *row;
		struct line line;

		if (is_empty(view, panel, items[i].index))
			continue;
		row = rsp_array_add(ret);
		if (!row)
			return -ENOMEM;
		line = (struct line){row->text, 0, sizeof(row->text)};
		row->tgid = panels[panel].put(view, how, items[i].index, &line);
		while (line.len && row->text[line.len - 1] == ' ')
			row->text[--line.len] = '\0';
		if (how->filter[0] && !strcasestr(row->text, how->filter))
			ret->cnt--;
	}
	return 0;
}

unsigned int rsp_rows_indent(enum rsp_panel panel, const struct rsp_screen_how *how)
{
	/* The last column of waiting threads is the only one without a maximum width. */
	return panel != RSP_PANEL_WAITERS ? 2 : how->cols >= WIDE ? 122 : 51;
}

void rsp_rows_done(struct rsp_rows *rows)
{
	free(rows->v);
}
