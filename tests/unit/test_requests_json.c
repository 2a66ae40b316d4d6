/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the JSON about requests keeps its contract (docs/json-requests.md). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/requests-report.h"
#include "tests/story/story.h"
#include "tests/unit/documented.h"
#include "tests/unit/json-schema.h"

#define SCHEMA	 "docs/json-requests.schema.json"
#define CONTRACT "docs/json-requests.md"

static const char server[] = "0 window 0 1000; 0 alive 10 web\n"
			     "0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted\n"
			     "0 socket 61 67 10.0.0.1:5000 10.0.0.1:81 connected\n"
			     "0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232\n";

static struct story *busy_server(void)
{
	struct story *s = story_begin();
	char line[300];

	assert_int_equal(story_read(s, server), 0);
	for (int i = 1; i <= 30; i++) {
		int len = snprintf(
			line, sizeof(line),
			"%d ready 77 70; %d irq net 77 10; %d run 10; %d.1 send 10 67 61 "
			"bytes=1; %d.2 ready 67 61; %d send 10 77 70 bytes=5; %d.5 block "
			"10 sys=232",
			5 * i, 5 * i, 5 * i, 5 * i, 5 * i, 5 * i + 1 + (i % 3 == 0), 5 * i + 2);

		assert_true(len > 0 && (size_t)len < sizeof(line));
		assert_int_equal(story_read(s, line), 0);
	}
	story_finish(s);
	return s;
}

static struct json_object *json_of(const struct story *s, struct rsp_requests_options opt)
{
	struct json_object *o;
	char *text = NULL;
	bool lossy;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	opt.json = true;
	assert_int_equal(rsp_requests_report(s->trace, &opt, f, &lossy), 0);
	assert_int_equal(fclose(f), 0);
	assert_false(lossy);
	o = json_tokener_parse(text);
	assert_non_null(o);
	free(text);
	return o;
}

static void json_keeps_its_contract(void **state)
{
	struct story *s = busy_server();
	struct json_object *o = json_of(s, (struct rsp_requests_options){.slowest = 2});
	struct json_object *schema = json_object_from_file(SCHEMA);
	const char *wrong;

	assert_non_null(schema);
	wrong = json_schema_check(schema, schema, o);
	if (wrong)
		fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
	expect_documented(o, CONTRACT);
	assert_int_equal(json_object_array_length(get(o, "slowest")), 2);
	assert_int_equal(json_object_array_length(get(o, "calls")), 1);
	assert_non_null(get(o, "comparison"));
	json_object_put(schema);
	json_object_put(o);
	story_free(s);
}

static void json_of_a_unix_socket(void **state)
{
	struct story *s = story_new(
		"0 window 0 100; 0 alive 10 pg; 0 alive 20 psql; 0 unix 30 /run/\\e.sock\n"
		"0 unixsocket 70 77 78 5 30 accepted; 0 unixsocket 71 78 77 5 30 connected\n"
		"2 send 20 78 71; 2 ready 77 70; 5 send 10 77 70; 5 ready 78 71");
	struct json_object *o = json_of(s, (struct rsp_requests_options){.slowest = 1});
	struct json_object *schema = json_object_from_file(SCHEMA);
	static const char *const lists[] = {"servers", "calls", "slowest"};

	assert_null(json_schema_check(schema, schema, o));
	for (size_t i = 0; i < 3; i++) {
		struct json_object *row = json_object_array_get_idx(get(o, lists[i]), 0);

		assert_string_equal(json_object_get_string(get(row, "path")), "/run/\\e.sock");
		assert_int_equal(json_object_get_int64(get(row, "port")), 0);
	}
	assert_string_equal(json_object_get_string(
				    get(json_object_array_get_idx(get(o, "calls"), 0), "server")),
			    "pg");
	json_object_put(schema);
	json_object_put(o);
	story_free(s);
}

static int64_t number(struct json_object *o, const char *key)
{
	return json_object_get_int64(get(o, key));
}

static void differences_add_up(void **state)
{
	struct story *s = busy_server();
	struct json_object *o = json_of(
		s, (struct rsp_requests_options){.slowest = 1, .slower_than_ns = 1500000});
	struct json_object *c = get(o, "comparison"), *differences = get(c, "differences");
	int64_t slow_ns = 0, typical_ns = 0;

	assert_int_equal(number(c, "slow"), 10);
	assert_int_equal(number(c, "typical"), 16);
	for (size_t i = 0; i < json_object_array_length(differences); i++) {
		slow_ns += number(json_object_array_get_idx(differences, i), "slow_ns");
		typical_ns += number(json_object_array_get_idx(differences, i), "typical_ns");
	}
	assert_int_equal(slow_ns, 2000000);
	assert_int_equal(slow_ns, number(c, "slow_mean_ns"));
	assert_int_equal(typical_ns, number(c, "typical_mean_ns"));
	json_object_put(o);
	story_free(s);
}

static void servers_of_others_have_no_row(void **state)
{
	struct story *s = busy_server();
	struct json_object *o = json_of(s, (struct rsp_requests_options){0});
	struct rsp_ev_task *task;

	assert_int_equal(json_object_array_length(get(o, "servers")), 1);
	json_object_put(o);
	s->snap.meta.redacted = true;
	o = json_of(s, (struct rsp_requests_options){0});
	assert_int_equal(json_object_array_length(get(o, "servers")), 1);
	json_object_put(o);
	task = (struct rsp_ev_task *)rsp_trace_task(s->trace, 10, 0);
	assert_non_null(task);
	task->attrs |= RSP_TASK_ATTR_CLOSED;
	o = json_of(s, (struct rsp_requests_options){0});
	assert_int_equal(json_object_array_length(get(o, "servers")), 0);
	json_object_put(o);
	story_free(s);
}

static void what_is_not_there_is_an_error(void **state)
{
	struct story *s = busy_server(), *quiet = story_new("0 alive 10 web; 1 run 10");
	struct rsp_requests_options opt = {.comm = "nobody"};
	bool lossy;

	assert_int_equal(rsp_requests_report(s->trace, &opt, stderr, &lossy), -ESRCH);
	opt = (struct rsp_requests_options){.pid = 99};
	assert_int_equal(rsp_requests_report(s->trace, &opt, stderr, &lossy), -ESRCH);
	assert_int_equal(rsp_requests_report(quiet->trace, &opt, stderr, &lossy), -ENODATA);
	story_free(quiet);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_keeps_its_contract),
		cmocka_unit_test(differences_add_up),
		cmocka_unit_test(json_of_a_unix_socket),
		cmocka_unit_test(servers_of_others_have_no_row),
		cmocka_unit_test(what_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
