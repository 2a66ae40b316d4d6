/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares lib/base/idmap.h with an array that has the key as index. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/base/idmap.h"

static void test_empty(void **state)
{
	struct rsp_idmap m = {0};
	uint64_t key, value = 7;
	size_t pos = 0;

	assert_false(rsp_idmap_get(&m, 1, &value));
	assert_int_equal(value, 7);
	assert_false(rsp_idmap_remove(&m, 1));
	assert_false(rsp_idmap_next(&m, &pos, &key, &value));
	assert_int_equal(rsp_idmap_bytes(&m), 0);
	rsp_idmap_done(&m);
}

static void test_extreme_keys(void **state)
{
	static const uint64_t keys[] = {0, 1, UINT64_MAX, 1ULL << 63};
	struct rsp_idmap m = {0};
	uint64_t value = 0;

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(rsp_idmap_put(&m, keys[i], i), 0);
	assert_int_equal(m.cnt, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(rsp_idmap_get(&m, keys[i], &value));
		assert_int_equal(value, i);
	}
	rsp_idmap_done(&m);
	assert_int_equal(m.cnt, 0);
	assert_false(rsp_idmap_get(&m, 0, &value));
}

#define KEY_CNT 500

static void assert_same(const struct rsp_idmap *m, const uint64_t model[KEY_CNT])
{
	uint64_t key, value;
	size_t pos = 0, cnt = 0;

	while (rsp_idmap_next(m, &pos, &key, &value)) {
		assert_true(key < KEY_CNT);
		assert_int_equal(model[key], value);
		cnt++;
	}
	assert_int_equal(cnt, m->cnt);
	for (key = 0; key < KEY_CNT; key++) {
		assert_int_equal(rsp_idmap_get(m, key, &value), model[key] != 0);
		cnt -= model[key] != 0;
	}
	assert_int_equal(cnt, 0);
}

/*
 * Removing a key moves other entries of the hash map, so the test looks up every key after each
 * operation.
 */
static void test_random_operations(void **state)
{
	uint64_t model[KEY_CNT] = {0}; /* 0: absent */
	struct rsp_idmap m = {0};
	unsigned int seed = 1;

	for (uint64_t i = 1; i <= 100000; i++) {
		uint64_t key = (uint64_t)rand_r(&seed) % KEY_CNT;

		/* The map fills, empties, and fills again. */
		if ((uint64_t)rand_r(&seed) % 100 < (i / 10000 % 2 ? 30 : 70)) {
			assert_int_equal(rsp_idmap_put(&m, key, i), 0);
			model[key] = i;
		} else {
			assert_int_equal(rsp_idmap_remove(&m, key), model[key] != 0);
			model[key] = 0;
		}
		if (i % 1000 == 0)
			assert_same(&m, model);
	}
	rsp_idmap_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_extreme_keys),
		cmocka_unit_test(test_random_operations),
	};

	return cmocka_run_group_tests_name("idmap", tests, NULL, NULL);
}
