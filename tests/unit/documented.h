/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks JSON objects against a document in docs/. Include cmocka.h first. */
#ifndef RSP_TESTS_DOCUMENTED_H
#define RSP_TESTS_DOCUMENTED_H

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

static void expect_fields(struct json_object *o, const char *path, const char *text)
{
	if (json_object_is_type(o, json_type_array))
		for (size_t i = 0; i < json_object_array_length(o); i++)
			expect_fields(json_object_array_get_idx(o, i), path, text);
	if (!json_object_is_type(o, json_type_object))
		return;
	json_object_object_foreach (o, key, value) {
		char quoted[80];

		snprintf(quoted, sizeof(quoted), "`%s`", key);
		if (!strstr(text, quoted))
			fail_msg("%s does not explain %s", path, quoted);
		expect_fields(value, path, text);
	}
}

static void expect_documented(struct json_object *o, const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");
	size_t len;

	assert_non_null(f);
	len = fread(text, 1, sizeof(text) - 1, f);
	assert_true(len > 0 && feof(f));
	text[len] = '\0';
	fclose(f);
	expect_fields(o, path, text);
}

#endif
