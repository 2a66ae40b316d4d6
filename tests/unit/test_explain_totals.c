/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/model/explain/explain.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/model/explain/explain.h"
#include "tests/story/story.h"
#include "tests/unit/sums.h"

/* --- long chains ------------------------------------------------------------------------------ */

static void test_long_chain_is_cut(void **state)
{
	enum { FIRST = 10, CNT = 1000 };
	struct rsp_explanation *e = NULL;
	size_t len, longest = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);
	struct story *s;

	(void)state;
	fprintf(out, "0 window 0 10000; 0 run 10\n");
	for (int i = 0; i < CNT; i++)
		fprintf(out, "0 alive %d t; %d to %d %d\n", FIRST + i, i + 1, FIRST + i,
			FIRST + i + 1);
	for (int i = CNT; i > 0; i--)
		fprintf(out, "%d wake %d %d; %d to %d %d\n", 9000 - i, FIRST + i, FIRST + i - 1,
			9000 - i, FIRST + i, FIRST + i - 1);
	fclose(out);
	s = story_new(text);
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	check_sums(e);
	for (size_t i = 0; i < e->chain_cnt; i++)
		if (longest < e->chains[i].hop_cnt)
			longest = e->chains[i].hop_cnt;
	assert_int_equal(longest, 128);
	assert_true(e->cat_ns[RSP_CAT_OTHER_PATH] > 7000ULL * 1000000);
	rsp_explanation_free(e);
	story_free(s);
	free(text);
}

/* --- losses ----------------------------------------------------------------------------------- */

