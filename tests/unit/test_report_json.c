/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the JSON report keeps its contract (docs/json-report.md). */
#include <errno.h>
#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/report.h"
#include "tests/story/story.h"
#include "tests/unit/json-schema.h"
#include "tests/unit/report-text.h"
#include "tests/unit/survey.h"

#define SCHEMA	 "docs/json-report.schema.json"
#define CONTRACT "docs/json-report.md"

static struct json_object *json_of(const struct rsp_explanation *e, bool pretty)
{
	struct json_object *o;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(rsp_report_json(e, NULL, pretty, f), 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(text[len - 1], '\n');
	assert_int_equal(strchr(text, '\n') == text + len - 1, !pretty);
	o = json_tokener_parse(text);
	assert_non_null(o);
	free(text);
	return o;
}

static void expect_valid(struct json_object *report)
{
	struct json_object *schema = json_object_from_file(SCHEMA);
	const char *wrong;

	assert_non_null(schema);
	wrong = json_schema_check(schema, schema, report);
	if (wrong)
		fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
	json_object_put(schema);
}

static void json_keeps_its_contract(void **state)
{
	static const struct rsp_meta empty_meta = {.exit_status = -1};
	struct rsp_explanation empty = {.meta = &empty_meta, .comm = "gone"};
	static const struct rsp_meta breach_meta = {.trigger = {.slo = "x"}, .exit_status = -1};
	struct rsp_explanation e = build;
	struct json_object *pretty, *plain, *breach, *nothing = json_of(&empty, false);

	e.meta = &breach_meta;
	breach = json_of(&e, false);
	e.meta = build.meta;
	e.survey = full_survey;
	pretty = json_of(&e, true);
	plain = json_of(&e, false);

	expect_valid(pretty);
	expect_valid(nothing);
	expect_valid(breach);
	assert_null(get(plain, "trigger"));
	assert_true(json_object_equal(pretty, plain));
	assert_null(get(get(nothing, "target"), "wait_status"));
	json_object_put(pretty);
	json_object_put(plain);
	json_object_put(breach);
	json_object_put(nothing);
}

static void json_carries_the_numbers(void **state)
{
	struct json_object *report = json_of(&build, false), *hops, *leaf, *frame;
	int64_t sum = 0, chains_ns = 0;

	json_object_object_foreach (get(report, "categories"), key, ns) {
		(void)key;
		sum += json_object_get_int64(ns);
	}
	assert_int_equal(sum, 3712 * MS);
	assert_int_equal(json_object_get_int64(get(report, "total_ns")), 3712 * MS);
	for (size_t i = 0; i < json_object_array_length(get(report, "chains")); i++)
		chains_ns += json_object_get_int64(
			get(json_object_array_get_idx(get(report, "chains"), i), "ns"));
	assert_int_equal(chains_ns, 3712 * MS);
	assert_int_equal(json_object_get_int(get(get(report, "target"), "wait_status")), 512);
	assert_int_equal(json_object_get_int(get(get(report, "snapshot"), "realtime_offset_ns")),
			 -5);
	assert_false(json_object_get_boolean(get(report, "lossy")));

	hops = get(json_object_array_get_idx(get(report, "chains"), 3), "hops");
	assert_int_equal(json_object_array_length(hops), 3);
	assert_string_equal(json_object_get_string(get(json_object_array_get_idx(hops, 0), "kind")),
			    "blocked");
	leaf = json_object_array_get_idx(hops, 2);
	assert_string_equal(json_object_get_string(get(leaf, "kind")), "running_unsampled");
	assert_true(json_object_get_boolean(get(leaf, "inferred")));
	assert_int_equal(json_object_get_int64(get(leaf, "ns")), 110 * MS + 345678);
	assert_int_equal(json_object_get_int(get(leaf, "tasks")), 38);
	frame = json_object_array_get_idx(get(leaf, "stack"), 0);
	assert_string_equal(json_object_get_string(get(frame, "symbol")), "_exit");
	assert_string_equal(json_object_get_string(get(frame, "module")), "libc.so.6");
	assert_string_equal(json_object_get_string(get(frame, "space")), "user");
	frame = json_object_array_get_idx(get(json_object_array_get_idx(hops, 0), "stack"), 0);
	assert_string_equal(json_object_get_string(get(frame, "symbol")), "__schedule");
	assert_string_equal(json_object_get_string(get(frame, "space")), "kernel");
	json_object_put(report);
}

static void json_findings_have_evidence(void **state)
{
	struct json_object *report = json_of(&build, false), *finding, *evidence, *seen;

	finding = json_object_array_get_idx(get(report, "findings"), 1);
	assert_string_equal(json_object_get_string(get(finding, "kind")), "disk");
	assert_int_equal(json_object_get_int64(get(finding, "ns")), 400 * MS);
	assert_false(json_object_get_boolean(get(finding, "inferred")));
	evidence = get(finding, "evidence");
	assert_int_equal(json_object_array_length(evidence), 1);
	seen = json_object_array_get_idx(evidence, 0);
	assert_int_equal(json_object_get_int64(get(seen, "at_ns")), 2203456 * MS / 1000);
	assert_int_equal(json_object_get_int64(get(seen, "ns")), 25 * MS);
	assert_int_equal(json_object_get_int(get(seen, "tid")), 1240);
	assert_string_equal(json_object_get_string(get(seen, "comm")), "cc1");
	assert_int_equal(json_object_array_length(get(seen, "stack")), 4);
	json_object_put(report);
}

static int64_t number_of(struct json_object *report, const char *table, const char *key)
{
	return json_object_get_int64(get(json_object_array_get_idx(get(report, table), 0), key));
}

static void json_carries_the_survey(void **state)
{
	struct rsp_explanation e = build;
	struct json_object *report, *row;

	e.survey = full_survey;
	report = json_of(&e, false);
	assert_int_equal(json_object_array_length(get(report, "io")), 3);
	assert_int_equal(number_of(report, "io", "active_ns"), 30 * MS);
	assert_int_equal(number_of(report, "io", "queued_ns"), 2 * MS);
	assert_int_equal(number_of(report, "io", "longest_ns"), 9 * MS);
	assert_int_equal(number_of(report, "io", "waited_ns"), 31 * MS);
	assert_int_equal(number_of(report, "io", "target_ns"), 20 * MS);
	assert_int_equal(number_of(report, "net", "waited_ns"), 6 * MS);
	assert_int_equal(number_of(report, "net", "longest_ns"), 4 * MS);
	assert_int_equal(number_of(report, "net", "target_ns"), 5 * MS);
	assert_int_equal(number_of(report, "net", "round_trips"), 2);
	assert_int_equal(number_of(report, "locks", "waiters"), 3);
	assert_int_equal(number_of(report, "locks", "wakers"), 2);
	assert_int_equal(number_of(report, "locks", "holder_tid"), 1235);
	assert_int_equal(number_of(report, "irqs", "interrupting_ns"), 2 * MS);
	assert_int_equal(number_of(report, "irqs", "woken"), 39);
	assert_int_equal(number_of(report, "edges", "count"), 5);
	assert_int_equal(number_of(report, "edges", "ended_waits"), 4);
	row = json_object_array_get_idx(get(report, "locks"), 0);
	assert_string_equal(json_object_get_string(get(row, "address")), "0x7f00dead");
	json_object_put(report);
}

static void json_carries_marks_and_counters(void **state)
{
	struct story *s = story_new("0 window 1000 4000 500; 0 target 10; 0 alive 10 shop\n"
				    "900 pressure 0; 1200 mark text v2 uid=7\n"
				    "1900 pressure 250000; 1900 memory 2000; 2900 memory 1000\n"
				    "3000 mark breach api; 3100 run 10; 4500 memory 4000\n"
				    "9000 memory 1");
	struct rsp_explanation *e = NULL;
	struct json_object *report, *list, *one;

	assert_int_equal(rsp_explain(s->trace, &e), 0);
	report = json_of(e, false);
	expect_valid(report);
	list = get(report, "marks");
	assert_int_equal(json_object_array_length(list), 2);
	one = json_object_array_get_idx(list, 0);
	assert_string_equal(json_object_get_string(get(one, "text")), "v2");
	assert_int_equal(json_object_get_int(get(one, "uid")), 7);
	one = json_object_array_get_idx(list, 1);
	assert_string_equal(json_object_get_string(get(one, "kind")), "breach");
	assert_null(get(one, "uid"));
	list = get(report, "counters");
	assert_int_equal(json_object_array_length(list), 2);
	one = json_object_array_get_idx(list, 0);
	assert_string_equal(json_object_get_string(get(one, "name")), "pressure_cpu");
	assert_int_equal(json_object_get_int(get(one, "mean")), 250000);
	one = json_object_array_get_idx(list, 1);
	assert_int_equal(json_object_get_int(get(one, "min")), 1000 * 1024);
	assert_int_equal(json_object_get_int(get(one, "max")), 4000 * 1024);
	assert_int_equal(json_object_array_length(get(one, "readings")), 3);
	json_object_put(report);
	rsp_explanation_free(e);
	story_free(s);
}

static void json_names_are_valid_utf8(void **state)
{
	static struct rsp_hop hop = {.kind = RSP_HOP_LEAF,
				     .category = RSP_CAT_KERNEL,
				     .tgid = 1,
				     .tid = 1,
				     .comm = "a\xff\"\x01",
				     .object = "\xc3\xa9",
				     .behind = "",
				     .syscall = ""};
	static struct rsp_chain chain = {3712 * MS, 1, &hop, 1};
	struct rsp_explanation e = build;
	struct json_object *report, *got;

	e.chains = &chain;
	e.chain_cnt = 1;
	report = json_of(&e, false);
	got = json_object_array_get_idx(
		get(json_object_array_get_idx(get(report, "chains"), 0), "hops"), 0);
	assert_string_equal(json_object_get_string(get(got, "comm")), "a?\"?");
	assert_string_equal(json_object_get_string(get(got, "object")), "\xc3\xa9");
	json_object_put(report);
}

static void contract_names_every_field(void **state)
{
	struct json_object *schema = json_object_from_file(SCHEMA);
	static char text[64 * 1024];
	FILE *f = fopen(CONTRACT, "r");
	char quoted[64];

	assert_non_null(schema);
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	json_object_object_foreach (get(schema, "properties"), key, top) {
		(void)top;
		snprintf(quoted, sizeof(quoted), "| `%s` |", key);
		assert_non_null(strstr(text, quoted));
	}
	json_object_object_foreach (get(schema, "definitions"), name, definition) {
		(void)name;
		json_object_object_foreach (get(definition, "properties"), field, type) {
			(void)type;
			snprintf(quoted, sizeof(quoted), "`%s`", field);
			assert_non_null(strstr(text, quoted));
		}
	}
	json_object_put(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_keeps_its_contract),
		cmocka_unit_test(json_carries_the_numbers),
		cmocka_unit_test(json_findings_have_evidence),
		cmocka_unit_test(json_carries_the_survey),
		cmocka_unit_test(json_carries_marks_and_counters),
		cmocka_unit_test(json_names_are_valid_utf8),
		cmocka_unit_test(contract_names_every_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
