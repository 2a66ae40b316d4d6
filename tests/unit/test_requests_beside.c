/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the comparison of a request with typical requests of the same recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/report.h"
#include "lib/report/requests-beside.h"
#include "tests/story/story.h"
#include "tests/unit/documented.h"
#include "tests/unit/json-schema.h"

#define SCHEMA	 "docs/json-report.schema.json"
#define CONTRACT "docs/json-report.md"

#define MS 1000000ULL

static void add(struct story *s, const char *line)
{
	assert_int_equal(story_read(s, line), 0);
}

/* Makes a recording of cnt requests of 1 ms each, and of one request of 10 ms. */
static struct story *server(int cnt, const char *more)
{
	struct story *s = story_begin();
	char line[200];

	add(s, "0 window 100 110 0 end=1000; 0 target 10 tid=10; 0 slo web request 5\n"
	       "0 alive 10 web; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted\n"
	       "0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232\n");
	add(s, more);
	add(s, "100 ready 77 70; 100 irq net 77 10; 100 run 10; 110 send 10 77 70 bytes=5\n"
	       "111 block 10 sys=232\n");
	for (int at = 200; at < 200 + 10 * cnt; at += 10) {
		int len = snprintf(line, sizeof(line),
				   "%d ready 77 70; %d irq net 77 10; %d run 10; %d send 10 77 70 "
				   "bytes=5; %d block 10 sys=232",
				   at, at, at, at + 1, at + 2);

		assert_true(len > 0 && (size_t)len < sizeof(line));
		add(s, line);
	}
	story_finish(s);
	return s;
}

static struct rsp_beside beside_of(const struct story *s)
{
	struct rsp_beside b;

	assert_int_equal(rsp_beside_make(s->trace, &b), 0);
	return b;
}

static void one_is_compared_with_the_others(void **state)
{
	struct story *s = server(12, "");
	struct rsp_beside b = beside_of(s);

	assert_string_equal(b.sentence, "Typical requests of web took 1.00 ms; this one spent "
					"10.0 ms of 10.0 ms computing.");
	assert_int_equal(b.comparison.slow_cnt, 1);
	assert_int_equal(b.comparison.typical_cnt, 6);
	assert_int_equal(b.comparison.slow_ns, 10 * MS);
	assert_int_equal(b.comparison.typical_ns, MS);
	rsp_beside_done(&b);
	story_free(s);
}

static void expect_nothing(struct story *s)
{
	struct rsp_beside b = beside_of(s);

	assert_null(b.sentence);
	rsp_beside_done(&b);
	story_free(s);
}

static void few_requests_are_not_compared(void **state)
{
	struct rsp_beside b;
	struct story *s = server(8, "");

	b = beside_of(s);
	assert_non_null(b.sentence);
	rsp_beside_done(&b);
	story_free(s);
	expect_nothing(server(7, ""));
}

static void only_the_request_itself_is_compared(void **state)
{
	struct story *s = server(12, "0 slo web wait 5");
	struct rsp_beside b;

	expect_nothing(s);
	s = server(12, "");
	s->snap.meta.until_ns += 2 * MS; /* no request took that long */
	expect_nothing(s);
	s = server(12, "");
	s->snap.meta.target_tid = 11;
	expect_nothing(s);
	s = server(12, "");
	s->snap.meta.trigger.value_ns = 0; /* a user requested the snapshot */
	expect_nothing(s);
	s = server(12, "");
	/* two measurements of the same request may differ by this much */
	s->snap.meta.since_ns += MS / 2;
	b = beside_of(s);
	assert_non_null(b.sentence);
	rsp_beside_done(&b);
	story_free(s);
}

static struct json_object *report_of(const struct story *s)
{
	struct rsp_beside b = beside_of(s);
	struct rsp_explanation *e;
	struct json_object *o;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(rsp_explain(s->trace, &e), 0);
	assert_int_equal(rsp_report_json(e, &b, false, f), 0);
	assert_int_equal(fclose(f), 0);
	o = json_tokener_parse(text);
	assert_non_null(o);
	rsp_explanation_free(e);
	rsp_beside_done(&b);
	free(text);
	return o;
}

static void json_keeps_its_contract(void **state)
{
	struct story *s = server(12, "");
	struct json_object *o = report_of(s), *schema = json_object_from_file(SCHEMA), *beside;
	const char *wrong;

	assert_non_null(schema);
	wrong = json_schema_check(schema, schema, o);
	if (wrong)
		fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
	beside = get(o, "beside");
	assert_non_null(beside);
	expect_documented(beside, CONTRACT);
	assert_int_equal(json_object_get_int64(get(beside, "slow_mean_ns")), 10 * MS);
	json_object_put(schema);
	json_object_put(o);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_is_compared_with_the_others),
		cmocka_unit_test(few_requests_are_not_compared),
		cmocka_unit_test(only_the_request_itself_is_compared),
		cmocka_unit_test(json_keeps_its_contract),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
