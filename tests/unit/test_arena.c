/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/arena.h"

static void test_arena(void **state)
{
	static const size_t sizes[] = {1, 7, 8, 0, 4096, 70000, 200000, 3, 65536, 65528, 16};
	static const char zeroes[200000];
	struct rsp_arena arena = {0};

	(void)state;
	for (size_t round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			char *p = rsp_arena_alloc(&arena, sizes[i]);

			assert_non_null(p);
			assert_int_equal((uintptr_t)p % 8, 0);
			assert_memory_equal(p, zeroes, sizes[i]);
			memset(p, 0xff, sizes[i]);
		}
	}
	assert_null(rsp_arena_alloc(&arena, SIZE_MAX));
	rsp_arena_done(&arena);
	rsp_arena_done(&arena);
}

static void test_intern(void **state)
{
	struct rsp_intern in = {0};
	const char *first;
	uint32_t id;

	(void)state;
	assert_int_equal(rsp_intern_put(&in, "", 0, &id), 0);
	assert_int_equal(id, 0);
	assert_int_equal(rsp_intern_put(&in, "abc", 3, &id), 0);
	assert_int_equal(id, 1);
	first = rsp_intern_data(&in, 1);
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(rsp_intern_put(&in, &i, sizeof(i), &id), 0);
		assert_int_equal(id, i + 2);
	}
	assert_int_equal(rsp_intern_put(&in, "abcd", 3, &id), 0);
	assert_int_equal(id, 1);
	assert_int_equal(rsp_intern_put(&in, "abc", 4, &id), 0);
	assert_int_equal(id, 5002); /* the NUL belongs to it */
	assert_ptr_equal(rsp_intern_data(&in, 1), first);
	assert_string_equal(first, "abc");
	assert_int_equal(rsp_intern_len(&in, 1), 3);
	rsp_intern_done(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_intern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
