/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/capture/pace.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/capture/pace.h"

#define MS_NS	 1000000ULL
#define DRAIN_NS (100 * MS_NS)

struct watched {
	struct rsp_pace pace;
	__u64 now_ns;
};

/*
 * Simulates one drain of the rings. Since the previous drain, the CPU had run_cnt runs of equal
 * length. Returns whether the CPU counts as calm.
 */
static bool is_calm_after(struct watched *w, unsigned int run_cnt, __u64 run_ns)
{
	for (unsigned int i = 0; i < run_cnt; i++) {
		__u64 from_ns = w->now_ns + i * DRAIN_NS / run_cnt;

		rsp_pace_switch(&w->pace, from_ns, true);
		rsp_pace_switch(&w->pace, from_ns + run_ns, false);
	}
	w->now_ns += DRAIN_NS;
	return rsp_pace_is_calm(&w->pace, w->now_ns);
}

static struct watched begin(void)
{
	struct watched w = {.now_ns = 5000 * MS_NS};

	rsp_pace_restart(&w.pace, w.now_ns);
	return w;
}

static void assert_calm_after_a_second(struct watched *w, unsigned int run_cnt, __u64 run_ns)
{
	for (int i = 0; i < 9; i++)
		assert_false(is_calm_after(w, run_cnt, run_ns));
	assert_true(is_calm_after(w, run_cnt, run_ns));
	assert_true(is_calm_after(w, run_cnt, run_ns));
}

static void becomes_calm_after_a_second_of_long_runs(void **state)
{
	struct watched w = begin();

	(void)state;
	assert_calm_after_a_second(&w, 10, 5 * MS_NS);
}

static void becomes_calm_if_nothing_runs(void **state)
{
	struct watched w = begin();

	(void)state;
	assert_calm_after_a_second(&w, 0, 0);
}

static void becomes_calm_if_next_to_nothing_runs(void **state)
{
	struct watched w = begin();

	(void)state;
	assert_calm_after_a_second(&w, 10, MS_NS / 25);
}

static void short_runs_end_it_at_once(void **state)
{
	struct watched w = begin();

	(void)state;
	assert_calm_after_a_second(&w, 20, 4 * MS_NS);
	assert_false(is_calm_after(&w, 20, 3 * MS_NS));
	assert_calm_after_a_second(&w, 20, 4 * MS_NS);
}

/* A video player: the CPU is mostly idle, but must not count as calm. */
static void few_short_runs_on_an_idle_cpu_keep_it_busy(void **state)
{
	struct watched w = begin();

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_false(is_calm_after(&w, 5, MS_NS));
}

static void starts_anew(void **state)
{
	struct watched w = begin();

	(void)state;
	assert_calm_after_a_second(&w, 0, 0);
	rsp_pace_restart(&w.pace, w.now_ns);
	assert_false(is_calm_after(&w, 0, 0));
}

static void nothing_is_known_at_first(void **state)
{
	struct watched w = {.now_ns = 5000 * MS_NS};

	(void)state;
	assert_false(is_calm_after(&w, 0, 0));
	assert_calm_after_a_second(&w, 0, 0);
}

static void a_clock_that_goes_back_is_no_run(void **state)
{
	struct rsp_pace pace = {0};

	(void)state;
	rsp_pace_switch(&pace, 10 * MS_NS, true);
	rsp_pace_switch(&pace, 9 * MS_NS, false);
	assert_int_equal(pace.run_ns, 0);
	assert_int_equal(pace.run_cnt, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(becomes_calm_after_a_second_of_long_runs),
		cmocka_unit_test(becomes_calm_if_nothing_runs),
		cmocka_unit_test(becomes_calm_if_next_to_nothing_runs),
		cmocka_unit_test(short_runs_end_it_at_once),
		cmocka_unit_test(few_short_runs_on_an_idle_cpu_keep_it_busy),
		cmocka_unit_test(starts_anew),
		cmocka_unit_test(nothing_is_known_at_first),
		cmocka_unit_test(a_clock_that_goes_back_is_no_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
