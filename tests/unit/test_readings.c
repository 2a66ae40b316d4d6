/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the marks and counters of a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/trace/readings.h"
#include "tests/story/story.h"

static __u64 ms(__u64 n)
{
	return STORY_BASE_NS + n * 1000000;
}

static void test_marks_are_in_order_and_no_events(void **state)
{
	struct story *s = story_new("5 mark text b; 3 mark failed a; 5 mark breach c; 4 run 10");

	(void)state;
	assert_int_equal(s->trace->event_cnt, 1);
	assert_int_equal(s->trace->marks.cnt, 3);
	assert_string_equal(s->trace->marks.v[0]->text, "a");
	assert_string_equal(s->trace->marks.v[1]->text, "b");
	assert_string_equal(s->trace->marks.v[2]->text, "c");
	assert_int_equal(s->trace->last_ns, ms(4));
	story_free(s);
}

static void test_sets_make_readings(void **state)
{
	struct story *s = story_new("2000 memory 8 4; 1000 load 150 3; 1000 memory 8 2");
	struct rsp_readings r;

	(void)state;
	assert_int_equal(rsp_readings_make(s->trace, 0, UINT64_MAX, &r), 0);
	assert_int_equal(r.cnt, 2);
	assert_int_equal(r.v[0].at_ns, ms(1000));
	assert_int_equal(r.v[0].v[RSP_COUNTER_MEM_AVAILABLE], 2048);
	assert_int_equal(r.v[0].v[RSP_COUNTER_LOAD], 150);
	assert_int_equal(r.v[0].v[RSP_COUNTER_SWAP_FREE], RSP_COUNTER_ABSENT);
	assert_int_equal(r.v[1].v[RSP_COUNTER_LOAD], RSP_COUNTER_ABSENT);
	rsp_readings_done(&r);
	story_free(s);
}

static void test_pressure_is_a_share(void **state)
{
	static const struct {
		const char *story;
		__u64 ppm;
	} cases[] = {
		{"0 pressure 1000; 1000 pressure 251000", 250000},
		{"0 pressure 1000; 1000 pressure 1000", 0},
		{"0 pressure 0; 1000 pressure 1000001", 1000000}, /* read a bit later */
		{"0 pressure 0; 500 pressure 250000", 500000},
		{"0 pressure 7; 1000 pressure 6", RSP_COUNTER_ABSENT},
		{"0 pressure; 1000 pressure 6", RSP_COUNTER_ABSENT},
		{"0 memory 1; 1000 pressure 6", RSP_COUNTER_ABSENT},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		struct rsp_readings r;

		/*
		 * The share refers to the time since the previous reading, which is before the
		 * span.
		 */
		assert_int_equal(rsp_readings_make(s->trace, ms(1), UINT64_MAX, &r), 0);
		assert_int_equal(r.cnt, 1);
		if (r.v[0].v[RSP_COUNTER_CPU_SOME] != cases[i].ppm)
			fail_msg("%s: %llu", cases[i].story, r.v[0].v[RSP_COUNTER_CPU_SOME]);
		rsp_readings_done(&r);
		story_free(s);
	}
}

static void test_range(void **state)
{
	struct story *s = story_new(
		"1000 memory 8 4; 2000 load 1; 3000 memory 8 1; 4000 memory 8 1");
	struct rsp_readings r;
	struct rsp_range range;

	(void)state;
	assert_int_equal(rsp_readings_make(s->trace, 0, UINT64_MAX, &r), 0);
	range = rsp_readings_range(&r, RSP_COUNTER_MEM_AVAILABLE);
	assert_int_equal(range.cnt, 3);
	assert_int_equal(range.min, 1024);
	assert_int_equal(range.mean, 2048);
	assert_int_equal(range.max, 4096);
	assert_int_equal(rsp_readings_range(&r, RSP_COUNTER_FREQ_MEAN).cnt, 0);
	rsp_readings_done(&r);
	story_free(s);
}

static void test_kinds(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < RSP_COUNTER_CNT; i++) {
		const struct rsp_counter_kind *kind = rsp_counter_kind(i);

		assert_true((kind->unit != RSP_UNIT_NONE) == (kind->key != NULL));
		for (unsigned int k = 0; k < i && kind->key; k++)
			if (rsp_counter_kind(k)->key)
				assert_string_not_equal(rsp_counter_kind(k)->key, kind->key);
	}
	assert_null(rsp_counter_kind(RSP_COUNTER_CNT)->key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks_are_in_order_and_no_events),
		cmocka_unit_test(test_sets_make_readings),
		cmocka_unit_test(test_pressure_is_a_share),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
