/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the trust in kernel stacks that BPF programs walk. */
#include <linux/types.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bpf/trust.h"

static bool is_trusted(const struct rsp_trust *trust)
{
	return trust->pause_left_cnt == 0;
}

static void check(struct rsp_trust *trust, unsigned int right_cnt, unsigned int wrong_cnt)
{
	while (right_cnt--)
		rsp_trust_check(trust, false);
	while (wrong_cnt--)
		rsp_trust_check(trust, true);
}

static void test_a_few_wrong_are_forgiven(void **state)
{
	struct rsp_trust trust = {0};

	for (int i = 0; i < 100; i++)
		check(&trust, 2 * RSP_WALK_WRONG_SHARE, 1);
	assert_true(is_trusted(&trust));
}

static void test_many_wrong_end_walking(void **state)
{
	struct rsp_trust trust = {0};

	check(&trust, 0, 2);
	assert_false(is_trusted(&trust));
	assert_false(rsp_trust_may_walk(&trust));
}

static void test_walking_begins_anew(void **state)
{
	struct rsp_trust trust = {0};

	for (int round = 0; round < 3; round++) {
		check(&trust, 0, 2);
		for (unsigned int i = 0; i < RSP_WALK_PAUSE_CNT; i++)
			assert_false(rsp_trust_may_walk(&trust));
		assert_true(rsp_trust_may_walk(&trust));
	}
}

static void test_the_past_counts_less(void **state)
{
	struct rsp_trust trust = {0};

	check(&trust, 10000000, 100);
	assert_false(is_trusted(&trust));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_few_wrong_are_forgiven),
		cmocka_unit_test(test_many_wrong_end_walking),
		cmocka_unit_test(test_walking_begins_anew),
		cmocka_unit_test(test_the_past_counts_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
