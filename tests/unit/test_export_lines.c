/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the division of the frames of a stack among its addresses. With inlined functions, an
 * address has several frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/array.h"
#include "lib/export/export-lines.h"
#include "tests/story/story.h"

#define FRAMES_MAX 8

/* Addresses are in binary 1 (app), in binary 2 (libc.so.6) or in no binary (0). */
struct case_stack {
	struct {
		__u32 binary;
		__u64 off;
	} addresses[FRAMES_MAX];
	size_t address_cnt;
	const char *frames[FRAMES_MAX]; /* "symbol@module", or only "symbol" for app */
};

static struct rsp_ev_stack *make_stack(const struct case_stack *c)
{
	struct rsp_ev_stack *stack = calloc(1, sizeof(*stack) + FRAMES_MAX * sizeof(__u64));

	assert_non_null(stack);
	stack->hdr.flags = RSP_STACK_USER;
	stack->frame_cnt = (__u32)c->address_cnt;
	for (size_t i = 0; i < c->address_cnt; i++) {
		__u64 binary = c->addresses[i].binary;

		stack->frames[i] = c->addresses[i].off;
		if (binary)
			stack->frames[i] |= RSP_FRAME_IN_BINARY | binary << RSP_FRAME_OFFSET_BITS;
	}
	return stack;
}

static size_t make_frames(const struct case_stack *c, struct rsp_frame *ret)
{
	size_t cnt = 0;

	for (; cnt < FRAMES_MAX && c->frames[cnt]; cnt++) {
		char *symbol = strdup(c->frames[cnt]), *module;

		assert_non_null(symbol);
		module = strchr(symbol, '@');
		if (module)
			*module++ = '\0';
		ret[cnt] = (struct rsp_frame){.symbol = symbol, .module = module ? module : "app"};
	}
	return cnt;
}

/*
 * Expects, for each frame of the last stack, the number of its address, as in "1 1 2"; 0: unknown.
 */
static void expect(const struct case_stack *v, size_t cnt, const char *expected)
{
	struct story *s = story_new("0 binary 1 /usr/bin/app; 0 binary 2 /usr/lib/libc.so.6");
	struct rsp_export_lines lines = {0};
	char said[64] = "";

	for (size_t k = 0; k < cnt; k++) {
		struct rsp_ev_stack *stack = make_stack(&v[k]);
		struct rsp_frame frames[FRAMES_MAX];
		size_t frame_cnt = make_frames(&v[k], frames);
		__u16 found[FRAMES_MAX];

		if (k + 1 < cnt)
			assert_true(rsp_export_lines_learn(&lines, s->trace, stack, frames,
							   frame_cnt) >= 0);
		else
			rsp_export_lines_find(&lines, s->trace, stack, frames, frame_cnt, found);
		for (size_t i = 0; i < frame_cnt; i++) {
			if (k + 1 == cnt)
				snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s%u",
					 i ? " " : "", found[i]);
			free((char *)frames[i].symbol);
		}
		free(stack);
	}
	assert_string_equal(said, expected);
	rsp_export_lines_done(&lines);
	story_free(s);
}

#define EXPECT(expected, ...)                                                                      \
	do {                                                                                       \
		const struct case_stack v[] = {__VA_ARGS__};                                       \
                                                                                                   \
		expect(v, sizeof(v) / sizeof(v[0]), expected);                                     \
	} while (0)

static void as_many_names_as_addresses(void **state)
{
	EXPECT("1 2 3", {{{1, 16}, {1, 32}, {2, 16}}, 3, {"f", "main", "start@libc.so.6"}});
	/*
	 * Code that a program made at run time is in no binary, and its frames have other modules.
	 */
	EXPECT("1 2 3", {{{0, 16}, {0, 32}, {1, 16}}, 3, {"js@[jit]", "0x20@?", "main"}});
}

static void one_address_of_a_binary(void **state)
{
	EXPECT("1 1 1 2", {{{1, 16}, {2, 16}}, 2, {"in", "mid", "main", "start@libc.so.6"}});
}

static void unclear_runs_have_no_address(void **state)
{
	EXPECT("0 0 0 3", {{{1, 16}, {1, 32}, {2, 16}}, 3, {"in", "f", "main", "start@libc.so.6"}});
}

static void other_stacks_make_it_clear(void **state)
{
	EXPECT("1 1 2", {{{1, 64}, {1, 32}}, 2, {"g", "main"}},
	       {{{1, 16}, {1, 32}}, 2, {"in", "f", "main"}});
	EXPECT("1 1 2 2", {{{1, 16}, {2, 8}}, 2, {"in", "f", "start@libc.so.6"}},
	       {{{1, 16}, {1, 32}}, 2, {"in", "f", "callee", "main"}});
}

/*
 * One address is the innermost address of one stack, and a return address of the other stack. A
 * return address has the names of the call before it.
 */
static void innermost_addresses_are_distinct(void **state)
{
	EXPECT("0 0 0", {{{1, 32}}, 1, {"main"}}, {{{1, 16}, {1, 32}}, 2, {"in", "f", "main"}});
}

static void different_names_are_not_trusted(void **state)
{
	EXPECT("0 0 0", {{{1, 64}, {1, 32}}, 2, {"g", "main"}},
	       {{{1, 16}, {1, 32}}, 2, {"in", "f", "other"}});
	EXPECT("0 0", {{{1, 16}, {1, 32}}, 2, {"f", "start@libc.so.6"}});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_names_as_addresses),
		cmocka_unit_test(one_address_of_a_binary),
		cmocka_unit_test(unclear_runs_have_no_address),
		cmocka_unit_test(other_stacks_make_it_clear),
		cmocka_unit_test(innermost_addresses_are_distinct),
		cmocka_unit_test(different_names_are_not_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
