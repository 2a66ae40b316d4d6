/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains a random snapshot (records.h), and makes one of its reports. The sums must be right, and
 * texts must contain no characters that control a terminal.
 */
#include <errno.h>
#include <stdio.h>

#include "tests/fuzz/records.h"

#define assert_true(condition) must(condition)
#define assert_int_equal(a, b) must((a) == (b))

#include "lib/base/json.h"
#include "lib/report/report.h"
#include "lib/report/requests-beside.h"
#include "lib/report/util-report.h"
#include "tests/unit/sums.h"

static ssize_t check_text(void *cookie, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		must((unsigned char)text[i] >= ' ' ? text[i] != 0x7f : text[i] == '\n');
	return (ssize_t)len;
}

static FILE *checked_stream(void)
{
	static const cookie_io_functions_t checked = {.write = check_text};
	static FILE *out;

	if (!out)
		out = fopencookie(NULL, "w", checked);
	return out;
}

static void report_text(const struct rsp_explanation *e, const struct rsp_beside *beside,
			struct input *in)
{
	const struct rsp_report_options opt = {
		.chain_max = take_u8(in), .width = take_u8(in), .beside = beside};
	FILE *out = checked_stream();

	must(rsp_report_text(e, take_u8(in) % (RSP_VIEW_EDGES + 1), &opt, out) == 0);
	must(fflush(out) == 0);
}

static void report_json(const struct rsp_explanation *e, const struct rsp_beside *beside,
			bool pretty)
{
	struct json_object *o;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	must(out && rsp_report_json(e, beside, pretty, out) == 0 && fclose(out) == 0);
	must(rsp_json_parse(text, len, 64, &o) == 0);
	json_object_put(o);
	free(text);
}

static void report(const struct rsp_explanation *e, const struct rsp_beside *beside,
		   struct input *in)
{
	char line[512], *trigger;

	switch (take_u8(in) & 7) {
	case 0:
		must(rsp_report_headline(e, line, sizeof(line)) == 0);
		break;
	case 1:
		must(rsp_report_trigger(e->meta, &trigger) == 0);
		free(trigger);
		break;
	case 2:
		report_json(e, beside, take_u8(in) & 1);
		break;
	default:
		report_text(e, beside, in);
	}
}

static void report_requests(const struct rsp_trace *trace, struct input *in)
{
	const struct rsp_requests_options opt = {
		.slowest = take_u8(in) % 8, .slower_than_ns = take_u8(in), .json = take_u8(in) & 1};
	bool lossy;
	int r = rsp_requests_report(trace, &opt, checked_stream(), &lossy);

	must(r == 0 || r == -ENODATA);
}

static void report_util(const struct rsp_trace *trace, struct input *in)
{
	const struct rsp_util_options opt = {
		.by_cpu = take_u8(in) & 1, .row_max = take_u8(in) % 8, .json = take_u8(in) & 1};
	bool lossy;

	must(rsp_util_report(trace, &opt, checked_stream(), &lossy) == 0);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct records records;
	struct input in = {data, len}, how;
	struct rsp_explanation *e = NULL;
	struct rsp_beside beside;
	struct rsp_trace *trace;
	__u8 first[4];
	int r;

	take(&in, first, sizeof(first));
	how = (struct input){first, sizeof(first)};
	records_take(&in, &records);
	must(rsp_trace_new(&records.snap, &trace) == 0);
	r = rsp_explain(trace, &e);
	must(r == 0 || r == -ESRCH);
	if (r == 0) {
		check_sums(e);
		must(e->idle_ns <= e->clock_ns);
		must(rsp_beside_make(trace, &beside) == 0);
		report(e, &beside, &how);
		rsp_beside_done(&beside);
		rsp_explanation_free(e);
	}
	report_requests(trace, &how);
	report_util(trace, &how);
	rsp_trace_free(trace);
	records_done(&records);
	return 0;
}
