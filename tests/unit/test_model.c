/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the model of small stories (tests/story). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/model/model.h"
#include "tests/story/story.h"

static void say_cause(FILE *out, const struct rsp_model *m, const struct rsp_span *span)
{
	static const char *const causes[] = {
		[RSP_CAUSE_NONE] = "nobody",	   [RSP_CAUSE_TASK] = "task",
		[RSP_CAUSE_DISK] = "disk",	   [RSP_CAUSE_NET] = "net",
		[RSP_CAUSE_SLEEP] = "sleep",	   [RSP_CAUSE_TIMEOUT] = "timeout",
		[RSP_CAUSE_HARDWARE] = "hardware", [RSP_CAUSE_KERNEL] = "kernel",
	};

	fprintf(out, "(%s", causes[span->cause]);
	if (span->cause == RSP_CAUSE_TASK)
		fprintf(out, " %u", m->threads.v[span->cause_id].tid);
	if (span->cause == RSP_CAUSE_NET &&
	    m->ops.arrivals.v[span->cause_id].sender != RSP_NO_THREAD)
		fprintf(out, " %u", m->threads.v[m->ops.arrivals.v[span->cause_id].sender].tid);
	fprintf(out, ")");
}

static double ms(__u64 ns)
{
	return (double)(__s64)(ns - STORY_BASE_NS) / 1e6;
}

/* Writes the spans of a thread: "0 run, 5 blocked(task 20), 9 runnable, 10 run, 12 end" */
static void say_thread(FILE *out, const struct rsp_model *m, const struct rsp_thread *t)
{
	static const char *const kinds[] = {
		[RSP_SPAN_RUN] = "run",
		[RSP_SPAN_BLOCKED] = "blocked",
		[RSP_SPAN_RUNNABLE] = "runnable",
		[RSP_SPAN_PREEMPTED] = "preempted",
		[RSP_SPAN_UNEXPLAINED] = "unexplained",
	};

	for (size_t i = 0; i < t->spans.cnt; i++) {
		const struct rsp_span *span = &t->spans.v[i];

		fprintf(out, "%s%.6g %s", i ? ", " : "", ms(span->from_ns), kinds[span->kind]);
		if (span->kind == RSP_SPAN_BLOCKED)
			say_cause(out, m, span);
		if (span->kind == RSP_SPAN_RUN && span->samples.cnt)
			fprintf(out, "[%u]", span->samples.cnt);
	}
	if (t->end_ns != UINT64_MAX)
		fprintf(out, ", %.6g end", ms(t->end_ns));
	fprintf(out, "; ");
}

static char *say(const struct rsp_model *m)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; i < m->threads.cnt; i++)
		if (m->threads.v[i].tid == 10)
			say_thread(out, m, &m->threads.v[i]);
	fclose(out);
	return text;
}

