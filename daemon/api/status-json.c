/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See status-json.h. */
#include "daemon/api/status-json.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/config/config-keys.h"
#include "lib/base/json.h"

/* --- abilities, stacks and tables ------------------------------------------------------------- */

static int fill_ability(struct json_object *o, const void *from)
{
	const struct rsp_ability *ability = from;
	int r = rsp_json_add_string(o, "name", ability->name);

	r |= rsp_json_add_string(o, "chosen", ability->chosen);
	r |= rsp_json_add_string(o, "why", ability->why);
	return r | rsp_json_add_bool(o, "ok", ability->ok);
}

struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt)
{
	return RSP_JSON_ARRAY_OF(fill_ability, abilities, cnt);
}

static int fill_ended(struct json_object *o, const void *from)
{
	static const char *const names[RSP_END_CNT] = {
		[RSP_END_COMPLETE] = "complete",     [RSP_END_PENDING] = "pending",
		[RSP_END_NO_MAPPING] = "no-mapping", [RSP_END_NO_RULE] = "no-rule",
		[RSP_END_FAULT] = "fault",	     [RSP_END_BACKWARDS] = "backwards",
		[RSP_END_TRUNCATED] = "truncated",   [RSP_END_FOREIGN] = "foreign",
	};
	const struct rsp_stack_stats *stats = from;
	int r = 0;

	for (size_t i = 0; i < RSP_END_CNT; i++)
		r |= rsp_json_add_number(o, names[i], stats->user_cnt[i]);
	return r;
}

static int fill_stacks(struct json_object *o, const void *from)
{
	const struct rsp_stack_stats *stats = from;
	int r = rsp_json_add(o, "ended", rsp_json_object_of(fill_ended, stats));

	r |= rsp_json_add_number(o, "repeated", stats->user_repeated_cnt);
	r |= rsp_json_add_number(o, "repeated_checked", stats->user_checked_cnt);
	r |= rsp_json_add_number(o, "repeated_wrong", stats->user_wrong_cnt);
	r |= rsp_json_add_number(o, "walked", stats->kernel_walked_cnt);
	r |= rsp_json_add_number(o, "unwound", stats->kernel_unwound_cnt);
	r |= rsp_json_add_number(o, "walked_checked", stats->kernel_checked_cnt);
	return r | rsp_json_add_number(o, "walked_wrong", stats->kernel_wrong_cnt);
}

static int fill_symbols(struct json_object *o, const void *from)
{
	const struct rsp_symcopies_stats *stats = from;
	int r = rsp_json_add_number(o, "files", stats->cnt);

	r |= rsp_json_add_number(o, "bytes", stats->bytes);
	return r | rsp_json_add_number(o, "dropped", stats->dropped_cnt);
}

static int fill_tables(struct json_object *o, const void *from)
{
	const struct rsp_binaries_stats *stats = from;
	int r = rsp_json_add_number(o, "binaries", stats->binary_cnt);

	r |= rsp_json_add_number(o, "tables", stats->table_cnt);
	r |= rsp_json_add_number(o, "bytes", stats->table_bytes);
	r |= rsp_json_add_number(o, "built", stats->built_cnt);
	r |= rsp_json_add_number(o, "refused", stats->refused_cnt);
	r |= rsp_json_add_number(o, "left_out", stats->left_out_cnt);
	r |= rsp_json_add_number(o, "hanging", stats->hung_cnt);
	r |= rsp_json_add_number(o, "evicted", stats->evicted_cnt);
	r |= rsp_json_add(o, "symbols", rsp_json_object_of(fill_symbols, &stats->symbols));
	return r | rsp_json_add_number(o, "unnumbered", stats->unnumbered_cnt);
}

static int fill_containers(struct json_object *o, const void *from)
{
	const struct rsp_containers_stats *stats = from;
	int r = rsp_json_add_number(o, "named", stats->cnt);

	r |= rsp_json_add_number(o, "unnamed", stats->unnamed_cnt);
	r |= rsp_json_add_number(o, "left_out", stats->left_out_cnt);
	return r | rsp_json_add_number(o, "dropped", stats->dropped_cnt);
}

