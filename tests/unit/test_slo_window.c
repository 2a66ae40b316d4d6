/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests quantiles of latencies over a sliding span. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/slo/slo-window.h"

#define MS    1000000ULL
#define S     (1000 * MS)
#define SPAN  (10 * S)
#define LIMIT (100 * MS)

static void count(struct rsp_slo_counts *counts, __u64 latency_ns, unsigned int times)
{
	counts->buckets[rsp_slo_bucket_of(latency_ns)] += times;
	if (latency_ns > LIMIT)
		counts->over_cnt += times;
}

static void add(struct rsp_slo_window *w, __u64 now_ns, unsigned int fast_cnt,
		unsigned int slow_cnt, __u64 slow_ns)
{
	struct rsp_slo_case slowest = {1, 2, now_ns - slow_ns, now_ns};
	struct rsp_slo_counts more = {0};

	count(&more, 1 * MS, fast_cnt);
	count(&more, slow_ns, slow_cnt);
	rsp_slo_window_add(w, now_ns, &more);
	if (slow_cnt)
		rsp_slo_window_see(w, &slowest);
}

static struct rsp_slo_verdict judge(const struct rsp_slo_window *w, __u64 now_ns, __u32 ppm)
{
	struct rsp_slo_verdict verdict;

	rsp_slo_window_judge(w, now_ns, ppm, LIMIT, &verdict);
	return verdict;
}

/* --- buckets ---------------------------------------------------------------------------------- */

static void buckets_hold_what_their_limits_say(void **state)
{
	for (__u64 ns = 1; ns < 1ULL << 62; ns += ns / 7 + 1) {
		__u32 bucket = rsp_slo_bucket_of(ns);

		assert_true(ns <= rsp_slo_bucket_limit_ns(bucket));
		assert_true(!bucket || ns > rsp_slo_bucket_limit_ns(bucket - 1));
	}
	assert_int_equal(rsp_slo_bucket_of(0), 0);
	assert_int_equal(rsp_slo_bucket_of(UINT64_MAX), RSP_SLO_BUCKET_CNT - 1);
}

static void limits_are_four_to_an_octave(void **state)
{
	static const __u64 limits_ns[] = {1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000};

	for (size_t i = 0; i < sizeof(limits_ns) / sizeof(*limits_ns); i++) {
		assert_int_equal(rsp_slo_bucket_limit_ns(i), limits_ns[i]);
		assert_int_equal(rsp_slo_bucket_of(limits_ns[i]), i);
		assert_int_equal(rsp_slo_bucket_of(limits_ns[i] + 1), i + 1);
	}
	assert_true(rsp_slo_bucket_limit_ns(RSP_SLO_BUCKET_CNT - 1) == UINT64_MAX);
}

/* --- quantiles -------------------------------------------------------------------------------- */

