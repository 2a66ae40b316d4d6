/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison -> text: the answer, the two sides, the tables, and the method. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff-parts.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/report/report-grid.h"

#define ROWS_MAX     10 /* rows per table; JSON contains all rows */
#define TEXT_COLUMNS 100
#define NEAR_SHARE   0.02 /* functions whose times differ by less are one stack */

static const struct {
	enum rsp_diff_table table;
	const char *title, *head;
} tables[] = {
	{RSP_DIFF_SUM, "Time of the process", "time"},
	{RSP_DIFF_CATEGORY, "Where its time went", "category"},
	{RSP_DIFF_CAUSE, "What it spent its time on", "cause"},
	{RSP_DIFF_CHAIN, "Chains of waits", "chain"},
	{RSP_DIFF_ONCPU_SELF, "Functions on a CPU, without their callees", "function"},
	{RSP_DIFF_ONCPU_TOTAL, "Functions on a CPU, with their callees", "function"},
	{RSP_DIFF_OFFCPU_TOTAL, "Functions off the CPU, with their callees", "function"},
	{RSP_DIFF_REQUEST, "Requests", "server"},
};

static size_t room_of(const struct rsp_diff *d, enum rsp_diff_table table)
{
	if (d->opt.row_max)
		return d->opt.row_max;
	return table == RSP_DIFF_REQUEST || table == RSP_DIFF_CATEGORY ? SIZE_MAX : ROWS_MAX;
}

static void add_row(struct rsp_grid *g, const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	char text[RSP_FORMAT_MAX];
	double growth = rsp_diff_growth(row);

	for (size_t s = 0; s < 2; s++)
		rsp_grid_add(g, "%s",
			     row->mean[s] > 0 ? rsp_diff_figure_text(row, row->mean[s], false, text,
								     sizeof(text))
					      : "–");
	rsp_grid_add(g, "%s", rsp_diff_figure_text(row, growth, true, text, sizeof(text)));
	if (row->is_tested)
		rsp_grid_add(g, "± %s",
			     rsp_diff_figure_text(row, row->margin, false, text, sizeof(text)));
	else
		rsp_grid_add(g, "unknown");
	if (row->mean[0] <= 0)
		rsp_grid_add(g, "new");
	else if (row->mean[1] <= 0)
		rsp_grid_add(g, "gone");
	else
		rsp_grid_add(g, "%+.1f %%", 100 * growth / row->mean[0]);
	rsp_grid_add(g, "%s", row->is_significant ? "*" : " ");
	rsp_grid_add(g, "%s", row->name);
}

/* The rows of a table that the text shows. */
struct shown {
	const struct rsp_diff_row **v;
	size_t cnt;
};

static bool is_near(double a, double b)
{
	return fabs(a - b) <= NEAR_SHARE * fabs(a);
}

static bool is_function(const struct rsp_diff_row *row)
{
	return row->table == RSP_DIFF_ONCPU_TOTAL || row->table == RSP_DIFF_OFFCPU_TOTAL;
}

/*
 * A function that only calls another function has the same time as its callee. The text shows only
 * the function with the best rank.
 */
static bool is_shown_already(struct shown *shown, const struct rsp_diff_row *row)
{
	for (size_t i = 0; i < shown->cnt && is_function(row); i++) {
		const struct rsp_diff_row *other = shown->v[i];

		if (!is_near(other->mean[0], row->mean[0]) ||
		    !is_near(other->mean[1], row->mean[1]))
			continue;
		if (row->rank < other->rank)
			shown->v[i] = row;
		return true;
	}
	return false;
}

/*
 * Skips chains of one hop, which the causes contain already, and sums that equal the time by the
 * clock, as those of a process with a single thread do.
 */
static bool is_wanted(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	const struct rsp_diff_row *clock = rsp_diff_clock(d);

	if (row->table == RSP_DIFF_CHAIN)
		return strstr(row->name, " → ");
	return row->table != RSP_DIFF_SUM || row == clock || !clock ||
	       clock->mean[0] != row->mean[0] || clock->mean[1] != row->mean[1];
}

static void choose_rows(const struct rsp_diff *d, enum rsp_diff_table table, struct shown *shown)
{
	for (size_t i = 0; i < d->rows.cnt; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		if (row->table == table && is_wanted(d, row) && !is_shown_already(shown, row))
			shown->v[shown->cnt++] = row;
	}
}

static int put_table(const struct rsp_diff *d, const struct rsp_pen *pen, size_t t)
{
	const struct rsp_grid_column columns[] = {
		{"before", RSP_GRID_NUMBER},	 {"after", RSP_GRID_NUMBER},
		{"change", RSP_GRID_NUMBER},	 {"margin", RSP_GRID_NUMBER},
		{"in %", RSP_GRID_NUMBER, true}, {" ", RSP_GRID_WORD},
		{tables[t].head, RSP_GRID_NAME}, {NULL, RSP_GRID_END},
	};
	_cleanup_free_ const struct rsp_diff_row **rows = calloc(d->rows.cnt + 1, sizeof(*rows));
	struct shown shown = {.v = rows};
	size_t room = room_of(d, tables[t].table);
	struct rsp_grid grid;
	int r;

	if (!rows)
		return -ENOMEM;
	choose_rows(d, tables[t].table, &shown);
	if (shown.cnt == 0)
		return 0;
	fprintf(pen->out, "\n%s", tables[t].title);
	if (tables[t].table != RSP_DIFF_REQUEST)
		fprintf(pen->out, ", for %s", rsp_diff_basis_text(d->basis));
	if (shown.cnt > room)
		fprintf(pen->out, " (%zu of %zu)", room, shown.cnt);
	fputs("\n\n", pen->out);
	rsp_grid_init(&grid, columns);
	for (size_t i = 0; i < shown.cnt && i < room; i++)
		add_row(&grid, d, shown.v[i]);
	r = rsp_grid_print(&grid, pen);
	rsp_grid_done(&grid);
	return r;
}

/* Writes text like "Before: make [120], 5 recordings, 2.00 s each; the first is a.rsp". */
static void put_side(const struct rsp_diff *d, const struct rsp_pen *pen, int side)
{
	const struct rsp_diff_recording *one = NULL;
	char name[RSP_PEN_TASK_BYTES], ns[RSP_FORMAT_MAX], file[RSP_FORMAT_NAME_BYTES(60)];
	__u64 sum_ns = 0, lost_cnt = 0;
	size_t cnt = 0;

	for (size_t i = 0; i < d->added_cnt; i++) {
		if (d->recordings[i].side != side)
			continue;
		one = one ? one : &d->recordings[i];
		sum_ns += d->recordings[i].clock_ns;
		lost_cnt += d->recordings[i].lost_cnt;
		cnt++;
	}
	if (!one)
		return;
	rsp_format_name(one->name, 60, file, sizeof(file));
	fprintf(pen->out, "%s: %s, ", side ? "After" : "Before",
		rsp_pen_task(one->comm, one->pid, one->pid, name, sizeof(name)));
	rsp_format_ns(sum_ns / cnt, ns, sizeof(ns));
	if (cnt == 1)
		fprintf(pen->out, "%s in %s", ns, file);
	else
		fprintf(pen->out, "%zu recordings, %s each; the first is %s", cnt, ns, file);
	if (lost_cnt)
		fprintf(pen->out, "; %llu records were lost", lost_cnt);
	fputc('\n', pen->out);
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
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]) && r == 0; t++)
		r = put_table(d, &pen, t);
	fputc('\n', out);
	rsp_pen_sentence(&pen, "", 0, 0, method);
	return r;
}