/* --- window and records ----------------------------------------------------------------------- */

static int fill_by_kind(struct json_object *o, const void *from)
{
	static const char *const names[RSP_EV_KIND_MAX] = {
		[RSP_EV_SWITCH] = "switch",	[RSP_EV_WAKING] = "waking",
		[RSP_EV_SAMPLE] = "sample",	[RSP_EV_BLOCK] = "block",
		[RSP_EV_IRQ] = "irq",		[RSP_EV_NET] = "net",
		[RSP_EV_STACK] = "stack",	[RSP_EV_OBJECT] = "object",
		[RSP_EV_SOCKET] = "socket",	[RSP_EV_TASK] = "task",
		[RSP_EV_EXIT] = "exit",		[RSP_EV_LOST] = "lost",
		[RSP_EV_WORK] = "work",		[RSP_EV_SHED] = "shed",
		[RSP_EV_DELAY] = "delay",	[RSP_EV_MESSAGE] = "message",
		[RSP_EV_MARK] = "mark",		[RSP_EV_COUNTERS] = "counters",
		[RSP_EV_ACCOUNT] = "account",	[RSP_EV_CALLS] = "calls",
		[RSP_EV_CPU_TIME] = "cpu_time", [RSP_EV_STOLEN] = "stolen",
		[RSP_EV_MEMORY] = "memory",	[RSP_EV_MEMORY_WATCH] = "memory_watch",
	};
	const struct rsp_window_stats *stats = from;
	int r = 0;

	for (size_t i = 0; i < RSP_EV_KIND_MAX; i++)
		if (names[i])
			r |= rsp_json_add_number(o, names[i], stats->by_kind[i]);
	return r;
}

static int fill_window(struct json_object *o, const void *from)
{
	const struct rsp_window_stats *stats = from;
	int r = rsp_json_add_number(o, "bytes", stats->bytes);

	r |= rsp_json_add_number(o, "budget_bytes", stats->budget_bytes);
	r |= rsp_json_add_number(o, "oldest_ns", stats->oldest_ns);
	r |= rsp_json_add_number(o, "newest_ns", stats->newest_ns);
	r |= rsp_json_add_number(o, "event_bytes", stats->segment_bytes);
	r |= rsp_json_add_number(o, "held_events", stats->segment_events);
	return r | rsp_json_add_number(o, "held_switches", stats->segment_switches);
}

/* --- cost ------------------------------------------------------------------------------------- */

static int fill_program(struct json_object *o, const void *from)
{
	const struct rsp_program_cost *program = from;
	int r = rsp_json_add_string(o, "name", program->name);

	r |= rsp_json_add_number(o, "run_cnt", program->run_cnt);
	return r | rsp_json_add_number(o, "run_ns", program->run_ns);
}

static int fill_cost(struct json_object *o, const void *from)
{
	const struct rsp_cost_stats *stats = from;
	int r = rsp_json_add_number(o, "budget_ppm", stats->budget_ppm);

	r |= rsp_json_add_number(o, "cost_ppm", stats->cost_ppm);
	r |= rsp_json_add_number(o, "programs_ppm", stats->programs_ppm);
	r |= rsp_json_add_number(o, "daemon_ppm", stats->daemon_ppm);
	r |= rsp_json_add_number(o, "spent_ns", stats->spent_ns);
	r |= rsp_json_add_bool(o, "in_slices", stats->in_slices);
	r |= rsp_json_add_number(o, "paused_ns", stats->paused_ns);
	r |= rsp_json_add_number(o, "daemon_cpu_ns", stats->daemon_cpu_ns);
	r |= rsp_json_add_number(o, "shed", stats->shed);
	r |= rsp_json_add_string(o, "shed_name", rsp_shed_name(stats->shed));
	r |= rsp_json_add_number(o, "shed_since_ns", stats->shed_since_ns);
	r |= rsp_json_add_number(o, "shed_cnt", stats->shed_cnt);
	r |= rsp_json_add_bool(o, "above_budget", stats->above_budget);
	return r |
	       rsp_json_add(o, "programs",
			    RSP_JSON_ARRAY_OF(fill_program, stats->programs, stats->program_cnt));
}