static void breached_by_nearest_rank(void **state)
{
	static const struct {
		unsigned int fast_cnt, slow_cnt;
		__u32 ppm;
		bool breached;
	} cases[] = {
		{0, 0, 990000, false},	{1, 0, 990000, false},	    {0, 1, 990000, true},
		{99, 1, 990000, false}, {98, 1, 990000, true},	    {98, 2, 990000, true},
		{1, 1, 500000, false},	{1, 2, 500000, true},	    {2, 1, 500000, false},
		{9, 1, 900000, false},	{8, 1, 900000, true},	    {999, 1, 999000, false},
		{998, 1, 999000, true}, {9998, 1, 999900, true},    {9999, 1, 999900, false},
		{0, 5, 500000, true},	{100000, 0, 500000, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rsp_slo_window w;
		struct rsp_slo_verdict verdict;

		rsp_slo_window_init(&w, SPAN);
		add(&w, 100 * S, cases[i].fast_cnt, cases[i].slow_cnt, 200 * MS);
		verdict = judge(&w, 100 * S, cases[i].ppm);
		assert_int_equal(verdict.breached, cases[i].breached);
		assert_int_equal(verdict.cnt, cases[i].fast_cnt + cases[i].slow_cnt);
		assert_int_equal(verdict.over_cnt, cases[i].slow_cnt);
	}
}

static void slides_in_tenths(void **state)
{
	struct rsp_slo_window w;

	rsp_slo_window_init(&w, SPAN);
	add(&w, 100 * S, 10, 10, 200 * MS);
	assert_true(judge(&w, 109 * S + 999 * MS, 900000).breached);
	assert_int_equal(judge(&w, 110 * S, 900000).cnt, 0);
	add(&w, 105 * S, 180, 0, 0);
	assert_true(judge(&w, 105 * S, 960000).breached);
	assert_false(judge(&w, 105 * S, 940000).breached);
	assert_int_equal(judge(&w, 110 * S, 960000).cnt, 180);
	/* this event uses the same slot of the window as the first events */
	add(&w, 110 * S, 1, 0, 0);
	assert_int_equal(judge(&w, 110 * S, 960000).cnt, 181);
	assert_int_equal(judge(&w, 1000 * S, 960000).cnt, 0);
}

static void explained_by_the_slowest_of_the_span(void **state)
{
	struct rsp_slo_window w;

	rsp_slo_window_init(&w, SPAN);
	add(&w, 100 * S, 0, 1, 900 * MS);
	add(&w, 104 * S, 0, 1, 300 * MS);
	add(&w, 105 * S, 0, 1, 500 * MS);
	add(&w, 105 * S + MS, 0, 1, 400 * MS);
	assert_int_equal(rsp_slo_case_ns(&(struct rsp_slo_case){0}), 0);
	assert_true(judge(&w, 109 * S, 990000).worst.end_ns == 100 * S);
	assert_true(judge(&w, 110 * S, 990000).worst.end_ns == 105 * S);
	assert_true(judge(&w, 120 * S, 990000).worst.end_ns == 0);
}

static void late_news_do_not_go_where_newer_ones_are(void **state)
{
	struct rsp_slo_case late = {1, 2, 99 * S, 100 * S};
	struct rsp_slo_window w;

	rsp_slo_window_init(&w, SPAN);
	add(&w, 110 * S, 0, 1, 200 * MS);
	rsp_slo_window_see(&w, &late);
	assert_true(judge(&w, 110 * S, 990000).worst.end_ns == 110 * S);
}

static void at_least_what_its_bucket_says(void **state)
{
	struct rsp_slo_window w;
	__u64 least_ns;

	rsp_slo_window_init(&w, SPAN);
	add(&w, 100 * S, 1, 9, 800 * MS);
	least_ns = judge(&w, 100 * S, 500000).least_ns;
	assert_true(least_ns < 800 * MS && least_ns > 600 * MS);
	assert_true(judge(&w, 100 * S, 100000).least_ns < 1 * MS);
	/*
	 * A bucket contains latencies below and above the limit. The only latency is above the
	 * limit, and so the quantile must be, too.
	 */
	rsp_slo_window_init(&w, SPAN);
	add(&w, 100 * S, 0, 1, LIMIT + 1);
	assert_true(judge(&w, 100 * S, 500000).least_ns == LIMIT);
}

static void spans_of_nothing_are_spans(void **state)
{
	struct rsp_slo_window w;

	rsp_slo_window_init(&w, 0);
	add(&w, 5, 0, 1, 4);
	assert_int_equal(judge(&w, 5, 990000).cnt, 1);
	assert_int_equal(judge(&w, 15, 990000).cnt, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_hold_what_their_limits_say),
		cmocka_unit_test(limits_are_four_to_an_octave),
		cmocka_unit_test(breached_by_nearest_rank),
		cmocka_unit_test(slides_in_tenths),
		cmocka_unit_test(explained_by_the_slowest_of_the_span),
		cmocka_unit_test(late_news_do_not_go_where_newer_ones_are),
		cmocka_unit_test(at_least_what_its_bucket_says),
		cmocka_unit_test(spans_of_nothing_are_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
