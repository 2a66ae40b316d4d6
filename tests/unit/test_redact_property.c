/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the property of tests/unit/redact-property.h with random bytes, which are the same in each
 * execution.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/redact-property.h"

#define ROUNDS	  1000
#define BYTES_MAX 4096

static void test_nothing_of_others_is_left(void **state)
{
	static __u8 bytes[BYTES_MAX];
	__u64 x = 88172645463325252ULL; /* xorshift */

	for (unsigned int round = 0; round < ROUNDS; round++) {
		size_t len = 64 + (size_t)round * (BYTES_MAX - 64) / ROUNDS;
		const char *left;

		for (size_t i = 0; i < len; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			bytes[i] = (__u8)(x >> 32);
		}
		left = redact_property(bytes, len);
		if (left)
			fail_msg("round %u: %s", round, left);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_of_others_is_left),
	};

	return cmocka_run_group_tests_name("redact property", tests, NULL, NULL);
}
