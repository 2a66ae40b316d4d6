/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests daemon/governor/governor-steps.h on simulated machines. A step is a level of data that the
 * recorder leaves out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "daemon/governor/governor-steps.h"

#define SECOND_NS 1000000000ULL
#define TICK_NS	  (SECOND_NS / 10)

/* A simulated machine: its budget, and the cost of a record at each step. */
struct machine {
	struct rsp_steps steps;
	__u64 now_ns;
	__u32 budget_ppm;
	__u32 daemon_ppm;
	__u32 record_ns[RSP_SHED_CNT];
	unsigned int up_cnt, down_cnt;
	__u64 up_ns, down_ns; /* time of the last move */
};

/*
 * Simulates TICK_NS with per_second records a second. Gives the governor the average cost over the
 * last two seconds.
 */
static void tick(struct machine *m, __u64 per_second)
{
	__u64 unit_ns = m->record_ns[m->steps.step];
	enum rsp_shed before = m->steps.step, after;
	struct rsp_steps_cost cost;

	m->now_ns += TICK_NS;
	cost = (struct rsp_steps_cost){
		.now_ns = m->now_ns,
		.budget_ppm = m->budget_ppm,
		.programs_ppm = (__u32)(per_second * unit_ns / 1000),
		.daemon_ppm = m->daemon_ppm,
		.spent_ppm = (__u32)(per_second * unit_ns / 1000) + m->daemon_ppm,
		.record_ns = unit_ns,
	};
	after = rsp_steps_decide(&m->steps, &cost);
	assert_true(after <= RSP_SHED_HOT_STACKS || after == RSP_SHED_SLICES);
	assert_int_equal(after, m->steps.step);
	if (after > before) {
		m->up_cnt++;
		m->up_ns = m->now_ns;
	} else if (after < before) {
		m->down_cnt++;
		m->down_ns = m->now_ns;
	}
}

static void run(struct machine *m, unsigned int seconds, __u64 per_second)
{
	for (unsigned int i = 0; i < seconds * 10; i++)
		tick(m, per_second);
}

/* Slices do not change the cost of a record. */
#define MACHINE(budget)                                                                            \
	{                                                                                          \
		.now_ns = 1000 * SECOND_NS, .budget_ppm = (budget), .record_ns = {                 \
			[RSP_SHED_NOTHING] = 500,                                                  \
			[RSP_SHED_WAKER_STACKS] = 400,                                             \
			[RSP_SHED_HOT_STACKS] = 350,                                               \
			[RSP_SHED_SLICES] = 350,                                                   \
		}                                                                                  \
	}

/*
 * A budget of 10000 ppm is one percent of a CPU. At 0.5 µs per record, it is enough for 20000
 * records a second.
 */
static void steps_are_taken_until_it_fits(void **state)
{
	static const struct {
		__u64 per_second;
		__u32 daemon_ppm;
		enum rsp_shed want;
		unsigned int up_cnt;
	} rows[] = {
		{0, 0, RSP_SHED_NOTHING, 0},
		{19000, 0, RSP_SHED_NOTHING, 0},
		{19000, 1000, RSP_SHED_WAKER_STACKS, 1},
		{22000, 0, RSP_SHED_WAKER_STACKS, 1},
		{27000, 0, RSP_SHED_HOT_STACKS, 2},
		{30000, 0, RSP_SHED_SLICES, 3},
		{80000, 0, RSP_SHED_SLICES, 1},
		{900000, 0, RSP_SHED_SLICES, 1},
		{0, 20000, RSP_SHED_SLICES, 3},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine m = MACHINE(10000);

		m.daemon_ppm = rows[i].daemon_ppm;
		run(&m, 200, rows[i].per_second);
		assert_int_equal(m.steps.step, rows[i].want);
		run(&m, 60, rows[i].per_second);
		assert_int_equal(m.steps.step, rows[i].want);
		assert_int_equal(m.up_cnt, rows[i].up_cnt);
		assert_int_equal(m.down_cnt, 0);
	}
}

