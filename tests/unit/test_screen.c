/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the lines that lib/live/screen.h makes of a view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/format.h"
#include "lib/live/screen.h"

#define MS 1000000ULL

static struct rsp_screen_how how_for(unsigned int cols, unsigned int rows)
{
	return (struct rsp_screen_how){.cols = cols,
				       .rows = rows,
				       .filter = "",
				       .notice = "",
				       .cost = "recorder 0.50 % of the CPUs",
				       .clock = "14:02:11",
				       .interval_ns = 1000 * MS};
}

static struct rsp_live_view *make_view(__u32 cnt)
{
	struct rsp_live_view *v = calloc(1, sizeof(*v));

	assert_non_null(v);
	v->span_ns = v->seen_ns = 1000 * MS;
	v->process_cnt = 5000;
	v->now_sample_cnt = v->total_sample_cnt = 1000;
	v->function_rows = v->waiter_rows = v->server_rows = v->process_rows = cnt;
	for (__u32 i = 0; i < cnt; i++) {
		snprintf(v->functions[i].name, sizeof(v->functions[i].name),
			 "function_%u<with<a, very, long>, name, that, goes, on, and, on>::für", i);
		strcpy(v->functions[i].module, "libapplication.so.1.2.3");
		v->functions[i].now_cnt = 100 - i % 100;
		v->functions[i].total_cnt = i;
		v->waiters[i].tgid = v->waiters[i].tid = 100 + i;
		snprintf(v->waiters[i].comm, sizeof(v->waiters[i].comm), "waiter%u", i);
		strcpy(v->waiters[i].awaited, "mysqld [7] ← kworker [8] (on CPU)");
		v->waiters[i].ns = (1000 - i) * MS;
		v->waiters[i].at_least = true;
		strcpy(v->servers[i].comm, "nginx");
		v->servers[i].tgid = 200 + i;
		strcpy(v->servers[i].where, "/run/a/rather/long/path/of/a/socket");
		v->processes[i].tgid = 300 + i;
		snprintf(v->processes[i].comm, sizeof(v->processes[i].comm), "proc%u", i);
		v->processes[i].cat_ns[RSP_LIVE_CPU] = (1000 - i) * MS;
		v->processes[i].cat_ns[RSP_LIVE_DISK] = i * MS;
	}
	return v;
}

static const struct rsp_screen_line *find(const struct rsp_screen *s, const char *text)
{
	for (size_t i = 0; i < s->cnt; i++)
		if (strstr(s->v[i].text, text))
			return &s->v[i];
	return NULL;
}

static void test_sizes(void **state)
{
	static const unsigned int sizes[][2] = {{80, 24}, {200, 60}, {20, 5},  {1, 1},
						{80, 1},  {80, 6},   {250, 9}, {120, 200}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (__u32 cnt = 0; cnt <= RSP_LIVE_ROWS; cnt += RSP_LIVE_ROWS / 2) {
			struct rsp_live_view *view = make_view(cnt);
			struct rsp_screen_how how = how_for(sizes[i][0], sizes[i][1]);
			struct rsp_screen s;

			how.notice = i % 2 ? "a notice" : "";
			how.focus = (enum rsp_panel)(i % RSP_PANELS);
			assert_int_equal(rsp_screen_make(view, &how, &s), 0);
			assert_true(s.cnt <= how.rows);
			if (how.rows > 5)
				assert_int_equal(s.cnt, how.rows);
			for (size_t line = 0; line < s.cnt; line++)
				assert_true(rsp_format_columns(s.v[line].text) <= how.cols);
			assert_int_equal(s.v[s.cnt - 1].ink, RSP_INK_KEYS);
			rsp_screen_done(&s);
			free(view);
		}
	}
}

static void test_all_panels(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "14:02:11"));
	assert_non_null(find(&s, "FUNCTION"));
	assert_non_null(find(&s, "function_0"));
	assert_non_null(find(&s, "waiter0 [100]"));
	assert_non_null(find(&s, "for mysqld [7]"));
	assert_non_null(find(&s, "≥ 1.00 s"));
	assert_non_null(find(&s, "nginx [200]"));
	assert_non_null(find(&s, "proc0 [300]"));
	rsp_screen_done(&s);
	free(view);
}

static void test_selection(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	how.focus = RSP_PANEL_TIMES;
	how.selected = 30; /* scrolls */
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_int_equal(s.selected_tgid, 330);
	assert_int_equal(find(&s, "proc30 ")->ink, RSP_INK_SELECTED);
	rsp_screen_done(&s);
	how.selected = 1000;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_int_equal(s.selected, 49);
	assert_int_equal(s.selected_tgid, 349);
	rsp_screen_done(&s);
	view->process_rows = 0;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_int_equal(s.selected_tgid, 0);
	rsp_screen_done(&s);
	free(view);
}

