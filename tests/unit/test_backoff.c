/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests export/backoff.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/backoff.h"

#define S_US 1000000ULL

static void doubles_up_to_the_maximum(void **state)
{
	static const uint64_t longest_s[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300};

	for (unsigned int failures = 1; failures < 12; failures++) {
		assert_int_equal(rsp_backoff_us(failures, 0, 0), longest_s[failures] * S_US);
		assert_in_range(rsp_backoff_us(failures, 0, UINT32_MAX),
				longest_s[failures] * S_US / 2, longest_s[failures] * S_US / 2 + 1);
	}
	assert_int_equal(rsp_backoff_us(UINT32_MAX, 0, 0), 300 * S_US);
}

static void spreads_evenly(void **state)
{
	for (uint32_t quarter = 0; quarter < 4; quarter++)
		assert_in_range(rsp_backoff_us(4, 0, quarter << 30), 8 * S_US - quarter * S_US - 1,
				8 * S_US - quarter * S_US);
}

static void never_before_the_server_wants(void **state)
{
	assert_int_equal(rsp_backoff_us(1, 120, 0), 120 * S_US);
	assert_in_range(rsp_backoff_us(1, 120, UINT32_MAX), 180 * S_US - 1, 180 * S_US);
	assert_int_equal(rsp_backoff_us(1, UINT32_MAX, 0), 3600 * S_US);
	assert_in_range(rsp_backoff_us(1, UINT32_MAX, UINT32_MAX), 0, 5400 * S_US);
	assert_int_equal(rsp_backoff_us(20, 1, 0), 300 * S_US);
}

static void jitter_is_a_tenth(void **state)
{
	assert_int_equal(rsp_backoff_jitter_us(60 * S_US, 0), 54 * S_US);
	assert_in_range(rsp_backoff_jitter_us(60 * S_US, UINT32_MAX), 66 * S_US - 1, 66 * S_US);
	assert_int_equal(rsp_backoff_jitter_us(60 * S_US, 1U << 31), 60 * S_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubles_up_to_the_maximum),
		cmocka_unit_test(spreads_evenly),
		cmocka_unit_test(never_before_the_server_wants),
		cmocka_unit_test(jitter_is_a_tenth),
	};

	return cmocka_run_group_tests_name("backoff", tests, NULL, NULL);
}
