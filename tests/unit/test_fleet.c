/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/fleet without a server; tests/fleet/queries tests it with a real server. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/fleet/changes.h"
#include "lib/fleet/outliers.h"
#include "lib/fleet/slowest.h"
#include "lib/fleet/sql.h"
#include "lib/fleet/top.h"

#define HOUR 3600
/* 2026-03-02 00:00:00 UTC */
#define DAY  1772409600

struct text {
	char *v;
	size_t len;
	FILE *out;
};

static FILE *text_begin(struct text *t)
{
	t->out = open_memstream(&t->v, &t->len);
	assert_non_null(t->out);
	return t->out;
}

static const char *text_end(struct text *t)
{
	assert_int_equal(fclose(t->out), 0);
	return t->v;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

/* --- SQL -------------------------------------------------------------------------------------- */

static void test_quote(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{"", "''"},
		{"nginx.service", "'nginx.service'"},
		{"'", "'\\x27'"},
		{"\\", "'\\x5C'"},
		{"\\'; DROP TABLE x; --", "'\\x5C\\x27; DROP TABLE x; --'"},
		{"a\nb\x7f\x01", "'a\\x0Ab\\x7F\\x01'"},
		{"\xc3\xa9\xff", "'\xc3\xa9\xff'"},
		{"%s{x:String}", "'%s{x:String}'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct text t;

		rsp_sql_put_string(text_begin(&t), cases[i].in);
		assert_string_equal(text_end(&t), cases[i].want);
		free(t.v);
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_true(rsp_sql_is_name("rsp_2"));
	assert_false(rsp_sql_is_name(""));
	assert_false(rsp_sql_is_name("2rsp"));
	assert_false(rsp_sql_is_name("a b"));
	assert_false(rsp_sql_is_name("a`b"));
	assert_false(rsp_sql_is_name("r\xc3\xa9"));
}

/* --- sources ---------------------------------------------------------------------------------- */

static void test_source(void **state)
{
	static const struct {
		int64_t since, until;
		size_t hours, rows;
	} cases[] = {
		{DAY, DAY + HOUR, 1, 0},
		{DAY, DAY + 24 * HOUR, 1, 0},
		{DAY + 1, DAY + HOUR, 0, 1},
		{DAY + 1, DAY + 2 * HOUR, 1, 1},
		{DAY + 1, DAY + 2 * HOUR + 1, 1, 2},
		{DAY, DAY + HOUR + 1, 1, 1},
		{DAY + 10, DAY + 20, 0, 1},
		{DAY + HOUR - 1, DAY + HOUR + 1, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_fleet_filter f = {.span = {cases[i].since, cases[i].until}};
		struct text t;

		rsp_fleet_put_source(text_begin(&t), RSP_FLEET_UNITS, &f);
		text_end(&t);
		assert_int_equal(count(t.v, "FROM rsp_unit_hour"), cases[i].hours);
		assert_int_equal(count(t.v, "FROM rsp_summary"), cases[i].rows);
		assert_int_equal(count(t.v, "UNION ALL"), cases[i].hours + cases[i].rows - 1);
		assert_int_equal(count(t.v, "LIMIT 1 BY"), 0);
		free(t.v);
	}
}

/*
 * For hours that were sent twice, the sums are wrong. So the query reads the rows, and counts each
 * number once.
 */
static void test_source_repeated(void **state)
{
	static const char *const units[] = {"a", "b'"};
	struct rsp_fleet_filter f = {
		.span = {DAY, DAY + 2 * HOUR},
		.units = units,
		.unit_cnt = 2,
		.host = "h",
		.repeated = {[RSP_FLEET_CHAINS] = true},
	};
	struct text t;

	(void)state;
	rsp_fleet_put_source(text_begin(&t), RSP_FLEET_CHAINS, &f);
	text_end(&t);
	assert_int_equal(count(t.v, "(machine, boot, hour) NOT IN ("), 1);
	assert_int_equal(count(t.v, "(machine, boot, toStartOfHour(at)) IN ("), 1);
	assert_int_equal(count(t.v, "LIMIT 1 BY machine, boot, number"), 1);
	assert_int_equal(count(t.v, "unit IN ('a', 'b\\x27') AND host = 'h'"), 2);
	free(t.v);
}

static void test_repeated_tables(void **state)
{
	enum rsp_fleet_table t;

	(void)state;
	assert_true(rsp_fleet_find_table("request", &t));
	assert_int_equal(t, RSP_FLEET_REQUESTS);
	assert_false(rsp_fleet_find_table("rsp_request", &t));
}

/* --- answers ---------------------------------------------------------------------------------- */

static void test_result(void **state)
{
	static const char text[] = "{\"meta\":[],\"data\":[[\"a\",\"18446744073709551615\",1.5],"
				   "[\"b\",18446744073709551615,null]],\"totals\":[\"\",\"7\",2],"
				   "\"rows\":2}";
	struct rsp_fleet_result r;

	(void)state;
	assert_int_equal(rsp_fleet_result_parse(text, strlen(text), 3, &r), 0);
	assert_int_equal(r.row_cnt, 2);
	assert_string_equal(rsp_fleet_text(&r, 0, 0), "a");
	assert_true(rsp_fleet_number(&r, 0, 1) == UINT64_MAX);
	assert_true(rsp_fleet_number(&r, 1, 1) == UINT64_MAX);
	assert_true(rsp_fleet_real(&r, 0, 2) == 1.5);
	assert_true(rsp_fleet_real(&r, 1, 2) == 0);
	assert_int_equal(rsp_fleet_number(&r, -1, 1), 7);
	assert_string_equal(rsp_fleet_text(&r, 0, 2), "");
	assert_int_equal(rsp_fleet_number(&r, 1, 2), 0);
	assert_string_equal(rsp_fleet_text(&r, 0, 9), "");
	rsp_fleet_result_done(&r);
}

static void test_result_rejected(void **state)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"data\":{}}",
		"{\"data\":[[1,2]]}", /* too few cells */
		"{\"data\":[[1,2,3],4]}",
		"{\"data\":[],\"totals\":[1]}",
		"{\"data\":[]} Code: 159. DB::Exception",
		"{\"data\":[[1,2,3]",
	};
	struct rsp_fleet_result r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(rsp_fleet_result_parse(bad[i], strlen(bad[i]), 3, &r), -EBADMSG);
}

/* --- statistics and words --------------------------------------------------------------------- */

static void test_sign(void **state)
{
	static const struct {
		uint64_t grown, shrunk;
		double p;
	} cases[] = {
		{0, 0, 1},	 {1, 0, 1},	   {3, 3, 1},	       {5, 0, 0.0625},
		{0, 6, 0.03125}, {9, 1, 0.021484}, {60, 40, 0.056888}, {40, 0, 2 * 0x1p-40},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(fabs(rsp_fleet_sign_test(cases[i].grown, cases[i].shrunk) -
				 cases[i].p) < 1e-5 * cases[i].p + 1e-15 + 1e-6);
	/* With many hosts, factorials would overflow. */
	assert_true(rsp_fleet_sign_test(5000, 5000) == 1);
	assert_true(rsp_fleet_sign_test(10000, 0) < 1e-100);
}

static void test_short_chain(void **state)
{
	char buf[24];

	(void)state;
	assert_string_equal(rsp_fleet_short_chain("a;b;c", buf, sizeof(buf)), "a;b;c");
	assert_string_equal(
		rsp_fleet_short_chain("comm;main;serve;read;disk;sda", buf, sizeof(buf)),
		"comm;…;disk;sda");
	assert_string_equal(rsp_fleet_short_chain("a\x1b[0m;b", buf, sizeof(buf)), "a?[0m;b");
}

static void test_snapshot_of(void **state)
{
	static const char text[] =
		"{\"data\":[[\"1\",\"h\",\"m\",\"b\",\"u\",\"\",\"\",\"\",\"k\",100,110,1,0,0,0],"
		"[\"2\",\"h\",\"m\",\"b\",\"\",\"\",\"\",\"\",\"k\",200,210,1,0,0,0]]}";
	static const struct {
		const char *machine, *unit;
		int64_t at;
		long row;
	} cases[] = {
		{"m", "u", 100, 0},  {"m", "u", 120, 0},  {"m", "u", 121, -1}, {"m", "u", 99, -1},
		{"n", "u", 105, -1}, {"m", "v", 105, -1}, {"m", "v", 205, 1},
	};
	struct rsp_fleet_result r;

	(void)state;
	assert_int_equal(rsp_fleet_result_parse(text, strlen(text), RSP_FLEET_SNAPSHOT_COLUMNS, &r),
			 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_fleet_request q = {
			.machine = cases[i].machine, .unit = cases[i].unit, .at = cases[i].at};

		assert_int_equal(rsp_fleet_snapshot_of(&r, &q), cases[i].row);
	}
	rsp_fleet_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quote),		cmocka_unit_test(test_names),
		cmocka_unit_test(test_source),		cmocka_unit_test(test_source_repeated),
		cmocka_unit_test(test_repeated_tables), cmocka_unit_test(test_result),
		cmocka_unit_test(test_result_rejected), cmocka_unit_test(test_sign),
		cmocka_unit_test(test_short_chain),	cmocka_unit_test(test_snapshot_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
