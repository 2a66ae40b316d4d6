/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares lib/model/near.h, started at each position, with a linear search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/model/near.h"

struct thing {
	__u64 from_ns;
	char more[8];
};

static size_t plain(const struct thing *v, size_t cnt, __u64 ts_ns)
{
	size_t at = 0;

	for (size_t i = 0; i < cnt; i++)
		if (v[i].from_ns <= ts_ns)
			at = i;
	return at;
}

#define CNT_MAX 40

static void test_from_everywhere(void **state)
{
	struct thing v[CNT_MAX];

	for (size_t i = 0; i < CNT_MAX; i++)
		v[i].from_ns = 10 + i * 3 / 2 - i % 5 / 4; /* some begin at the same time */
	for (size_t cnt = 1; cnt <= CNT_MAX; cnt++)
		for (__u64 ts_ns = 5; ts_ns < 10 + 2 * CNT_MAX; ts_ns++)
			for (size_t near = 0; near < cnt; near++)
				assert_int_equal(rsp_near(v, cnt, sizeof(*v), ts_ns, near),
						 plain(v, cnt, ts_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
