/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the choice of the process that suffered most under pressure. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/model/victim.h"
#include "tests/story/story.h"

#define WHO "0 window 0 20; 0 alive 10 a; 0 alive 20 b; 0 alive 21 b 20; 0 kthread 7 kswapd0;"

static const struct {
	const char *name, *story;
	int want; /* tgid or -errno */
} cases[] = {
	{"nobody waits", WHO "0 run 10; 19 block 10", -ESRCH},
	{"waits for something else", WHO "0 run 10; 1 block 10; 9 wake 20 10 cpu=1; 9 run 10",
	 -ESRCH},
	{"for a CPU", WHO "0 run 10; 1 preempt 10 20; 5 to 20 10; 6 block 10", 10},
	{"for a CPU, woken", WHO "0 run 10; 1 to 10 20; 2 wake 20 10; 8 to 20 10", 10},
	{"for a disk", WHO "0 run 10; 1 block 10 iowait; 9 wake 0 10; 9 run 10", 10},
	{"two threads together more than one",
	 WHO "0 run 10; 1 block 10 iowait; 7 wake 0 10; 7 run 10\n"
	     "0 run 20 cpu=1; 1 block 20 iowait; 5 wake 0 20 cpu=1; 5 run 20\n"
	     "0 run 21 cpu=2; 1 block 21 iowait; 5 wake 0 21 cpu=2; 5 run 21",
	 20},
	{"within the span alone",
	 "10 window 10 20; 0 alive 10 a; 0 alive 20 b\n"
	 "0 run 10; 1 block 10 iowait; 11 wake 0 10; 11 run 10\n"
	 "10 run 20 cpu=1; 12 block 20 iowait; 15 wake 0 20 cpu=1; 15 run 20",
	 20},
	{"not a kernel thread",
	 WHO "0 run 7; 1 block 7 iowait; 18 wake 0 7; 18 run 7; 18.5 block 7\n"
	     "0 run 10 cpu=1; 1 block 10 iowait; 2 wake 0 10 cpu=1; 2 run 10",
	 10},
};

static void test_victims(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		const struct rsp_ev_task *task = NULL;
		int r = rsp_victim_find(s->trace, &task);

		if ((r < 0 ? r : (int)task->tgid) != cases[i].want)
			fail_msg("%s: %d", cases[i].name, r < 0 ? r : (int)task->tgid);
		story_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_victims)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