static const struct {
	const char *name, *story, *expected;
} cases[] = {
	{
		"runs, blocks, is woken, runs",
		"0 window 0 20; 0 run 10; 5 block 10; 9 wake 20 10 cpu=1; 10 run 10; 12 block 10",
		"0 run, 5 blocked(task 20), 9 runnable, 10 run, 12 blocked(nobody); ",
	},
	{
		"on the CPU since before the beginning",
		"0 window 0 20; 3 block 10",
		"0 run, 3 blocked(nobody); ",
	},
	{
		"not on the CPU before: another was",
		"0 window 0 20; 2 block 20; 3 run 10; 4 block 10",
		"3 run, 4 blocked(nobody); ",
	},
	{
		"on a CPU since its birth, of which only the start time tells",
		"0 window 0 20; 2 alive 10 a start=1001000000; 3 block 10",
		"1 run, 3 blocked(nobody); ",
	},
	{
		"preempted, then in on another CPU",
		"0 window 0 20; 0 run 10; 2 preempt 10 20; 4 run 10 cpu=1; 5 block 10",
		"0 run, 2 preempted, 4 run, 5 blocked(nobody); ",
	},
	{
		"wakeups of a thread that is awake change nothing",
		"0 window 0 20; 0 run 10; 1 wake 20 10 cpu=1; 2 preempt 10 20; 3 wake 20 10\n"
		"4 to 20 10; 6 block 10; 7 wake 20 10 cpu=1; 8 wake 30 10 cpu=2; 9 run 10",
		"0 run, 2 preempted, 4 run, 6 blocked(task 20), 7 runnable, 9 run; ",
	},
	{
		"born, exits, dies; the tid is used again",
		"0 window 0 20; 0 run 20; 1 fork 20 10; 1 new 20 10; 2 to 20 10; 3 exit 10; 4 dead 10\n"
		"6 fork 30 10; 7 run 10; 8 exit 10; 9 dead 10",
		"1 runnable, 2 run, 4 end; 6 runnable, 7 run, 9 end; ",
	},
	{
		"born, the fork lost",
		"0 window 0 20; 0 run 20; 1 new 20 10; 2 to 20 10; 4 block 10",
		"1 runnable, 2 run, 4 blocked(nobody); ",
	},
	{
		"the exit lost, the tid used again",
		"0 window 0 20; 0 run 10; 2 block 10; 5 fork 20 10; 6 run 10; 7 block 10",
		"0 run, 2 blocked(nobody), 5 end; 5 runnable, 6 run, 7 blocked(nobody); ",
	},
	{
		"exec splits a run",
		"0 window 0 20; 0 run 10; 2 exec 10 b; 4 block 10; 5 exec 10 c",
		"0 run, 2 run, 4 blocked(nobody); ",
	},
	{
		"execs as another than its process's first thread",
		"0 window 0 20; 0 alive 20 java; 0 alive 10 worker 20; 0 run 10\n"
		"3 exit 10 exec; 3.001 exec 20 sh cpu=0; 8 block 20",
		"",
	},
	{
		"execs so, and leaves the CPU before that is recorded; the tid is used again",
		"0 window 0 20; 0 alive 20 java; 0 alive 10 worker 20; 0 run 10\n"
		"2 preempt 20 30; 3 to 30 20; 4 exit 10 exec cpu=0; 4.001 exec 20 sh cpu=0; 8 block 20\n"
		"9 run 10; 10 block 10",
		"0 unexplained, 4 end; 9 run, 10 blocked(nobody); ",
	},
	{
		"before the span: blocked",
		"0 window 5 20 1; 1 to 20 10; 2 to 10 20; 8 wake 30 10 cpu=1; 9 run 10",
		"1 run, 2 blocked(task 30), 8 runnable, 9 run; ",
	},
	{
		"before the span: born, came in",
		"0 window 5 20 1; 1 fork 20 10; 2 to 20 10; 8 block 10",
		"1 runnable, 2 run, 8 blocked(nobody); ",
	},
	{
		"carried: came in where another is found later, and was elsewhere since",
		"0 window 5 20 5; 1 to 20 10; 8 block 30 cpu=0; 9 run 10 cpu=1; 10 block 10",
		"9 run, 10 blocked(nobody); ",
	},
	{
		"carried: came in where another is found later; its wakeup is all that is heard of it",
		"0 window 5 20 5; 1 to 20 10; 8 block 30 cpu=0; 9 wake 30 10 cpu=0; 10 run 10 cpu=1",
		"5 blocked(task 30), 9 runnable, 10 run; ",
	},
	{
		"carried: another came in where it is found later, and had been since the beginning",
		"0 window 5 20 5; 1 to 20 30; 8 block 10 cpu=0",
		"5 run, 8 blocked(nobody); ",
	},
	{
		"a seed that comes late",
		"0 window 0 20; 0 run 10; 1 block 10; 2 seed 10; 3 wake 20 10 cpu=1; 4 run 10",
		"0 run, 1 blocked(task 20), 3 runnable, 4 run; ",
	},
	{
		"in without a wakeup, in while running, out while waiting",
		"0 window 0 20; 0 run 10; 1 block 10; 2 run 10; 3 run 10 cpu=1; 4 preempt 10 20\n"
		"5 block 10",
		"0 run, 1 blocked(nobody), 2 unexplained, 3 run, 4 unexplained, 5 run, 5 blocked(nobody); ",
	},
	{
		"another found on its CPU, then woken",
		"0 window 0 20; 0 run 10; 2 block 20 cpu=0; 3 wake 20 10; 4 run 10",
		"0 unexplained, 3 runnable, 4 run; ",
	},
	{
		"a wakeup on the way to sleep; one long before",
		"0 window 0 20; 0 run 10; 1.5 wake 20 10 cpu=1; 2 block 10; 3 run 10\n"
		"3 wake 20 10 cpu=1; 14 block 10; 15 run 10",
		"0 run, 2 runnable, 3 run, 14 blocked(nobody), 15 run; ",
	},
	{
		"samples: within, within the grace",
		"0 window 0 20; 0 run 20; 1 to 20 10; 2 sample 10; 3 block 10; 3.019 sample 10",
		"1 run[2], 3 blocked(nobody); ",
	},
	{
		"seen on a CPU that it was not seen to come to: blocked before, preempted before",
		"0 window 0 20; 0 run 10; 3 block 10; 5 sample 10; 6 preempt 10 20; 8 to 20 30\n"
		"9 sample 10; 10 block 10",
		"0 run, 3 unexplained, 5 run[1], 6 preempted, 8 unexplained, 9 run[1], "
		"10 blocked(nobody); ",
	},
	{
		"idle seen on its CPU; itself seen on another",
		"0 window 0 20; 0 run 10; 2 irq hard 0 50 cpu=1; 3 wake 10 50 cpu=1; 4 run 20\n"
		"5 wake 0 50 cpu=1; 6 run 10 cpu=1",
		"0 unexplained, 3 unexplained, 6 run; ",
	},
	{
		"timers: its own, in a sleep, the kernel's, the kernel's for a timerfd",
		"0 window 0 20; 0 anon 6 [timerfd]; 0 run 10; 1 block 10; 2 irq timer 0 10; 2 run 10\n"
		"3 block 10 sleep; 4 irq timer 0 10; 4 run 10; 5 block 10; 6 irq ktimer 5 10; 6 run 10\n"
		"7 block 10 obj=6; 8 irq ktimer 5 10; 8 run 10; 9 block 10 sys=232\n"
		"10 irq ktimer 5 10; 10 run 10",
		"0 run, 1 blocked(timeout), 2 runnable, 2 run, 3 blocked(sleep), 4 runnable, 4 run, "
		"5 blocked(kernel), 6 runnable, 6 run, 7 blocked(timeout), 8 runnable, 8 run, "
		"9 blocked(timeout), 10 runnable, 10 run; ",
	},
	{
		"sends: the newest one at that socket counts",
		"0 window 0 20; 0 socket 70 77 10.0.0.1:5000 10.0.0.1:80\n"
		"0 socket 71 78 10.0.0.1:80 10.0.0.1:5000; 0 run 20 cpu=1; 0 run 30 cpu=2\n"
		"0 run 10; 0 ready 77 70; 1 send 20 78 71; 2 block 10; 3 send 30 78 71\n"
		"4 irq net 77 10; 5 run 10",
		"0 run, 2 blocked(net 30), 4 runnable, 5 run; ",
	},
};

