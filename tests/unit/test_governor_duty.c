/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests daemon/governor/governor-duty.h on simulated machines. A slice is the time of recording
 * between two pauses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/governor/governor-duty.h"

#define SECOND_NS 1000000000ULL
#define MS_NS	  1000000ULL

#define BUDGET_PPM 10000

/* A simulated machine. Costs are in ppm (millionths) of the time of all its CPUs. */
struct machine {
	struct rsp_duty duty;
	__u64 now_ns;
	__u32 rate_ppm, rest_ppm, time_ppm;
	__u32 watch_ppm; /* cost of recording only long waits, during a pause */
	bool may_pause, no_budget;
	double spent; /* ppm * ns */
	__u64 recorded_ns, watched_ns;
	unsigned int slice_cnt;
	__u64 slice_ns;
	__u64 shortest_ns;
	__u64 pause_ns, longest_pause_ns;
};

static void step(struct machine *m)
{
	bool was_paused = m->duty.paused;
	__u64 dt_ns = was_paused ? 100 * MS_NS : 25 * MS_NS;
	__u32 watch_ppm = was_paused && m->duty.watches ? m->watch_ppm : 0;
	struct rsp_duty_cost cost = {
		.budget_ppm = m->no_budget ? 0 : BUDGET_PPM,
		.spent_ppm = was_paused ? m->rest_ppm + watch_ppm : m->rate_ppm,
		.watch_ppm = watch_ppm,
		.rate_ppm = m->rate_ppm,
		.time_ppm = m->time_ppm ? m->time_ppm : 1000000,
		.may_pause = m->may_pause,
	};

	m->now_ns += dt_ns;
	cost.now_ns = m->now_ns;
	m->spent += (double)cost.spent_ppm * (double)dt_ns;
	if (was_paused && m->duty.watches)
		m->watched_ns += dt_ns;
	if (!was_paused) {
		m->recorded_ns += dt_ns;
		m->slice_ns += dt_ns;
	}
	rsp_duty_decide(&m->duty, &cost);
	m->pause_ns = m->duty.paused ? m->pause_ns + dt_ns : 0;
	if (m->pause_ns > m->longest_pause_ns)
		m->longest_pause_ns = m->pause_ns;
	if (m->duty.paused == was_paused)
		return;
	if (was_paused) {
		m->slice_ns = 0;
		m->slice_cnt++;
	} else if (m->slice_cnt && m->slice_ns < m->shortest_ns) {
		m->shortest_ns = m->slice_ns;
	}
}

static void run(struct machine *m, unsigned int seconds)
{
	__u64 until_ns = m->now_ns + seconds * SECOND_NS;

	while (m->now_ns < until_ns)
		step(m);
}

static struct machine machine(__u32 rate_ppm)
{
	return (struct machine){.now_ns = 1000 * SECOND_NS,
				.rate_ppm = rate_ppm,
				.may_pause = true,
				.shortest_ns = UINT64_MAX};
}

static double minute(struct machine *m)
{
	double spent = m->spent;
	__u64 from_ns = m->now_ns;

	run(m, 60);
	return (m->spent - spent) / (double)(m->now_ns - from_ns);
}

static void each_minute_keeps_the_budget(void **state)
{
	for (__u32 rate_ppm = 11000; rate_ppm < 700000; rate_ppm = rate_ppm * 5 / 4) {
		struct machine m = machine(rate_ppm);

		for (unsigned int i = 0; i < 10; i++)
			assert_true(minute(&m) <= 1.1 * BUDGET_PPM);
		assert_true(minute(&m) >= 0.8 * BUDGET_PPM);
	}
}

static void what_a_pause_costs_is_counted(void **state)
{
	struct machine m = machine(200000);

	m.rest_ppm = 5000;
	run(&m, 60);
	assert_true(minute(&m) <= 1.05 * BUDGET_PPM);
}

static void slices_are_long_enough_and_not_too_many(void **state)
{
	for (__u32 rate_ppm = 20000; rate_ppm < 600000; rate_ppm *= 2) {
		struct machine m = machine(rate_ppm);

		run(&m, 600);
		assert_true(m.shortest_ns >= 50 * MS_NS);
		assert_true(m.slice_cnt > 20 && m.slice_cnt <= 600);
	}
}

static void what_fits_never_pauses(void **state)
{
	struct machine m = machine(9000);
	__u64 from_ns = m.now_ns;

	run(&m, 3600);
	assert_int_equal(m.recorded_ns, m.now_ns - from_ns);
}

static void where_a_pause_is_not_allowed_there_is_none(void **state)
{
	struct machine m = machine(400000);

	m.may_pause = false;
	run(&m, 10);
	assert_int_equal(m.slice_cnt, 0);
	assert_false(m.duty.paused);
	m.may_pause = true;
	run(&m, 1);
	assert_true(m.duty.paused);
	m.may_pause = false;
	run(&m, 1);
	assert_false(m.duty.paused);
}

