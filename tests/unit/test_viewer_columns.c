/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the columns of a viewer file. A column stores first the lowest bytes of all numbers, then
 * the next higher bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/viewer/columns.h"

static void assert_column(const struct rsp_columns *c, enum rsp_column_id id, const void *expected,
			  size_t len)
{
	unsigned char bytes[64];

	assert_int_equal(rsp_column_size(&c->v[id]), len);
	rsp_column_read(&c->v[id], 0, bytes, len);
	assert_memory_equal(bytes, expected, len);
	for (size_t i = 0; i < len; i++)
		rsp_column_read(&c->v[id], i, bytes + i, 1);
	assert_memory_equal(bytes, expected, len);
}

static void test_numbers_lie_in_planes(void **state)
{
	struct rsp_columns c = {0};

	rsp_columns_put(&c, RSP_COL_SPAN_NS, 0x010203);
	rsp_columns_put(&c, RSP_COL_SPAN_NS, 7);
	rsp_columns_put(&c, RSP_COL_SPAN_NS, 0xff00);
	assert_column(&c, RSP_COL_SPAN_NS, "\x03\x07\x00\x02\x00\xff\x01\x00\x00", 9);
	rsp_columns_done(&c);
}

static void test_zeroes_take_nothing(void **state)
{
	struct rsp_columns c = {0};

	rsp_columns_put(&c, RSP_COL_STRIP_LOST, 0);
	rsp_columns_put(&c, RSP_COL_STRIP_LOST, 0);
	assert_int_equal(c.v[RSP_COL_STRIP_LOST].cnt, 2);
	assert_column(&c, RSP_COL_STRIP_LOST, "", 0);
	rsp_columns_done(&c);
}

static void test_signed_and_differences(void **state)
{
	struct rsp_columns c = {0};

	rsp_columns_put(&c, RSP_COL_PIECE_GAP, -1);
	rsp_columns_put(&c, RSP_COL_PIECE_GAP, 1);
	assert_column(&c, RSP_COL_PIECE_GAP, "\x01\x02", 2);
	rsp_columns_put(&c, RSP_COL_STACK_PARENT, 5);
	rsp_columns_put(&c, RSP_COL_STACK_PARENT, 6);
	rsp_columns_put(&c, RSP_COL_STACK_PARENT, 4);
	assert_column(&c, RSP_COL_STACK_PARENT, "\x0a\x02\x03", 3);
	rsp_columns_done(&c);
}

static void test_largest_numbers(void **state)
{
	struct rsp_columns c = {0};

	rsp_columns_put(&c, RSP_COL_GAP_LOST, INT64_MAX);
	assert_column(&c, RSP_COL_GAP_LOST, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
	rsp_columns_put(&c, RSP_COL_PIECE_GAP, INT64_MIN);
	assert_column(&c, RSP_COL_PIECE_GAP, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
	rsp_columns_done(&c);
}

static void test_texts(void **state)
{
	struct rsp_columns c = {0};

	rsp_columns_put_text(&c, RSP_COL_STRING, "");
	rsp_columns_put_text(&c, RSP_COL_STRING, "ab");
	assert_int_equal(c.v[RSP_COL_STRING].cnt, 2);
	assert_column(&c, RSP_COL_STRING, "\0ab", 4);
	rsp_columns_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_lie_in_planes),
		cmocka_unit_test(test_zeroes_take_nothing),
		cmocka_unit_test(test_signed_and_differences),
		cmocka_unit_test(test_largest_numbers),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
