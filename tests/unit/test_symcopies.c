/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the budget of the recorder's copies of symbol tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/capture/symcopies.h"

#define BUDGET 10000
#define LEN    3000 /* the budget has room for three such copies */

static int setup(void **state)
{
	struct rsp_symcopies *s;
	int r = rsp_symcopies_new(BUDGET, &s);

	*state = s;
	return r;
}

static int teardown(void **state)
{
	rsp_symcopies_free(*state);
	return 0;
}

static __u64 put(struct rsp_symcopies *s, int byte)
{
	char bytes[LEN];

	memset(bytes, byte, sizeof(bytes));
	return rsp_symcopies_put(s, bytes, sizeof(bytes));
}

static int get(const struct rsp_symcopies *s, __u64 number)
{
	size_t len;
	const char *bytes = rsp_symcopies_get(s, number, &len);

	if (!bytes)
		return -1;
	assert_int_equal(len, LEN);
	assert_int_equal(bytes[0], bytes[LEN - 1]);
	return bytes[0];
}

static void test_within_the_budget(void **state)
{
	__u64 a = put(*state, 'a'), b = put(*state, 'b'), c = put(*state, 'c'), d;
	struct rsp_symcopies_stats stats;

	assert_int_equal(get(*state, a), 'a');
	assert_int_equal(get(*state, b), 'b');
	assert_int_equal(get(*state, c), 'c');
	d = put(*state, 'd');
	assert_int_equal(get(*state, a), -1);
	assert_int_equal(get(*state, b), 'b');
	assert_int_equal(get(*state, d), 'd');
	rsp_symcopies_get_stats(*state, &stats);
	assert_int_equal(stats.cnt, 3);
	assert_int_equal(stats.dropped_cnt, 1);
	assert_true(stats.bytes >= 3 * LEN && stats.bytes <= BUDGET);
}

/*
 * The recorder makes an equal copy, as when the same file runs again in another container. Both
 * share one number.
 */
static void test_equal_copies(void **state)
{
	__u64 a = put(*state, 'a'), b = put(*state, 'b');
	struct rsp_symcopies_stats stats;

	assert_int_equal(put(*state, 'a'), a);
	rsp_symcopies_get_stats(*state, &stats);
	assert_int_equal(stats.cnt, 2);
	put(*state, 'c');
	put(*state, 'd');
	assert_int_equal(get(*state, a), 'a');
	assert_int_equal(get(*state, b), -1);
	assert_int_not_equal(put(*state, 'b'), b);
}

static void test_too_large(void **state)
{
	static const char large[BUDGET];
	__u64 a = put(*state, 'a');
	size_t len;

	assert_int_equal(rsp_symcopies_put(*state, large, sizeof(large)), 0);
	assert_null(rsp_symcopies_get(*state, 0, &len));
	assert_int_equal(get(*state, a), 'a');
}

/* Many small copies must not exceed the budget: the entries of the copies need memory, too. */
static void test_small_ones(void **state)
{
	struct rsp_symcopies_stats stats;

	for (unsigned int i = 0; i < BUDGET; i++)
		assert_int_not_equal(rsp_symcopies_put(*state, &i, sizeof(i)), 0);
	rsp_symcopies_get_stats(*state, &stats);
	assert_true(stats.bytes <= BUDGET);
	assert_true(stats.cnt < BUDGET / 32);
	assert_int_equal(stats.cnt + stats.dropped_cnt, BUDGET);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_within_the_budget),
		TEST(test_equal_copies),
		TEST(test_too_large),
		TEST(test_small_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
