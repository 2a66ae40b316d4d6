/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/base/json.h. The results must be the same with any version of json-c. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/json.h"

#define DEPTH_MAX 4

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		size_t len; /* 0: the length of the string */
		int want;
	} cases[] = {
		{"{}", 0, 0},
		{" {\"a\": [1, -2.5, true, null]} \r\n\t", 0, 0},
		{"{\"caf\xc3\xa9\": \"\xe2\x80\xa6 \xf0\x9f\x90\xa2\"}", 0, 0},
		{"{\"a\": \"\\u00e9\"}", 0, 0},
		{"{}\xff", 2, 0}, /* a length of 2, so the byte after the text must not be read */
		{"{} {}", 0, -EBADMSG},
		{"{}{}", 0, -EBADMSG},
		{"{}x", 0, -EBADMSG},
		{"{},", 0, -EBADMSG},
		{"{}\0", 3, -EBADMSG},
		{"{\"a\": \"\xff\"}", 0, -EBADMSG},
		{"{\"a\": \"\xc3\"}", 0, -EBADMSG}, /* cut short */
		/* a name that is a continuation byte without a first byte */
		{"{\"\x80\": 1}", 0, -EBADMSG},
		{"{\"a\": 1", 0, -EBADMSG},
		{"{\"a\": }", 0, -EBADMSG},
		{"", 0, -EBADMSG},
		{" ", 0, -EBADMSG},
		{"[]", 0, -EBADMSG},
		{"1", 0, -EBADMSG},
		{"null", 0, -EBADMSG},
		{"\"{}\"", 0, -EBADMSG},
		{"{\"a\": {\"a\": {\"a\": 1}}}", 0, 0},
		{"{\"a\": {\"a\": {\"a\": {\"a\": {}}}}}", 0, -EBADMSG},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = cases[i].len ? cases[i].len : strlen(cases[i].text);
		char *text = malloc(len ? len : 1); /* without NUL: sanitizers detect overruns */
		struct json_object *o = NULL;
		int r;

		assert_non_null(text);
		memcpy(text, cases[i].text, len);
		r = rsp_json_parse(text, len, DEPTH_MAX, &o);
		if (r != cases[i].want || (r == 0) != (o != NULL))
			fail_msg("%s: %d, not %d", cases[i].text, r, cases[i].want);
		json_object_put(o);
		free(text);
	}
}

static void test_parse_value(void **state)
{
	static const char text[] = "{\"name\": \"caf\xc3\xa9\"}";
	struct json_object *o = NULL, *name;

	assert_int_equal(rsp_json_parse(text, strlen(text), DEPTH_MAX, &o), 0);
	assert_true(json_object_object_get_ex(o, "name", &name));
	assert_string_equal(json_object_get_string(name), "caf\xc3\xa9");
	json_object_put(o);
}

static void test_parse_too_long(void **state)
{
	struct json_object *o = NULL;

	assert_int_equal(rsp_json_parse("{}", (size_t)INT32_MAX + 1, DEPTH_MAX, &o), -EBADMSG);
	assert_null(o);
}

/* Versions of json-c format an empty array differently. */
static void test_put(void **state)
{
	static const struct {
		const char *in;
		int indent;
		const char *want;
	} cases[] = {
		{"{\n  \"a\": [\n  ],\n  \"b\": []\n}", 0, "{\n  \"a\": [],\n  \"b\": []\n}"},
		{"{\n  \"a\": [\n  ]\n}", 2, "{\n    \"a\": []\n  }"},
		{"[\n]", 4, "[]"},
		{"[\n  [\n  ],\n  1\n]", 0, "[\n  [],\n  1\n]"},
		{"{\n  \"a\": \"[\"\n}", 0, "{\n  \"a\": \"[\"\n}"},
		{"[\n", 0, "[\n"},
		{"\n]", 1, "\n ]"},
		{"", 4, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char got[64] = "";
		FILE *out = fmemopen(got, sizeof(got), "w");

		assert_non_null(out);
		rsp_json_put(cases[i].in, strlen(cases[i].in), cases[i].indent, out);
		fclose(out);
		assert_string_equal(got, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_value),
		cmocka_unit_test(test_parse_too_long),
		cmocka_unit_test(test_put),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
