/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the comparison of two sides. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/diff/diff-profile.h"
#include "tests/story/story.h"
#include "tests/unit/documented.h"
#include "tests/unit/json-schema.h"

#define SCHEMA	 "docs/json-diff.schema.json" /* path from the top folder, in which the tests run */
#define CONTRACT "docs/diff.md"

static const char people[] =
	"0 alive 10 app; 0 alive 20 db; 0 drive 8:0 vda; 0 file 5 /data/x\n"
	"0 ustack 1 hash,work,main@app; 0 ustack 2 sort,work,main@app\n"
	"0 ustack 3 nanosleep@libc.so.6,fetch,main@app\n"
	"0 ustack 4 lookup,main@db; 0 pipe 7; 0 run 20 cpu=1; 0.1 block 20 cpu=1\n";

/*
 * Durations in one round of app, in milliseconds: computing in hash() and in sort(), sleeping in
 * fetch(), and waiting for db. sample: the time between two samples; 0: SAMPLE_MS.
 */
struct round {
	double hash, sort, fetch, lookup, sample;
};

#define SAMPLE_MS 0.5

#define ROUNDS 24

static void add(struct story *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct story *s, const char *format, ...)
{
	char line[400];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (story_read(s, line) != 0)
		fail_msg("%s: %s", line, s->error);
}

/*
 * Adds the samples of a run from at to at + ms. Samples come at multiples of `every`, independently
 * of the beginning of the run.
 */
static void sample(struct story *s, double at, double ms, int tid, int stack, int cpu, double every)
{
	for (double t = ceil(at / every) * every; t < at + ms; t += every)
		add(s, "%.4f sample %d u=%d us=500 cpu=%d", t, tid, stack, cpu);
}

static double compute(struct story *s, double at, double ms, int tid, int stack, int cpu,
		      const struct round *round)
{
	sample(s, at, ms, tid, stack, cpu, round->sample > 0 ? round->sample : SAMPLE_MS);
	return at + ms;
}

/* Varies ms at random by up to 1 %. Equal seeds give equal variations. */
static double shaken(double ms, unsigned int *shake)
{
	*shake = *shake * 1103515245 + 12345;
	return ms * (0.99 + 0.02 * (double)(*shake >> 16 & 0x7fff) / 32768);
}

static struct story *run_of(const struct round *round, unsigned int shake)
{
	struct story *s = story_begin();
	double at = 1;

	assert_int_equal(story_read(s, people), 0);
	add(s, "1 run 10 cpu=0");
	for (int i = 0; i < ROUNDS; i++) {
		at = compute(s, at, shaken(round->hash, &shake), 10, 1, 0, round);
		at = compute(s, at, shaken(round->sort, &shake), 10, 2, 0, round);
		add(s, "%.4f block 10 sys=230 u=3 sleep cpu=0", at);
		at += shaken(round->fetch, &shake);
		add(s, "%.4f irq timer 0 10 cpu=0; %.4f run 10 cpu=0", at, at);
		add(s, "%.4f wake 10 20 cpu=0; %.4f run 20 cpu=1", at, at);
		add(s, "%.4f block 10 sys=0 obj=7 cpu=0", at);
		at = compute(s, at, shaken(round->lookup, &shake), 20, 4, 1, round);
		add(s, "%.4f wake 20 10 cpu=1; %.4f run 10 cpu=0", at, at);
		add(s, "%.4f block 20 sys=0 cpu=1", at);
	}
	add(s, "%.4f block 10 cpu=0", at);
	add(s, "0 window 1 %.4f; 0 target 10", at);
	story_finish(s);
	snprintf(s->snap.meta.command, sizeof(s->snap.meta.command), "app");
	return s;
}

static const struct round usual = {4, 4, 4, 4};

static int add_story(struct rsp_diff *d, int side, struct story *s)
{
	return rsp_diff_add(
		d, &(struct rsp_diff_input){
			   .side = side, .snap = &s->snap, .trace = s->trace, .name = "a story"});
}

