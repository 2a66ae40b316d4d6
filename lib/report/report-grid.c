/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report-grid.h. */
#include "lib/report/report-grid.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/base/wrap.h"

#define INDENT	    2
#define GAP	    2
/* The wanted widths of names and of text. To reach them, columns that may go are dropped. */
#define NAME_WANTED 24
#define TEXT_WANTED 32

void rsp_grid_init(struct rsp_grid *g, const struct rsp_grid_column *columns)
{
	*g = (struct rsp_grid){.columns = columns};
	while (columns[g->column_cnt].kind != RSP_GRID_END)
		g->column_cnt++;
	assert(g->column_cnt <= RSP_GRID_COLUMN_MAX);
	for (size_t c = 0; c < g->column_cnt; c++)
		g->width[c] = rsp_format_columns(columns[c].head);
}

void rsp_grid_done(struct rsp_grid *g)
{
	for (size_t i = 0; i < g->cells.cnt; i++)
		free(g->cells.v[i]);
	free(g->cells.v);
}

void rsp_grid_add(struct rsp_grid *g, const char *format, ...)
{
	size_t column = g->cells.cnt % g->column_cnt, width;
	char **cell = rsp_array_add(&g->cells), *text;
	va_list args;
	int n;

	if (!cell) {
		g->error = -ENOMEM;
		return;
	}
	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		g->error = -ENOMEM;
		return;
	}
	rsp_text_clean(text);
	*cell = text;
	width = rsp_format_columns(text);
	if (width > g->width[column])
		g->width[column] = width;
}

void rsp_grid_add_ns(struct rsp_grid *g, __u64 ns)
{
	char buf[RSP_FORMAT_MAX];

	rsp_grid_add(g, "%s", ns ? rsp_format_ns(ns, buf, sizeof(buf)) : "–");
}

void rsp_grid_add_cnt(struct rsp_grid *g, __u64 n)
{
	if (n)
		rsp_grid_add(g, "%llu", n);
	else
		rsp_grid_add(g, "–");
}

void rsp_grid_add_bytes(struct rsp_grid *g, __u64 bytes)
{
	char buf[RSP_FORMAT_MAX];

	rsp_grid_add(g, "%s", bytes ? rsp_format_bytes(bytes, buf, sizeof(buf)) : "–");
}

/* --- fitting -------------------------------------------------------------------------------- */

static size_t total_width(const struct rsp_grid *g, size_t name_max)
{
	size_t sum = 0;

	for (size_t c = 0; c < g->column_cnt; c++) {
		size_t width = g->width[c];

		if (g->columns[c].kind == RSP_GRID_NAME && width > name_max)
			width = name_max;
		if (g->columns[c].kind == RSP_GRID_TEXT && width > TEXT_WANTED)
			width = TEXT_WANTED;
		if (width)
			sum += width + (sum ? GAP : INDENT);
	}
	return sum;
}

static bool drop_column(struct rsp_grid *g)
{
	for (size_t c = g->column_cnt; c-- > 0;) {
		if (g->columns[c].may_go && g->width[c]) {
			g->width[c] = 0;
			return true;
		}
	}
	return false;
}

static void fit(struct rsp_grid *g, size_t width)
{
	size_t name_max = RSP_PEN_NAME_MAX;

	while (total_width(g, NAME_WANTED) > width && drop_column(g))
		;
	while (name_max > RSP_PEN_NAME_MIN && total_width(g, name_max) > width)
		name_max--;
	for (size_t c = 0; c < g->column_cnt; c++)
		if (g->columns[c].kind == RSP_GRID_NAME && g->width[c] > name_max)
			g->width[c] = name_max;
}

/* --- printing ------------------------------------------------------------------------------- */

/* Writes text from column left on. Cuts words that are longer than a line. */
static void put_text(const struct rsp_pen *pen, const char *text, size_t left)
{
	char whole[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)], cut[2 * sizeof(whole)];
	size_t room = rsp_pen_name_room(pen, left), len = 0;
	char *word, *rest = whole;

	rsp_format_name(text, RSP_PEN_NAME_MAX, whole, sizeof(whole));
	if (!pen->opt->width) {
		fputs(whole, pen->out);
		return;
	}
	while ((word = strsep(&rest, " "))) {
		char name[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)];

		rsp_format_name(word, room, name, sizeof(name));
		len += (size_t)snprintf(cut + len, sizeof(cut) - len, "%s%s", len ? " " : "", name);
	}
	rsp_wrap(pen->out, cut, left, left, pen->width);
}

static void put_cell(const struct rsp_grid *g, const struct rsp_pen *pen, size_t c,
		     const char *text, size_t *gap)
{
	char name[RSP_FORMAT_NAME_BYTES(RSP_PEN_NAME_MAX)];
	size_t width = g->width[c];

	if (!width)
		return;
	fprintf(pen->out, "%*s", (int)*gap, "");
	*gap = GAP;
	if (g->columns[c].kind == RSP_GRID_NUMBER) {
		rsp_pen_right(pen, width, text);
		return;
	}
	if (g->columns[c].kind == RSP_GRID_TEXT) {
		put_text(pen, text,
			 total_width(g, RSP_PEN_NAME_MAX) -
				 (width < TEXT_WANTED ? width : TEXT_WANTED));
		return;
	}
	if (g->columns[c].kind == RSP_GRID_NAME)
		text = rsp_format_name(text, width, name, sizeof(name));
	fputs(text, pen->out);
	*gap += width - rsp_format_columns(text);
}

int rsp_grid_print(struct rsp_grid *g, const struct rsp_pen *pen)
{
	size_t row_cnt = g->cells.cnt / g->column_cnt;

	if (g->error)
		return g->error;
	fit(g, pen->width);
	for (size_t row = 0; row <= row_cnt; row++) {
		size_t gap = INDENT;

		for (size_t c = 0; c < g->column_cnt; c++)
			put_cell(g, pen, c,
				 row ? g->cells.v[(row - 1) * g->column_cnt + c]
				     : g->columns[c].head,
				 &gap);
		fputc('\n', pen->out);
	}
	return 0;
}

bool rsp_grid_has(const struct rsp_grid *g, const char *head)
{
	for (size_t c = 0; c < g->column_cnt; c++)
		if (strcmp(g->columns[c].head, head) == 0)
			return g->width[c] > 0;
	return false;
}
