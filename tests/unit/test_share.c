/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/base/share.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/base/share.h"

#define SECOND_NS 1000000000ULL

static const struct rsp_peer root = {.uid = 0, .trusted = true};

static struct rsp_peer user(uid_t uid)
{
	return (struct rsp_peer){.uid = uid};
}

static int take(struct rsp_share *s, uid_t uid)
{
	struct rsp_peer peer = user(uid);

	return rsp_share_take(s, &peer);
}

static void give(struct rsp_share *s, uid_t uid)
{
	struct rsp_peer peer = user(uid);

	rsp_share_give(s, &peer);
}

static void test_per_user(void **state)
{
	struct rsp_share s = {.places = 8, .reserved = 2, .per_user = 2};

	assert_int_equal(take(&s, 1000), 0);
	assert_int_equal(take(&s, 1000), 0);
	assert_int_equal(take(&s, 1000), -EBUSY);
	assert_int_equal(take(&s, 1001), 0);
	give(&s, 1000);
	assert_int_equal(take(&s, 1000), 0);
	assert_int_equal(take(&s, 1000), -EBUSY);
}

/* Other users together cannot take the last places, which are reserved for trusted clients. */
static void test_reserved(void **state)
{
	struct rsp_share s = {.places = 8, .reserved = 2, .per_user = 1};
	uid_t uid = 1000;

	while (take(&s, uid) == 0)
		uid++;
	assert_int_equal(uid, 1006);
	assert_int_equal(rsp_share_take(&s, &root), 0);
	assert_int_equal(rsp_share_take(&s, &root), 0);
	assert_int_equal(rsp_share_take(&s, &root), -EBUSY);
	give(&s, 1003);
	assert_int_equal(rsp_share_take(&s, &root), 0);
	assert_int_equal(take(&s, 1003), -EBUSY);
	rsp_share_give(&s, &root);
	assert_int_equal(take(&s, 1003), 0);
	for (uid = 1000; uid < 1006; uid++)
		give(&s, uid);
	for (int i = 0; i < 6; i++)
		assert_int_equal(rsp_share_take(&s, &root), 0);
	assert_int_equal(take(&s, 1000), -EBUSY);
}

/* A user may make five requests at once, and after that one request every two seconds. */
static void test_rate(void **state)
{
	struct rsp_rate rate = {.burst = 5, .interval_ns = 2 * SECOND_NS};
	struct rsp_peer a = user(1000), b = user(1001);
	__u64 now_ns = 1000 * SECOND_NS;

	for (int i = 0; i < 5; i++)
		assert_int_equal(rsp_rate_take(&rate, &a, now_ns), 0);
	assert_int_equal(rsp_rate_take(&rate, &a, now_ns), -EBUSY);
	assert_int_equal(rsp_rate_take(&rate, &a, now_ns + 2 * SECOND_NS - 1), -EBUSY);
	assert_int_equal(rsp_rate_take(&rate, &b, now_ns), 0);
	assert_int_equal(rsp_rate_take(&rate, &a, now_ns + 2 * SECOND_NS), 0);
	assert_int_equal(rsp_rate_take(&rate, &a, now_ns + 2 * SECOND_NS), -EBUSY);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rsp_rate_take(&rate, &root, now_ns), 0);
}

static void test_many_users(void **state)
{
	struct rsp_rate rate = {.burst = 1, .interval_ns = 1000 * SECOND_NS};
	struct rsp_peer busy = user(1);
	__u64 now_ns = 5000 * SECOND_NS;

	assert_int_equal(rsp_rate_take(&rate, &busy, now_ns), 0);
	for (uid_t uid = 1000; uid < 1000 + 4 * RSP_RATE_USERS; uid++) {
		struct rsp_peer peer = user(uid);

		now_ns++;
		assert_int_equal(rsp_rate_take(&rate, &peer, now_ns), 0);
		assert_int_equal(rsp_rate_take(&rate, &busy, now_ns), -EBUSY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_per_user),
		cmocka_unit_test(test_reserved),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_many_users),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
