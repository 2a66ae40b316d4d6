/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests reports on the utilization in stories. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/format.h"
#include "lib/report/util-report.h"
#include "tests/story/story.h"
#include "tests/unit/documented.h"
#include "tests/unit/json-schema.h"

#define SCHEMA	 "docs/json-util.schema.json" /* path from the top folder, in which the tests run */
#define CONTRACT "docs/json-util.md"

static const char busy[] =
	"0 window 0 100; 0 alive 10 app; 0 alive 20 other; 0 kthread 7 kworker/0:1; 0 run 10 cpu=0\n"
	"0 handler 8 eth0; 0 cputime 0 steal=0; 100 cputime 0 steal=4000\n"
	"1 fork 10 11 10; 1 run 11 cpu=1; 2 sample 10 u=1; 0 ustack 1 f; 5 interrupt 8 from=4\n"
	"7 softirq 3 from=6 more=2 longest=0.2; 30 block 11 cpu=1 sys=0; 40 exec 10 next\n"
	"50 to 10 20 cpu=0; 60 block 20 cpu=0; 61 run 7; 62 block 7 kthread\n"
	"40 calls 10 sys=1 cnt=2 sum=2000 min=900 max=1100 exec\n"
	"100 calls 10 sys=0 cnt=3 sum=6000 min=1000 max=4000 pending=2000; 100 calls 10 cnt=1 sum=1\n"
	"100 calls 11 sys=65539 pending=70000\n";

static char *report(const struct story *s, struct rsp_util_options opt)
{
	char *text = NULL;
	bool lossy;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(rsp_util_report(s->trace, &opt, f, &lossy), 0);
	assert_int_equal(fclose(f), 0);
	assert_false(lossy);
	return text;
}

static void json_keeps_its_contract(void **state)
{
	struct story *s = story_new(busy);
	char *text = report(s, (struct rsp_util_options){.json = true});
	struct json_object *o = json_tokener_parse(text);
	struct json_object *schema = json_object_from_file(SCHEMA);
	const char *wrong;

	assert_non_null(o);
	assert_non_null(schema);
	wrong = json_schema_check(schema, schema, o);
	if (wrong)
		fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
	expect_documented(o, CONTRACT);
	assert_int_equal(json_object_array_length(get(o, "cpus")), 2);
	assert_int_equal(json_object_array_length(get(o, "processes")), 4);
	assert_int_equal(json_object_array_length(get(o, "tasks")), 5);
	assert_int_equal(json_object_array_length(get(o, "interrupts")), 2);
	json_object_put(schema);
	json_object_put(o);
	free(text);
	story_free(s);
}

static void text_fits(void **state)
{
	static const unsigned int widths[] = {80, 100, 200};
	struct story *s = story_new(busy);

	for (size_t i = 0; i < 3; i++) {
		char *text = report(s,
				    (struct rsp_util_options){.by_cpu = true, .width = widths[i]});
		char *rest = text, *line;

		while ((line = strsep(&rest, "\n")))
			assert_true(rsp_format_columns(line) <= widths[i]);
		free(text);
	}
	story_free(s);
}

static void of_one_process(void **state)
{
	struct story *s = story_new(busy);
	struct rsp_util_options opt = {.comm = "other", .json = true};
	struct json_object *o;
	bool lossy;
	char *text = report(s, opt);

	o = json_tokener_parse(text);
	assert_int_equal(json_object_array_length(get(o, "processes")), 1);
	assert_int_equal(json_object_array_length(get(o, "tasks")), 1);
	json_object_put(o);
	free(text);
	opt.comm = "nobody";
	assert_int_equal(rsp_util_report(s->trace, &opt, stdout, &lossy), -ESRCH);
	opt = (struct rsp_util_options){.pid = 4711};
	assert_int_equal(rsp_util_report(s->trace, &opt, stdout, &lossy), -ESRCH);
	story_free(s);
}

static void of_descendants(void **state)
{
	struct story *s = story_new("0 window 0 20; 0 alive 10 sh; 0 alive 20 other; 1 fork 10 11\n"
				    "2 fork 11 12; 3 run 12; 4 block 12; 5 run 20; 6 block 20");
	char *text = report(
		s, (struct rsp_util_options){.pid = 10, .descendants = true, .json = true});
	struct json_object *o = json_tokener_parse(text);

	assert_int_equal(json_object_array_length(get(o, "processes")), 3);
	json_object_put(o);
	free(text);
	story_free(s);
}

/*
 * A redacted snapshot contains only a part of the time of other users' tasks, so the report leaves
 * these tasks out.
 */
static void of_a_user(void **state)
{
	struct story *s = story_new("0 window 0 20; 0 alive 10 mine uid=1; 0 alive 20 uid closed\n"
				    "0 kthread 7 kworker/0:1; 1 run 10; 5 block 10; 6 run 20\n"
				    "8 block 20; 9 run 7; 10 block 7 kthread\n");
	struct json_object *o;
	char *text;

	s->snap.meta.redacted = true;
	text = report(s, (struct rsp_util_options){.json = true});
	o = json_tokener_parse(text);
	assert_true(json_object_get_boolean(get(o, "redacted")));
	assert_int_equal(json_object_array_length(get(o, "processes")), 1);
	assert_int_equal(json_object_array_length(get(o, "tasks")), 1);
	assert_int_equal(json_object_array_length(get(o, "cpus")), 0);
	assert_int_equal(json_object_get_int64(get(get(o, "all"), "busy_ns")), 4000000);
	json_object_put(o);
	free(text);
	text = report(s, (struct rsp_util_options){0});
	assert_non_null(strstr(text, "Your processes ran for 4.00 ms within 20.0 ms"));
	assert_non_null(strstr(text, "Redacted: "));
	assert_null(strstr(text, "CPUs\n"));
	assert_null(strstr(text, "uid"));
	assert_null(strstr(text, "kworker"));
	free(text);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_keeps_its_contract),
		cmocka_unit_test(text_fits),
		cmocka_unit_test(of_one_process),
		cmocka_unit_test(of_descendants),
		cmocka_unit_test(of_a_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
