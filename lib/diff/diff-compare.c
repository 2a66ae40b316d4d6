/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the figures of all units by the basis (a run of the command, a second or a request),
 * tests which of them changed, and sorts the rows.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/diff/diff-parts.h"

/*
 * The value of rsp_permute_input.fudge for times, as a share of the busy time. The share is larger
 * for blocks, because the blocks of one recording vary less than recordings do.
 */
#define FUDGE_SHARE	   0.001
#define FUDGE_BLOCKS_SHARE 0.01
/*
 * The value of rsp_permute_input.fudge for latencies and rates, as a share of their mean. If units
 * are blocks, FUDGE_BLOCKS_SHARE is used instead.
 */
#define FUDGE_OWN_SHARE	   0.0025
/*
 * Minimum time of a row in at least one unit, as a share of the busy time. Rows with shorter times
 * are dropped and not tested, except for sums. Latencies and rates are dropped if a unit has none.
 */
#define ROW_MIN_SHARE	   0.005

/* If the recorder paused for more than 1/20 of a recording, the sides are not compared. */
#define PAUSED_MIN_DIVISOR 20

/* Minimum number of requests in each recording for which the default basis is a request. */
#define REQUESTS_MIN 100

static enum rsp_diff_basis choose_basis(const struct rsp_diff *d)
{
	bool all_run = !d->has_parts, all_answer = true;

	if (d->opt.basis != RSP_DIFF_PER_ANY)
		return d->opt.basis;
	for (size_t i = 0; i < d->added_cnt; i++) {
		all_run = all_run && d->recordings[i].is_run;
		all_answer = all_answer && d->recordings[i].request_cnt >= REQUESTS_MIN;
	}
	return all_run ? RSP_DIFF_PER_RUN : all_answer ? RSP_DIFF_PER_REQUEST : RSP_DIFF_PER_SECOND;
}

/*
 * Blocks have equal lengths, so a recording's figure is the mean of its blocks times the number of
 * blocks.
 */
static double scale_of(const struct rsp_diff *d, const struct rsp_diff_unit *unit)
{
	const struct rsp_diff_recording *recording = &d->recordings[unit->recording];

	switch (d->basis) {
	case RSP_DIFF_PER_RUN:
		return (double)d->block_cnt;
	case RSP_DIFF_PER_REQUEST:
		return recording->request_cnt
			       ? (double)d->block_cnt / (double)recording->request_cnt
			       : 0;
	default:
		return unit->span_ns ? 1e9 / (double)unit->span_ns : 0;
	}
}

static void scale(struct rsp_diff *d)
{
	for (size_t u = 0; u < d->unit_cnt; u++)
		d->units[u].scale = scale_of(d, &d->units[u]);
	for (size_t i = 0; i < d->rows.cnt; i++) {
		struct rsp_diff_row *row = &d->rows.v[i];

		for (size_t u = 0; u < d->unit_cnt; u++) {
			if (row->is_rate)
				row->values[u] *= 1e9 / (double)d->units[u].span_ns;
			else if (!row->is_latency)
				row->values[u] *= d->units[u].scale;
		}
	}
}

static double mean_of(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	double sum = 0;

	for (size_t u = 0; u < d->unit_cnt; u++)
		sum += row->values[u];
	return sum / (double)d->unit_cnt;
}

static double busy_time(const struct rsp_diff *d)
{
	double sum = 0;

	for (size_t i = 0; i < d->rows.cnt; i++)
		if (d->rows.v[i].table == RSP_DIFF_CATEGORY &&
		    !rsp_diff_is_idle_or_unknown(d->rows.v[i].category))
			sum += mean_of(d, &d->rows.v[i]);
	return sum;
}

static bool is_wanted(const struct rsp_diff *d, const struct rsp_diff_row *row, double busy)
{
	if (row->is_rate || row->is_latency)
		return row->value_cnt == d->unit_cnt;
	if (row->table == RSP_DIFF_SUM)
		return true;
	for (size_t u = 0; u < d->unit_cnt; u++)
		if (row->values[u] >= ROW_MIN_SHARE * busy && row->values[u] > 0)
			return true;
	return false;
}

static void drop_small_rows(struct rsp_diff *d, double busy)
{
	size_t cnt = 0;

	for (size_t i = 0; i < d->rows.cnt; i++) {
		if (is_wanted(d, &d->rows.v[i], busy))
			d->rows.v[cnt++] = d->rows.v[i];
		else
			rsp_diff_row_done(&d->rows.v[i]);
	}
	d->rows.cnt = cnt;
}

/* The value of a recording is the sum of its blocks. */
static bool is_separate(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
	size_t unit = 0;

	for (size_t i = 0; i < d->added_cnt; i++) {
		int side = d->recordings[i].side;
		double sum = 0;

		for (size_t b = 0; b < d->block_cnt; b++)
			sum += row->values[unit++];
		least[side] = sum < least[side] ? sum : least[side];
		most[side] = sum > most[side] ? sum : most[side];
	}
	return most[0] < least[1] || most[1] < least[0];
}

