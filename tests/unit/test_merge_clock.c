/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the comparison of two clocks, whose offset and drift are known. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/merge/clock.h"

#define CNT 400

/*
 * Clocks of two hosts: here_ns = there_ns + offset_ns + drift * (there_ns - begin_ns). Delays are
 * in ns.
 */
struct world {
	const char *name;
	__u64 begin_ns, span_ns;
	__s64 offset_ns;
	double drift;
	__u32 out_ns, back_ns;	       /* minimum delays */
	__u32 out_jitter, back_jitter; /* maximum of the rest */
};

static const struct world worlds[] = {
	{"equal clocks", 1000000000, 10000000000, 0, 0, 20000, 20000, 100000, 100000},
	{"3 s, 200 ppm", 1000000000, 10000000000, 3000000000, 200e-6, 20000, 20000, 1000000,
	 1000000},
	{"-200 ppm", 500000000000, 60000000000, -3000000000, -200e-6, 50000, 50000, 500000, 500000},
	{"asymmetric load", 7000000000, 10000000000, 3000000000, 200e-6, 20000, 400000, 50000,
	 9000000},
	{"a year of uptime", 31536000000000000, 30000000000, -31535000000000000, 13e-6, 30000,
	 60000, 300000, 300000},
	{"short", 1000000000, 5000000, 3000000000, 200e-6, 20000, 20000, 30000, 30000},
};

static __u32 seed;

static __u32 random_below(__u32 limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (__u32)((__u64)seed * limit >> 32);
}

static __u32 delay(__u32 least, __u32 jitter)
{
	__u64 r = random_below(1000);

	return least + (__u32)(jitter * r * r * r / 1000000000u);
}

static __u64 here(const struct world *w, __u64 there_ns)
{
	double x = (double)(__s64)(there_ns - w->begin_ns);

	return there_ns + (__u64)w->offset_ns + (__u64)(__s64)(w->drift * x);
}

static void exchange(const struct world *w, struct rsp_crossing *v, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		__u64 at_ns = w->begin_ns + w->span_ns / cnt * i + random_below(1000);

		v[i].arrives_here = i % 2;
		v[i].there_ns = at_ns;
		if (v[i].arrives_here)
			v[i].here_ns = here(w, at_ns) + delay(w->back_ns, w->back_jitter);
		else
			v[i].here_ns = here(w, at_ns) - delay(w->out_ns, w->out_jitter);
	}
}

static __u64 distance(__u64 a, __u64 b)
{
	return a > b ? a - b : b - a;
}

static void check_world(const struct world *w, __u32 run)
{
	struct rsp_crossing v[CNT];
	struct rsp_clock_map map;

	seed = run;
	exchange(w, v, CNT);
	assert_int_equal(rsp_clock_fit(v, CNT, w->begin_ns, w->begin_ns + w->span_ns, &map), 0);
	assert_int_equal(map.here_cnt, CNT / 2);
	assert_int_equal(map.there_cnt, CNT / 2);
	for (int i = 0; i <= 10; i++) {
		__u64 ts_ns = w->begin_ns + w->span_ns / 10 * (__u64)i;

		/* rounding */
		assert_true(distance(rsp_clock_map(&map, ts_ns), here(w, ts_ns)) <=
			    map.uncertainty_ns + 2);
		assert_true(distance(rsp_clock_unmap(&map, rsp_clock_map(&map, ts_ns)), ts_ns) <=
			    1);
	}
	for (size_t i = 0; i < CNT; i++) {
		__u64 there_ns = rsp_clock_map(&map, v[i].there_ns);

		assert_true(v[i].arrives_here ? there_ns <= v[i].here_ns
					      : there_ns >= v[i].here_ns);
	}
	/*
	 * Some messages have nearly the minimum delay, so the uncertainty is at most a little more
	 * than the sum of both minimum delays.
	 */
	assert_true(map.uncertainty_ns <=
		    (w->out_ns + w->back_ns + w->out_jitter / 4 + w->back_jitter / 4));
}

static void test_truth_is_covered(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(worlds) / sizeof(worlds[0]); i++)
		for (__u32 run = 1; run <= 50; run++)
			check_world(&worlds[i], run);
}

/*
 * All delays are constant: the uncertainty is half of their sum, and the estimate is wrong by half
 * of their difference.
 */
