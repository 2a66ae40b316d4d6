/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the tables of requests in a viewer file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/json.h"
#include "lib/viewer/viewer-parts.h"
#include "tests/story/story.h"

#define MS 1000000ULL

#define FEW	30
#define MANY	10000
/* number of the slowest of MANY requests */
#define SLOW_AT 7777
#define POINTS	4000 /* maximum per row */
#define SAMPLED 1

/*
 * Requests take 1 ms, but request slow_at takes 90 ms, and the one after it 80 ms. Each request
 * arrives 1 ms after the previous answer.
 */
static struct story *server(int cnt, int slow_at)
{
	struct story *s = story_begin();
	int at = 1, r;
	char line[200];

	r = story_read(
		s,
		"0 alive 10 web; 0 alive 20 other; 0 socket 70 77 10.0.0.1:80 10.0.0.2:5000 accepted\n"
		"0.1 established 77 70; 0.1 run 10; 0.2 block 10 sys=232\n");
	assert_int_equal(r, 0);
	for (int i = 0; i < cnt; i++) {
		int ms = i == slow_at ? 90 : i == slow_at + 1 ? 80 : 1;
		int len = snprintf(line, sizeof(line),
				   "%d ready 77 70; %d irq net 77 10; %d run 10; %d send 10 77 70 "
				   "bytes=5; %d.5 block 10 sys=232",
				   at, at, at, at + ms, at + ms);

		assert_true(len > 0 && (size_t)len < sizeof(line));
		assert_int_equal(story_read(s, line), 0);
		at += ms + 1;
	}
	snprintf(line, sizeof(line), "0 window 0 %d", at);
	assert_int_equal(story_read(s, line), 0);
	story_finish(s);
	return s;
}

struct written {
	struct story *story;
	struct rsp_viewer_requests requests;
	struct rsp_model *model;
	struct rsp_viewer v;
	struct json_object *head, *row;
};

static void write_requests(struct written *w, struct story *s)
{
	w->story = s;
	assert_int_equal(rsp_viewer_requests_make(s->trace, &w->requests), 0);
	assert_int_equal(rsp_model_new(s->trace, &w->model), 0);
	w->v = (struct rsp_viewer){
		.model = w->model,
		.requests = &w->requests,
		.base_ns = w->model->since_ns,
		.end_ns = w->model->until_ns,
		.target_thread = RSP_NO_THREAD,
	};
	assert_int_equal(rsp_names_new(s->trace, &w->v.names), 0);
	assert_int_equal(rsp_viewer_names_init(&w->v), 0);
	assert_int_equal(rsp_estimate_new(w->model, w->v.names, &w->v.estimate), 0);
	rsp_viewer_put_threads(&w->v);
	w->head = rsp_viewer_put_requests(&w->v);
	assert_non_null(w->head);
	w->row = json_object_array_get_idx(json_object_object_get(w->head, "rows"), 0);
}

static void written_done(struct written *w)
{
	json_object_put(w->head);
	rsp_viewer_names_done(&w->v);
	rsp_columns_done(&w->v.columns);
	rsp_estimate_free(w->v.estimate);
	rsp_names_free(w->v.names);
	free(w->v.thread_of);
	free(w->v.process_of);
	free(w->v.processes);
	rsp_model_free(w->model);
	rsp_viewer_requests_done(&w->requests);
	story_free(w->story);
}

static uint64_t number(struct json_object *o, const char *key)
{
	struct json_object *value = json_object_object_get(o, key);

	assert_non_null(value);
	return json_object_get_uint64(value);
}

static uint64_t *column(const struct written *w, enum rsp_column_id id)
{
	return (uint64_t *)w->v.columns.v[id].numbers.v;
}

static void few_requests_are_all_points(void **state)
{
	struct written w;
	uint64_t at_ns = 0;

	write_requests(&w, server(FEW, 20));
	assert_int_equal(number(w.row, "count"), FEW);
	assert_int_equal(number(w.row, "points"), FEW);
	assert_int_equal(number(w.row, "p50"), MS);
	assert_int_equal(number(w.row, "max"), 90 * MS);
	assert_int_equal(number(w.row, "slow_from"), 90 * MS);
	assert_int_equal(number(w.row, "typical_from"), MS);
	assert_int_equal(number(w.row, "typical_to"), MS);
	for (int i = 0; i <= 20; i++)
		at_ns += column(&w, RSP_COL_POINT_GAP)[i];
	assert_int_equal(at_ns, 41 * MS);
	assert_int_equal(column(&w, RSP_COL_POINT_NS)[20], 90 * MS);
	for (int i = 0; i < FEW; i++) {
		assert_int_equal(column(&w, RSP_COL_POINT_FLAGS)[i], SAMPLED);
		assert_int_equal(column(&w, RSP_COL_POINT_THREAD)[i], 1); /* the first thread */
	}
	for (size_t i = 0; i < w.v.process_cnt; i++)
		assert_int_equal(w.v.processes[i].server_rank, w.v.processes[i].pid == 10 ? 2 : 0);
	written_done(&w);
}

static void many_requests_are_thinned(void **state)
{
	uint64_t most_ns = 0, sampled = 0, last_ns = 0, gap_ns = 0;
	struct written w;
	size_t points;

	write_requests(&w, server(MANY, SLOW_AT));
	points = number(w.row, "points");
	assert_int_equal(number(w.row, "count"), MANY);
	assert_int_equal(w.v.columns.v[RSP_COL_POINT_NS].cnt, points);
	assert_in_range(points, POINTS / 2, POINTS);
	for (size_t i = 0; i < points; i++) {
		uint64_t ns = column(&w, RSP_COL_POINT_NS)[i];

		if (ns > most_ns) {
			last_ns = most_ns;
			most_ns = ns;
		} else if (ns > last_ns) {
			last_ns = ns;
		}
		sampled += column(&w, RSP_COL_POINT_FLAGS)[i] & SAMPLED;
		if (i > 0 && column(&w, RSP_COL_POINT_GAP)[i] > gap_ns)
			gap_ns = column(&w, RSP_COL_POINT_GAP)[i];
	}
	assert_int_equal(most_ns, 90 * MS);
	assert_int_equal(last_ns, 80 * MS);
	assert_in_range(sampled, POINTS / 2, points);
	assert_in_range(gap_ns, 0, 200 * MS);
	written_done(&w);
}

static void without_network_there_are_none(void **state)
{
	struct story *s = story_new("0 window 0 10; 0 alive 10 web; 1 run 10; 2 block 10");
	struct rsp_viewer_requests requests;

	assert_int_equal(rsp_viewer_requests_make(s->trace, &requests), 0);
	assert_false(requests.is_there);
	rsp_viewer_requests_done(&requests);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_requests_are_all_points),
		cmocka_unit_test(many_requests_are_thinned),
		cmocka_unit_test(without_network_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
