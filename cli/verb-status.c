/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl status: reports problems, the content of the recorder, its cost, its snapshots and SLOs.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/abilities.h"
#include "cli/health.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/reply.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"

static void put_object(struct json_object **o)
{
	json_object_put(*o);
}

static double percent(unsigned long long part, unsigned long long whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_recorder(struct rsp_table *t, struct json_object *status)
{
	char buf[RSP_FORMAT_MAX];

	rsp_table_add(t, "Recorder:");
	rsp_table_add(t, "rspd %s, process %llu, for %s", rsp_reply_text(status, "version"),
		      rsp_reply_number(status, "pid"),
		      rsp_format_age(rsp_reply_number(status, "uptime_ns"), buf, sizeof(buf)));
}

static void add_window(struct rsp_table *t, struct json_object *status)
{
	struct json_object *window = rsp_reply_member(status, "window");
	unsigned long long events = rsp_reply_number(window, "held_events");
	unsigned long long span_ns = rsp_reply_number(window, "newest_ns") -
				     rsp_reply_number(window, "oldest_ns");
	char held[RSP_FORMAT_MAX], budget[RSP_FORMAT_MAX], span[RSP_FORMAT_MAX];

	rsp_table_add(t, "Window:");
	rsp_table_add(
		t, "the last %s in %s of %s", rsp_format_age(span_ns, span, sizeof(span)),
		rsp_format_bytes(rsp_reply_number(window, "bytes"), held, sizeof(held)),
		rsp_format_bytes(rsp_reply_number(window, "budget_bytes"), budget, sizeof(budget)));
	rsp_table_add(t, "%s", "");
	rsp_table_add(t, "%llu events, %.0f/s, %.1f bytes each; %llu of them switches and wakeups",
		      events, span_ns ? (double)events * 1e9 / (double)span_ns : 0,
		      events ? (double)rsp_reply_number(window, "event_bytes") / (double)events : 0,
		      rsp_reply_number(window, "held_switches"));
}

static void add_cost(struct rsp_table *t, struct json_object *status)
{
	struct json_object *cost = rsp_reply_member(status, "cost");
	unsigned long long budget_ppm = rsp_reply_number(cost, "budget_ppm");
	unsigned long long uptime_ns = rsp_reply_number(status, "uptime_ns");
	unsigned long long shed_cnt = rsp_reply_number(cost, "shed_cnt");
	char budget[RSP_FORMAT_MAX] = "no budget", cpu[RSP_FORMAT_MAX], shed[64] = "";

	if (budget_ppm)
		snprintf(budget, sizeof(budget), "budget %.3g %%", (double)budget_ppm / 1e4);
	rsp_table_add(t, "Cost:");
	rsp_table_add(t, "%.3g %% of all CPUs: BPF programs %.3g %%, rspd %.3g %%; %s",
		      (double)rsp_reply_number(cost, "cost_ppm") / 1e4,
		      (double)rsp_reply_number(cost, "programs_ppm") / 1e4,
		      (double)rsp_reply_number(cost, "daemon_ppm") / 1e4, budget);
	if (uptime_ns && rsp_reply_number(cost, "paused_ns")) {
		double uptime = (double)uptime_ns;
		double recorded = uptime - (double)rsp_reply_number(cost, "paused_ns");

		rsp_table_add(t, "%s", "");
		rsp_table_add(t, "recorded %.3g %% of the time since the start%s",
			      100 * recorded / uptime,
			      rsp_reply_bool(cost, "in_slices") ? ", and in slices now" : "");
	}
	if (shed_cnt)
		snprintf(shed, sizeof(shed), "; records were left out %llu time%s", shed_cnt,
			 shed_cnt == 1 ? "" : "s");
	rsp_table_add(t, "%s", "");
	rsp_table_add(t, "rspd %s of CPU since the start, snapshots included%s",
		      rsp_format_ns(rsp_reply_number(cost, "daemon_cpu_ns"), cpu, sizeof(cpu)),
		      shed);
}

static void add_snapshots(struct rsp_table *t, struct json_object *status)
{
	struct json_object *taken = rsp_reply_member(status, "snapshots");
	struct json_object *store = rsp_reply_member(status, "store");
	char bytes[RSP_FORMAT_MAX], left[RSP_FORMAT_MAX];

	rsp_table_add(t, "Snapshots:");
	rsp_table_add(t, "%llu requested, %llu by SLOs, %llu failed; %llu in progress",
		      rsp_reply_number(taken, "asked"), rsp_reply_number(taken, "breached"),
		      rsp_reply_number(taken, "failed"), rsp_reply_number(taken, "in_progress"));
	rsp_table_add(t, "Store:");
	rsp_table_add(t, "%llu snapshots, %s; %s free", rsp_reply_number(store, "files"),
		      rsp_format_bytes(rsp_reply_number(store, "bytes"), bytes, sizeof(bytes)),
		      rsp_format_bytes(rsp_reply_number(store, "free_bytes"), left, sizeof(left)));
}

/* Adds text like "one of 1 s in each 1 min: 12 made, 0 failed, 0 left out, 31.2 ms of CPU each". */
static void add_summaries(struct rsp_table *t, struct json_object *status)
{
	struct json_object *s = rsp_reply_object(status, "summaries");
	unsigned long long every_ns = rsp_reply_number(s, "every_ns");
	unsigned long long made = rsp_reply_number(s, "made"),
			   failed = rsp_reply_number(s, "failed");
	char slice[RSP_FORMAT_MAX], every[RSP_FORMAT_MAX], each[RSP_FORMAT_MAX];

	if (!every_ns)
		return;
	rsp_table_add(t, "Summaries:");
	rsp_table_add(
		t, "one of %s in each %s: %llu made, %llu failed, %llu left out, %s of CPU each",
		rsp_format_ns(rsp_reply_number(s, "slice_ns"), slice, sizeof(slice)),
		rsp_format_age(every_ns, every, sizeof(every)), made, failed,
		rsp_reply_number(s, "skipped"),
		rsp_format_ns(made + failed ? rsp_reply_number(s, "cpu_ns") / (made + failed) : 0,
			      each, sizeof(each)));
}

/*
 * Adds text like "request of Unit=x Port=80, limit 250 ms: 3 of 12345 above, at most 1.2 s; 1
 * breach".
 */
static void add_slo(struct rsp_table *t, struct json_object *slo)
{
	const char *subject = rsp_reply_text(slo, "subject"), *why = rsp_reply_text(slo, "why");
	char limit[RSP_FORMAT_MAX], max[RSP_FORMAT_MAX], found[128];
	unsigned long long breaches = rsp_reply_number(slo, "breach_cnt");

	if (rsp_reply_bool(slo, "measured"))
		snprintf(found, sizeof(found), "%llu of %llu above, at most %s",
			 rsp_reply_number(slo, "over_cnt"), rsp_reply_number(slo, "cnt"),
			 rsp_format_ns(rsp_reply_number(slo, "max_ns"), max, sizeof(max)));
	else
		snprintf(found, sizeof(found), "not measured%s", *why ? "" : ", no such process");
	rsp_table_add(t, "SLO %s:", rsp_reply_text(slo, "name"));
	rsp_table_add(t, "%s of %s, limit %s: %s; %llu breach%s", rsp_reply_text(slo, "measure"),
		      *subject ? subject : "anybody",
		      rsp_format_ns(rsp_reply_number(slo, "threshold_ns"), limit, sizeof(limit)),
		      found, breaches, breaches == 1 ? "" : "es");
}

/* --- stacks ----------------------------------------------------------------------------------- */

/* Adds text like "99.97 % complete of 12345, pending 3". */
static void add_ended(struct rsp_table *t, struct json_object *ended)
{
	char early[256] = "";
	size_t len = 0;
	unsigned long long all = 0;

	if (ended) {
		json_object_object_foreach (ended, end, cnt) {
			unsigned long long n = json_object_get_uint64(cnt);

			all += n;
			if (n && strcmp(end, "complete") != 0 && len < sizeof(early))
				len += (size_t)snprintf(early + len, sizeof(early) - len,
							", %s %llu", end, n);
		}
	}
	rsp_table_add(t, "User stacks:");
	rsp_table_add(t, "%.2f %% complete of %llu%s",
		      percent(rsp_reply_number(ended, "complete"), all), all, early);
}

/* what: words for the way in which the recorder made these stacks. */
static void add_share(struct rsp_table *t, const char *what, unsigned long long part,
		      unsigned long long whole, unsigned long long wrong,
		      unsigned long long checked)
{
	rsp_table_add(t, "%s", "");
	rsp_table_add(t, "%.1f %% %s; of %llu checked %llu wrong", percent(part, whole), what,
		      checked, wrong);
}

static void add_containers(struct rsp_table *t, struct json_object *containers)
{
	if (!containers) /* an older recorder */
		return;
	rsp_table_add(t, "Containers:");
	rsp_table_add(
		t, "names of %llu, %llu without; %llu left out, %llu dropped",
		rsp_reply_number(containers, "named"), rsp_reply_number(containers, "unnamed"),
		rsp_reply_number(containers, "left_out"), rsp_reply_number(containers, "dropped"));
}

static void add_symbols(struct rsp_table *t, struct json_object *symbols)
{
	char bytes[RSP_FORMAT_MAX];

	rsp_table_add(t, "Symbols:");
	rsp_table_add(t, "copied from %llu files, %s; %llu dropped",
		      rsp_reply_number(symbols, "files"),
		      rsp_format_bytes(rsp_reply_number(symbols, "bytes"), bytes, sizeof(bytes)),
		      rsp_reply_number(symbols, "dropped"));
}

static void add_stacks(struct rsp_table *t, struct json_object *status)
{
	struct json_object *stacks = rsp_reply_member(status, "stacks");
	struct json_object *tables = rsp_reply_member(status, "tables");
	struct json_object *ended = rsp_reply_object(stacks, "ended");
	unsigned long long walked = rsp_reply_number(stacks, "walked");
	unsigned long long unwound = rsp_reply_number(stacks, "unwound");
	char bytes[RSP_FORMAT_MAX];

	add_ended(t, ended);
	add_share(t, "of these repeated", rsp_reply_number(stacks, "repeated"),
		  rsp_reply_number(ended, "complete"), rsp_reply_number(stacks, "repeated_wrong"),
		  rsp_reply_number(stacks, "repeated_checked"));
	rsp_table_add(t, "Kernel stacks:");
	rsp_table_add(t, "%llu", walked + unwound);
	add_share(t, "walked", walked, walked + unwound, rsp_reply_number(stacks, "walked_wrong"),
		  rsp_reply_number(stacks, "walked_checked"));
	rsp_table_add(t, "Tables:");
	rsp_table_add(t,
		      "%llu for %llu binaries, %s; %llu refused, %llu left out (%llu files hang), "
		      "%llu evicted, %llu binaries without a number",
		      rsp_reply_number(tables, "tables"), rsp_reply_number(tables, "binaries"),
		      rsp_format_bytes(rsp_reply_number(tables, "bytes"), bytes, sizeof(bytes)),
		      rsp_reply_number(tables, "refused"), rsp_reply_number(tables, "left_out"),
		      rsp_reply_number(tables, "hanging"), rsp_reply_number(tables, "evicted"),
		      rsp_reply_number(tables, "unnumbered"));
	add_symbols(t, rsp_reply_member(tables, "symbols"));
}

/* --- since the start -------------------------------------------------------------------------- */

static void add_records(struct rsp_table *t, struct json_object *status)
{
	struct json_object *by_kind = rsp_reply_object(status, "by_kind");
	double seconds = (double)rsp_reply_number(status, "uptime_ns") / 1e9;

	rsp_table_add(t, "Records:");
	rsp_table_add(t, "%llu, %llu lost, %llu bad", rsp_reply_number(status, "events"),
		      rsp_reply_number(status, "lost"), rsp_reply_number(status, "bad"));
	if (!by_kind)
		return;
	json_object_object_foreach (by_kind, kind, cnt) {
		unsigned long long n = json_object_get_uint64(cnt);

		if (!n)
			continue;
		rsp_table_add(t, "  %s", kind);
		rsp_table_add(t, "%llu, %.1f/s", n, seconds > 0 ? (double)n / seconds : 0);
	}
}

static void add_programs(struct rsp_table *t, struct json_object *status)
{
	struct json_object *cost = rsp_reply_member(status, "cost");
	size_t cnt = rsp_reply_cnt(cost, "programs");
	unsigned long long all_ns = 0;

	for (size_t i = 0; i < cnt; i++)
		all_ns += rsp_reply_number(rsp_reply_at(cost, "programs", i), "run_ns");
	if (!all_ns)
		return;
	rsp_table_add(t, "Programs:");
	rsp_table_add(t, "%s", "estimated from spans in which they were timed");
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *program = rsp_reply_at(cost, "programs", i);
		unsigned long long run_cnt = rsp_reply_number(program, "run_cnt");
		unsigned long long run_ns = rsp_reply_number(program, "run_ns");
		char time[RSP_FORMAT_MAX], each[RSP_FORMAT_MAX], share[RSP_FORMAT_MAX];

		if (run_ns < all_ns / 100 || !run_cnt)
			continue;
		rsp_table_add(t, "  %s", rsp_reply_text(program, "name"));
		rsp_table_add(t, "%s of their time, %s, %s each",
			      rsp_format_share(run_ns, all_ns, share, sizeof(share)),
			      rsp_format_ns(run_ns, time, sizeof(time)),
			      rsp_format_ns(run_ns / run_cnt, each, sizeof(each)));
	}
}