/* --- snapshots and SLOs ----------------------------------------------------------------------- */

static int fill_snapshots(struct json_object *o, const void *from)
{
	const struct rsp_snapshot_counts *counts = from;
	int r = rsp_json_add_number(o, "asked", counts->asked);

	r |= rsp_json_add_number(o, "breached", counts->breached);
	r |= rsp_json_add_number(o, "failed", counts->failed);
	return r | rsp_json_add_number(o, "in_progress", counts->in_progress);
}

struct summaries {
	const struct rsp_summary_stats *stats;
	const char *boot;
};

static int fill_summaries(struct json_object *o, const void *from)
{
	const struct summaries *s = from;
	int r = rsp_json_add_number(o, "every_ns", s->stats->every_ns);

	r |= rsp_json_add_number(o, "slice_ns", s->stats->slice_ns);
	r |= rsp_json_add_string(o, "boot", s->boot ? s->boot : "");
	r |= rsp_json_add_number(o, "made", s->stats->made_cnt);
	r |= rsp_json_add_number(o, "failed", s->stats->failed_cnt);
	r |= rsp_json_add_number(o, "skipped", s->stats->skipped_cnt);
	return r | rsp_json_add_number(o, "cpu_ns", s->stats->cpu_ns);
}

static int fill_store(struct json_object *o, const void *from)
{
	const struct rsp_store_usage *usage = from;
	int r = rsp_json_add_number(o, "bytes", usage->bytes);

	r |= rsp_json_add_number(o, "free_bytes", usage->free_bytes);
	return r | rsp_json_add_number(o, "files", usage->files);
}

/* The last bucket has no limit: its le_ns is null. */
static int add_bucket(struct json_object *array, __u64 limit_ns, __u64 cnt)
{
	struct json_object *o = json_object_new_object();
	int r;

	if (!o)
		return -ENOMEM;
	r = limit_ns == UINT64_MAX ? json_object_object_add(o, "le_ns", NULL)
				   : rsp_json_add_number(o, "le_ns", limit_ns);
	r |= rsp_json_add_number(o, "cnt", cnt);
	return r | rsp_json_append(array, o);
}

/* Leaves out empty buckets to keep replies small. */
static struct json_object *buckets_to_json(const struct rsp_slo_state *slo)
{
	_cleanup_json_ struct json_object *array = json_object_new_array();

	for (size_t i = 0; array && i < RSP_SLO_BUCKET_CNT; i++)
		if (slo->buckets[i] &&
		    add_bucket(array, rsp_slo_bucket_limit_ns(i), slo->buckets[i]))
			return NULL;
	return rsp_take_ptr(array);
}

static int add_limits(struct json_object *o, const struct rsp_slo_config *config)
{
	char subject[512];
	int r = rsp_json_add_string(o, "name", config->name);

	r |= rsp_json_add_string(o, "measure", rsp_slo_measure_name(config->measure));
	r |= rsp_json_add_string(o, "subject", rsp_slo_subject(config, subject, sizeof(subject)));
	r |= rsp_json_add_number(o, "threshold_ns", config->threshold_ns);
	r |= rsp_json_add_number(o, "quantile_ppm", config->quantile_ppm);
	r |= rsp_json_add_number(o, "over_ns", config->over_ns);
	r |= rsp_json_add_number(o, "before_ns", config->before_ns);
	r |= rsp_json_add_number(o, "after_ns", config->after_ns);
	return r | rsp_json_add_number(o, "cooldown_ns", config->cooldown_ns);
}

