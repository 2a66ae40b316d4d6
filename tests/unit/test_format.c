/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how numbers and names are formatted in the output for users. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/format.h"

static void ns_has_three_digits_and_a_unit(void **state)
{
	static const struct {
		__u64 ns;
		const char *want;
	} rows[] = {
		{0, "0 ns"},
		{45, "45 ns"},
		{999, "999 ns"},
		{1000, "1.00 µs"},
		{45678, "45.7 µs"},
		{870000, "870 µs"},
		{999499, "999 µs"},
		{999500, "1.00 ms"},
		{9994999, "9.99 ms"},
		{9995000, "10.0 ms"},
		{12345678, "12.3 ms"},
		{999500000, "1.00 s"},
		{3412000000, "3.41 s"},
		{99950000000, "100 s"},
		{7200000000000, "7200 s"},
		{UINT64_MAX, "18446744074 s"},
	};
	char buf[RSP_FORMAT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(rsp_format_ns(rows[i].ns, buf, sizeof(buf)), rows[i].want);
}

static void share_is_never_flattering(void **state)
{
	static const struct {
		__u64 part, whole;
		const char *want;
	} rows[] = {
		{0, 100, "0 %"},	{5, 0, "0 %"},
		{1, 1000000, "<0.1 %"}, {1, 1000, "0.1 %"},
		{57, 1000, "5.7 %"},	{99, 1000, "9.9 %"},
		{92, 100, "92 %"},	{994, 1000, "99 %"},
		{996, 1000, "99.6 %"},	{999999, 1000000, "99.9 %"},
		{5, 11, "45 %"},	{6, 11, "55 %"},
		{7, 7, "100 %"},	{UINT64_MAX - 1, UINT64_MAX, "99.9 %"},
	};
	char buf[RSP_FORMAT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(rsp_format_share(rows[i].part, rows[i].whole, buf, sizeof(buf)),
				    rows[i].want);
}

static void names_are_cut_and_harmless(void **state)
{
	static const struct {
		const char *name;
		size_t cols;
		const char *want;
	} rows[] = {
		{"cc1", 8, "cc1"},
		{"exactly8", 8, "exactly8"},
		{"exactly 9", 8, "exactly…"},
		{"/usr/include/stdio.h", 10, "…e/stdio.h"},
		{"grüße äöü", 6, "grüße…"},
		{"/é/ü", 3, "…/ü"},
		{"red\x1b[31m", 20, "red?[31m"},
		{"two\nlines\t", 20, "two?lines?"},
		{"bad\xff\xc3", 20, "bad??"},
		{"csi\xc2\x9b", 20, "csi?"},
		{"", 5, ""},
		{"gone", 0, ""},
		{"x…y", 1, "…"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[RSP_FORMAT_NAME_BYTES(20)];

		rsp_format_name(rows[i].name, rows[i].cols, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].want);
		assert_true(rsp_format_columns(buf) <= rows[i].cols);
	}
}

static void a_small_buffer_only_cuts(void **state)
{
	static const char *const names[] = {"/ä/ö/ü/ä/ö/ü", "ääääääääääää", "/abcdefghijkl",
					    "abcdefghijkl"};

	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		for (size_t len = 1; len < 40; len++) {
			char buf[64], again[64];

			memset(buf, 'x', sizeof(buf));
			rsp_format_name(names[n], 12, buf, len);
			assert_true(strlen(buf) < len);
			assert_int_equal(buf[len], 'x');
			assert_string_equal(rsp_format_name(buf, 40, again, sizeof(again)), buf);
		}
}

static void apportioned_figures_add_up(void **state)
{
	static const struct {
		__u64 v[4], parts, want[4];
	} rows[] = {
		{{1, 1, 1, 0}, 1000, {334, 333, 333, 0}},
		{{1999, 1, 0, 0}, 1000, {1000, 0, 0, 0}},
		{{499, 1, 500, 0}, 10, {5, 0, 5, 0}},
		{{0, 0, 0, 0}, 1000, {0, 0, 0, 0}},
		{{UINT64_MAX / 2, UINT64_MAX / 2, 1, 0}, 1000, {500, 500, 0, 0}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const __u64 *v = rows[i].v;
		__u64 ret[4];

		rsp_format_apportion(v, 4, v[0] + v[1] + v[2] + v[3], rows[i].parts, ret);
		assert_memory_equal(ret, rows[i].want, sizeof(ret));
	}
}

static void test_ages(void **state)
{
	static const struct {
		__u64 seconds;
		const char *want;
	} rows[] = {
		{0, "0 s"},	     {119, "119 s"},
		{120, "2 min"},	     {7199, "119 min"},
		{7200, "2 h 0 min"}, {172799, "47 h 59 min"},
		{172800, "2 d 0 h"}, {90 * 86400 + 7 * 3600, "90 d 7 h"},
	};
	char buf[RSP_FORMAT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(rsp_format_age(rows[i].seconds * 1000000000, buf, sizeof(buf)),
				    rows[i].want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ages),
		cmocka_unit_test(ns_has_three_digits_and_a_unit),
		cmocka_unit_test(share_is_never_flattering),
		cmocka_unit_test(names_are_cut_and_harmless),
		cmocka_unit_test(a_small_buffer_only_cuts),
		cmocka_unit_test(apportioned_figures_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
