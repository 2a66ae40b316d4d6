/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the names of system calls against the numbers in the compiler's headers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef __x86_64__
#include <sys/syscall.h>
#endif

#include "lib/base/syscalls.h"

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(rsp_syscall_name(0), "read");
	assert_string_equal(rsp_syscall_name(334), "rseq");
	assert_string_equal(rsp_syscall_name(454), "futex_wake");
	assert_null(rsp_syscall_name(-1));
	assert_null(rsp_syscall_name(400)); /* a gap in the table */
	assert_null(rsp_syscall_name(100000));
#ifdef __x86_64__
	assert_string_equal(rsp_syscall_name(SYS_futex), "futex");
	assert_string_equal(rsp_syscall_name(SYS_clone3), "clone3");
	assert_string_equal(rsp_syscall_name(SYS_epoll_pwait2), "epoll_pwait2");
#endif
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(rsp_syscall_number("read"), 0);
	assert_int_equal(rsp_syscall_number("file_setattr"), 469);
	assert_int_equal(rsp_syscall_number("rea"), -ENOENT);
	assert_int_equal(rsp_syscall_number(""), -ENOENT);
}

static void test_polls(void **state)
{
	(void)state;
	assert_true(rsp_syscall_polls(7));   /* poll */
	assert_true(rsp_syscall_polls(232)); /* epoll_wait */
	assert_false(rsp_syscall_polls(0));
	assert_false(rsp_syscall_polls(-1));
}

static void test_is_futex(void **state)
{
	(void)state;
	assert_true(rsp_syscall_is_futex(202)); /* futex */
	assert_true(rsp_syscall_is_futex(455)); /* futex_wait */
	assert_false(rsp_syscall_is_futex(7));	/* poll */
}

static void test_awaits_signal(void **state)
{
	(void)state;
	assert_true(rsp_syscall_awaits_signal(34));  /* pause */
	assert_true(rsp_syscall_awaits_signal(128)); /* rt_sigtimedwait */
	assert_false(rsp_syscall_awaits_signal(7));  /* poll */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	      cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_polls),	      cmocka_unit_test(test_is_futex),
		cmocka_unit_test(test_awaits_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