static void test_half_of_the_gap(void **state)
{
	static const struct world w = {"constant", 1000000000, 1000000000, 3000000000,
				       0,	   10000,      30000};
	struct rsp_crossing v[CNT];
	struct rsp_clock_map map;

	(void)state;
	exchange(&w, v, CNT);
	assert_int_equal(rsp_clock_fit(v, CNT, w.begin_ns, w.begin_ns + w.span_ns, &map), 0);
	assert_in_range(map.uncertainty_ns, 20000, 20400); /* the ends are a little beyond */
	assert_in_range(map.offset_ns, 3000009500, 3000010500);
}

/* Far from the messages, only the largest possible drift of clocks bounds the error. */
static void test_drift_leaves_more_far_away(void **state)
{
	static const struct world w = {"brief", 1000000000, 1000, 3000000000, 200e-6, 10000, 10000};
	struct rsp_crossing v[2];
	struct rsp_clock_map near, far;

	(void)state;
	exchange(&w, v, 2);
	assert_int_equal(rsp_clock_fit(v, 2, w.begin_ns, w.begin_ns + w.span_ns, &near), 0);
	assert_int_equal(rsp_clock_fit(v, 2, w.begin_ns, w.begin_ns + 1000000000, &far), 0);
	assert_in_range(near.uncertainty_ns, 9000, 11000);
	assert_in_range(far.uncertainty_ns, 1000000, 1020000);
	assert_true(distance(rsp_clock_map(&far, w.begin_ns + 1000000000),
			     here(&w, w.begin_ns + 1000000000)) <= far.uncertainty_ns + 2);
}

static void test_one_direction(void **state)
{
	static const struct rsp_crossing v[] = {{100, 50, true}, {200, 150, true}};
	struct rsp_clock_map map;

	(void)state;
	assert_int_equal(rsp_clock_fit(v, 0, 0, 1000, &map), -ENODATA);
	assert_int_equal(rsp_clock_fit(v, 2, 0, 1000, &map), -ENOTCONN);
	assert_int_equal(map.here_cnt, 2);
	assert_int_equal(map.there_cnt, 0);
}

/*
 * No line satisfies all bounds: an answer arrives before its request was sent, or a clock was set.
 */
static void test_contradiction(void **state)
{
	static const struct rsp_crossing early[] = {{1000, 2000, false}, {900, 2000, true}};
	static const struct rsp_crossing jump[] = {
		{1000000, 1000010, false}, {1000020, 1000010, true},  {2000000, 2000010, false},
		{2000020, 2000010, true},  {3000000, 3900010, false}, {3000020, 3900010, true},
	};
	struct rsp_clock_map map;

	(void)state;
	assert_int_equal(rsp_clock_fit(early, 2, 0, 1000, &map), -ERANGE);
	assert_int_equal(rsp_clock_fit(jump, 4, 0, 4000000, &map), 0);
	assert_int_equal(rsp_clock_fit(jump, 6, 0, 4000000, &map), -ERANGE);
}

/* The span is shorter than the precision of a double at these times. */
static void test_absurd_times(void **state)
{
	const struct rsp_crossing v[] = {{1000, 2000, true}, {900, 2000, false}};
	const struct rsp_crossing far[] = {{1000, UINT64_MAX / 2, true}, {900, 2000, false}};
	struct rsp_clock_map map;

	(void)state;
	assert_int_equal(rsp_clock_fit(v, 2, 1ULL << 59, (1ULL << 59) + 1, &map), 0);
	assert_true(map.drift >= -1e-3 && map.drift <= 1e-3);
	assert_int_equal(rsp_clock_fit(far, 2, 0, 1, &map), -ERANGE);
}

static void test_before_the_boot(void **state)
{
	static const struct rsp_clock_map map = {.base_ns = 5000, .offset_ns = -4000};

	(void)state;
	assert_int_equal(rsp_clock_map(&map, 5000), 1000);
	assert_int_equal(rsp_clock_map(&map, 4000), 1);
	assert_int_equal(rsp_clock_map(&map, 3000), 1);
	assert_int_equal(rsp_clock_map(&map, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth_is_covered),
		cmocka_unit_test(test_half_of_the_gap),
		cmocka_unit_test(test_drift_leaves_more_far_away),
		cmocka_unit_test(test_one_direction),
		cmocka_unit_test(test_contradiction),
		cmocka_unit_test(test_absurd_times),
		cmocka_unit_test(test_before_the_boot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
