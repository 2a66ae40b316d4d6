/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/api/access.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/api/access.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peer),
	};

	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