static void test_losses(void **state)
{
	/*
	 * Thread a (10) runs, and sleeps for thread b (20) from 12 to 16. The explained span is
	 * from 10 to 20.
	 */
	static const char *const story_text =
		"0 window 10 20 0 end=30; 0 alive 10 a; 0 alive 20 b; 0 seed 20\n"
		"5 run 10 cpu=0; 8 run 20 cpu=1; 12 block 10; 16 wake 20 10; 16 run 10 cpu=0\n"
		"24 block 10; 26 block 20; 30 run 10";
	static const struct {
		const char *what, *loss;
		__u64 lost_cnt;
	} losses[] = {
		{"none", "", 0},
		{"inside", "14 lost 13 cnt=5 kinds=8", 5},
		{"over the beginning: counted whole", "11 lost 9 cnt=5 kinds=8", 5},
		{"over the end: counted whole", "21 lost 19 cnt=5 kinds=8", 5},
		{"over all of it", "21 lost 9 cnt=5 kinds=8", 5},
		{"up to its first instant", "10 lost 9 cnt=5 kinds=8", 5},
		{"from its last instant on", "21 lost 20 cnt=5 kinds=8", 5},
		{"samples just before", "9.999 lost 6 cnt=5 kinds=8", 0},
		{"samples just after", "21 lost 20.001 cnt=5 kinds=8", 0},
		{"interrupts before", "9 lost 6 cnt=5 kinds=32", 0},
		{"switches, before the states at the beginning", "4.9 lost 3 cnt=5 kinds=2", 0},
		{"switches, within the state of the root", "7 lost 6 cnt=5 kinds=2", 5},
		{"switches, up to where that began", "5 lost 3 cnt=5 kinds=2", 5},
		{"switches, after the states at the end", "29 lost 26.1 cnt=5 kinds=2", 0},
		{"switches, before these ended", "25 lost 23 cnt=5 kinds=2", 5},
		{"switches and samples, before the states", "4.9 lost 3 cnt=5 kinds=10", 0},
		{"stacks that those states name", "7 lost 6 cnt=5 kinds=128", 5},
		{"stacks that nobody needs any more", "4.9 lost 3 cnt=5 kinds=128", 0},
		{"what tasks are called", "4.9 lost 3 cnt=5 kinds=1024", 5},
		{"the same after the span", "29 lost 26.1 cnt=5 kinds=1024", 0},
		{"unknown kinds, as they may be those", "4.9 lost 3 cnt=5 kinds=0", 5},
		{"unknown kinds after", "29 lost 26.1 cnt=5 kinds=0", 0},
		{"names, but they have changed since",
		 "4.9 lost 3 cnt=5 kinds=1024; 5 exec 10 c; 8 exec 20 d", 0},
		{"names, but one has changed only", "4.9 lost 3 cnt=5 kinds=1024; 5 exec 10 c", 5},
		{"several",
		 "9 lost 8 cnt=1 kinds=8; 14 lost 13 cnt=2 kinds=8; 29 lost 27 cnt=4 kinds=2", 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		struct rsp_explanation *e = NULL;
		char text[512];
		struct story *s;

		snprintf(text, sizeof(text), "%s; %s", story_text, losses[i].loss);
		s = story_new(text);
		assert_int_equal(rsp_explain(s->trace, &e), 0);
		if (e->lost_cnt != losses[i].lost_cnt)
			fail_msg("%s: %llu lost", losses[i].what, e->lost_cnt);
		check_sums(e);
		rsp_explanation_free(e);
		story_free(s);
	}
}

static void test_events_of_the_span(void **state)
{
	struct rsp_explanation *e = NULL;
	struct story *s = story_new("0 window 10 20 0 end=30; 0 alive 10 a; 5 run 10; 9 sample 10\n"
				    "10 sample 10; 15 sample 10; 20 sample 10; 21 block 10");

	(void)state;
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	assert_int_equal(e->event_cnt, 3);
	rsp_explanation_free(e);
	story_free(s);
}

/* --- span, coverage and target ---------------------------------------------------------------- */

static void test_totals(void **state)
{
	struct rsp_explanation *e = NULL;
	struct story *s = story_new(
		"0 window 0 20 5; 0 alive 10 sh; 5 run 10; 6 fork 10 11; 6 new 10 11; 6 to 10 11\n"
		"7 exec 11 ls; 8 lost 7 kinds=8; 9 exit 11; 9 wake 11 10; 9 dead 11; 9 run 10\n"
		"20 block 10");

	(void)state;
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	check_sums(e);
	assert_string_equal(e->comm, "sh");
	assert_ptr_equal(e->meta, &s->snap.meta);
	assert_int_equal(e->wall_ns, 20000000);
	assert_int_equal(e->window_ns, 15000000);
	assert_int_equal(e->lost_cnt, 1);
	assert_int_equal(e->fork_cnt, 1);
	assert_int_equal(e->exec_cnt, 1);
	assert_int_equal(e->process_cnt, 2);
	assert_true(e->processes[0].is_root);
	assert_string_equal(e->processes[1].comm, "ls");
	assert_false(e->processes[1].is_root);
	assert_int_equal(e->processes[1].ns, 3000000);
	assert_int_equal(e->cat_ns[RSP_CAT_EDGE], 5000000);
	assert_true(rsp_explanation_accounted_pct(e) == 75.0);
	rsp_explanation_free(e);
	story_free(s);
}

static void test_heaviest_instance(void **state)
{
	struct rsp_explanation *e = NULL;
	struct story *s = story_new(
		"0 window 0 9; 0 alive 10 make; 0 run 10; 1 fork 10 11; 1 to 10 11; 1 exec 11 cc1\n"
		"3 exit 11; 3 wake 11 10; 3 dead 11; 3 run 10; 4 fork 10 12; 4 to 10 12\n"
		"4 exec 12 cc1; 8 exit 12; 8 wake 12 10; 8 dead 12; 8 run 10; 9 block 10");
	const struct rsp_hop *hop;

	(void)state;
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	assert_int_equal(e->chains[0].hop_cnt, 2);
	hop = &e->chains[0].hops[1];
	assert_int_equal(hop->task_cnt, 2);
	assert_int_equal(hop->tid, 12);
	assert_int_equal(hop->tgid, 12);
	assert_int_equal(e->chains[0].hops[0].task_cnt, 1);
	rsp_explanation_free(e);
	story_free(s);
}

static void test_nobody(void **state)
{
	static const char *const stories[] = {
		"0 window 0 10; 0 alive 20 b; 0 run 20; 5 block 20",
		"0 window 0 10; 0 alive 20 b; 12 fork 20 10; 12 run 10; 15 block 10",
		"0 window 5 10; 0 alive 10 a; 0 alive 20 b; 1 run 10; 2 exit 10; 2 dead 10; 9 run 20",
		"0 window 0 10; 0 target 10 start=7; 0 alive 10 a start=8; 1 run 10; 2 block 10",
		"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		struct rsp_explanation *e = NULL;
		struct story *s = story_new(stories[i]);

		assert_int_equal(rsp_explain(s->trace, &e), -ESRCH);
		assert_null(e);
		story_free(s);
	}
}

static void test_category_words(void **state)
{
	(void)state;
	for (int cat = 0; cat < RSP_CAT_MAX; cat++) {
		assert_non_null(rsp_category_key(cat));
		assert_non_null(rsp_category_text(cat));
	}
	assert_string_equal(rsp_category_key(RSP_CAT_DISK_ACTIVE), "disk_active");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_long_chain_is_cut),  cmocka_unit_test(test_losses),
		cmocka_unit_test(test_events_of_the_span), cmocka_unit_test(test_totals),
		cmocka_unit_test(test_heaviest_instance),  cmocka_unit_test(test_nobody),
		cmocka_unit_test(test_category_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