static struct rsp_diff *compare(const struct rsp_diff_options *opt, const struct round *before,
				const struct round *after, size_t cnt)
{
	const size_t cnts[2] = {cnt, cnt};
	struct rsp_diff *d;

	assert_int_equal(rsp_diff_new(opt, cnts, &d), 0);
	for (size_t i = 0; i < 2 * cnt; i++) {
		struct story *s = run_of(i < cnt ? before : after, (unsigned int)(i * 7919 + 1));

		assert_int_equal(add_story(d, i >= cnt, s), 0);
		story_free(s);
	}
	assert_int_equal(rsp_diff_compare(d), 0);
	return d;
}

static char *report(const struct rsp_diff *d)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(rsp_diff_report(d, f), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void expect_answer(const struct rsp_diff_options *opt, const struct round *before,
			  const struct round *after, size_t cnt, const char *expected)
{
	struct rsp_diff *d = compare(opt, before, after, cnt);
	char *text = report(d);

	if (!strstr(strtok(text, "\n"), expected))
		fail_msg("the answer is \"%s\", not \"… %s …\"", text, expected);
	free(text);
	rsp_diff_free(d);
}

static const struct rsp_diff_options text_of_runs;

/* One function takes 0.8 ms longer: 5 % of a round of 16 ms. */
static void the_slower_function_comes_first(void **state)
{
	const struct round hash = {4.8, 4, 4, 4}, sort = {4, 4.8, 4, 4};

	expect_answer(&text_of_runs, &usual, &hash, 5, "more computing in hash: from");
	expect_answer(&text_of_runs, &usual, &sort, 5, "more computing in sort: from");
	expect_answer(&text_of_runs, &usual, &hash, 5, "A run takes 403 ms, 5.");
}

static void the_longer_wait_comes_first(void **state)
{
	const struct round fetch = {4, 4, 4.8, 4}, lookup = {4, 4, 4, 4.8};

	expect_answer(&text_of_runs, &usual, &fetch, 5, "more sleeping in fetch: from");
	expect_answer(&text_of_runs, &usual, &lookup, 5,
		      "more waiting for db, which was computing in lookup: from");
}

static void a_faster_function_comes_first(void **state)
{
	const struct round fast = {3.2, 4, 4, 4};

	expect_answer(&text_of_runs, &usual, &fast, 5, "less computing in hash: from");
}

static void growth_comes_before_what_shrank_more(void **state)
{
	const struct round moved = {4.8, 2, 4, 4};

	expect_answer(&text_of_runs, &usual, &moved, 5, "more computing in hash: from");
}

static void equal_programs_do_not_differ(void **state)
{
	expect_answer(&text_of_runs, &usual, &usual, 5, "No difference in what app does: ");
	expect_answer(&text_of_runs, &usual, &usual, 1, "No difference in what app does: ");
	expect_answer(&text_of_runs, &usual, &usual, 3, "No difference in what app does: ");
}

/*
 * The functions of most of one side's time are unknown. The other side is the same program with ten
 * times as many samples.
 */
static void more_samples_are_no_difference(void **state)
{
	const struct round few = {4, 4, 4, 4, 29}, more = {4, 4, 4, 4, 3}, hash = {4.8, 4, 4, 4, 3};

	expect_answer(&text_of_runs, &few, &more, 5, "No difference in what app does: ");
	expect_answer(&text_of_runs, &more, &few, 5, "No difference in what app does: ");
	expect_answer(&text_of_runs, &few, &more, 1, "No difference in what app does: ");
	expect_answer(&text_of_runs, &few, &hash, 5, "more computing");
}

/* In some of the recordings, no sample hits sort(). */
static void a_function_with_few_samples_is_no_difference(void **state)
{
	const struct round few = {4, 0.2, 4, 4, 7}, more = {4, 0.2, 4, 4, 0.5};

	expect_answer(&text_of_runs, &few, &more, 5, "No difference in what app does: ");
	expect_answer(&text_of_runs, &more, &few, 5, "No difference in what app does: ");
}

static void one_recording_a_side_is_enough_for_much(void **state)
{
	const struct round hash = {6, 4, 4, 4};
	struct rsp_diff *d = compare(&text_of_runs, &usual, &hash, 1);
	char *text = report(d);

	assert_non_null(strstr(text, "more computing in hash: from"));
	assert_non_null(strstr(text, "this may be chance"));
	assert_non_null(strstr(text, "So few recordings do not show how much recordings vary"));
	free(text);
	rsp_diff_free(d);
}

/*
 * hash() takes longer, so a run takes longer. Per second, there are fewer runs, so hash() grows
 * less than per run.
 */
static void figures_can_be_for_a_second(void **state)
{
	const struct rsp_diff_options opt = {.basis = RSP_DIFF_PER_SECOND};
	const struct round hash = {8, 4, 4, 4};

	expect_answer(&opt, &usual, &hash, 5, " a second more computing in hash: from 25");
}

static void parts_of_one_recording(void **state)
{
	const size_t cnts[2] = {1, 1};
	struct rsp_diff *d;
	char *text;

	assert_int_equal(rsp_diff_new(&text_of_runs, cnts, &d), 0);
	for (int side = 0; side < 2; side++) {
		struct story *s = run_of(&usual, 1);

		__u64 at_ns = s->snap.meta.since_ns + 190000000;
		struct rsp_diff_input part = {
			.side = side,
			.snap = &s->snap,
			.trace = s->trace,
			.since_ns = side ? at_ns : s->snap.meta.since_ns,
			.until_ns = side ? s->snap.meta.until_ns : at_ns,
			.name = "a story",
		};

		assert_int_equal(rsp_diff_add(d, &part), 0);
		story_free(s);
	}
	assert_int_equal(rsp_diff_compare(d), 0);
	text = report(d);
	assert_non_null(strstr(text, "No difference in what app does: "));
	free(text);
	rsp_diff_free(d);
}

static void a_process_can_be_chosen_by_name(void **state)
{
	const struct rsp_diff_options db = {.comm = "db"};
	const struct round lookup = {4, 4, 4, 4.8};
	const size_t cnts[2] = {1, 1};
	struct rsp_diff *d;
	struct story *s = run_of(&usual, 1);

	expect_answer(&db, &usual, &lookup, 5, "db spends");
	assert_int_equal(rsp_diff_new(&(struct rsp_diff_options){.comm = "nobody"}, cnts, &d), 0);
	assert_int_equal(add_story(d, 0, s), -ESRCH);
	rsp_diff_free(d);
	story_free(s);
}

/* --- servers ---------------------------------------------------------------------------------- */

#define REQUESTS 120

static struct story *server_of(double ms, double gap_ms, unsigned int shake)
{
	struct story *s = story_begin();

	add(s, "0 window 0 %.4f; 0 target 10; 0 alive 10 web", gap_ms * (REQUESTS + 1));
	add(s, "0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted; 0 ustack 1 answer,main@web");
	add(s, "0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232");
	for (int i = 0; i < REQUESTS; i++) {
		double at = gap_ms * i + 1, end = at + shaken(ms, &shake);

		add(s, "%.4f ready 77 70; %.4f irq net 77 10; %.4f run 10", at, at, at);
		sample(s, at, end - at - 0.01, 10, 1, 0, SAMPLE_MS);
		add(s, "%.4f send 10 77 70 bytes=5; %.4f block 10 sys=232", end, end + 0.01);
	}
	story_finish(s);
	return s;
}

/*
 * Compares two sides of five recordings each. The server gets a request every 5 ms on the side
 * before, and every gap_ms on the side after.
 */
static struct rsp_diff *compare_servers(double before_ms, double after_ms, double gap_ms)
{
	const size_t cnts[2] = {5, 5};
	struct rsp_diff *d;

	assert_int_equal(rsp_diff_new(&text_of_runs, cnts, &d), 0);
	for (unsigned int i = 0; i < 10; i++) {
		struct story *s = server_of(i < 5 ? before_ms : after_ms, i < 5 ? 5 : gap_ms,
					    i * 31 + 1);

		assert_int_equal(add_story(d, i >= 5, s), 0);
		story_free(s);
	}
	assert_int_equal(rsp_diff_compare(d), 0);
	return d;
}

static void a_load_that_doubles_is_no_difference(void **state)
{
	struct rsp_diff *d = compare_servers(1, 1, 2.5);
	char *text = report(d);

	assert_non_null(strstr(text, "No difference in what web does"));
	assert_non_null(strstr(text, "The load changed: web at port 80: requests, from 198"));
	free(text);
	rsp_diff_free(d);
	d = compare_servers(1, 1.2, 2.5);
	text = report(d);
	assert_ptr_equal(strstr(text, "web spends "), text);
	assert_non_null(strstr(text, "a request more computing in answer: from"));
	free(text);
	rsp_diff_free(d);
}

static void servers_are_compared_by_request(void **state)
{
	struct rsp_diff *d = compare_servers(1, 1.2, 5);
	char *text = report(d);

	assert_non_null(strstr(text, "a request more computing in answer: from"));
	assert_non_null(strstr(text, "Where its time went, for a request"));
	assert_non_null(strstr(text, "*  web at port 80: p50"));
	assert_non_null(strstr(text, "web at port 80: requests"));
	free(text);
	rsp_diff_free(d);
	d = compare_servers(1, 1, 5);
	text = report(d);
	assert_non_null(strstr(text, "No difference in what web does: "));
	free(text);
	rsp_diff_free(d);
}

/*
 * Makes a recording of two servers with the same name and port, in two containers. Each gets a
 * request every 10 ms. One takes 1 ms to answer it, the other ms.
 */
static struct story *two_containers(double ms, unsigned int shake)
{
	struct story *s = story_begin();

	add(s, "0 window 0 %d; 0 target 10; 0 cgroup 90 /docker/%064d ino=900", 10 * (REQUESTS + 1),
	    1);
	add(s, "0 cgroup 91 /docker/%064d ino=901; 0 alive 10 web cgroup=900", 2);
	add(s, "0 alive 20 web cgroup=901; 0 run 10; 0 run 20 cpu=1");
	add(s, "0 socket 70 77 10.0.0.1:80 10.0.0.3:5000 accepted");
	add(s, "0 socket 80 87 10.0.0.2:80 10.0.0.3:5001 accepted");
	add(s, "0.1 established 77 70; 0.1 established 87 80");
	add(s, "0.2 block 10 sys=232; 0.2 block 20 sys=232 cpu=1");
	for (int at = 1; at < 10 * REQUESTS; at += 10) {
		double end;

		add(s, "%d ready 77 70; %d irq net 77 10; %d run 10", at, at, at);
		add(s, "%d.1 ready 87 80; %d.1 irq net 87 20; %d.1 run 20 cpu=1", at, at, at);
		add(s, "%d send 10 77 70 bytes=5; %d.01 block 10 sys=232", at + 1, at + 1);
		end = at + 0.1 + shaken(ms, &shake);
		add(s, "%.4f send 20 87 80 bytes=5; %.4f block 20 sys=232 cpu=1", end, end + 0.01);
	}
	story_finish(s);
	return s;
}

static void latencies_of_several_containers_are_not_added_up(void **state)
{
	const size_t cnts[2] = {5, 5};
	struct rsp_diff *d;
	char *text;

	(void)state;
	assert_int_equal(rsp_diff_new(&text_of_runs, cnts, &d), 0);
	for (unsigned int i = 0; i < 10; i++) {
		struct story *s = two_containers(i < 5 ? 3 : 5, i * 31 + 1);

		assert_int_equal(add_story(d, i >= 5, s), 0);
		story_free(s);
	}
	assert_int_equal(rsp_diff_compare(d), 0);
	text = report(d);
	assert_non_null(strstr(text, "Requests to web at port 80: mean grew by 1.00 ms"));
	assert_non_null(strstr(text, "from 2.00 ms to 3.00 ms"));
	free(text);
	rsp_diff_free(d);
}

/* --- profiles --------------------------------------------------------------------------------- */

static void profiles_have_both_sides(void **state)
{
	const struct rsp_diff_options opt = {.profiles = true};
	const struct round hash = {6, 4, 4, 4};
	struct rsp_diff *d = compare(&opt, &usual, &hash, 2);
	struct rsp_diff_profile p;
	size_t found = 0;

	assert_int_equal(rsp_diff_profile_make(d, &p), 0);
	for (size_t i = 0; i < p.after.nodes.cnt; i++) {
		const char *name = rsp_profile_text(&p.after, p.after.nodes.v[i].name);
		double before = (double)p.before[i], after = (double)p.after.nodes.v[i].self;

		found += !strcmp(name, "app");
		if (strcmp(name, "hash") != 0 && strcmp(name, "sort") != 0)
			continue;
		found++;
		assert_float_equal(before, ROUNDS * 4e6, ROUNDS * 2e5);
		assert_float_equal(after, ROUNDS * (*name == 'h' ? 6e6 : 4e6), ROUNDS * 2e5);
	}
	assert_int_equal(found, 3);
	rsp_diff_profile_done(&p);
	rsp_diff_free(d);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_keeps_its_contract(void **state)
{
	const struct round hash = {4.8, 4, 4, 4};
	const struct rsp_diff_options opt = {.json = true};
	struct json_object *schema = json_object_from_file(SCHEMA), *o;
	const char *wrong;

	assert_non_null(schema);
	for (size_t cnt = 1; cnt <= 5; cnt += 4) {
		struct rsp_diff *d = compare(&opt, &usual, &hash, cnt);
		char *text = report(d);

		o = json_tokener_parse(text);
		assert_non_null(o);
		wrong = json_schema_check(schema, schema, o);
		if (wrong)
			fail_msg("%s: broken at \"%s\"", SCHEMA, wrong);
		expect_documented(o, CONTRACT);
		assert_int_equal(json_object_array_length(get(o, "recordings")), 2 * cnt);
		json_object_put(o);
		free(text);
		rsp_diff_free(d);
	}
	json_object_put(schema);
}

static void categories_add_up(void **state)
{
	const struct rsp_diff_options opt = {.json = true};
	struct rsp_diff *d = compare(&opt, &usual, &usual, 5);
	char *text = report(d);
	struct json_object *o = json_tokener_parse(text), *sums = get(o, "sums"), *rows;
	double sum = 0, total = 0;

	rows = get(o, "categories");
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		sum += json_object_get_double(get(json_object_array_get_idx(rows, i), "before"));
	for (size_t i = 0; i < json_object_array_length(sums); i++)
		if (!strcmp(json_object_get_string(get(json_object_array_get_idx(sums, i), "name")),
			    "time of its threads"))
			total = json_object_get_double(
				get(json_object_array_get_idx(sums, i), "before"));
	assert_true(total > 0);
	/* 1 %, because the output leaves out rows below half a percent */
	assert_float_equal(sum / total, 1, 0.01);
	json_object_put(o);
	free(text);
	rsp_diff_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slower_function_comes_first),
		cmocka_unit_test(the_longer_wait_comes_first),
		cmocka_unit_test(a_faster_function_comes_first),
		cmocka_unit_test(growth_comes_before_what_shrank_more),
		cmocka_unit_test(equal_programs_do_not_differ),
		cmocka_unit_test(more_samples_are_no_difference),
		cmocka_unit_test(a_function_with_few_samples_is_no_difference),
		cmocka_unit_test(one_recording_a_side_is_enough_for_much),
		cmocka_unit_test(figures_can_be_for_a_second),
		cmocka_unit_test(parts_of_one_recording),
		cmocka_unit_test(a_process_can_be_chosen_by_name),
		cmocka_unit_test(servers_are_compared_by_request),
		cmocka_unit_test(latencies_of_several_containers_are_not_added_up),
		cmocka_unit_test(a_load_that_doubles_is_no_difference),
		cmocka_unit_test(profiles_have_both_sides),
		cmocka_unit_test(json_keeps_its_contract),
		cmocka_unit_test(categories_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
