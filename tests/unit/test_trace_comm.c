/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/trace/trace-comm.h, which chooses a process by its name. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/trace/trace-comm.h"
#include "tests/story/story.h"

/*
 * Process 30 has the most switches, but had the name sh only until it executed make. Thread 21 of
 * process 20 has another name.
 */
static const char story_text[] =
	"0 window 0 100; 0 target 10\n"
	"0 alive 10 web; 0 alive 11 web; 0 alive 20 sh; 0 alive 21 helper 20; 0 alive 22 sh\n"
	"0 alive 30 sh; 0 alive 40 quiet\n"
	"1 run 30; 2 block 30; 3 run 30; 4 block 30; 5 run 30; 6 block 30\n"
	"7 exec 30 make; 8 run 30; 9 block 30\n"
	"10 run 20; 11 block 20; 12 run 21; 13 block 21; 14 run 22; 15 block 22\n"
	"20 run 11; 21 block 11\n";

static void test_find(void **state)
{
	static const struct {
		const char *comm;
		ssize_t cnt;
		__u32 tgid;
	} cases[] = {
		{"web", 2, 10}, /* the process of interest, although process 11 has more switches */
		{"sh", 2, 20},	/* the switches of both threads count */
		{"make", 1, 30},  {"quiet", 1, 40}, /* slept all the time */
		{"helper", 0, 0},		    /* not the main thread */
		{"nobody", 0, 0},
	};
	struct story *s = story_new(story_text);
	struct rsp_trace *trace;

	assert_int_equal(rsp_trace_new(&s->snap, &trace), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		__u32 tgid = 0;
		ssize_t cnt = rsp_trace_find_comm(trace, cases[i].comm, &tgid);

		if (cnt != cases[i].cnt || tgid != cases[i].tgid)
			fail_msg("%s: %zd, process %u", cases[i].comm, cnt, tgid);
	}
	rsp_trace_free(trace);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_find)};

	return cmocka_run_group_tests_name("trace-comm", tests, NULL, NULL);
}
