/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl metrics: prints the recorder's status as OpenMetrics text for monitoring systems. No
 * metric is about a single process, so the number of series does not grow with the number of
 * processes.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/paused.h"
#include "cli/reply.h"
#include "cli/service.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"

static void put_object(struct json_object **o)
{
	json_object_put(*o);
}

/* --- the format ------------------------------------------------------------------------------- */

static void put_family(const char *name, const char *type, const char *unit, const char *help)
{
	printf("# TYPE rsp_%s %s\n", name, type);
	if (*unit)
		printf("# UNIT rsp_%s %s\n", name, unit);
	printf("# HELP rsp_%s %s\n", name, help);
}

/* key is NULL if the line has no label. */
static void put_name(const char *name, const char *suffix, const char *key, const char *value)
{
	printf("rsp_%s%s", name, suffix);
	if (key) {
		putchar('{');
		rsp_text_put_label(stdout, key, value);
		putchar('}');
	}
	putchar(' ');
}

static void put_seconds(unsigned long long ns)
{
	printf("%llu.%09llu\n", ns / 1000000000, ns % 1000000000);
}

static void put_gauge(const char *name, const char *unit, const char *help,
		      unsigned long long value)
{
	put_family(name, "gauge", unit, help);
	put_name(name, "", NULL, NULL);
	printf("%llu\n", value);
}

static void put_gauge_seconds(const char *name, const char *help, unsigned long long ns)
{
	put_family(name, "gauge", "seconds", help);
	put_name(name, "", NULL, NULL);
	put_seconds(ns);
}

static void put_ratio(const char *name, const char *help, unsigned long long ppm)
{
	put_family(name, "gauge", "ratio", help);
	put_name(name, "", NULL, NULL);
	printf("%llu.%06llu\n", ppm / 1000000, ppm % 1000000);
}

static void put_counter(const char *name, const char *help, unsigned long long value)
{
	put_family(name, "counter", "", help);
	put_name(name, "_total", NULL, NULL);
	printf("%llu\n", value);
}

/* --- records ---------------------------------------------------------------------------------- */

static void put_recorder(struct json_object *status)
{
	struct json_object *window = rsp_reply_member(status, "window");
	struct json_object *by_kind = rsp_reply_object(status, "by_kind");

	put_family("build", "info", "", "The recorder.");
	put_name("build", "_info", "version", rsp_reply_text(status, "version"));
	puts("1");
	put_gauge_seconds("uptime_seconds", "Time since the recorder started.",
			  rsp_reply_number(status, "uptime_ns"));
	put_family("events", "counter", "", "Records, by kind.");
	if (by_kind) {
		json_object_object_foreach (by_kind, kind, cnt) {
			put_name("events", "_total", "kind", kind);
			printf("%llu\n", (unsigned long long)json_object_get_uint64(cnt));
		}
	}
	put_counter("events_lost", "Records that were lost because a ring was full.",
		    rsp_reply_number(status, "lost"));
	put_counter("events_bad", "Records that were invalid.", rsp_reply_number(status, "bad"));
	put_gauge_seconds("window_seconds", "Length of the window.",
			  rsp_reply_number(window, "newest_ns") -
				  rsp_reply_number(window, "oldest_ns"));
	put_gauge("window_bytes", "bytes", "Size of the records in memory.",
		  rsp_reply_number(window, "bytes"));
	put_gauge("window_limit_bytes", "bytes", "Maximum size of the records in memory.",
		  rsp_reply_number(window, "budget_bytes"));
}

/* --- cost ------------------------------------------------------------------------------------- */

static void put_programs(struct json_object *cost)
{
	size_t cnt = rsp_reply_cnt(cost, "programs");

	put_family("bpf_run_seconds", "counter", "seconds",
		   "Time in BPF programs, estimated from spans in which they were timed.");
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *program = rsp_reply_at(cost, "programs", i);

		put_name("bpf_run_seconds", "_total", "prog", rsp_reply_text(program, "name"));
		put_seconds(rsp_reply_number(program, "run_ns"));
	}
	put_family("bpf_runs", "counter", "", "Runs of BPF programs, estimated likewise.");
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *program = rsp_reply_at(cost, "programs", i);

		put_name("bpf_runs", "_total", "prog", rsp_reply_text(program, "name"));
		printf("%llu\n", rsp_reply_number(program, "run_cnt"));
	}
}

