/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the parser of perf maps (/tmp/perf-PID.map). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/symbols/perfmap.h"

static const char text[] = "3000 10 LazyCompile:~main /srv/app.js:1:1\n"
			   "1000 20 first\n"
			   "1010 8 within\n"
			   "0x2000 0x10 prefixed\n"
			   "1000 20 again\n"
			   "4000 0 empty\n"
			   "5000 10\n"
			   "5000 10 \n"
			   "5000\n"
			   "\n"
			   "no line\n"
			   "6000 1g bad digit\n"
			   "7000  10 two blanks\n"
			   "-8000 10 signed\n"
			   "10000000000009000 10 seventeen digits\n"
			   "ffffffffffffff00 200 beyond the end\n"
			   "c000 100 old\n"
			   "c040 40 newer\n"
			   "c060 80 newest\n"
			   "c0d0 8 newest of all\n"
			   "d000 10 old within new\n"
			   "cff0 30 new\n"
			   "a000 10 CARRIAGE\r\n"
			   "B000 10 not ended";

static const struct {
	__u64 addr;
	const char *name;
} lookups[] = {
	{0, NULL},
	{0xfff, NULL},
	{0x1000, "again"},
	{0x100f, "again"},
	{0x1010, "again"},
	{0x101f, "again"},
	{0x1020, NULL},
	{0x2000, "prefixed"},
	{0x3000, "LazyCompile:~main /srv/app.js:1:1"},
	{0x300f, "LazyCompile:~main /srv/app.js:1:1"},
	{0x3010, NULL},
	{0x4000, NULL},
	{0x5000, NULL},
	{0x6000, NULL},
	{0x7000, NULL},
	{0x8000, NULL},
	{0x9000, NULL},
	{0xa000, "CARRIAGE\r"},
	{0xb00f, "not ended"},
	{0xc000, "old"},
	{0xc03f, "old"},
	{0xc040, "newer"},
	{0xc05f, "newer"},
	{0xc060, "newest"},
	{0xc0cf, "newest"},
	{0xc0d0, "newest of all"},
	{0xc0d8, "newest"},
	{0xc0df, "newest"},
	{0xc0e0, "old"}, /* the rest of older code */
	{0xc0ff, "old"},
	{0xc100, NULL},
	{0xcfef, NULL},
	{0xcff0, "new"},
	{0xd000, "new"},
	{0xd010, "new"},
	{0xd020, NULL},
	{0xffffffffffffff00, NULL},
	{UINT64_MAX, NULL},
};

static void test_lookup(void **state)
{
	struct rsp_perfmap *map = NULL;

	assert_int_equal(rsp_perfmap_parse(text, strlen(text), &map), 0);
	for (size_t i = 0; i < sizeof(lookups) / sizeof(lookups[0]); i++) {
		const char *name = rsp_perfmap_lookup(map, lookups[i].addr);
		const char *want = lookups[i].name;

		if (!name != !want || (want && strcmp(name, want) != 0))
			fail_msg("%#llx: %s, not %s", lookups[i].addr, name ? name : "no name",
				 want ? want : "no name");
	}
	rsp_perfmap_free(map);
}

static void test_long_names_are_cut(void **state)
{
	struct rsp_perfmap *map = NULL;
	char line[3000];

	memset(line, 'x', sizeof(line));
	memcpy(line, "10 10 ", 6);
	assert_int_equal(rsp_perfmap_parse(line, sizeof(line), &map), 0);
	assert_int_equal(strlen(rsp_perfmap_lookup(map, 0x10)), 1000);
	rsp_perfmap_free(map);
}

static void test_empty(void **state)
{
	struct rsp_perfmap *map = NULL;

	assert_int_equal(rsp_perfmap_parse("", 0, &map), 0);
	assert_null(rsp_perfmap_lookup(map, 0x10));
	rsp_perfmap_free(map);
}

static void test_cut_anywhere(void **state)
{
	for (size_t len = 0; len < strlen(text); len++) {
		struct rsp_perfmap *map = NULL;
		char *copy = malloc(len + 1);

		memcpy(copy, text, len);
		assert_int_equal(rsp_perfmap_parse(copy, len, &map), 0);
		free(copy);
		rsp_perfmap_lookup(map, 0x1000);
		rsp_perfmap_free(map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_long_names_are_cut),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
