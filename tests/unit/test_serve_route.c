/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which URLs and Host headers cli/serve.h accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/serve.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static void test_routes(void **state)
{
	static const struct {
		const char *path;
		enum rsp_serve_what what;
		const char *id;
		pid_t pid;
	} cases[] = {
		{"/" TOKEN "/", RSP_SERVE_INDEX, "", 0},
		{"/" TOKEN "/abc0/", RSP_SERVE_PROCESSES, "abc0", 0},
		{"/" TOKEN "/abc0/page", RSP_SERVE_PAGE, "abc0", 0},
		{"/" TOKEN "/0/17", RSP_SERVE_PAGE, "0", 17},
		{"/" TOKEN "/abc/2147483647", RSP_SERVE_PAGE, "abc", 2147483647},
		{"/" TOKEN "/abc/with/", RSP_SERVE_OTHERS, "abc", 0},
		{"/" TOKEN "/abc/with/def0/", RSP_SERVE_DIFF, "abc", 0},
		{"/" TOKEN "/abc/with", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/with/def0", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/with/../", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/with/def0/page", RSP_SERVE_NOTHING, NULL, 0},
		{"", RSP_SERVE_NOTHING, "", 0},
		{"/", RSP_SERVE_NOTHING, "", 0},
		{"/" TOKEN, RSP_SERVE_NOTHING, "", 0},
		{"/0123456789abcdef0123456789abcdee/", RSP_SERVE_NOTHING, "", 0},
		{"/0123456789abcdef/", RSP_SERVE_NOTHING, "", 0},
		{"/" TOKEN "/abc", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/../", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/ABC/", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "//", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/" TOKEN "0/", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/0", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/2147483648", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/1x", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/-1", RSP_SERVE_NOTHING, NULL, 0},
		{"/" TOKEN "/abc/page/", RSP_SERVE_NOTHING, NULL, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_serve_route route = rsp_serve_route(cases[i].path, TOKEN);

		assert_int_equal(route.what, cases[i].what);
		if (cases[i].what != RSP_SERVE_NOTHING) {
			assert_string_equal(route.id, cases[i].id);
			assert_int_equal(route.pid, cases[i].pid);
			assert_string_equal(route.after,
					    route.what == RSP_SERVE_DIFF ? "def0" : "");
		}
	}
}

static void test_hosts(void **state)
{
	assert_true(rsp_serve_host_ok("127.0.0.1:8080", 8080));
	assert_true(rsp_serve_host_ok("[::1]:8080", 8080));
	assert_true(rsp_serve_host_ok("LocalHost:8080", 8080));
	assert_true(rsp_serve_host_ok("localhost", 80));
	assert_false(rsp_serve_host_ok("localhost", 8080));
	assert_false(rsp_serve_host_ok(NULL, 8080));
	assert_false(rsp_serve_host_ok("", 8080));
	assert_false(rsp_serve_host_ok("127.0.0.1:80", 8080));
	assert_false(rsp_serve_host_ok("127.0.0.1:8080x", 8080));
	assert_false(rsp_serve_host_ok("127.0.0.1: 8080", 8080));
	assert_false(rsp_serve_host_ok("127.0.0.1.evil.example:8080", 8080));
	assert_false(rsp_serve_host_ok("evil.example:8080", 8080));
	assert_false(rsp_serve_host_ok("127.0.0.12:8080", 8080));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