static void put_cost(struct json_object *status)
{
	struct json_object *cost = rsp_reply_member(status, "cost");

	put_family("cpu_seconds", "counter", "seconds",
		   "CPU time of the recorder and of its children that have ended.");
	put_name("cpu_seconds", "_total", NULL, NULL);
	put_seconds(rsp_reply_number(cost, "daemon_cpu_ns"));
	put_programs(cost);
	put_ratio("cost_ratio", "Share of all CPUs that recording has recently used.",
		  rsp_reply_number(cost, "cost_ppm"));
	put_ratio("budget_ratio", "Share of all CPUs that recording may use; 0: no limit.",
		  rsp_reply_number(cost, "budget_ppm"));
	put_gauge("shed_step", "",
		  "What the recorder leaves out to stay within its budget: 0 nothing; 1 wakers' "
		  "stacks; 2 also stacks of tasks that switch often; 5 also part of the time.",
		  rsp_reply_number(cost, "shed"));
	put_family("spent_seconds", "counter", "seconds",
		   "CPU time of recording: BPF programs and recorder, without snapshots.");
	put_name("spent_seconds", "_total", NULL, NULL);
	put_seconds(rsp_reply_number(cost, "spent_ns"));
	put_gauge("paused", "", "1 if recording is paused by request (rspctl pause), else 0.",
		  rsp_paused_is(status));
	put_family("paused_seconds", "counter", "seconds",
		   "Time that was not recorded, to stay within the budget or by request.");
	put_name("paused_seconds", "_total", NULL, NULL);
	put_seconds(rsp_reply_number(cost, "paused_ns"));
	put_counter("sheds", "Number of times that the recorder began to leave out more.",
		    rsp_reply_number(cost, "shed_cnt"));
}

/* --- snapshots -------------------------------------------------------------------------------- */

static void put_snapshots(struct json_object *status)
{
	struct json_object *taken = rsp_reply_member(status, "snapshots");
	struct json_object *store = rsp_reply_member(status, "store");

	put_family("snapshots", "counter", "", "Snapshots taken, by reason.");
	put_name("snapshots", "_total", "trigger", "request");
	printf("%llu\n", rsp_reply_number(taken, "asked"));
	put_name("snapshots", "_total", "trigger", "slo");
	printf("%llu\n", rsp_reply_number(taken, "breached"));
	put_counter("snapshots_failed", "Snapshots that could not be taken or stored.",
		    rsp_reply_number(taken, "failed"));
	put_gauge("store_bytes", "bytes", "Size of all stored snapshots.",
		  rsp_reply_number(store, "bytes"));
	put_gauge("store_free_bytes", "bytes", "Free space in the file system of the store.",
		  rsp_reply_number(store, "free_bytes"));
	put_gauge("store_files", "", "Stored snapshots.", rsp_reply_number(store, "files"));
}

/* --- summaries -------------------------------------------------------------------------------- */

static void put_summaries(struct json_object *status)
{
	struct json_object *s = rsp_reply_object(status, "summaries");

	if (!rsp_reply_number(s, "every_ns"))
		return;
	put_counter("summaries", "Summaries that were made.", rsp_reply_number(s, "made"));
	put_counter("summaries_failed", "Summaries that could not be made.",
		    rsp_reply_number(s, "failed"));
	put_counter("summaries_skipped",
		    "Intervals without a summary: nothing was recorded, or the last one took too "
		    "long.",
		    rsp_reply_number(s, "skipped"));
	put_family("summaries_cpu_seconds", "counter", "seconds", "CPU time of summaries.");
	put_name("summaries_cpu_seconds", "_total", NULL, NULL);
	put_seconds(rsp_reply_number(s, "cpu_ns"));
}

/* --- SLOs ------------------------------------------------------------------------------------- */

/*
 * The recorder has four buckets per octave. The metrics have only one bucket per octave, up to 67
 * s, because monitoring systems have to store a series for each bucket.
 */