/*
 * If units are blocks, sums are not tested, except for the waits for CPUs: all blocks have the same
 * length, so they do not show how the durations of recordings vary.
 */
static bool can_test(const struct rsp_diff *d, const struct rsp_diff_row *row)
{
	return d->block_cnt == 1 || row->table != RSP_DIFF_SUM ||
	       !strcmp(row->name, RSP_DIFF_QUEUE);
}

/*
 * Recordings with many events cost more, so they have longer pauses, and these may hide more work
 * on one side than on the other.
 */
const struct rsp_diff_recording *rsp_diff_most_paused(const struct rsp_diff *d)
{
	const struct rsp_diff_recording *most = NULL;

	for (size_t i = 0; i < d->added_cnt; i++) {
		const struct rsp_diff_recording *recording = &d->recordings[i];

		if (recording->paused_ns * PAUSED_MIN_DIVISOR > recording->span_ns &&
		    (!most || recording->paused_ns > most->paused_ns))
			most = recording;
	}
	return most;
}

static void store_result(struct rsp_diff *d, const struct rsp_permute_result *result)
{
	bool is_comparable = !rsp_diff_most_paused(d);

	for (size_t i = 0; i < d->rows.cnt; i++) {
		struct rsp_diff_row *row = &d->rows.v[i];

		memcpy(row->mean, result->rows[i].mean, sizeof(row->mean));
		if (!can_test(d, row))
			continue;
		row->is_tested = true;
		row->margin = result->rows[i].margin;
		row->p = result->rows[i].p;
		row->is_separate = is_separate(d, row);
		row->is_significant = is_comparable && result->rows[i].is_significant &&
				      (d->block_cnt == 1 || row->is_separate);
	}
	d->ways = result->ways;
	d->all_ways = result->all;
}

static int test(struct rsp_diff *d, double busy)
{
	_cleanup_free_ double *values = calloc(d->rows.cnt * d->unit_cnt + 1, sizeof(*values));
	_cleanup_free_ double *noise = calloc(d->rows.cnt * d->unit_cnt + 1, sizeof(*noise));
	_cleanup_free_ double *fudge = calloc(d->rows.cnt + 1, sizeof(*fudge));
	struct rsp_permute_result result;
	double share = FUDGE_SHARE, own_share = FUDGE_OWN_SHARE;
	__u8 side[RSP_PERMUTE_UNITS_MAX];
	int r;

	if (!values || !noise || !fudge)
		return -ENOMEM;
	if (d->block_cnt > 1)
		share = own_share = FUDGE_BLOCKS_SHARE;
	for (size_t u = 0; u < d->unit_cnt; u++)
		side[u] = (__u8)d->recordings[d->units[u].recording].side;
	for (size_t i = 0; i < d->rows.cnt; i++) {
		const struct rsp_diff_row *row = &d->rows.v[i];

		memcpy(values + i * d->unit_cnt, row->values, d->unit_cnt * sizeof(*values));
		for (size_t u = 0; u < d->unit_cnt; u++)
			noise[i * d->unit_cnt + u] = rsp_diff_pool_noise(d, row, u);
		fudge[i] = !can_test(d, row)		     ? INFINITY
			   : row->is_rate || row->is_latency ? own_share * mean_of(d, row)
							     : share * busy;
	}
	r = rsp_permute(
		&(struct rsp_permute_input){values, d->rows.cnt, d->unit_cnt, side, fudge, noise},
		&result);
	if (r < 0)
		return r;
	store_result(d, &result);
	free(result.rows);
	return 0;
}

/*
 * Within a table, sorts sums and requests by name, and other rows by significance and then by
 * change.
 */
static int compare_rows(const void *pa, const void *pb)
{
	const struct rsp_diff_row *a = pa, *b = pb;
	double x = fabs(rsp_diff_growth(a)), y = fabs(rsp_diff_growth(b));

	if (a->table != b->table)
		return a->table < b->table ? -1 : 1;
	if (a->table == RSP_DIFF_REQUEST || a->table == RSP_DIFF_SUM)
		return strcmp(a->name, b->name);
	if (a->is_significant != b->is_significant)
		return a->is_significant ? -1 : 1;
	return x != y ? (x < y ? 1 : -1) : strcmp(a->name, b->name);
}

int rsp_diff_compare(struct rsp_diff *d)
{
	double busy;
	int r;

	d->basis = choose_basis(d);
	rsp_diff_pools_share(d);
	scale(d);
	busy = busy_time(d);
	drop_small_rows(d, busy);
	r = test(d, busy);
	if (r == 0 && d->rows.cnt)
		qsort(d->rows.v, d->rows.cnt, sizeof(*d->rows.v), compare_rows);
	return r;
}