/*
 * Recording has cost four times the budget. Half of the budget pays the debt, and slices go on, so
 * that each snapshot of three seconds has one.
 */
static void a_debt_does_not_end_the_slices(void **state)
{
	struct machine m = machine(4 * BUDGET_PPM);

	m.may_pause = false;
	run(&m, 5);
	m.may_pause = true;
	assert_true(minute(&m) < 0.8 * BUDGET_PPM);
	assert_true(m.longest_pause_ns < 3 * SECOND_NS);
	assert_true(minute(&m) > 0.9 * BUDGET_PPM);
}

static void a_debt_is_paid_in_the_end(void **state)
{
	struct machine m = machine(900000);

	m.may_pause = false;
	run(&m, 60);
	m.may_pause = true;
	m.rate_ppm = 20000;
	run(&m, 60);
	assert_true(minute(&m) > 0.9 * BUDGET_PPM);
	assert_true(m.longest_pause_ns < 5 * SECOND_NS);
}

static void nothing_is_paused_for_long(void **state)
{
	struct machine m = machine(200000);
	unsigned int slice_cnt;

	m.rest_ppm = 2 * BUDGET_PPM;
	run(&m, 60);
	slice_cnt = m.slice_cnt;
	run(&m, 600);
	assert_in_range(m.slice_cnt - slice_cnt, 25, 30);
	assert_true(m.shortest_ns >= 50 * MS_NS);
}

static void slices_and_pauses_take_turns(void **state)
{
	struct machine m = machine(0);
	__u64 from_ns = m.now_ns;

	m.time_ppm = 250000;
	m.may_pause = false;
	run(&m, 60);
	assert_in_range(m.recorded_ns * 100 / (m.now_ns - from_ns), 20, 30);
	assert_in_range(m.slice_cnt, 140, 160);
}

static void too_costly_pauses_are_reported(void **state)
{
	struct machine m = machine(200000);

	run(&m, 60);
	assert_false(rsp_duty_is_overdrawn(&m.duty, BUDGET_PPM));
	m.rest_ppm = 15000;
	run(&m, 120);
	assert_true(rsp_duty_is_overdrawn(&m.duty, BUDGET_PPM));
	assert_false(rsp_duty_is_overdrawn(&m.duty, 0));
}

static void long_waits_are_recorded_while_they_are_cheap(void **state)
{
	struct machine m = machine(200000);

	m.watch_ppm = 4000;
	run(&m, 60);
	assert_true(m.duty.watches);
	assert_true(minute(&m) <= 1.05 * BUDGET_PPM);
	assert_true(m.duty.watches);
}

/*
 * Long waits cost twice the budget. The governor spends seven tenths of the budget on them, so they
 * are recorded for a third of the time.
 */
static void long_waits_that_cost_too_much_are_recorded_for_part_of_the_time(void **state)
{
	struct machine m = machine(200000);
	__u64 from_ns;

	m.watch_ppm = 2 * BUDGET_PPM;
	run(&m, 60);
	m.watched_ns = 0;
	from_ns = m.now_ns;
	for (unsigned int i = 0; i < 5; i++)
		assert_true(minute(&m) <= 1.1 * BUDGET_PPM);
	assert_in_range(100 * m.watched_ns / (m.now_ns - from_ns), 30, 40);
}

static void without_a_budget_long_waits_are_recorded(void **state)
{
	struct machine m = machine(200000);

	m.watch_ppm = 2 * BUDGET_PPM;
	m.time_ppm = 250000;
	m.may_pause = false;
	m.no_budget = true;
	run(&m, 10);
	assert_true(m.duty.watches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_minute_keeps_the_budget),
		cmocka_unit_test(what_a_pause_costs_is_counted),
		cmocka_unit_test(slices_are_long_enough_and_not_too_many),
		cmocka_unit_test(what_fits_never_pauses),
		cmocka_unit_test(where_a_pause_is_not_allowed_there_is_none),
		cmocka_unit_test(long_waits_are_recorded_while_they_are_cheap),
		cmocka_unit_test(long_waits_that_cost_too_much_are_recorded_for_part_of_the_time),
		cmocka_unit_test(without_a_budget_long_waits_are_recorded),
		cmocka_unit_test(a_debt_does_not_end_the_slices),
		cmocka_unit_test(a_debt_is_paid_in_the_end),
		cmocka_unit_test(nothing_is_paused_for_long),
		cmocka_unit_test(slices_and_pauses_take_turns),
		cmocka_unit_test(too_costly_pauses_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
