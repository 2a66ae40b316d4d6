/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a comparison as text: the answer, the two sides, the tables, and the method. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/diff/diff-parts.h"
#include "lib/report/report-grid.h"

#define TEXT_COLUMNS 100

static size_t room_of(const struct rsp_diff *d, enum rsp_diff_table table)
{
	return d->opt.row_max ? d->opt.row_max : rsp_diff_row_limit(table);
}

static void add_row(struct rsp_grid *g, const struct rsp_diff_row *row)
{
	struct rsp_diff_cells cells;

	rsp_diff_cells(row, &cells);
	for (size_t i = 0; i < RSP_DIFF_CELLS; i++)
		rsp_grid_add(g, "%s", cells.text[i]);
	rsp_grid_add(g, "%s", row->is_significant ? "*" : " ");
	rsp_grid_add(g, "%s", row->name);
}

/* Closes f, the memory stream that made *text. Then writes the text as a sentence, and frees it. */
static void put_sentence(const struct rsp_pen *pen, FILE *f, char **text)
{
	if (fclose(f) == 0)
		rsp_pen_sentence(pen, "", 0, 2, *text);
	free(*text);
}

static void put_title(const struct rsp_diff *d, const struct rsp_pen *pen,
		      const struct rsp_diff_table_words *words, size_t room, size_t cnt)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	rsp_diff_put_title(d, words, f);
	if (cnt > room)
		fprintf(f, " (%zu of %zu)", room, cnt);
	put_sentence(pen, f, &text);
}

static void put_side(const struct rsp_diff *d, const struct rsp_pen *pen, int side)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return;
	rsp_diff_put_side(d, side, f);
	put_sentence(pen, f, &text);
}

static int put_table(const struct rsp_diff *d, const struct rsp_pen *pen,
		     const struct rsp_diff_table_words *words)
{
	const struct rsp_grid_column columns[] = {
		{"before", RSP_GRID_NUMBER},	 {"after", RSP_GRID_NUMBER},
		{"change", RSP_GRID_NUMBER},	 {"margin", RSP_GRID_NUMBER},
		{"in %", RSP_GRID_NUMBER, true}, {" ", RSP_GRID_WORD},
		{words->head, RSP_GRID_TEXT},	 {NULL, RSP_GRID_END},
	};
	_cleanup_free_ const struct rsp_diff_row **rows = NULL;
	size_t room = room_of(d, words->table), cnt;
	struct rsp_grid grid;
	int r = rsp_diff_shown_rows(d, words->table, &rows, &cnt);

	if (r < 0 || cnt == 0)
		return r;
	fputc('\n', pen->out);
	put_title(d, pen, words, room, cnt);
	fputc('\n', pen->out);
	rsp_grid_init(&grid, columns);
	for (size_t i = 0; i < cnt && i < room; i++)
		add_row(&grid, rows[i]);
	r = rsp_grid_print(&grid, pen);
	rsp_grid_done(&grid);
	return r;
}

/*
 * If nothing differs, the text contains only sums, categories and requests. With -n, it contains
 * all tables.
 */
static bool is_left_out(const struct rsp_diff *d, enum rsp_diff_table table)
{
	return !rsp_diff_first(d) && !d->opt.row_max && table != RSP_DIFF_SUM &&
	       table != RSP_DIFF_CATEGORY && table != RSP_DIFF_REQUEST;
}

int rsp_diff_text(const struct rsp_diff *d, FILE *out)
{
	const struct rsp_report_options how = {.colour = d->opt.colour, .width = d->opt.width};
	const struct rsp_pen pen = {
		.out = out,
		.opt = &how,
		.width = d->opt.width ? d->opt.width : TEXT_COLUMNS,
	};
	_cleanup_free_ char *answer = rsp_diff_answer(d), *method = rsp_diff_method(d);
	int r = 0;

	if (!answer || !method)
		return -ENOMEM;
	rsp_pen_sentence(&pen, RSP_SGR_ANSWER, 0, 0, answer);
	fputc('\n', out);
	put_side(d, &pen, 0);
	put_side(d, &pen, 1);
	for (const struct rsp_diff_table_words *t = rsp_diff_tables; t->title && r == 0; t++)
		if (!is_left_out(d, t->table))
			r = put_table(d, &pen, t);
	fputc('\n', out);
	rsp_pen_sentence(&pen, "", 0, 0, method);
	if (is_left_out(d, RSP_DIFF_CAUSE))
		fputs("\n'-n 10' also shows causes, chains and functions, 10 rows of each.\n", out);
	return r;
}
