/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes two paragraphs about a comparison: the answer (the difference that matters most, its size
 * and its margin) and the method.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/format.h"
#include "lib/diff/diff-parts.h"
#include "lib/report/report-words.h"

/*
 * Minimum change of the largest cause, as a share of the change of the largest category, for which
 * the answer names the cause. Below it, the answer names the category.
 */
#define CAUSE_SHARE 0.4
#define NAME_COLS   120

const char *rsp_diff_basis_text(enum rsp_diff_basis basis)
{
	return basis == RSP_DIFF_PER_RUN       ? "a run"
	       : basis == RSP_DIFF_PER_REQUEST ? "a request"
					       : "a second";
}

const char *rsp_diff_basis_key(enum rsp_diff_basis basis)
{
	return basis == RSP_DIFF_PER_RUN       ? "run"
	       : basis == RSP_DIFF_PER_REQUEST ? "request"
					       : "second";
}

const char *rsp_diff_table_key(enum rsp_diff_table table)
{
	static const char *const keys[RSP_DIFF_TABLE_CNT] = {
		[RSP_DIFF_SUM] = "sums",
		[RSP_DIFF_CATEGORY] = "categories",
		[RSP_DIFF_CAUSE] = "causes",
		[RSP_DIFF_CHAIN] = "chains",
		[RSP_DIFF_ONCPU_SELF] = "oncpu_self",
		[RSP_DIFF_ONCPU_TOTAL] = "oncpu_total",
		[RSP_DIFF_OFFCPU_SELF] = "offcpu_self",
		[RSP_DIFF_OFFCPU_TOTAL] = "offcpu_total",
		[RSP_DIFF_REQUEST] = "requests",
	};

	return keys[table];
}

char *rsp_diff_figure_text(const struct rsp_diff_row *row, double value, bool sign, char *buf,
			   size_t len)
{
	const char *mark = !sign ? "" : value < 0 ? "-" : "+";
	char number[RSP_FORMAT_MAX];

	if (row->is_rate)
		snprintf(buf, len, "%s%.4g/s", mark, fabs(value));
	else
		snprintf(buf, len, "%s%s", mark,
			 rsp_format_ns((__u64)(fabs(value) + 0.5), number, sizeof(number)));
	return buf;
}

/* --- which difference comes first ------------------------------------------------------------- */

static bool is_growth(const struct rsp_diff_row *row, int direction)
{
	return row->is_significant && rsp_diff_growth(row) * direction > 0;
}

/*
 * direction: 1: growth, -1: decrease. Skips waits for CPUs on which other programs ran, because
 * they depend on the load of the machine and not on the process.
 */
static const struct rsp_diff_row *largest(const struct rsp_diff *d, enum rsp_diff_table table,
					  int direction)
{
	const struct rsp_diff_row *first = NULL;

	for (size_t i = 0; i < d->rows.cnt; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		if (row->table != table || !is_growth(row, direction) || row->is_machine ||
		    rsp_diff_is_idle_or_unknown(row->category))
			continue;
		if (!first || fabs(rsp_diff_growth(row)) > fabs(rsp_diff_growth(first)))
			first = row;
	}
	return first;
}

static const struct rsp_diff_row *first_of(const struct rsp_diff *d, int direction)
{
	const struct rsp_diff_row *category = largest(d, RSP_DIFF_CATEGORY, direction);
	const struct rsp_diff_row *cause = largest(d, RSP_DIFF_CAUSE, direction);

	if (category && (!cause || fabs(rsp_diff_growth(cause)) <
					   CAUSE_SHARE * fabs(rsp_diff_growth(category))))
		return category;
	return cause ? cause : largest(d, RSP_DIFF_CHAIN, direction);
}

/*
 * Rates are numbers per second. Sums and times off the CPU contain the time in which threads are
 * idle between requests.
 */
static bool depends_on_load(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	return d->basis == RSP_DIFF_PER_REQUEST &&
	       (row->is_rate || row->table == RSP_DIFF_SUM || row->table == RSP_DIFF_OFFCPU_SELF ||
		row->table == RSP_DIFF_OFFCPU_TOTAL);
}

/*
 * Returns the significant row with the smallest p-value in all tables. Skips changes that only show
 * the load of the server or of the machine. If the waits for CPUs changed, also skips sums, because
 * sums contain these waits.
 */
static const struct rsp_diff_row *any_other(const struct rsp_diff *d)
{
	const struct rsp_diff_row *first = NULL;

	for (size_t i = 0; i < d->rows.cnt; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		if (!row->is_significant || row->is_machine ||
		    rsp_diff_is_idle_or_unknown(row->category) || depends_on_load(d, row) ||
		    (row->table == RSP_DIFF_SUM && rsp_diff_machine(d)))
			continue;
		if (!first || row->p < first->p)
			first = row;
	}
	return first;
}

const struct rsp_diff_row *rsp_diff_first(const struct rsp_diff *d)
{
	const struct rsp_diff_row *first = first_of(d, 1);

	if (!first)
		first = first_of(d, -1);
	return first ? first : any_other(d);
}

