/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests SYMBOLS sections. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot/symbols.h"

/*
 * Builds a section of two stacks, with 2 frames and 1 frame. The stacks are added in descending
 * order of their IDs.
 */
static void *build_two(size_t *ret_len)
{
	struct rsp_symbols_builder *b = NULL;
	void *data = NULL;

	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	assert_int_equal(rsp_symbols_add_stack(b, 900), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "read", "libc.so.6"), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "main", "app"), 0);
	assert_int_equal(rsp_symbols_add_stack(b, 7), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "read", ""), 0);
	assert_int_equal(rsp_symbols_builder_finish(b, &data, ret_len), 0);
	rsp_symbols_builder_free(b);
	return data;
}

static void assert_frame(const struct rsp_symbols *s, __u64 id, int i, const char *symbol,
			 const char *module)
{
	const char *got_symbol, *got_module;

	rsp_symbols_frame(s, id, i, &got_symbol, &got_module);
	assert_string_equal(got_symbol, symbol);
	assert_string_equal(got_module, module);
}

static void test_round_trip(void **state)
{
	struct rsp_symbols *s = NULL;
	size_t len;
	void *data = build_two(&len);

	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	assert_int_equal(rsp_symbols_frame_cnt(s, 900), 2);
	assert_int_equal(rsp_symbols_frame_cnt(s, 7), 1);
	assert_int_equal(rsp_symbols_frame_cnt(s, 8), -ENOENT);
	assert_int_equal(rsp_symbols_frame_cnt(s, 0), -ENOENT);
	assert_int_equal(rsp_symbols_frame_cnt(s, UINT64_MAX), -ENOENT);
	assert_frame(s, 900, 0, "read", "libc.so.6");
	assert_frame(s, 900, 1, "main", "app");
	assert_frame(s, 7, 0, "read", "");
	rsp_symbols_free(s);
	free(data);
}

static void test_empty(void **state)
{
	struct rsp_symbols_builder *b = NULL;
	struct rsp_symbols *s = NULL;
	void *data;
	size_t len;

	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	assert_int_equal(rsp_symbols_builder_finish(b, &data, &len), 0);
	assert_int_equal(len % 8, 0);
	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	assert_int_equal(rsp_symbols_frame_cnt(s, 1), -ENOENT);
	rsp_symbols_free(s);
	free(data);
	rsp_symbols_builder_free(b);
}

static void test_many_shared_strings(void **state)
{
	struct rsp_symbols_builder *b = NULL;
	struct rsp_symbols *s = NULL;
	char name[32];
	void *data;
	size_t len;

	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	for (int i = 0; i < 20000; i++) {
		assert_int_equal(rsp_symbols_add_stack(b, (__u64)i * 7919), 0);
		for (int f = 0; f < 3; f++) {
			snprintf(name, sizeof(name), "function_%d", (i + f) % 5000);
			assert_int_equal(rsp_symbols_add_frame(b, name, "a module"), 0);
		}
	}
	assert_int_equal(rsp_symbols_builder_finish(b, &data, &len), 0);
	/* The section needs 16 bytes per stack, 8 per frame, and each of 5000 names once. */
	assert_true(len < 20000 * (16 + 3 * 8) + 5000 * 16);
	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "function_%d", (i + 2) % 5000);
		assert_frame(s, (__u64)i * 7919, 2, name, "a module");
	}
	rsp_symbols_free(s);
	free(data);
	rsp_symbols_builder_free(b);
}

static void test_first_of_equal_ids_stays(void **state)
{
	struct rsp_symbols_builder *b = NULL;
	struct rsp_symbols *s = NULL;
	void *data;
	size_t len;

	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rsp_symbols_add_stack(b, 5), 0);
		assert_int_equal(rsp_symbols_add_frame(b, i ? "later" : "first", "m"), 0);
	}
	assert_int_equal(rsp_symbols_builder_finish(b, &data, &len), 0);
	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	assert_int_equal(rsp_symbols_frame_cnt(s, 5), 1);
	assert_frame(s, 5, 0, "first", "m");
	rsp_symbols_free(s);
	free(data);
	rsp_symbols_builder_free(b);
}

static void test_names_are_fit_for_terminals(void **state)
{
	struct rsp_symbols_builder *b = NULL;
	struct rsp_symbols *s = NULL;
	void *data;
	size_t len;

	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	assert_int_equal(rsp_symbols_add_stack(b, 1), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "a\033[2Jb\177", "\n\xc3\xa9"), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "a\033[2Jb\177", "\xa9"), 0);
	assert_int_equal(rsp_symbols_builder_finish(b, &data, &len), 0);
	assert_int_equal(rsp_symbols_open(data, len, &s), 0);
	assert_frame(s, 1, 0, "a?[2Jb?", "?\xc3\xa9");
	assert_frame(s, 1, 1, "a?[2Jb?", "?");
	rsp_symbols_free(s);
	free(data);
	rsp_symbols_builder_free(b);
}

/*
 * Damages of the section of build_two(): each replaces a 32-bit word. Words 0..3 are the header,
 * 4..11 the stacks, 12..17 the frames.
 */
static const struct {
	const char *what;
	size_t word;
	__u32 value;
} damages[] = {
	{"magic", 0, 0},
	{"no stacks", 1, 0},
	{"many stacks", 1, UINT32_MAX},
	{"no frames", 2, 0},
	{"many frames", 2, UINT32_MAX},
	{"no strings", 3, 0},
	{"many strings", 3, UINT32_MAX},
	{"equal ids", 4, 900},
	{"descending ids", 4, 901},
	{"first frame beyond all", 6, 4},
	{"frames beyond all", 7, 2},
	{"frame count wraps", 7, UINT32_MAX},
	{"symbol beyond the strings", 12, 64},
	{"module beyond the strings", 13, UINT32_MAX},
	{"first string not empty", 18, 0x41414141},
	{"control character", 19, 0x1b1b1b1b},
};

static void test_damaged_is_refused(void **state)
{
	struct rsp_symbols *s = (void *)8;
	size_t len;
	__u32 *data = build_two(&len);

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		__u32 old = data[damages[i].word];

		data[damages[i].word] = damages[i].value;
		if (rsp_symbols_open(data, len, &s) != -EBADMSG)
			fail_msg("accepted: %s", damages[i].what);
		data[damages[i].word] = old;
	}
	((char *)data)[len - 1] = 'x';
	assert_int_equal(rsp_symbols_open(data, len, &s), -EBADMSG);
	assert_ptr_equal(s, (void *)8);
	free(data);
}

static void test_cut_short_is_refused(void **state)
{
	struct rsp_symbols *s = NULL;
	size_t len;
	char *data = build_two(&len);

	for (size_t cut = 0; cut < len; cut++) {
		/*
		 * The copy has the exact size, so that a sanitizer detects any read beyond its end.
		 */
		char *copy = malloc(cut + 1);

		memcpy(copy, data, cut);
		assert_int_equal(rsp_symbols_open(copy, cut, &s), -EBADMSG);
		free(copy);
	}
	free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many_shared_strings),
		cmocka_unit_test(test_first_of_equal_ids_stays),
		cmocka_unit_test(test_names_are_fit_for_terminals),
		cmocka_unit_test(test_damaged_is_refused),
		cmocka_unit_test(test_cut_short_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
