/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that summaries keep their contract (docs/json-summary.md). */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/text.h"
#include "lib/model/explain/explain.h"
#include "lib/model/model.h"
#include "lib/model/roots.h"
#include "lib/snapshot/unit.h"
#include "lib/summary/summary.h"
#include "rsp/summary.h"
#include "tests/story/story.h"
#include "tests/unit/json-schema.h"

#define SCHEMA	 "docs/json-summary.schema.json"
#define CONTRACT "docs/json-summary.md"

static __u64 number(struct json_object *o, const char *key)
{
	return json_object_get_uint64(get(o, key));
}

static const char *text(struct json_object *o, const char *key)
{
	return json_object_get_string(get(o, key));
}

static struct json_object *at(struct json_object *o, const char *key, size_t i)
{
	return json_object_array_get_idx(get(o, key), i);
}

static size_t count(struct json_object *o, const char *key)
{
	return json_object_array_length(get(o, key));
}

/* --- checks that hold for any summary --------------------------------------------------------- */

static void check_schema(struct json_object *summary)
{
	struct json_object *schema = json_object_from_file(SCHEMA);
	const char *wrong;

	assert_non_null(schema);
	wrong = json_schema_check(schema, schema, summary);
	if (wrong)
		fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
	json_object_put(schema);
}

/*
 * Checks that the chains of a unit begin with the heaviest chain, and are within the time of the
 * unit.
 */
static void check_chains(struct json_object *unit)
{
	__u64 by_category[RSP_CAT_MAX] = {0}, former_ns = UINT64_MAX;

	assert_true(count(unit, "chains") <= 10);
	for (size_t i = 0; i < count(unit, "chains"); i++) {
		struct json_object *chain = at(unit, "chains", i);
		unsigned int cat = 0;

		while (strcmp(rsp_category_key(cat), text(chain, "category")) != 0)
			assert_true(++cat < RSP_CAT_MAX);
		by_category[cat] += number(chain, "ns");
		assert_int_not_equal(cat, RSP_CAT_IDLE);
		assert_true(number(chain, "ns") <= former_ns);
		former_ns = number(chain, "ns");
		assert_int_equal(strlen(text(chain, "id")), 16);
		assert_null(strpbrk(text(chain, "folded"), " \n"));
		assert_true(*text(chain, "folded") && *text(chain, "folded") != ';');
	}
	for (unsigned int cat = 0; cat < RSP_CAT_MAX; cat++)
		assert_true(by_category[cat] <=
			    number(get(unit, "categories"), rsp_category_key(cat)));
}

static void check_unit(struct json_object *unit)
{
	__u64 sum = 0;

	json_object_object_foreach (get(unit, "categories"), key, ns) {
		(void)key;
		sum += json_object_get_uint64(ns);
	}
	assert_int_equal(sum, number(unit, "total_ns"));
	check_chains(unit);
}

static struct json_object *summary_of(struct rsp_snapshot *snap, size_t bytes_max)
{
	struct rsp_summary_options opt = {.cpu_ns = 12345, .bytes_max = bytes_max};
	struct json_object *summary;
	char *json;
	size_t len;

	assert_int_equal(rsp_summary_make(snap, &opt, &json, &len), 0);
	assert_int_equal(strlen(json), len);
	assert_true(rsp_summary_cost(json, len) <= (bytes_max ? bytes_max : RSP_SUMMARY_BYTES_MAX));
	assert_true(rsp_text_is_clean(json));
	summary = json_tokener_parse(json);
	assert_non_null(summary);
	free(json);
	check_schema(summary);
	assert_int_equal(number(summary, "cpu_ns"), 12345);
	for (size_t i = 0; i < count(summary, "units"); i++)
		check_unit(at(summary, "units", i));
	return summary;
}

/* --- recordings ------------------------------------------------------------------------------- */

struct totals {
	__u64 total_ns, cat_ns[RSP_CAT_MAX], threads;
};

static void add_process(const struct rsp_model *m, struct totals *ret)
{
	struct rsp_explanation *e;

	if (rsp_explain_model_chains(m, &e) < 0)
		return;
	ret->total_ns += e->total_ns;
	ret->threads += e->root_cnt + e->idle_root_cnt;
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		ret->cat_ns[cat] += e->cat_ns[cat];
	rsp_explanation_free(e);
}