static const struct rsp_diff_row *find_sum(const struct rsp_diff *d, const char *name)
{
	for (size_t i = 0; i < d->rows.cnt; i++)
		if (d->rows.v[i].table == RSP_DIFF_SUM && !strcmp(d->rows.v[i].name, name))
			return &d->rows.v[i];
	return NULL;
}

const struct rsp_diff_row *rsp_diff_clock(const struct rsp_diff *d)
{
	return find_sum(d, RSP_DIFF_ELAPSED);
}

const struct rsp_diff_row *rsp_diff_machine(const struct rsp_diff *d)
{
	const struct rsp_diff_row *row = find_sum(d, RSP_DIFF_QUEUE);

	return row && row->is_significant ? row : NULL;
}

/* --- sentences -------------------------------------------------------------------------------- */

static void put_figure(FILE *f, const struct rsp_diff *d, const struct rsp_diff_row *row,
		       double value, bool sign)
{
	char text[RSP_FORMAT_MAX];

	fputs(rsp_diff_figure_text(row, value, sign, text, sizeof(text)), f);
}

static void put_name(FILE *f, const struct rsp_diff *d)
{
	char comm[RSP_FORMAT_NAME_BYTES(RSP_COMM_MAX)];

	fputs(rsp_format_name(d->recordings[d->added_cnt - 1].comm, RSP_COMM_MAX, comm,
			      sizeof(comm)),
	      f);
}

static double percent(const struct rsp_diff_row *row)
{
	return row->mean[0] > 0 ? 100 * rsp_diff_growth(row) / row->mean[0] : 0;
}

static const char *activity_of(const struct rsp_diff_row *row)
{
	return row->table == RSP_DIFF_CATEGORY ? rsp_category_words(row->category)->activity
					       : row->name;
}

/*
 * If units are blocks, the change of the run's duration is never significant, because all blocks
 * have the same length.
 */
static void put_clock(FILE *f, const struct rsp_diff *d)
{
	const struct rsp_diff_row *clock = rsp_diff_clock(d);
	bool longer = clock && rsp_diff_growth(clock) > 0;

	if (!clock || d->basis != RSP_DIFF_PER_RUN || clock->mean[0] <= 0)
		return;
	fputs(". A run takes ", f);
	put_figure(f, d, clock, clock->mean[1], false);
	fprintf(f, ", %.1f %% %s than before (", fabs(percent(clock)),
		longer ? "longer" : "shorter");
	put_figure(f, d, clock, clock->mean[0], false);
	fputs(clock->is_significant ? ")" : "; this may be chance)", f);
}

static void put_means(FILE *f, const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	fputs("from ", f);
	put_figure(f, d, row, row->mean[0], false);
	fputs(" to ", f);
	put_figure(f, d, row, row->mean[1], false);
	if (row->mean[0] > 0)
		fprintf(f, " (%+.1f %%)", percent(row));
}

static void put_spending(FILE *f, const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	char activity[RSP_FORMAT_NAME_BYTES(NAME_COLS)];

	put_name(f, d);
	fputs(" spends ", f);
	put_figure(f, d, row, rsp_diff_growth(row), false);
	fputs(" ± ", f);
	put_figure(f, d, row, row->margin, false);
	fprintf(f, " %s %s %s: ", rsp_diff_basis_text(d->basis),
		rsp_diff_growth(row) > 0 ? "more" : "less",
		rsp_format_name(activity_of(row), NAME_COLS, activity, sizeof(activity)));
	put_means(f, d, row);
	put_clock(f, d);
	fputc('.', f);
}

static const char *article_of(enum rsp_diff_table table)
{
	switch (table) {
	case RSP_DIFF_REQUEST:
		return "Requests to ";
	case RSP_DIFF_CHAIN:
		return "The time of the chain \"";
	case RSP_DIFF_ONCPU_SELF:
	case RSP_DIFF_ONCPU_TOTAL:
	case RSP_DIFF_OFFCPU_SELF:
	case RSP_DIFF_OFFCPU_TOTAL:
		return "The time in ";
	default:
		return "The ";
	}
}

static void put_difference(FILE *f, const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	char name[RSP_FORMAT_NAME_BYTES(NAME_COLS)];

	if (row->table == RSP_DIFF_CATEGORY || row->table == RSP_DIFF_CAUSE) {
		put_spending(f, d, row);
		return;
	}
	fprintf(f, "%s%s%s %s by ", article_of(row->table),
		rsp_format_name(row->name, NAME_COLS, name, sizeof(name)),
		row->table == RSP_DIFF_CHAIN ? "\"" : "",
		rsp_diff_growth(row) > 0 ? "grew" : "shrank");
	put_figure(f, d, row, rsp_diff_growth(row), false);
	fputs(" ± ", f);
	put_figure(f, d, row, row->margin, false);
	if (!row->is_rate && !row->is_latency)
		fprintf(f, " %s", rsp_diff_basis_text(d->basis));
	fputs(", ", f);
	put_means(f, d, row);
	put_clock(f, d);
	fputc('.', f);
}

