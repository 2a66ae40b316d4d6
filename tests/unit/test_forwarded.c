/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests cli/forwarded.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/forwarded.h"

static int decode(const char *prefix, const char *digits, char ***ret, int *ret_cnt,
		  bool *ret_files)
{
	static char word[65536];
	static char *argv[3] = {"rspctl", word};
	char **v = argv;
	int r;

	snprintf(word, sizeof(word), "%s%s", prefix, digits);
	*ret_cnt = 2;
	r = rsp_forwarded_decode(ret_cnt, &v, ret_files);
	*ret = v;
	return r;
}

static void test_both_ways(void **state)
{
	char *const words[] = {"explain", "", "a b", "it's", "$(x)", "\n", "\x01\xff", "-H", NULL};
	char *digits = rsp_forwarded_encode(8, words), **argv;
	bool files;
	int cnt;

	assert_non_null(digits);
	assert_int_equal(strspn(digits, "0123456789abcdef"), strlen(digits));
	assert_int_equal(decode(RSP_FORWARDED, digits, &argv, &cnt, &files), 1);
	assert_false(files);
	assert_int_equal(cnt, 9);
	assert_string_equal(argv[0], "rspctl");
	for (int i = 0; i < 8; i++)
		assert_string_equal(argv[i + 1], words[i]);
	assert_null(argv[9]);
	free(argv[1]);
	free(argv);
	assert_int_equal(decode(RSP_FORWARDED_FILES, digits, &argv, &cnt, &files), 1);
	assert_true(files);
	free(argv[1]);
	free(argv);
	free(digits);
}

static void test_many_words(void **state)
{
	enum { WORDS = 10000 };
	char *words[WORDS], *digits, **argv;
	bool files;
	int cnt;

	for (int i = 0; i < WORDS; i++)
		words[i] = i % 2 ? "x" : "";
	digits = rsp_forwarded_encode(WORDS, words);
	assert_int_equal(decode(RSP_FORWARDED, digits, &argv, &cnt, &files), 1);
	assert_int_equal(cnt, WORDS + 1);
	assert_string_equal(argv[WORDS], "x");
	assert_null(argv[WORDS + 1]);
	free(argv[1]);
	free(argv);
	free(digits);
}

static void test_damaged(void **state)
{
	static const char *const bad[] = {"", "6", "6g", "61", "6100zz", "61 00", "6A00"};
	char **argv;
	bool files;
	int cnt;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(decode(RSP_FORWARDED, bad[i], &argv, &cnt, &files), -EINVAL);
	assert_int_equal(decode("--forwarde=", "6100", &argv, &cnt, &files), 0);
	assert_int_equal(cnt, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_many_words),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
