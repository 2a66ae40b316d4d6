/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the parts of a comparison that the text and the page share: lines about the sides, tables,
 * their rows and figures.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/format.h"
#include "lib/diff/diff-parts.h"
#include "lib/report/report-pen.h"

#define ROWS_MAX   10 /* default number of rows per table in the text; JSON contains all rows */
/* if the times of two functions differ by less, only one of them is shown */
#define NEAR_SHARE 0.02

const struct rsp_diff_table_words rsp_diff_tables[] = {
	{RSP_DIFF_SUM, "Time of the process", "time"},
	{RSP_DIFF_CATEGORY, "Where its time went", "category"},
	{RSP_DIFF_CAUSE, "What it spent its time on", "cause"},
	{RSP_DIFF_CHAIN, "Chains of waits", "chain"},
	{RSP_DIFF_ONCPU_SELF, "Functions on a CPU, without their callees", "function"},
	{RSP_DIFF_ONCPU_TOTAL, "Functions on a CPU, with their callees", "function"},
	{RSP_DIFF_OFFCPU_TOTAL, "Functions off the CPU, with their callees", "function"},
	{RSP_DIFF_REQUEST, "Requests", "server"},
	{RSP_DIFF_TABLE_CNT, NULL, NULL},
};

bool rsp_diff_is_of_functions(enum rsp_diff_table table)
{
	return table == RSP_DIFF_ONCPU_SELF || table == RSP_DIFF_ONCPU_TOTAL ||
	       table == RSP_DIFF_OFFCPU_SELF || table == RSP_DIFF_OFFCPU_TOTAL;
}

void rsp_diff_put_title(const struct rsp_diff *d, const struct rsp_diff_table_words *words,
			FILE *out)
{
	fputs(words->title, out);
	if (rsp_diff_is_of_functions(words->table) && d->recordings[0].has_descendants)
		fputs(", of the command and its descendants", out);
	if (words->table != RSP_DIFF_REQUEST)
		fprintf(out, ", for %s", rsp_diff_basis_text(d->basis));
}

size_t rsp_diff_row_limit(enum rsp_diff_table table)
{
	return table == RSP_DIFF_REQUEST || table == RSP_DIFF_CATEGORY ? SIZE_MAX : ROWS_MAX;
}

void rsp_diff_cells(const struct rsp_diff_row *row, struct rsp_diff_cells *ret)
{
	double growth = rsp_diff_growth(row);
	char text[RSP_FORMAT_MAX];

	for (size_t s = 0; s < 2; s++)
		if (row->mean[s] > 0)
			rsp_diff_figure_text(row, row->mean[s], false, ret->text[s],
					     sizeof(ret->text[s]));
		else
			snprintf(ret->text[s], sizeof(ret->text[s]), "–");
	rsp_diff_figure_text(row, growth, true, ret->text[2], sizeof(ret->text[2]));
	if (row->is_tested)
		snprintf(ret->text[3], sizeof(ret->text[3]), "± %s",
			 rsp_diff_figure_text(row, row->margin, false, text, sizeof(text)));
	else
		snprintf(ret->text[3], sizeof(ret->text[3]), "unknown");
	if (row->mean[0] <= 0)
		snprintf(ret->text[4], sizeof(ret->text[4]), "new");
	else if (row->mean[1] <= 0)
		snprintf(ret->text[4], sizeof(ret->text[4]), "gone");
	else
		snprintf(ret->text[4], sizeof(ret->text[4]), "%+.1f %%",
			 100 * growth / row->mean[0]);
}

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
 * A function with about the same times is mostly the only caller or the only callee of this
 * function. The table keeps the function with the better rank.
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
 * Chains of one hop are left out, because they are also causes. A sum is left out if it equals the
 * elapsed time, as it does for a single thread.
 */
static bool is_wanted(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	const struct rsp_diff_row *clock = rsp_diff_clock(d);

	if (row->table == RSP_DIFF_CHAIN)
		return strstr(row->name, " → ");
	return row->table != RSP_DIFF_SUM || row == clock || !clock ||
	       clock->mean[0] != row->mean[0] || clock->mean[1] != row->mean[1];
}

int rsp_diff_shown_rows(const struct rsp_diff *d, enum rsp_diff_table table,
			const struct rsp_diff_row ***ret, size_t *ret_cnt)
{
	struct shown shown = {.v = calloc(d->rows.cnt + 1, sizeof(*shown.v))};

	if (!shown.v)
		return -ENOMEM;
	for (size_t i = 0; i < d->rows.cnt; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		if (row->table == table && is_wanted(d, row) && !is_shown_already(&shown, row))
			shown.v[shown.cnt++] = row;
	}
	*ret = shown.v;
	*ret_cnt = shown.cnt;
	return 0;
}

void rsp_diff_put_side(const struct rsp_diff *d, int side, FILE *out)
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
	fprintf(out, "%s: %s, ", side ? "After" : "Before",
		rsp_pen_task(one->comm, one->pid, one->pid, name, sizeof(name)));
	rsp_format_ns(sum_ns / cnt, ns, sizeof(ns));
	if (cnt == 1)
		fprintf(out, "%s in %s", ns, file);
	else
		fprintf(out, "%zu recordings, %s each; the first is %s", cnt, ns, file);
	if (lost_cnt)
		fprintf(out, "; %llu records were lost", lost_cnt);
}