/* Explains each process separately. In these recordings, no two processes have the same PID. */
static void explain_each(struct rsp_snapshot *snap, struct totals *ret)
{
	struct rsp_trace *trace;
	struct rsp_model *m;

	assert_int_equal(rsp_trace_new(snap, &trace), 0);
	assert_int_equal(rsp_model_new(trace, &m), 0);
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_ev_task *task = rsp_thread_identity(m, &m->threads.v[i]);

		if (!task || task->tid != task->tgid || task->attrs & RSP_TASK_ATTR_KTHREAD)
			continue;
		rsp_meta_choose_process(&snap->meta, task->tgid);
		add_process(m, ret);
	}
	rsp_model_free(m);
	rsp_trace_free(trace);
}

static void check_totals(struct json_object *summary, const struct totals *expected)
{
	struct totals sum = {0};

	for (size_t i = 0; i < count(summary, "units"); i++) {
		struct json_object *unit = at(summary, "units", i);

		sum.total_ns += number(unit, "total_ns");
		sum.threads += number(unit, "threads");
		for (unsigned int cat = 0; cat < RSP_CAT_MAX; cat++)
			sum.cat_ns[cat] += number(get(unit, "categories"), rsp_category_key(cat));
	}
	assert_true(sum.total_ns > 0);
	assert_memory_equal(&sum, expected, sizeof(sum));
}