static void test_sort_and_filter(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(100, 24);
	struct rsp_screen s;

	how.focus = RSP_PANEL_TIMES;
	how.sort[RSP_PANEL_TIMES] = 2; /* disk */
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_int_equal(s.selected_tgid, 349);
	assert_non_null(find(&s, "(by disk)"));
	rsp_screen_done(&s);
	how.filter = "PROC17 ";
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_int_equal(s.selected_tgid, 317);
	assert_null(find(&s, "proc18"));
	assert_null(find(&s, "waiter"));
	rsp_screen_done(&s);
	for (int panel = 0; panel < RSP_PANELS; panel++)
		assert_string_not_equal(rsp_panel_sort_name((enum rsp_panel)panel, 0), "");
	assert_string_equal(rsp_panel_sort_name(RSP_PANEL_TIMES, 6), "");
	free(view);
}

static void test_zoom(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	how.zoomed = true;
	how.focus = RSP_PANEL_WAITERS;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "waiter15"));
	assert_null(find(&s, "function_"));
	rsp_screen_done(&s);
	free(view);
}

static void test_loss(void **state)
{
	struct rsp_live_view *view = make_view(1);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	view->seen_ns = 200 * MS;
	view->lost_cnt = 17;
	how.is_frozen = true;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "17 lost; 800 ms of 1.00 s missing"));
	assert_int_equal(find(&s, "17 lost")->ink, RSP_INK_NOTICE);
	assert_non_null(find(&s, "FROZEN"));
	rsp_screen_done(&s);
	free(view);
}

/* On 80 columns, the lines above the panels are complete: the cost is not cut. */
static void test_top_lines(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	view->event_cnt = 1234567;
	view->seen_ns = 200 * MS;
	view->in_flight_cnt = 1;
	view->cat_ns[RSP_LIVE_LOCK] = 31560 * MS;
	how.ignores_budget = true;
	how.cost = "recorder 3.04 % of the CPUs, top 0.40 % of a CPU";
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "request in flight"));
	assert_non_null(find(&s, "0.40 % of a CPU"));
	assert_int_equal(s.cnt, how.rows);
	rsp_screen_done(&s);
	free(view);
}

/* If the recorder paused during the whole view, the screen shows unknown figures and not zeroes. */
static void test_pause(void **state)
{
	struct rsp_live_view *view = make_view(1);
	struct rsp_screen_how how = how_for(120, 24);
	struct rsp_screen s;

	view->seen_ns = 0;
	how.ignores_budget = true;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "threads: not recorded"));
	assert_non_null(find(&s, "1.00 s of 1.00 s missing; budget ignored"));
	assert_non_null(find(&s, "     –      –"));
	rsp_screen_done(&s);
	free(view);
}

static const char *name_cgroup(__u64 id, void *userdata)
{
	return id == 77 ? "nginx.service" : NULL;
}

static void test_cgroups(void **state)
{
	struct rsp_live_view *view = make_view(2);
	struct rsp_screen_how how = how_for(80, 24);
	struct rsp_screen s;

	for (int i = 0; i < 2; i++) {
		view->processes[i].tgid = 0;
		view->processes[i].cgroup_id = 77 + (__u64)i;
	}
	how.cgroup = name_cgroup;
	assert_int_equal(rsp_screen_make(view, &how, &s), 0);
	assert_non_null(find(&s, "nginx.service"));
	assert_non_null(find(&s, "cgroup 78"));
	rsp_screen_done(&s);
	free(view);
}

static void test_text(void **state)
{
	struct rsp_live_view *view = make_view(50);
	struct rsp_screen_how how = how_for(160, 0);
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	assert_int_equal(rsp_screen_print(view, &how, 12, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "function_11<"));
	assert_null(strstr(text, "function_12<"));
	assert_non_null(strstr(text, "waiter11 "));
	assert_null(strstr(text, "\033"));
	free(text);
	free(view);
}

/* Text for a terminal of 80 columns fits, too: a long last column continues below itself. */
static void test_narrow_text(void **state)
{
	struct rsp_live_view *view = make_view(3);
	struct rsp_screen_how how = how_for(80, 0);
	char *text = NULL, *next, *line;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	assert_non_null(f);
	view->cat_ns[RSP_LIVE_LOCK] = 31560 * MS;
	how.cost = "recorder 3.04 % of the CPUs, top 0.40 % of a CPU";
	assert_int_equal(rsp_screen_print(view, &how, 12, f), 0);
	fclose(f);
	assert_non_null(strstr(text,
			       " for mysqld [7] ← kworker [8]\n"
			       "                                                   (on CPU)\n"));
	next = text;
	while ((line = strsep(&next, "\n")))
		assert_true(rsp_format_columns(line) <= 80);
	free(text);
	free(view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),	    cmocka_unit_test(test_all_panels),
		cmocka_unit_test(test_selection),   cmocka_unit_test(test_sort_and_filter),
		cmocka_unit_test(test_zoom),	    cmocka_unit_test(test_loss),
		cmocka_unit_test(test_pause),	    cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_text),	    cmocka_unit_test(test_top_lines),
		cmocka_unit_test(test_narrow_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
