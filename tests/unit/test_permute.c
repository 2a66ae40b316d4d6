/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the permutation test. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/diff/permute.h"

#define UNITS 10
#define ROWS  12

static const __u8 five_and_five[UNITS] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
static const double no_fudge[ROWS];

static struct rsp_permute_result run(const double *values, size_t rows, const double *fudge)
{
	struct rsp_permute_result result;

	assert_int_equal(
		rsp_permute(&(struct rsp_permute_input){values, rows, UNITS, five_and_five, fudge},
			    &result),
		0);
	return result;
}

static void ways_are_binomial_coefficients(void **state)
{
	assert_int_equal(rsp_permute_ways(1, 1), 2);
	assert_int_equal(rsp_permute_ways(3, 3), 20);
	assert_int_equal(rsp_permute_ways(4, 4), 70);
	assert_int_equal(rsp_permute_ways(5, 5), 252);
	assert_int_equal(rsp_permute_ways(1, 9), 10);
	assert_true(rsp_permute_ways(32, 32) > 1000000);
}

/*
 * There are 252 ways to divide the units into two sides. Only this division and its mirror image
 * have such a large difference.
 */
static void separate_sides_have_the_least_p(void **state)
{
	const double values[UNITS] = {1, 11, 2, 12, 3, 13, 4, 14, 5, 15};
	struct rsp_permute_result r = run(values, 1, no_fudge);

	assert_true(r.all);
	assert_int_equal(r.ways, 252);
	assert_float_equal(r.rows[0].mean[0], 3, 1e-9);
	assert_float_equal(r.rows[0].mean[1], 13, 1e-9);
	assert_float_equal(r.rows[0].p, 2.0 / 252, 1e-9);
	assert_true(r.rows[0].margin < 10);
	assert_true(r.rows[0].is_significant);
	free(r.rows);
}

static void equal_values_do_not_differ(void **state)
{
	double values[UNITS];
	struct rsp_permute_result r;

	for (size_t u = 0; u < UNITS; u++)
		values[u] = 7;
	r = run(values, 1, no_fudge);
	assert_float_equal(r.rows[0].p, 1, 1e-9);
	assert_false(r.rows[0].is_significant);
	free(r.rows);
}

static void small_differences_are_not_significant(void **state)
{
	const double values[UNITS] = {100,    100.1, 100.01, 100.11, 100.02,
				      100.12, 99.99, 100.09, 100,    100.1};
	const double fudge[1] = {1};
	struct rsp_permute_result sharp = run(values, 1, no_fudge), r = run(values, 1, fudge);

	assert_true(sharp.rows[0].is_significant);
	assert_false(r.rows[0].is_significant);
	assert_true(r.rows[0].margin > 2);
	free(sharp.rows);
	free(r.rows);
}

static void noise_bounds_the_error(void **state)
{
	const double values[UNITS] = {0, 2, 0, 3, 0, 2, 0, 3, 0, 2};
	double noise[UNITS];
	struct rsp_permute_input in = {values, 1, UNITS, five_and_five, no_fudge, noise};
	struct rsp_permute_result r = run(values, 1, no_fudge);

	assert_true(r.rows[0].is_significant);
	free(r.rows);
	for (size_t u = 0; u < UNITS; u++)
		noise[u] = five_and_five[u] ? 4 : 6;
	assert_int_equal(rsp_permute(&in, &r), 0);
	assert_false(r.rows[0].is_significant);
	/* 2.82 = sqrt(6 / 5 + 4 / 5) * 2, where 2 is the smallest significant statistic */
	assert_true(r.rows[0].margin > 2.82);
	free(r.rows);
}

static double draw(__u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(*state >> 11) / (double)(1ULL << 53);
}

/* All rows of a unit share a summand, so they depend on each other. */
static void fill(double *values, __u64 *state, double shift)
{
	for (size_t u = 0; u < UNITS; u++) {
		double shared = draw(state) + draw(state);

		for (size_t row = 0; row < ROWS; row++)
			values[row * UNITS + u] = 10 + shared + draw(state) + draw(state) +
						  (row == 3 && five_and_five[u] ? shift : 0);
	}
}

static size_t count_alarms(const struct rsp_permute_result *r)
{
	size_t cnt = 0;

	for (size_t row = 0; row < ROWS; row++)
		cnt += r->rows[row].is_significant;
	return cnt;
}

/*
 * Of 1000 experiments without a difference, 50 should raise a false alarm, plus or minus 3 standard
 * deviations.
 */
static void alarms_are_rare(void **state)
{
	static double values[ROWS * UNITS];
	__u64 random = 1;
	size_t alarms = 0;

	for (int i = 0; i < 1000; i++) {
		struct rsp_permute_result r;

		fill(values, &random, 0);
		r = run(values, ROWS, no_fudge);
		alarms += count_alarms(&r) > 0;
		free(r.rows);
	}
	assert_in_range(alarms, 20, 71);
}

static void the_shifted_row_is_found(void **state)
{
	static double values[ROWS * UNITS];
	__u64 random = 2;
	size_t found = 0, others = 0;

	for (int i = 0; i < 100; i++) {
		struct rsp_permute_result r;

		fill(values, &random, 4);
		r = run(values, ROWS, no_fudge);
		found += r.rows[3].is_significant;
		others += count_alarms(&r) > (r.rows[3].is_significant);
		free(r.rows);
	}
	assert_true(found >= 99);
	assert_in_range(others, 0, 12);
}

/*
 * 24 units can be divided into two equal sides in 2.7 million ways. The test draws the same random
 * sample of them each time.
 */
static void many_units_are_divided_at_random(void **state)
{
	struct rsp_permute_result a, b;
	double values[24];
	__u8 side[24];

	for (size_t u = 0; u < 24; u++) {
		side[u] = u >= 12;
		values[u] = (double)(u * 7 % 5) + (u >= 12 ? 3 : 0);
	}
	assert_int_equal(
		rsp_permute(&(struct rsp_permute_input){values, 1, 24, side, no_fudge}, &a), 0);
	assert_int_equal(
		rsp_permute(&(struct rsp_permute_input){values, 1, 24, side, no_fudge}, &b), 0);
	assert_false(a.all);
	assert_true(a.rows[0].p > 0 && a.rows[0].p < 0.01);
	assert_float_equal(a.rows[0].p, b.rows[0].p, 0);
	assert_float_equal(a.rows[0].margin, b.rows[0].margin, 0);
	free(a.rows);
	free(b.rows);
}

static void a_side_needs_two_units(void **state)
{
	const double values[3] = {1, 2, 3};
	const __u8 side[3] = {0, 1, 1};
	struct rsp_permute_result r;

	assert_int_equal(rsp_permute(&(struct rsp_permute_input){values, 1, 3, side, no_fudge}, &r),
			 -EINVAL);
	assert_int_equal(
		rsp_permute(&(struct rsp_permute_input){values, 1, 65, side, no_fudge}, &r),
		-EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_are_binomial_coefficients),
		cmocka_unit_test(separate_sides_have_the_least_p),
		cmocka_unit_test(equal_values_do_not_differ),
		cmocka_unit_test(small_differences_are_not_significant),
		cmocka_unit_test(noise_bounds_the_error),
		cmocka_unit_test(alarms_are_rare),
		cmocka_unit_test(the_shifted_row_is_found),
		cmocka_unit_test(many_units_are_divided_at_random),
		cmocka_unit_test(a_side_needs_two_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
