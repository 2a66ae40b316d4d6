/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/base/cgroups.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/base/cgroups.h"

static void test_places(void **state)
{
	static const struct {
		const char *unit, *path; /* NULL: the name of the unit is not valid */
	} table[] = {
		{"nginx.service", "/system.slice/nginx.service"},
		{"a-b.service", "/system.slice/a-b.service"},
		{"init.scope", "/init.scope"},
		{"system.slice", "/system.slice"},
		{"a-b-c.slice", "/a.slice/a-b.slice/a-b-c.slice"},
		{"-.slice", "/"},
		{"nginx", NULL},
		{"", NULL},
		{".service", NULL},
		{"user.slice/a.service", NULL},
		{"../../a.service", NULL},
	};
	char path[64];

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int r = rsp_cgroups_place_unit(table[i].unit, path, sizeof(path));

		assert_int_equal(r, table[i].path ? 0 : -EINVAL);
		if (r == 0)
			assert_string_equal(path, table[i].path);
	}
	assert_int_equal(rsp_cgroups_place_unit("nginx.service", path, 10), -ENAMETOOLONG);
	assert_int_equal(rsp_cgroups_place_unit("a-b-c.slice", path, 10), -ENAMETOOLONG);
}

static void test_no_path(void **state)
{
	unsigned int level;
	__u64 id;

	assert_int_equal(rsp_cgroups_open("system.slice", &id, &level), -EINVAL);
	assert_int_equal(rsp_cgroups_open("/a/../../../etc", &id, &level), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_no_path),
	};

	return cmocka_run_group_tests_name("cgroups", tests, NULL, NULL);
}