static void units_add_up_to_the_explanations_of_their_processes(void **state)
{
	glob_t found;

	assert_int_equal(glob("tests/golden/*.rsp", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		int fd = open(found.gl_pathv[i], O_RDONLY | O_CLOEXEC);
		struct json_object *summary;
		struct totals expected = {0};
		struct rsp_snapshot *snap;

		assert_int_equal(rsp_snapshot_open_fd(fd, &snap), 0);
		close(fd);
		explain_each(snap, &expected);
		summary = summary_of(snap, 0);
		assert_int_equal(number(summary, "left_out"), 0);
		check_totals(summary, &expected);
		json_object_put(summary);
		rsp_snapshot_free(snap);
	}
	globfree(&found);
}

/* --- stories ---------------------------------------------------------------------------------- */

/*
 * A unit with two processes, one of which is in a child cgroup; a container; and a process without
 * a unit.
 */
static const char units[] =
	"0 window 0 100; 0 cgroup 5 /system.slice/web.service ino=500; 0 cgroup 6 "
	"/system.slice/web.service/workers ino=600; 0 cgroup 7 "
	"/system.slice/"
	"docker-3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope/x ino=700\n"
	"0 alive 10 web cgroup=500; 0 alive 11 worker cgroup=600; 0 alive 12 app cgroup=700\n"
	"0 alive 13 stray cgroup=99; 0 kthread 2 kthreadd\n"
	"0 run 10; 30 block 10 sys=23; 40 wake 11 10; 0 run 11 cpu=1; 60 run 10; 100 block 10\n"
	"100 block 11 cpu=1; 0 run 12 cpu=2; 90 block 12 cpu=2; 0 run 13 cpu=3; 5 block 13 cpu=3";

static struct json_object *find_unit(struct json_object *summary, const char *cgroup)
{
	for (size_t i = 0; i < count(summary, "units"); i++)
		if (strcmp(text(at(summary, "units", i), "cgroup"), cgroup) == 0)
			return at(summary, "units", i);
	fail_msg("no unit with cgroup %s", cgroup);
	return NULL;
}

static void processes_belong_to_the_unit_of_their_cgroup(void **state)
{
	struct story *s = story_new(units);
	struct json_object *summary = summary_of(&s->snap, 0), *unit;

	assert_int_equal(count(summary, "units"), 3);
	unit = find_unit(summary, "/system.slice/web.service");
	assert_string_equal(text(unit, "unit"), "web.service");
	assert_int_equal(number(unit, "threads"), 2);
	assert_int_equal(number(unit, "total_ns"), 200 * 1000000);
	assert_null(get(unit, "container"));
	unit = find_unit(summary, "/system.slice/docker-"
				  "3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860"
				  ".scope");
	assert_string_equal(text(get(unit, "container"), "runtime"), "docker");
	assert_int_equal(number(unit, "total_ns"), 100 * 1000000);
	unit = find_unit(summary, "");
	assert_string_equal(text(unit, "unit"), "");
	assert_int_equal(number(unit, "threads"), 1);
	json_object_put(summary);
	story_free(s);
}

static void the_cgroup_names_the_unit(void **state)
{
	static const struct {
		const char *path, *unit, *group;
	} cases[] = {
		{"/system.slice/a.service", "a.service", "/system.slice/a.service"},
		{"/system.slice/a.service/b/c", "a.service", "/system.slice/a.service"},
		{"/init.scope", "init.scope", "/init.scope"},
		{"/user.slice/user-1000.slice/user@1000.service/app.slice/a.service",
		 "user@1000.service", "/user.slice/user-1000.slice/user@1000.service"},
		{"/a.slice/a-b.slice", "", "/a.slice/a-b.slice"},
		{"/", "", "/"},
		{"", "", ""},
		{"/x/a.service", "", "/x/a.service"}, /* systemd did not make this cgroup */
		{"/.service", "", "/.service"},
		{"/system.slice/x.scope/lxc.payload.web/y", "x.scope",
		 "/system.slice/x.scope/lxc.payload.web"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_unit unit;

		rsp_unit_of_path(cases[i].path, &unit);
		assert_int_equal(unit.name_len, strlen(cases[i].unit));
		assert_memory_equal(cases[i].path + unit.name_off, cases[i].unit, unit.name_len);
		assert_int_equal(unit.group_len, strlen(cases[i].group));
	}
}

/*
 * Returns the first record of a kind (of thread tid, if tid is not 0), so that the test can change
 * the record.
 */
static void *record_of(const struct story *s, __u16 kind, __u32 tid)
{
	struct rsp_ev_hdr *hdr;

	for (size_t off = 0; off < s->len; off += hdr->size) {
		hdr = (void *)((char *)s->sections[0].data + off);
		if (hdr->kind == kind && (!tid || ((struct rsp_ev_task *)hdr)->tid == tid))
			return hdr;
	}
	fail_msg("no record of kind %u", kind);
	return NULL;
}

/*
 * The recorded path of a cgroup lacks its beginning. It must not be taken for the path of another
 * unit.
 */
static void a_cut_path_names_no_unit(void **state)
{
	struct story *s = story_new("0 window 0 10; 0 cgroup 5 /system.slice/web.service ino=500\n"
				    "0 alive 10 web cgroup=500; 0 run 10; 9 block 10");
	struct json_object *summary;

	((struct rsp_ev_hdr *)record_of(s, RSP_EV_OBJECT, 0))->flags |= RSP_OBJ_TRUNCATED;
	summary = summary_of(&s->snap, 0);
	assert_int_equal(count(summary, "units"), 1);
	assert_string_equal(text(at(summary, "units", 0), "unit"), "");
	json_object_put(summary);
	story_free(s);
}

static void a_chain_is_folded_as_in_a_flame_graph(void **state)
{
	struct story *s = story_new(
		"0 window 0 100; 0 cgroup 5 /system.slice/web.service ino=500; 0 alive 10 web cgroup=500\n"
		"0 alive 20 my_db; 0 kstack 1 schedule,pipe_read; 0 ustack 2 read,handle,main\n"
		"0 ustack 3 sort,query; 0 run 10; 10 block 10 sys=0 k=1 u=2\n"
		"10 run 20 cpu=1; 50 sample 20 u=3 cpu=1 us=80000; 90 wake 20 10 cpu=1; 90 run 10; "
		"95 block 20 cpu=1 u=3; 100 block 10");
	struct rsp_ev_task *db = record_of(s, RSP_EV_TASK, 20);
	struct json_object *summary, *unit, *chain;

	memcpy(db->comm, "a;b\n\xff c", 8);
	summary = summary_of(&s->snap, 0);
	unit = find_unit(summary, "/system.slice/web.service");
	chain = at(unit, "chains", 0);
	assert_string_equal(
		text(chain, "folded"),
		"web;main;handle;read;pipe_read_[k];schedule_[k];read;a:b??_c;sort;query");
	assert_string_equal(text(chain, "category"), "running_sampled");
	assert_true(number(chain, "ns") >= 79 * 1000000);
	assert_true(strstr(text(unit, "cause"), "web") != NULL);
	json_object_put(summary);
	story_free(s);
}

static struct story *many_units(unsigned int cnt)
{
	struct story *s = story_begin();
	char line[400];

	assert_int_equal(story_read(s, "0 window 0 1000"), 0);
	for (unsigned int i = 0; i < cnt; i++) {
		int len = snprintf(
			line, sizeof(line),
			"0 cgroup %u /system.slice/%u-\"\"\"\"\"\"\"\"\"\"\"\\.service ino=%u; "
			"0 alive %u p%u cgroup=%u; 0 run %u; %u block %u sys=%u",
			9000 + i, i, 90000 + i, 100 + i, i, 90000 + i, 100 + i, 1 + i, 100 + i, i);

		assert_true(len > 0 && (size_t)len < sizeof(line));
		assert_int_equal(story_read(s, line), 0);
	}
	story_finish(s);
	return s;
}

static __u64 busy_ns(struct json_object *unit)
{
	return number(unit, "total_ns") - number(get(unit, "categories"), "idle");
}

static void units_with_the_least_time_are_left_out(void **state)
{
	struct story *s = many_units(100);
	struct json_object *summary = summary_of(&s->snap, 0);

	assert_int_equal(count(summary, "units"), 50);
	assert_int_equal(number(summary, "left_out"), 50);
	for (size_t i = 1; i < count(summary, "units"); i++)
		assert_true(busy_ns(at(summary, "units", i - 1)) >=
			    busy_ns(at(summary, "units", i)));
	json_object_put(summary);
	story_free(s);
}

static void a_summary_never_exceeds_its_limit(void **state)
{
	struct story *s = many_units(60);
	struct json_object *summary;
	size_t former = 0;
	char *json;
	size_t len;

	for (size_t bytes_max = 300; bytes_max < 70000; bytes_max += 997) {
		summary = summary_of(&s->snap, bytes_max);
		assert_true(count(summary, "units") >= former);
		former = count(summary, "units");
		assert_int_equal(count(summary, "units") + number(summary, "left_out"), 60);
		json_object_put(summary);
	}
	assert_int_equal(rsp_summary_make(&s->snap, &(struct rsp_summary_options){.bytes_max = 50},
					  &json, &len),
			 -E2BIG);
	story_free(s);
}

static void requests_belong_to_the_unit_of_their_server(void **state)
{
	struct story *s = story_begin();
	char line[300];
	struct json_object *summary, *row;

	assert_int_equal(
		story_read(s, "0 window 0 1000; 0 cgroup 5 /system.slice/web.service ino=500\n"
			      "0 alive 10 web cgroup=500\n"
			      "0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted\n"
			      "0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232\n"),
		0);
	for (int i = 1; i <= 10; i++) {
		snprintf(line, sizeof(line),
			 "%d ready 77 70; %d irq net 77 10; %d run 10; %d send 10 77 70 bytes=5; "
			 "%d.5 block 10 sys=232",
			 50 * i, 50 * i, 50 * i, 51 * i, 51 * i);
		assert_int_equal(story_read(s, line), 0);
	}
	assert_int_equal(story_read(s, "900 ready 77 70"), 0);
	story_finish(s);
	summary = summary_of(&s->snap, 0);
	row = at(find_unit(summary, "/system.slice/web.service"), "requests", 0);
	assert_string_equal(text(row, "comm"), "web");
	assert_int_equal(number(row, "port"), 80);
	assert_int_equal(number(row, "answered"), 10);
	assert_int_equal(number(row, "pending"), 1);
	assert_int_equal(number(row, "p50_ns"), 5 * 1000000);
	assert_int_equal(number(row, "p90_ns"), 9 * 1000000);
	assert_int_equal(number(row, "p99_ns"), 10 * 1000000);
	assert_int_equal(number(row, "max_ns"), 10 * 1000000);
	assert_non_null(strstr(text(row, "slowest_text"), "web"));
	json_object_put(summary);
	story_free(s);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(units_add_up_to_the_explanations_of_their_processes),
	cmocka_unit_test(processes_belong_to_the_unit_of_their_cgroup),
	cmocka_unit_test(the_cgroup_names_the_unit),
	cmocka_unit_test(a_cut_path_names_no_unit),
	cmocka_unit_test(a_chain_is_folded_as_in_a_flame_graph),
	cmocka_unit_test(units_with_the_least_time_are_left_out),
	cmocka_unit_test(a_summary_never_exceeds_its_limit),
	cmocka_unit_test(requests_belong_to_the_unit_of_their_server),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
