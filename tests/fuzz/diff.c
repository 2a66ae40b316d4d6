/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a random snapshot (records.h) with a part of itself, and makes a call graph of it. The
 * texts must contain no control characters, and the JSON must be valid.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/base/json.h"
#include "lib/diff/diff-profile.h"
#include "lib/flame/flame.h"
#include "lib/profile/callgraph.h"
#include "tests/fuzz/records.h"

static void check_text(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		must((unsigned char)text[i] >= ' ' ? text[i] != 0x7f : text[i] == '\n');
}

static void check_output(const char *text, size_t len, bool json)
{
	struct json_object *o;

	if (!json) {
		check_text(text, len);
		return;
	}
	must(rsp_json_parse(text, len, 1000, &o) == 0);
	json_object_put(o);
}

static void report(const struct rsp_diff *d, bool json)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out && rsp_diff_report(d, out) == 0 && fclose(out) == 0);
	check_output(text, len, json);
	free(text);
}

static void draw(const struct rsp_diff *d)
{
	struct rsp_diff_profile p;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out && rsp_diff_profile_make(d, &p) == 0);
	must(rsp_flame_folded_sides(&p.after, p.before, out) == 0);
	rsp_diff_profile_done(&p);
	must(rsp_diff_page(d, out) == 0 && fclose(out) == 0);
	free(text);
}

static void compare(const struct rsp_snapshot *snap, struct input *how)
{
	const size_t cnts[2] = {1 + (take_u8(how) & 3), 1 + (take_u8(how) & 3)};
	const struct rsp_diff_options opt = {.basis = take_u8(how) & 3,
					     .json = take_u8(how) & 1,
					     .width = take_u8(how),
					     .profiles = true,
					     .kind = cnts[0] % RSP_PROFILE_KIND_MAX};
	__u64 since_ns = snap->meta.since_ns + ((__u64)take_u8(how) << 16);
	struct rsp_trace *trace;
	struct rsp_diff *d;
	int r = 0;

	must(rsp_diff_new(&opt, cnts, &d) == 0);
	for (size_t i = 0; i < cnts[0] + cnts[1] && r == 0; i++) {
		struct rsp_snapshot copy = *snap;
		struct rsp_diff_input input = {
			.side = i >= cnts[0], .snap = &copy, .name = "a\033 name"};

		must(rsp_trace_new(&copy, &trace) == 0);
		input.trace = trace;
		if (i & 1) {
			input.since_ns = since_ns;
			input.until_ns = snap->meta.until_ns;
		}
		r = rsp_diff_add(d, &input);
		rsp_trace_free(trace);
		must(r == 0 || r == -ESRCH || r == -ERANGE);
	}
	if (r == 0) {
		must(rsp_diff_compare(d) == 0);
		report(d, opt.json);
		draw(d);
	}
	rsp_diff_free(d);
}

static void graph(const struct rsp_snapshot *snap, struct input *how)
{
	const struct rsp_profile_options what = {.kind = take_u8(how) % RSP_PROFILE_KIND_MAX};
	const struct rsp_callgraph_options opt = {.bottom_up = take_u8(how) & 1,
						  .json = take_u8(how) & 1,
						  .width = take_u8(how),
						  .title = "all"};
	struct rsp_profile profile;
	struct rsp_trace *trace;
	struct rsp_model *m;
	char *text = NULL;
	size_t len = 0;
	FILE *out;

	must(rsp_trace_new(snap, &trace) == 0);
	must(rsp_model_new(trace, &m) == 0);
	must(rsp_profile_make(m, &what, &profile) == 0);
	out = open_memstream(&text, &len);
	must(out && rsp_callgraph_report(&profile, &opt, out) == 0 && fclose(out) == 0);
	check_output(text, len, opt.json);
	free(text);
	rsp_profile_done(&profile);
	rsp_model_free(m);
	rsp_trace_free(trace);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len}, how;
	__u8 first[10];

	take(&in, first, sizeof(first));
	how = (struct input){first, sizeof(first)};
	records_take(&in, &records);
	compare(&records.snap, &how);
	graph(&records.snap, &how);
	records_done(&records);
	return 0;
}