static int fill_slo(struct json_object *o, const void *from)
{
	const struct rsp_slo_state *slo = from;
	int r = add_limits(o, slo->config);

	r |= rsp_json_add_bool(o, "measured", slo->measured);
	r |= rsp_json_add_string(o, "why", slo->why);
	r |= rsp_json_add_number(o, "cnt", slo->cnt);
	r |= rsp_json_add_number(o, "over_cnt", slo->over_cnt);
	r |= rsp_json_add_number(o, "unmeasured_cnt", slo->unmeasured_cnt);
	r |= rsp_json_add_number(o, "lost_cnt", slo->lost_cnt);
	r |= rsp_json_add_number(o, "sum_ns", slo->sum_ns);
	r |= rsp_json_add_number(o, "max_ns", slo->max_ns);
	r |= rsp_json_add_number(o, "breach_cnt", slo->breach_cnt);
	r |= rsp_json_add_number(o, "suppressed_cnt", slo->suppressed_cnt);
	r |= rsp_json_add_number(o, "last_breach_ns", slo->last_breach_ns);
	r |= rsp_json_add_number(o, "cooldown_until_ns", slo->cooldown_until_ns);
	return r | rsp_json_add(o, "buckets", buckets_to_json(slo));
}

/* --- status ----------------------------------------------------------------------------------- */

static int fill_pause(struct json_object *o, const void *from)
{
	const struct rsp_pause *pause = from;
	int r = rsp_json_add_number(o, "since_usec", pause->since_usec);

	if (pause->until_usec)
		r |= rsp_json_add_number(o, "until_usec", pause->until_usec);
	else
		r |= json_object_object_add(o, "until_usec", NULL);
	r |= rsp_json_add_number(o, "uid", pause->uid);
	return r | rsp_json_add_string(o, "reason", pause->reason);
}

static int add_pause(struct json_object *o, const struct rsp_pause *pause)
{
	return pause ? rsp_json_add(o, "paused", rsp_json_object_of(fill_pause, pause))
		     : json_object_object_add(o, "paused", NULL);
}

static int fill_status(struct json_object *o, const void *from)
{
	const struct rsp_status *s = from;
	int r = rsp_json_add_string(o, "version", RSP_VERSION);

	r |= rsp_json_add_number(o, "pid", (uint64_t)getpid());
	r |= rsp_json_add_number(o, "now_ns", rsp_now_ns());
	r |= rsp_json_add_number(o, "uptime_ns", s->uptime_ns);
	r |= rsp_json_add(o, "abilities", rsp_abilities_to_json(s->abilities, s->ability_cnt));
	r |= rsp_json_add(o, "window", rsp_json_object_of(fill_window, &s->window));
	r |= rsp_json_add(o, "stacks", rsp_json_object_of(fill_stacks, &s->capture.stacks));
	r |= rsp_json_add(o, "tables", rsp_json_object_of(fill_tables, &s->capture.binaries));
	r |= rsp_json_add(o, "containers", rsp_json_object_of(fill_containers, &s->containers));
	r |= rsp_json_add(o, "cost", rsp_json_object_of(fill_cost, &s->cost));
	r |= rsp_json_add(o, "snapshots", rsp_json_object_of(fill_snapshots, &s->snapshots));
	r |= rsp_json_add(o, "summaries",
			  rsp_json_object_of(fill_summaries,
					     &(struct summaries){&s->summaries, s->summary_boot}));
	r |= rsp_json_add(o, "store", rsp_json_object_of(fill_store, &s->store));
	r |= rsp_json_add(o, "slos", RSP_JSON_ARRAY_OF(fill_slo, s->slos, s->slo_cnt));
	r |= add_pause(o, s->pause);
	r |= rsp_json_add_number(o, "events", s->window.events);
	r |= rsp_json_add_number(o, "lost", s->window.lost_cnt);
	r |= rsp_json_add_number(o, "bad", s->window.bad_cnt);
	return r | rsp_json_add(o, "by_kind", rsp_json_object_of(fill_by_kind, &s->window));
}

struct json_object *rsp_status_to_json(const struct rsp_status *status)
{
	return rsp_json_object_of(fill_status, status);
}