static void test_spans(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		struct rsp_model *m;
		char *text;

		assert_int_equal(rsp_model_new(s->trace, &m), 0);
		text = say(m);
		if (strcmp(text, cases[i].expected)) {
			print_error("%s:\n%s\n", cases[i].name, text);
			failed++;
		}
		free(text);
		rsp_model_free(m);
		story_free(s);
	}
	assert_int_equal(failed, 0);
}

static void test_gaps_are_merged(void **state)
{
	struct story *s = story_new(
		"9 lost 8; 4 lost 1; 3 lost 2; 6 lost 4; 7 lost 6.5 kinds=4; 7.9 lost 7.5 kinds=16");
	struct rsp_model *m;

	(void)state;
	assert_int_equal(rsp_model_new(s->trace, &m), 0);
	assert_int_equal(m->gaps.cnt, 3);
	assert_true(ms(m->gaps.v[0].from_ns) == 1 && ms(m->gaps.v[0].to_ns) == 6);
	assert_true(ms(m->gaps.v[1].from_ns) == 6.5 && ms(m->gaps.v[1].to_ns) == 7);
	assert_int_equal(rsp_gap_after(&m->gaps, STORY_BASE_NS), 0);
	assert_int_equal(rsp_gap_after(&m->gaps, m->gaps.v[0].to_ns), 1);
	assert_int_equal(rsp_gap_after(&m->gaps, m->gaps.v[2].to_ns), 3);
	rsp_model_free(m);
	story_free(s);
}

static void test_span_at(void **state)
{
	struct story *s = story_new("0 window 0 9; 0 run 10; 2 block 10; 4 wake 20 10; 6 run 10");
	struct rsp_model *m;
	const struct rsp_thread *t;
	uint64_t i = 0;

	(void)state;
	assert_int_equal(rsp_model_new(s->trace, &m), 0);
	assert_true(rsp_idmap_get(&m->thread_of, 10, &i));
	t = &m->threads.v[i];
	assert_int_equal(rsp_span_at(t, story_ns("0")), 0);
	assert_int_equal(rsp_span_at(t, story_ns("1.9")), 0);
	assert_int_equal(rsp_span_at(t, story_ns("2")), 1);
	assert_int_equal(rsp_span_at(t, story_ns("99")), 3);
	assert_int_equal(rsp_span_end(t, 1), story_ns("4"));
	assert_int_equal(rsp_span_end(t, 3), UINT64_MAX);
	rsp_model_free(m);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_gaps_are_merged),
		cmocka_unit_test(test_span_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
