/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h: whom the kernel says a peer is, and how much a user may ask for. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/api/access.h"

#define SECOND_NS 1000000000ULL

static void test_peer(void **state)
{
	struct rsp_peer peer;
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	assert_int_equal(rsp_access_of_socket(fds[0], (gid_t)-1, &peer), 0);
	assert_int_equal(peer.pid, getpid());
	assert_int_equal(peer.uid, geteuid());
	assert_true(peer.trusted);
	close(fds[0]);
	assert_int_equal(rsp_access_of_socket(fds[0], (gid_t)-1, &peer), -EBADF);
	close(fds[1]);
}

static void test_one_at_a_time(void **state)
{
	__u64 now_ns = 1000 * SECOND_NS;
	struct rsp_quota *q;

	assert_int_equal(rsp_quota_new(&q), 0);
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), 0);
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), -EBUSY);
	assert_int_equal(rsp_quota_take(q, 1001, now_ns), 0);
	rsp_quota_give(q, 1000);
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), 0);
	rsp_quota_free(q);
}

/* Five in a row, then one each two seconds, for each user by itself. */
static void test_rate(void **state)
{
	__u64 now_ns = 1000 * SECOND_NS;
	struct rsp_quota *q;

	assert_int_equal(rsp_quota_new(&q), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(rsp_quota_take(q, 1000, now_ns), 0);
		rsp_quota_give(q, 1000);
	}
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), -EBUSY);
	assert_int_equal(rsp_quota_take(q, 1000, now_ns + 2 * SECOND_NS - 1), -EBUSY);
	assert_int_equal(rsp_quota_take(q, 1001, now_ns), 0);
	now_ns += 2 * SECOND_NS;
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), 0);
	rsp_quota_give(q, 1000);
	assert_int_equal(rsp_quota_take(q, 1000, now_ns), -EBUSY);
	rsp_quota_free(q);
}

/* However many users there are, those of old give way, and nobody who was too fast. */
static void test_many_users(void **state)
{
	__u64 now_ns = 1000 * SECOND_NS;
	struct rsp_quota *q;
	uid_t uid = 0;

	assert_int_equal(rsp_quota_new(&q), 0);
	while (rsp_quota_take(q, uid, now_ns) == 0)
		rsp_quota_give(q, uid++);
	assert_true(uid >= 16 && uid <= 1024);
	assert_int_equal(rsp_quota_take(q, uid, now_ns + 2 * SECOND_NS), 0);
	rsp_quota_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peer),
		cmocka_unit_test(test_one_at_a_time),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_many_users),
	};

	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
