/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the merge of recorded names and newly found names of a stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/symbols/merge.h"

#define FRAMES_MAX 8

/* "symbol@module", separated by blanks. */
static const struct {
	const char *about, *former, *later, *want;
} cases[] = {
	{"both empty", "", "", ""},
	{"only the former", "a@x b@y", "", "a@x b@y"},
	{"only the later", "", "a@x b@y", "a@x b@y"},
	{"the same", "a@x b@y", "a@x b@y", "a@x b@y"},
	{"names gained", "x+0x1@x b@y", "a@x b@y", "a@x b@y"},
	{"names lost", "a@x b@y", "x+0x1@x b@y", "a@x b@y"},
	{"each knows one", "a@x y+0x2@y", "x+0x1@x b@y", "a@x b@y"},
	{"inlined functions gained", "a@x b@y", "i@x a@x b@y", "i@x a@x b@y"},
	{"inlined functions lost", "i@x a@x b@y", "a@x b@y", "i@x a@x b@y"},
	{"one knows the inlined, one the jitted", "f@[jit] a@x", "0x1@? i@x a@x",
	 "f@[jit] i@x a@x"},
	{"a name for jitted code", "[jit]@[jit] a@x", "f@[jit] a@x", "f@[jit] a@x"},
	{"no name for jitted code", "0x1@? a@x", "[jit]@[jit] a@x", "0x1@? a@x"},
	{"other spelling", "f@@V@x", "f@x", "f@@V@x"},
	{"fewer nameless in a run", "x+0x1@x x+0x2@x c@x", "x+0x1@x b@x c@x", "x+0x1@x b@x c@x"},
	{"a module comes again", "a@x y+0x1@y c@x", "x+0x1@x b@y x+0x2@x", "a@x b@y c@x"},
	{"other modules: fewer nameless", "x+0x1@x b@y", "a@z b@y", "a@z b@y"},
	{"other modules: more nameless", "a@x b@y", "z+0x1@z b@y", "a@x b@y"},
	{"other modules: as many", "a@x b@y", "a@z b@y", "a@x b@y"},
	{"one ends early", "a@x", "a@x b@y", "a@x b@y"},
};

static size_t parse(const char *text, char *buf, struct rsp_frame *ret)
{
	size_t cnt = 0;

	strcpy(buf, text);
	for (char *word = strtok(buf, " "); word; word = strtok(NULL, " ")) {
		char *at = strrchr(word, '@');

		*at = '\0';
		ret[cnt++] = (struct rsp_frame){word, at + 1, false};
	}
	return cnt;
}

static void test_merge(void **state)
{
	struct rsp_frame former[FRAMES_MAX], later[FRAMES_MAX], got[FRAMES_MAX];
	char former_text[200], later_text[200], text[200];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t former_cnt = parse(cases[i].former, former_text, former);
		size_t later_cnt = parse(cases[i].later, later_text, later);
		size_t cnt = rsp_frames_merge(former, former_cnt, later, later_cnt, got,
					      FRAMES_MAX);
		size_t len = 0;

		text[0] = '\0';
		for (size_t f = 0; f < cnt; f++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s@%s",
						f ? " " : "", got[f].symbol, got[f].module);
		if (strcmp(text, cases[i].want) != 0)
			fail_msg("%s: %s", cases[i].about, text);
	}
}

static void test_no_room(void **state)
{
	struct rsp_frame frames[3], got[2];
	char text[200];
	size_t cnt = parse("a@x b@y c@z", text, frames);

	assert_int_equal(rsp_frames_merge(frames, cnt, frames, cnt, got, 2), 2);
	assert_string_equal(got[1].symbol, "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
