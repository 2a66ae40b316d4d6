/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See screen.h. */
#include "lib/live/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/base/wrap.h"
#include "lib/live/screen-rows.h"

/* On smaller terminals, the lines above the panels are cut, not wrapped. */
#define WRAP_COLS 60
#define WRAP_ROWS 20

static struct rsp_screen_line *add_line(struct rsp_screen *screen, enum rsp_screen_ink ink)
{
	struct rsp_screen_line *line = rsp_array_add(screen);

	if (line)
		line->ink = ink;
	return line;
}

static int put_line(struct rsp_screen *screen, const struct rsp_screen_how *how,
		    enum rsp_screen_ink ink, const char *text)
{
	struct rsp_screen_line *line = add_line(screen, ink);

	if (!line)
		return -ENOMEM;
	rsp_format_name(text, how->cols, line->text, sizeof(line->text));
	return 0;
}

/* Writes a text as one line or, if the terminal is large enough, as the lines that it needs. */
static int put_lines(struct rsp_screen *screen, const struct rsp_screen_how *how,
		     enum rsp_screen_ink ink, const char *text)
{
	_cleanup_free_ char *lines = NULL;
	char *next, *line;
	bool wraps = how->cols >= WRAP_COLS && how->rows >= WRAP_ROWS;
	size_t len;
	FILE *f = open_memstream(&lines, &len);
	int r = 0;

	if (!f)
		return -ENOMEM;
	rsp_wrap(f, text, 0, 2, wraps ? how->cols : 0);
	if (fclose(f) != 0)
		return -ENOMEM;
	next = lines;
	while (r == 0 && (line = strsep(&next, "\n")))
		r = put_line(screen, how, ink, line);
	return r;
}

/* --- above the panels ------------------------------------------------------------------------- */

static void put_title(const struct rsp_live_view *view, const struct rsp_screen_how *how, char *buf,
		      size_t size)
{
	char interval[RSP_FORMAT_MAX];

	rsp_format_ns(how->interval_ns, interval, sizeof(interval));
	snprintf(buf, size, "rspctl top  %s  every %s%s  %u processes, %u threads%s%s%s",
		 how->clock, interval, how->is_frozen ? "  FROZEN" : "", view->process_cnt,
		 view->thread_cnt, how->filter[0] ? "  filter: " : "", how->filter,
		 how->zoomed ? "  (z: all panels)" : "");
}

/* Writes times as numbers of threads: "1.03 cpu" means that 1.03 threads ran on average. */
static void put_times(const struct rsp_live_view *view, char *buf, size_t size)
{
	int len = snprintf(buf, size, "threads:%s", view->seen_ns ? "" : " not recorded");

	for (int cat = 0; cat < RSP_LIVE_CATEGORIES && len > 0 && (size_t)len < size; cat++) {
		if (cat == RSP_LIVE_IDLE || !view->seen_ns)
			continue;
		len += snprintf(buf + len, size - (size_t)len, " %.2f %s%s",
				(double)view->cat_ns[cat] / (double)view->seen_ns,
				rsp_live_category_name((enum rsp_live_category)cat),
				cat == RSP_LIVE_OTHER ? "" : ",");
	}
	snprintf(buf + len, size - (size_t)len, "; %u request%s in flight", view->in_flight_cnt,
		 view->in_flight_cnt == 1 ? "" : "s");
}

static void put_records(const struct rsp_live_view *view, const struct rsp_screen_how *how,
			char *buf, size_t size)
{
	char missing[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];
	int len = snprintf(buf, size, "%llu records, %llu lost", view->event_cnt, view->lost_cnt);

	if (view->seen_ns < view->span_ns)
		len += snprintf(
			buf + len, size - (size_t)len, "; %s of %s missing",
			rsp_format_ns(view->span_ns - view->seen_ns, missing, sizeof(missing)),
			rsp_format_ns(view->span_ns, span, sizeof(span)));
	if (how->ignores_budget)
		len += snprintf(buf + len, size - (size_t)len, "; budget ignored");
	snprintf(buf + len, size - (size_t)len, "; %s", how->cost);
}

static int put_top(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		   struct rsp_screen *screen)
{
	char buf[1024];
	int r;

	put_title(view, how, buf, sizeof(buf));
	r = put_lines(screen, how, RSP_INK_TITLE, buf);
	put_times(view, buf, sizeof(buf));
	if (r == 0)
		r = put_lines(screen, how, RSP_INK_PLAIN, buf);
	put_records(view, how, buf, sizeof(buf));
	if (r == 0)
		r = put_lines(screen, how, view->lost_cnt ? RSP_INK_NOTICE : RSP_INK_PLAIN, buf);
	return r;
}

/* --- panels ----------------------------------------------------------------------------------- */