#define BUCKET_FIRST_NS 1000ULL
#define BUCKET_CNT	27

static unsigned long long count_below(struct json_object *slo, unsigned long long limit_ns)
{
	unsigned long long sum = 0;

	for (size_t i = 0; i < rsp_reply_cnt(slo, "buckets"); i++) {
		struct json_object *bucket = rsp_reply_at(slo, "buckets", i);
		unsigned long long le_ns = rsp_reply_number(bucket, "le_ns"); /* 0: no limit */

		if (le_ns && le_ns <= limit_ns)
			sum += rsp_reply_number(bucket, "cnt");
	}
	return sum;
}

static void put_bucket(const char *slo, const char *limit, unsigned long long cnt)
{
	fputs("rsp_slo_latency_seconds_bucket{", stdout);
	rsp_text_put_label(stdout, "slo", slo);
	printf(",le=\"%s\"} %llu\n", limit, cnt);
}

static void put_histogram(struct json_object *slo)
{
	const char *name = rsp_reply_text(slo, "name");
	char limit[32];

	for (unsigned int i = 0; i < BUCKET_CNT; i++) {
		unsigned long long limit_ns = BUCKET_FIRST_NS << i;

		snprintf(limit, sizeof(limit), "%.9g", (double)limit_ns / 1e9);
		put_bucket(name, limit, count_below(slo, limit_ns));
	}
	put_bucket(name, "+Inf", rsp_reply_number(slo, "cnt"));
	put_name("slo_latency_seconds", "_count", "slo", name);
	printf("%llu\n", rsp_reply_number(slo, "cnt"));
	put_name("slo_latency_seconds", "_sum", "slo", name);
	put_seconds(rsp_reply_number(slo, "sum_ns"));
}

static void put_slo_counter(struct json_object *status, const char *name, const char *key,
			    const char *help)
{
	put_family(name, "counter", "", help);
	for (size_t i = 0; i < rsp_reply_cnt(status, "slos"); i++) {
		struct json_object *slo = rsp_reply_at(status, "slos", i);

		put_name(name, "_total", "slo", rsp_reply_text(slo, "name"));
		printf("%llu\n", rsp_reply_number(slo, key));
	}
}

static void put_slos(struct json_object *status)
{
	size_t cnt = rsp_reply_cnt(status, "slos");

	if (!cnt)
		return;
	put_family("slo_latency_seconds", "histogram", "seconds",
		   "Measurements for an SLO. Stalls (psi) have no histogram.");
	for (size_t i = 0; i < cnt; i++)
		put_histogram(rsp_reply_at(status, "slos", i));
	put_family("slo_threshold_seconds", "gauge", "seconds", "Limit of the SLO.");
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *slo = rsp_reply_at(status, "slos", i);

		put_name("slo_threshold_seconds", "", "slo", rsp_reply_text(slo, "name"));
		put_seconds(rsp_reply_number(slo, "threshold_ns"));
	}
	put_family("slo_measured", "gauge", "", "1 if the SLO is being measured, else 0.");
	for (size_t i = 0; i < cnt; i++) {
		struct json_object *slo = rsp_reply_at(status, "slos", i);

		put_name("slo_measured", "", "slo", rsp_reply_text(slo, "name"));
		printf("%d\n", rsp_reply_bool(slo, "measured"));
	}
	put_slo_counter(status, "slo_over", "over_cnt", "Measurements above the limit.");
	put_slo_counter(status, "slo_unmeasured", "unmeasured_cnt",
			"Not measured, because there was no room to store the beginning.");
	put_slo_counter(status, "slo_breaches", "breach_cnt",
			"Breaches for which a snapshot was due.");
	put_slo_counter(status, "slo_breaches_suppressed", "suppressed_cnt",
			"Breaches that came too soon after another one.");
}

int rsp_verb_metrics(const struct rsp_options *opt)
{
	_cleanup_(put_object) struct json_object *status = NULL;
	int r;

	r = rsp_service_status(opt, &status);
	if (r)
		return r;
	put_recorder(status);
	put_cost(status);
	put_snapshots(status);
	put_summaries(status);
	put_slos(status);
	puts("# EOF");
	return rsp_output_flush();
}