static void what_costs_too_much_in_any_case_is_sliced_at_once(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 0);
	tick(&m, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
	tick(&m, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
}

static void else_one_step_follows_another(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 0);
	run(&m, 3, 58000);
	assert_int_equal(m.steps.step, RSP_SHED_WAKER_STACKS);
	run(&m, 10, 58000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	assert_int_equal(m.up_cnt, 3);
}

static void all_is_recorded_again_when_the_load_ends(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	run(&m, 60, 100);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
	assert_int_equal(m.down_cnt, 3);
	run(&m, 3600, 100);
	assert_int_equal(m.up_cnt, 1);
}

static void some_of_it_when_the_load_ends_by_half(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 80000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	run(&m, 60, 26000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	run(&m, 60, 16000);
	assert_int_equal(m.steps.step, RSP_SHED_WAKER_STACKS);
}

/* At a constant load, the step stays the same, except for attempts at a lower step. */
static void a_constant_load_does_not_make_it_swing(void **state)
{
	for (__u64 per_second = 1000; per_second < 150000; per_second += 500) {
		struct machine m = MACHINE(10000);

		run(&m, 600, per_second);
		m.up_cnt = m.down_cnt = 0;
		run(&m, 3600, per_second);
		assert_true(m.down_cnt <= 4);
		assert_true(m.up_cnt <= 4);
	}
}

/* In one second of five, the cost is three times the budget. The average is within the budget. */
static void a_burst_is_paid_from_what_was_left(void **state)
{
	struct machine m = MACHINE(10000);

	for (unsigned int i = 0; i < 600; i++) {
		run(&m, 1, 60000);
		run(&m, 4, 5000);
	}
	assert_int_equal(m.up_cnt, 0);
	run(&m, 10, 60000);
	assert_true(m.up_cnt > 0);
}

/*
 * The governor goes down step by step. A burst of load must not stop it if the next step fits into
 * the budget even during the burst.
 */
static void what_fits_is_no_reason_to_stay(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	for (unsigned int i = 0; i < 15; i++) {
		run(&m, 1, 18000);
		run(&m, 4, 5000);
	}
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
	assert_int_equal(m.up_cnt, 1);
}

static void noise_does_not_make_it_swing(void **state)
{
	struct machine m = MACHINE(10000);

	srand(1);
	for (unsigned int i = 0; i < 36000; i++)
		tick(&m, 18000 + (__u64)rand() % 6000);
	assert_int_equal(m.steps.step, RSP_SHED_WAKER_STACKS);
	assert_true(m.up_cnt >= 1 && m.up_cnt <= 5);
}

/*
 * Records at the lower step have become cheaper. After some minutes, the governor tries the lower
 * step again.
 */
static void what_is_known_is_forgotten(void **state)
{
	struct machine m = MACHINE(10000);

	run(&m, 60, 22000);
	assert_int_equal(m.steps.step, RSP_SHED_WAKER_STACKS);
	m.record_ns[RSP_SHED_NOTHING] = 310;
	m.record_ns[RSP_SHED_WAKER_STACKS] = 300;
	run(&m, 60, 22000);
	assert_int_equal(m.steps.step, RSP_SHED_WAKER_STACKS);
	run(&m, 600, 22000);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
}

static void tries_that_fail_become_rare(void **state)
{
	struct machine m = MACHINE(10000);
	__u64 last_ns = 0, pause_ns = 0;

	m.record_ns[RSP_SHED_WAKER_STACKS] = 150; /* so low that the step below seems to fit, too */
	run(&m, 60, 22000);
	for (unsigned int i = 0; i < 4; i++) {
		unsigned int down_cnt = m.down_cnt, seconds = 0;

		while (m.down_cnt == down_cnt && seconds++ < 7200)
			run(&m, 1, 22000);
		assert_int_equal(m.down_cnt, down_cnt + 1);
		if (last_ns) {
			assert_true(m.down_ns - last_ns > pause_ns);
			pause_ns = m.down_ns - last_ns;
		}
		last_ns = m.down_ns;
	}
	assert_true(pause_ns > 1000 * SECOND_NS);
}

static void loads_that_come_and_go_are_no_failed_tries(void **state)
{
	struct machine m = MACHINE(10000);

	for (unsigned int minute = 0; minute < 60; minute++) {
		run(&m, 60, 900000);
		assert_int_equal(m.steps.step, RSP_SHED_SLICES);
		run(&m, 60, 3000);
		assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
	}
}

/*
 * The load returns repeatedly while the governor goes down. The governor must not take this for a
 * wrong estimate of the cost.
 */
static void a_load_that_is_back_early_is_no_failed_try(void **state)
{
	struct machine m = MACHINE(10000);

	for (unsigned int i = 0; i < 60; i++) {
		run(&m, 30, 900000);
		run(&m, 15, 3000);
	}
	run(&m, 30, 900000);
	run(&m, 60, 3000);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
}

static void without_a_budget_nothing_is_left_out(void **state)
{
	struct machine m = MACHINE(0);

	run(&m, 60, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
	m.budget_ppm = 10000;
	run(&m, 1, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_SLICES);
	m.budget_ppm = 0;
	run(&m, 1, 900000);
	assert_int_equal(m.steps.step, RSP_SHED_NOTHING);
}

static void nothing_is_decided_by_what_is_not_known(void **state)
{
	struct rsp_steps steps = {0};

	for (__u64 i = 0; i < 100; i++) {
		struct rsp_steps_cost cost = {
			.now_ns = SECOND_NS + i * TICK_NS, .budget_ppm = 1, .daemon_ppm = 1000};

		assert_int_equal(rsp_steps_decide(&steps, &cost), RSP_SHED_NOTHING);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_taken_until_it_fits),
		cmocka_unit_test(what_costs_too_much_in_any_case_is_sliced_at_once),
		cmocka_unit_test(else_one_step_follows_another),
		cmocka_unit_test(all_is_recorded_again_when_the_load_ends),
		cmocka_unit_test(some_of_it_when_the_load_ends_by_half),
		cmocka_unit_test(a_constant_load_does_not_make_it_swing),
		cmocka_unit_test(a_burst_is_paid_from_what_was_left),
		cmocka_unit_test(what_fits_is_no_reason_to_stay),
		cmocka_unit_test(noise_does_not_make_it_swing),
		cmocka_unit_test(what_is_known_is_forgotten),
		cmocka_unit_test(tries_that_fail_become_rare),
		cmocka_unit_test(loads_that_come_and_go_are_no_failed_tries),
		cmocka_unit_test(a_load_that_is_back_early_is_no_failed_try),
		cmocka_unit_test(without_a_budget_nothing_is_left_out),
		cmocka_unit_test(nothing_is_decided_by_what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