static int put_panel(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		     enum rsp_panel panel, unsigned int lines, struct rsp_screen *screen)
{
	bool focused = panel == how->focus;
	struct rsp_rows rows = {0};
	char header[RSP_ROW_BYTES];
	unsigned int first = 0;
	int r;

	if (!lines)
		return 0;
	rsp_rows_header(panel, how, header, sizeof(header));
	r = put_line(screen, how, focused ? RSP_INK_FOCUSED : RSP_INK_HEADER, header);
	if (r == 0)
		r = rsp_rows_make(view, how, panel, &rows);
	if (focused && rows.cnt) {
		screen->selected = how->selected < rows.cnt ? how->selected
							    : (unsigned int)rows.cnt - 1;
		screen->selected_tgid = rows.v[screen->selected].tgid;
		if (screen->selected + 2 > lines)
			first = screen->selected + 2 - lines;
	}
	for (unsigned int i = first; r == 0 && i < rows.cnt && i - first + 1 < lines; i++) {
		bool selected = focused && i == screen->selected;

		r = put_line(screen, how, selected ? RSP_INK_SELECTED : RSP_INK_PLAIN,
			     rows.v[i].text);
		if (r == 0)
			screen->v[screen->cnt - 1].tgid = rows.v[i].tgid;
	}
	rsp_rows_done(&rows);
	return r;
}

static unsigned int row_cnt(const struct rsp_live_view *view, enum rsp_panel panel)
{
	switch (panel) {
	case RSP_PANEL_FUNCTIONS:
		return view->function_rows;
	case RSP_PANEL_WAITERS:
		return view->waiter_rows;
	case RSP_PANEL_REQUESTS:
		return view->server_rows;
	default:
		return view->process_rows;
	}
}

/*
 * A panel that needs fewer lines leaves the rest to the panels after it, and the panel in focus
 * also gets all lines that are left at the end.
 */
static void share_lines(const struct rsp_live_view *view, const struct rsp_screen_how *how,
			unsigned int lines, unsigned int ret[RSP_PANELS])
{
	unsigned int left = lines;

	memset(ret, 0, RSP_PANELS * sizeof(*ret));
	if (how->zoomed) {
		ret[how->focus] = lines;
		return;
	}
	for (int panel = 0; panel < RSP_PANELS; panel++) {
		unsigned int want = 1 + row_cnt(view, (enum rsp_panel)panel);
		unsigned int fair = left / (unsigned int)(RSP_PANELS - panel);

		ret[panel] = want < fair ? want : fair;
		left -= ret[panel];
	}
	ret[how->focus] += left;
}

/* Adds blank lines below the panels, so that the line with the keys stays at the bottom. */
static int fill(const struct rsp_screen_how *how, size_t cnt, struct rsp_screen *screen)
{
	int r = 0;

	while (r == 0 && screen->cnt < cnt)
		r = put_line(screen, how, RSP_INK_PLAIN, "");
	return r;
}

static const char *keys(const struct rsp_screen_how *how)
{
	return how->cols >= 120
		       ? "q quit  Tab panel  ↑↓ row  Enter chains  s sort  / filter  f freeze  "
			 "p by process  u by unit  i idle  z zoom  r reset  b budget  + - interval"
		       : "q quit Tab ↑↓ Enter chains s sort / filter f freeze p u i z zoom r b budget";
}

int rsp_screen_make(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		    struct rsp_screen *ret)
{
	unsigned int lines[RSP_PANELS], bottom = 1 + (how->notice[0] != '\0');
	struct rsp_screen screen = {0};
	int r = put_top(view, how, &screen);

	if (how->rows <= screen.cnt + bottom) {
		screen.cnt = 0;
	} else {
		share_lines(view, how, how->rows - (unsigned int)screen.cnt - bottom, lines);
		for (int panel = 0; r == 0 && panel < RSP_PANELS; panel++)
			r = put_panel(view, how, (enum rsp_panel)panel, lines[panel], &screen);
		if (r == 0)
			r = fill(how, how->rows - bottom, &screen);
	}
	if (r == 0 && how->notice[0] && how->rows > 1)
		r = put_line(&screen, how, RSP_INK_NOTICE, how->notice);
	if (r == 0 && how->rows)
		r = put_line(&screen, how, RSP_INK_KEYS, keys(how));
	if (r < 0) {
		rsp_screen_done(&screen);
		return r;
	}
	*ret = screen;
	return 0;
}

void rsp_screen_done(struct rsp_screen *screen)
{
	free(screen->v);
	*screen = (struct rsp_screen){0};
}

/* --- for a file ------------------------------------------------------------------------------- */

static void print_line(const char *text, unsigned int indent, const struct rsp_screen_how *how,
		       FILE *out)
{
	rsp_wrap(out, text, 0, indent, how->cols);
	fputc('\n', out);
}

int rsp_screen_print(const struct rsp_live_view *view, const struct rsp_screen_how *how,
		     size_t row_max, FILE *out)
{
	char buf[RSP_ROW_BYTES];
	int r = 0;

	put_times(view, buf, sizeof(buf));
	print_line(buf, 2, how, out);
	put_records(view, how, buf, sizeof(buf));
	print_line(buf, 2, how, out);
	for (int panel = 0; r == 0 && panel < RSP_PANELS; panel++) {
		struct rsp_rows rows = {0};

		rsp_rows_header((enum rsp_panel)panel, how, buf, sizeof(buf));
		r = rsp_rows_make(view, how, (enum rsp_panel)panel, &rows);
		if (r == 0 && rows.cnt)
			fprintf(out, "\n%s\n", buf);
		for (size_t i = 0; i < rows.cnt && i < row_max; i++)
			print_line(rows.v[i].text, rsp_rows_indent((enum rsp_panel)panel, how), how,
				   out);
		rsp_rows_done(&rows);
	}
	return r;
}