static const struct rsp_diff_row *find_category(const struct rsp_diff *d, int category)
{
	for (size_t i = 0; i < d->rows.cnt; i++)
		if (d->rows.v[i].table == RSP_DIFF_CATEGORY && d->rows.v[i].category == category)
			return &d->rows.v[i];
	return NULL;
}

static void put_sensitivity(FILE *f, const struct rsp_diff *d)
{
	const struct rsp_diff_row *own = find_sum(d, RSP_DIFF_OWN);
	const struct rsp_diff_row *running = find_category(d, RSP_CAT_RUNNING_SAMPLED);

	if (own && own->is_tested && d->basis == RSP_DIFF_PER_RUN && own->mean[0] > 0) {
		fputs(" In its time without waits for a CPU, the test would not detect a change of less "
		      "than ",
		      f);
		put_figure(f, d, own, own->margin, false);
		fprintf(f, " %s (%.1f %%).", rsp_diff_basis_text(d->basis),
			100 * own->margin / own->mean[0]);
	}
	if (!running || running->mean[0] <= 0)
		return;
	fputs(" In its time on CPUs, the test would not detect a change of less than ", f);
	put_figure(f, d, running, running->margin, false);
	fprintf(f, " %s (%.1f %%).", rsp_diff_basis_text(d->basis),
		100 * running->margin / running->mean[0]);
}

static void put_machine(FILE *f, const struct rsp_diff *d)
{
	const struct rsp_diff_row *row = rsp_diff_machine(d);
	bool more = row && rsp_diff_growth(row) > 0;

	if (!row)
		return;
	fprintf(f, " The machine was %s busy: ", more ? "more" : "less");
	put_name(f, d);
	fputs(" waits ", f);
	put_figure(f, d, row, rsp_diff_growth(row), false);
	fputs(" ± ", f);
	put_figure(f, d, row, row->margin, false);
	fprintf(f, " %s %s for a CPU, ", rsp_diff_basis_text(d->basis), more ? "more" : "less");
	put_means(f, d, row);
	fputc('.', f);
}

/* The load is no property of the program, but waits in queues and idle times depend on it. */
static void put_load(FILE *f, const struct rsp_diff *d)
{
	char name[RSP_FORMAT_NAME_BYTES(NAME_COLS)];
	const struct rsp_diff_row *load = NULL;

	for (size_t i = 0; i < d->rows.cnt && d->basis == RSP_DIFF_PER_REQUEST; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		if (row->is_rate && row->is_significant &&
		    (!load || fabs(rsp_diff_growth(row)) > fabs(rsp_diff_growth(load))))
			load = row;
	}
	if (!load)
		return;
	fprintf(f, " The load changed: %s, ",
		rsp_format_name(load->name, NAME_COLS, name, sizeof(name)));
	put_means(f, d, load);
	fputc('.', f);
}

static char *finish(FILE *f, char **text)
{
	if (fclose(f) == 0)
		return *text;
	free(*text);
	return NULL;
}

static void put_paused(FILE *f, const struct rsp_diff_recording *paused)
{
	char share[RSP_FORMAT_MAX], name[RSP_FORMAT_NAME_BYTES(NAME_COLS)];

	fprintf(f,
		"The recordings cannot be compared: the recorder paused for %s of %s, %s. Record from now on, without pauses (rspctl snapshot --after), or with a "
		"larger budget (rspd.conf).",
		rsp_format_share(paused->paused_ns, paused->span_ns, share, sizeof(share)),
		rsp_format_name(paused->name, NAME_COLS, name, sizeof(name)),
		paused->requested_ns > paused->paused_ns / 2 ? "by request (rspctl pause)"
							     : "to stay within its budget");
}

char *rsp_diff_answer(const struct rsp_diff *d)
{
	const struct rsp_diff_recording *paused = rsp_diff_most_paused(d);
	const struct rsp_diff_row *first = rsp_diff_first(d);
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (paused) {
		put_paused(f, paused);
	} else if (first) {
		put_difference(f, d, first);
	} else {
		fputs("No difference in what ", f);
		put_name(f, d);
		fputs(" does: its changes may be chance.", f);
		put_sensitivity(f, d);
	}
	put_machine(f, d);
	put_load(f, d);
	return finish(f, &text);
}

char *rsp_diff_method(const struct rsp_diff *d)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	if (d->block_cnt > 1)
		fprintf(f,
			"Each recording is cut into %zu parts of equal length, and ± is from their "
			"variation. So few recordings do not show how much recordings vary: a "
			"difference may exist only between these recordings. Compare four or more "
			"recordings a side. ",
			d->block_cnt);
	else
		fprintf(f, "± is from the variation of the recordings. ");
	fprintf(f,
		"Permutation test (Westfall and Young, maxT) of %zu figures, %s%llu divisions: if "
		"nothing had changed, the probability that any figure is marked * is at most 5 %%.",
		d->rows.cnt, d->all_ways ? "all " : "", d->ways);
	return finish(f, &text);
}
