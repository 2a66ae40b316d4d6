/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests export/source.h with replies of a recorder that are not valid lists of summaries. */
#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "export/source.h"
#include "lib/base/json.h"

static int parse(const char *text, uint64_t after, struct rsp_source_page *ret)
{
	struct json_object *reply;
	int r;

	assert_int_equal(rsp_json_parse(text, strlen(text), 16, &reply), 0);
	r = rsp_source_parse(reply, after, ret);
	json_object_put(reply);
	return r;
}

static void takes_summaries(void **state)
{
	struct rsp_source_page page;

	assert_int_equal(parse("{\"boot\":\"ab12\",\"missed\":3,\"summaries\":["
			       "{\"number\":5,\"json\":\"{\\\"units\\\":[]}\"},"
			       "{\"number\":7,\"json\":\"{\\\"units\\\":[]}\"}]}",
			       4, &page),
			 0);
	assert_string_equal(page.boot, "ab12");
	assert_int_equal(page.missed, 3);
	assert_int_equal(page.cnt, 2);
	assert_int_equal(page.last, 7);
	assert_int_equal(page.v[1].number, 7);
	assert_int_equal(json_object_get_int64(json_object_object_get(page.v[1].summary, "number")),
			 7);
	rsp_source_page_done(&page);
}

static void passes_damaged_summaries(void **state)
{
	struct rsp_source_page page;

	assert_int_equal(parse("{\"boot\":\"ab\",\"missed\":0,\"summaries\":["
			       "{\"number\":1,\"json\":\"not json\"},"
			       "{\"number\":2,\"json\":\"{}\"},"
			       "{\"number\":3,\"json\":\"{\\\"units\\\":5}\"}]}",
			       0, &page),
			 0);
	assert_int_equal(page.cnt, 0);
	assert_int_equal(page.damaged_cnt, 3);
	assert_int_equal(page.last, 3);
	rsp_source_page_done(&page);
}

static void refuses_nonsense(void **state)
{
	static const char *const texts[] = {
		"{}",
		"{\"boot\":\"\",\"summaries\":[]}",
		"{\"boot\":\"../x\",\"summaries\":[]}",
		"{\"boot\":\"0123456789abcdef0123456789abcdef0\",\"summaries\":[]}",
		"{\"boot\":7,\"summaries\":[]}",
		"{\"boot\":\"ab\",\"summaries\":7}",
		"{\"boot\":\"ab\",\"summaries\":[7]}",
		"{\"boot\":\"ab\",\"summaries\":[{\"number\":1}]}",
		"{\"boot\":\"ab\",\"summaries\":[{\"number\":-1,\"json\":\"{}\"}]}",
		/*
		 * with numbers that do not increase, rsp-export would request summaries in an
		 * endless loop
		 */
		"{\"boot\":\"ab\",\"summaries\":[{\"number\":4,\"json\":\"{}\"}]}",
		"{\"boot\":\"ab\",\"summaries\":[{\"number\":6,\"json\":\"{}\"},"
		"{\"number\":6,\"json\":\"{}\"}]}",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rsp_source_page page;

		assert_int_equal(parse(texts[i], 4, &page), -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_summaries),
		cmocka_unit_test(passes_damaged_summaries),
		cmocka_unit_test(refuses_nonsense),
	};

	return cmocka_run_group_tests_name("export-source", tests, NULL, NULL);
}
