/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the numbers of binaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rsp/event.h"
#include "rsp/numbers.h"

#define NUMBER_MAX ((1U << 23) - 1) /* the largest number that fits into a frame */

static int make_numbers(void **state)
{
	struct rsp_numbers *n = calloc(1, sizeof(*n));

	n->granted_cnt = 2ULL * RSP_NUMBER_HALF_CNT;
	*state = n;
	return 0;
}

static int free_numbers(void **state)
{
	free(*state);
	return 0;
}

static __u32 take_as_root(struct rsp_numbers *n)
{
	return rsp_number_take(n, NULL, true, 0);
}

static __u32 take_all(struct rsp_numbers *n, __u8 *seen)
{
	__u32 number, cnt = 0;

	while ((number = take_as_root(n))) {
		assert_in_range(number, RSP_BINARY_FIRST, NUMBER_MAX);
		assert_int_equal(seen[number]++, 0);
		assert_int_equal(RSP_FRAME_BINARY((__u64)number << RSP_FRAME_OFFSET_BITS), number);
		cnt++;
	}
	return cnt;
}

static void test_no_number_is_given_twice(void **state)
{
	struct rsp_numbers *n = *state;
	__u8 *seen = calloc(NUMBER_MAX + 1, 1);

	assert_int_equal(take_all(n, seen), 2 * RSP_NUMBER_HALF_CNT);
	assert_int_equal(n->refused_cnt, 1);
	free(seen);
}

static void test_a_half_is_granted_again(void **state)
{
	struct rsp_numbers *n = *state;
	__u8 *seen = calloc(NUMBER_MAX + 1, 1);

	take_all(n, seen);
	n->granted_cnt += RSP_NUMBER_HALF_CNT;
	for (__u32 number = 0; number <= NUMBER_MAX; number++)
		if (rsp_number_is_in(number, 2))
			seen[number] = 0;
	assert_int_equal(take_all(n, seen), RSP_NUMBER_HALF_CNT);
	assert_int_equal(n->refused_cnt, 2);
	free(seen);
}

static void test_halves_do_not_meet(void **state)
{
	for (__u64 cnt = 0; cnt < 4ULL * RSP_NUMBER_HALF_CNT; cnt += 1021) {
		__u32 number = rsp_number_of(cnt), half = rsp_number_half(cnt);

		assert_true(rsp_number_is_in(number, half));
		assert_false(rsp_number_is_in(number, half + 1));
	}
	assert_false(rsp_number_is_in(RSP_BINARY_VDSO, 0));
}

static __u32 take_as_user(struct rsp_numbers *n, struct rsp_number_user *user, __u32 now_s,
			  __u32 wanted_cnt)
{
	__u32 cnt = 0;

	while (wanted_cnt--)
		cnt += rsp_number_take(n, user, false, now_s) != 0;
	return cnt;
}

static void test_a_user_has_a_share(void **state)
{
	struct rsp_numbers *n = *state;
	const __u32 many = 2 * RSP_NUMBER_BURST_CNT;
	struct rsp_number_user user = {0}, other = {0};

	assert_int_equal(take_as_user(n, &user, 100, many), RSP_NUMBER_BURST_CNT);
	assert_int_equal(n->refused_cnt, many - RSP_NUMBER_BURST_CNT);
	assert_int_equal(take_as_user(n, &other, 100, 1000), 1000);
	assert_int_equal(take_as_user(n, &user, 110, many), 10 * RSP_NUMBER_PER_SECOND);
	assert_int_equal(take_as_user(n, &user, 100000, many), RSP_NUMBER_BURST_CNT);
}

static void test_the_last_are_for_root(void **state)
{
	struct rsp_numbers *n = *state;
	__u32 cnt = 0;

	for (int i = 0; i < 1000; i++) {
		struct rsp_number_user user = {0};

		cnt += take_as_user(n, &user, 0, RSP_NUMBER_BURST_CNT);
	}
	assert_int_equal(cnt, 2 * RSP_NUMBER_HALF_CNT - RSP_NUMBER_ROOT_CNT);
	assert_int_not_equal(take_as_root(n), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_number_is_given_twice, make_numbers,
						free_numbers),
		cmocka_unit_test_setup_teardown(test_a_half_is_granted_again, make_numbers,
						free_numbers),
		cmocka_unit_test(test_halves_do_not_meet),
		cmocka_unit_test_setup_teardown(test_a_user_has_a_share, make_numbers,
						free_numbers),
		cmocka_unit_test_setup_teardown(test_the_last_are_for_root, make_numbers,
						free_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