static void add_details(struct rsp_table *t, struct json_object *status)
{
	add_stacks(t, status);
	add_containers(t, rsp_reply_member(status, "containers"));
	add_records(t, status);
	add_programs(t, status);
}

static int print_status(struct json_object *status, bool all)
{
	_cleanup_(rsp_table_done) struct rsp_table t;
	struct json_object *abilities = rsp_reply_member(status, "abilities");
	int r;

	rsp_table_init(&t, 2);
	rsp_health_print(status, t.columns, stdout);
	add_recorder(&t, status);
	add_window(&t, status);
	add_cost(&t, status);
	add_snapshots(&t, status);
	add_summaries(&t, status);
	for (size_t i = 0; i < rsp_reply_cnt(status, "slos"); i++)
		add_slo(&t, rsp_reply_at(status, "slos", i));
	if (all)
		add_details(&t, status);
	r = rsp_table_print(&t);
	if (r || !all || !json_object_is_type(abilities, json_type_array))
		return r;
	puts("");
	return rsp_abilities_print(abilities, true);
}

int rsp_verb_status(const struct rsp_options *opt)
{
	_cleanup_(put_object) struct json_object *status = NULL;
	int r;

	r = rsp_service_status(opt, &status);
	if (r)
		return r;
	if (opt->json != RSP_JSON_OFF)
		return rsp_output_json(json_object_get(status), opt->json);
	rsp_pager_begin(opt);
	return rsp_pager_end(print_status(status, opt->all));
}
