/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/trace/trace-container.h, which chooses the process of interest of a container. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/trace/trace-container.h"
#include "tests/story/story.h"

#define ID_A "3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860"
#define ID_B "05c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d168de9db0"
#define ID_C "46bfa47436ea8c238dcc6cc7335ab8b253d3ad34d388459579f3460b06dd1905"
#define ID_D "5de9db005c48c82caff3be3d7f1e896981dd410e81487538936914f32b624d16"

/* Process 30 has the most switches, but made them before it entered the container. */
static const char story_text[] =
	"0 window 0 100; 0 target 10\n"
	"0 cgroup 1 /machine.slice/machine-mail.scope ino=101\n"
	"0 cgroup 2 /machine.slice/machine-mail.scope/payload ino=102\n"
	"0 cgroup 3 /lxc/quiet ino=103\n"
	"0 cgroup 4 /lxc/web ino=104\n"
	"0 alive 10 make cgroup=104; 0 alive 20 imap cgroup=101; 0 alive 21 imap 20 cgroup=102\n"
	"0 alive 30 sh cgroup=9; 0 alive 40 idle cgroup=103; 0 alive 50 busy cgroup=104\n"
	"1 run 30; 2 block 30; 3 run 30; 4 block 30; 5 run 30; 6 block 30\n"
	"7 exec 30 smtp cgroup=102; 8 run 30; 9 block 30\n"
	"10 run 20; 11 block 20; 12 run 21; 13 block 21\n"
	/* Container a+b has an invalid name. */
	"0 cgroup 5 /docker/" ID_A " ino=105; 0 container app cgroup=105\n"
	"0 cgroup 6 /docker/" ID_B " ino=106; 0 container app cgroup=106\n"
	"0 cgroup 7 /docker/" ID_C
	"/x ino=107; 0 container app cgroup=107 pod=shop namespace=prod\n"
	"0 cgroup 8 /docker/" ID_D
	" ino=108; 0 container a+b cgroup=108; 0 container mail cgroup=9\n"
	"0 alive 60 app cgroup=105; 0 alive 61 app cgroup=106; 0 alive 62 app cgroup=107\n"
	"0 alive 63 odd cgroup=108; 0 run 60 cpu=1; 15 exit 60 cpu=1\n"
	"20 run 50; 21 block 50; 22 run 10; 23 block 10; 24 run 50; 25 block 50\n";

static void test_find(void **state)
{
	static const struct {
		const char *text;
		int error;
		__u32 tgid;
		const char *candidates;
	} cases[] = {
		/* process 20: its threads have the most switches while in the container */
		{"mail", 0, 20},
		{"quiet", 0, 40}, /* slept all the time */
		{"web", 0, 10},	  /* although process 50 has more switches */
		{"nobody", -ESRCH, 0},
		{"app", -ENOTUNIQ, 0,
		 "app (docker, ID 05c48c82caff), prod/shop/app (docker, ID 46bfa47436ea)"},
		{"shop/app", 0, 62},
		{"prod/shop/app", 0, 62},
		{"test/shop/app", -ESRCH, 0},
		{"05c4", 0, 61},
		{"3726", 0, 60},
		{"5de9", 0, 63},
		{"a+b", -ESRCH, 0},
	};
	struct story *s = story_new(story_text);
	struct rsp_trace *trace;

	assert_int_equal(rsp_trace_new(&s->snap, &trace), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char candidates[RSP_CANDIDATES_BYTES];
		__u32 tgid = 0;
		int r = rsp_trace_find_container(trace, cases[i].text, &tgid, candidates);

		if (r != cases[i].error || tgid != cases[i].tgid)
			fail_msg("%s: %d, process %u", cases[i].text, r, tgid);
		if (cases[i].candidates)
			assert_string_equal(candidates, cases[i].candidates);
	}
	rsp_trace_free(trace);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_find)};

	return cmocka_run_group_tests_name("trace-container", tests, NULL, NULL);
}
