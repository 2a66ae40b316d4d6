/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests which stack an event gets if the event's own stack ends early because an unwind table was
 * missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/story/story.h"

/*
 * Stacks 1 and 2 end early; stack 2 begins with the frames of stack 1. Stacks 3 and 4 are complete,
 * and also begin with the frames of stack 1; stack 3 also begins with the frames of stack 2. Stack
 * 5 begins with another frame.
 */
#define STACKS                                                                                     \
	"0 frames 1 1+0x10 pending; 0 frames 2 1+0x10,2+0x20 pending\n"                            \
	"0 frames 3 1+0x10,2+0x20,2+0x30; 0 frames 4 1+0x10,2+0x21,2+0x30\n"                       \
	"0 frames 5 1+0x11,2+0x20,2+0x30\n"                                                        \
	"0 alive 10 a; 0 alive 11 a 10; 0 alive 20 b\n"

static const struct {
	const char *what, *story;
	/* numbers of the stacks that the events get, in order, one digit each */
	const char *ustacks;
} cases[] = {
	{"none ends early", "1 block 10 u=3; 2 block 10 u=4", "34"},
	{"before and after", "1 block 10 u=1; 2 block 10 u=3; 3 block 10 u=1", "333"},
	{"by two steps", "1 block 10 u=1; 2 block 10 u=2; 3 block 10 u=3", "333"},
	{"the longest there is", "1 block 10 u=1; 2 block 10 u=2", "22"},
	{"one of two", "1 block 10 u=1; 2 block 10 u=3; 3 block 10 u=4", "134"},
	{"one of two, though one ends early", "1 block 10 u=1; 2 block 10 u=2; 3 block 10 u=4",
	 "124"},
	{"one of two at first, not later",
	 "1 block 10 u=1; 2 block 10 u=2; 3 block 10 u=3; 4 block 10 u=4", "1334"},
	{"another beginning", "1 block 10 u=1; 2 block 10 u=5", "15"},
	{"told apart by the kernel's",
	 "1 block 10 k=8 u=1; 2 block 10 k=8 u=3; 3 block 10 k=9 u=4; 4 block 10 k=9 u=1", "3344"},
	{"at no place of the kernel seen before", "1 block 10 k=7 u=1; 2 block 10 k=8 u=3", "13"},
	{"another thread's", "1 block 10 u=1; 2 block 11 u=3", "33"},
	{"its own before another thread's", "1 block 10 u=1; 2 block 11 u=4; 3 block 10 u=3",
	 "343"},
	{"further by another thread's", "1 block 10 u=1; 2 block 10 u=2; 3 block 11 u=3", "333"},
	{"no further by two others'",
	 "0 alive 12 a 10; 1 block 10 u=2; 2 block 11 u=3; 3 block 12 u=6\n"
	 "0 frames 6 1+0x10,2+0x20,2+0x40",
	 "236"},
	{"another process's", "1 block 10 u=1; 2 block 20 u=3", "13"},
	{"after an exec", "1 block 10 u=1; 2 exec 10 x; 3 block 10 u=3", "13"},
	{"after another name", "1 block 10 u=1; 2 name 10 x; 3 block 10 u=3", "33"},
	{"of a tid used again",
	 "1 block 20 u=1; 2 exit 20; 3 fork 10 20; 4 block 20 u=3; 5 block 20 u=1", "133"},
	{"of a thread never heard of", "1 block 99 u=1; 2 block 99 u=3", "13"},
	{"wakeups and samples", "1 wake 10 20 u=1; 2 sample 10 u=1; 3 sample 10 u=3", "333"},
	{"for good", "0 frames 6 1+0x10 partial; 1 block 10 u=6; 2 block 10 u=3", "63"},
	{"as one that ends early for good",
	 "0 frames 6 1+0x10,2+0x20 partial; 1 block 10 u=1; 2 block 10 u=6", "66"},
	{"a stack never sent", "1 block 10 u=1; 2 block 10 u=7", "17"},
	{"whole, and yet no longer", "0 frames 6 1+0x10; 1 block 10 u=1; 2 block 10 u=6", "66"},
	{"where a whole one ends others go on",
	 "0 frames 6 1+0x10; 1 block 10 u=1; 2 block 10 u=6; 3 block 10 u=3", "163"},
};

static void collect(const struct rsp_trace *trace, char *ret)
{
	for (size_t i = 0; i < trace->event_cnt; i++) {
		const void *ev = trace->events[i];
		__u64 ustack;

		switch (trace->events[i]->kind) {
		case RSP_EV_SWITCH:
			ustack = ((const struct rsp_ev_switch *)ev)->ustack;
			break;
		case RSP_EV_WAKING:
			ustack = ((const struct rsp_ev_waking *)ev)->ustack;
			break;
		case RSP_EV_SAMPLE:
			ustack = ((const struct rsp_ev_sample *)ev)->ustack;
			break;
		default:
			continue;
		}
		*ret++ = (char)('0' + ustack);
	}
	*ret = '\0';
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[1024], got[16];
		struct story *s;

		snprintf(text, sizeof(text), STACKS "%s", cases[i].story);
		s = story_new(text);
		collect(s->trace, got);
		if (strcmp(got, cases[i].ustacks) != 0)
			fail_msg("%s: %s, not %s", cases[i].what, got, cases[i].ustacks);
		story_free(s);
	}
}

/* An event that gets another stack keeps all other fields of its record. */
static void test_the_rest_stays(void **state)
{
	struct story *s = story_new(STACKS "1 block 10 sys=7 obj=5 k=8 u=1; 2 block 10 k=8 u=3");
	const struct rsp_ev_switch *first = (const void *)s->trace->events[3];

	(void)state;
	assert_int_equal(first->hdr.kind, RSP_EV_SWITCH);
	assert_int_equal(first->hdr.ts_ns, story_ns("1"));
	assert_int_equal(first->prev_tid, 10);
	assert_int_equal(first->syscall_nr, 7);
	assert_int_equal(first->object, 5);
	assert_int_equal(first->kstack, 8);
	assert_int_equal(first->ustack, 3);
	rsp_trace_free(s->trace);
	assert_int_equal(rsp_trace_new(&s->snap, &s->trace), 0);
	assert_int_equal(((const struct rsp_ev_switch *)s->trace->events[3])->ustack, 3);
	story_free(s);
}

static void test_frames_say_that_more_is_unknown(void **state)
{
	struct story *s = story_new(STACKS "0 ustack 6 leaf,caller partial; 0 ustack 7 leaf");
	struct rsp_frame frames[4];

	(void)state;
	assert_int_equal(rsp_trace_frames(s->trace, 6, frames, 4), 3);
	assert_string_equal(frames[1].symbol, "caller");
	assert_string_equal(frames[2].symbol, "(callers unknown)");
	assert_string_equal(frames[2].module, "?");
	assert_false(frames[2].kernel);
	assert_int_equal(rsp_trace_frames(s->trace, 1, frames, 4), 2);
	assert_string_equal(frames[1].symbol, "(callers unknown)");
	assert_int_equal(rsp_trace_frames(s->trace, 1, frames, 1), 1);
	assert_int_equal(rsp_trace_frames(s->trace, 7, frames, 4), 1);
	assert_int_equal(rsp_trace_frames(s->trace, 3, frames, 4), 3);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_the_rest_stays),
		cmocka_unit_test(test_frames_say_that_more_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
