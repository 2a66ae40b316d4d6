/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See status-json.h. */
#include "status-json.h"

#include <json-c/json.h>
#include <stdio.h>
#include <unistd.h>

#include "daemon/clock.h"

static void add_int(struct json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

static void add_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

static void add_bool(struct json_object *o, const char *key, bool value)
{
	json_object_object_add(o, key, json_object_new_boolean(value));
}

/* --- how it records ----------------------------------------------------------------------------
 */

struct json_object *rsp_abilities_to_json(const struct rsp_ability *abilities, size_t cnt)
{
	struct json_object *ret = json_object_new_array();

	for (size_t i = 0; ret && i < cnt; i++) {
		struct json_object *o = json_object_new_object();

		add_string(o, "name", abilities[i].name);
		add_string(o, "chosen", abilities[i].chosen);
		add_string(o, "why", abilities[i].why);
		add_bool(o, "ok", abilities[i].ok);
		json_object_array_add(ret, o);
	}
	return ret;
}

static struct json_object *ended_to_json(const struct rsp_stack_stats *stats)
{
	static const char *const names[RSP_END_CNT] = {
		[RSP_END_COMPLETE] = "complete",     [RSP_END_PENDING] = "pending",
		[RSP_END_NO_MAPPING] = "no-mapping", [RSP_END_NO_RULE] = "no-rule",
		[RSP_END_FAULT] = "fault",	     [RSP_END_BACKWARDS] = "backwards",
		[RSP_END_TRUNCATED] = "truncated",   [RSP_END_FOREIGN] = "foreign",
	};
	struct json_object *ret = json_object_new_object();

	for (size_t i = 0; i < RSP_END_CNT; i++)
		add_int(ret, names[i], stats->user_cnt[i]);
	return ret;
}

static struct json_object *stacks_to_json(const struct rsp_stack_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	json_object_object_add(ret, "ended", ended_to_json(stats));
	add_int(ret, "repeated", stats->user_repeated_cnt);
	add_int(ret, "repeated_checked", stats->user_checked_cnt);
	add_int(ret, "repeated_wrong", stats->user_wrong_cnt);
	add_int(ret, "walked", stats->kernel_walked_cnt);
	add_int(ret, "unwound", stats->kernel_unwound_cnt);
	add_int(ret, "walked_checked", stats->kernel_checked_cnt);
	add_int(ret, "walked_wrong", stats->kernel_wrong_cnt);
	return ret;
}

static struct json_object *tables_to_json(const struct rsp_binaries_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "binaries", stats->binary_cnt);
	add_int(ret, "tables", stats->table_cnt);
	add_int(ret, "bytes", stats->table_bytes);
	add_int(ret, "built", stats->built_cnt);
	add_int(ret, "refused", stats->refused_cnt);
	add_int(ret, "evicted", stats->evicted_cnt);
	add_int(ret, "unnumbered", stats->unnumbered_cnt);
	return ret;
}

/* --- what it holds -----------------------------------------------------------------------------
 */

static struct json_object *by_kind_to_json(const struct rsp_window_stats *stats)
{
	static const char *const names[RSP_EV_KIND_MAX] = {
		[RSP_EV_SWITCH] = "switch", [RSP_EV_WAKING] = "waking", [RSP_EV_SAMPLE] = "sample",
		[RSP_EV_BLOCK] = "block",   [RSP_EV_IRQ] = "irq",	[RSP_EV_NET] = "net",
		[RSP_EV_STACK] = "stack",   [RSP_EV_OBJECT] = "object", [RSP_EV_SOCKET] = "socket",
		[RSP_EV_TASK] = "task",	    [RSP_EV_EXIT] = "exit",	[RSP_EV_LOST] = "lost",
		[RSP_EV_WORK] = "work",	    [RSP_EV_SHED] = "shed",
	};
	struct json_object *ret = json_object_new_object();

	for (size_t i = 0; i < RSP_EV_KIND_MAX; i++)
		if (names[i])
			add_int(ret, names[i], stats->by_kind[i]);
	return ret;
}

static struct json_object *window_to_json(const struct rsp_window_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "bytes", stats->bytes);
	add_int(ret, "budget_bytes", stats->budget_bytes);
	add_int(ret, "oldest_ns", stats->oldest_ns);
	add_int(ret, "newest_ns", stats->newest_ns);
	add_int(ret, "event_bytes", stats->segment_bytes);
	add_int(ret, "held_events", stats->segment_events);
	add_int(ret, "held_switches", stats->segment_switches);
	return ret;
}

/* --- what it costs -----------------------------------------------------------------------------
 */

static struct json_object *programs_to_json(const struct rsp_cost_stats *stats)
{
	struct json_object *ret = json_object_new_array();

	for (size_t i = 0; i < stats->program_cnt; i++) {
		struct json_object *o = json_object_new_object();

		add_string(o, "name", stats->programs[i].name);
		add_int(o, "run_cnt", stats->programs[i].run_cnt);
		add_int(o, "run_ns", stats->programs[i].run_ns);
		json_object_array_add(ret, o);
	}
	return ret;
}

static struct json_object *cost_to_json(const struct rsp_cost_stats *stats)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "budget_ppm", stats->budget_ppm);
	add_int(ret, "cost_ppm", stats->cost_ppm);
	add_int(ret, "programs_ppm", stats->programs_ppm);
	add_int(ret, "daemon_ppm", stats->daemon_ppm);
	add_int(ret, "daemon_cpu_ns", stats->daemon_cpu_ns);
	add_int(ret, "shed", stats->shed);
	add_string(ret, "shed_name", rsp_shed_name(stats->shed));
	add_int(ret, "shed_since_ns", stats->shed_since_ns);
	add_int(ret, "shed_cnt", stats->shed_cnt);
	add_bool(ret, "above_budget", stats->above_budget);
	json_object_object_add(ret, "programs", programs_to_json(stats));
	return ret;
}

/* --- snapshots and what they are taken for ------------------------------------------------------
 */

static struct json_object *snapshots_to_json(const struct rsp_snapshot_counts *counts)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "asked", counts->asked);
	add_int(ret, "breached", counts->breached);
	add_int(ret, "failed", counts->failed);
	add_int(ret, "in_progress", counts->in_progress);
	return ret;
}

static struct json_object *store_to_json(const struct rsp_store_usage *usage)
{
	struct json_object *ret = json_object_new_object();

	add_int(ret, "bytes", usage->bytes);
	add_int(ret, "free_bytes", usage->free_bytes);
	add_int(ret, "files", usage->files);
	return ret;
}

static void add_subject(char *buf, size_t len, size_t *at, const char *key, const char *value)
{
	if (*value && *at < len)
		*at += (size_t)snprintf(buf + *at, len - *at, "%s%s=%s", *at ? " " : "", key,
					value);
}

char *rsp_slo_subject(const struct rsp_slo_config *slo, char *buf, size_t len)
{
	char port[8] = "", pid[16] = "";
	size_t at = 0;

	if (slo->port)
		snprintf(port, sizeof(port), "%u", slo->port);
	if (slo->pid)
		snprintf(pid, sizeof(pid), "%d", (int)slo->pid);
	buf[0] = '\0';
	add_subject(buf, len, &at, "Unit", slo->unit);
	add_subject(buf, len, &at, "Cgroup", slo->cgroup);
	add_subject(buf, len, &at, "Comm", slo->comm);
	add_subject(buf, len, &at, "Pid", pid);
	add_subject(buf, len, &at, "Port", port);
	add_subject(buf, len, &at, "Function", slo->function_name);
	return buf;
}

/* Empty ones are left out: a reply shall stay small. Those above all limits have none: null. */
static struct json_object *buckets_to_json(const struct rsp_slo_state *slo)
{
	struct json_object *ret = json_object_new_array();

	for (size_t i = 0; i < RSP_SLO_BUCKET_CNT; i++) {
		struct json_object *o, *limit = NULL;

		if (!slo->buckets[i])
			continue;
		if (rsp_slo_bucket_limit_ns(i) != UINT64_MAX)
			limit = json_object_new_uint64(rsp_slo_bucket_limit_ns(i));
		o = json_object_new_object();
		json_object_object_add(o, "le_ns", limit);
		add_int(o, "cnt", slo->buckets[i]);
		json_object_array_add(ret, o);
	}
	return ret;
}

static struct json_object *slo_to_json(const struct rsp_slo_state *slo)
{
	const struct rsp_slo_config *config = slo->config;
	struct json_object *ret = json_object_new_object();
	char subject[512];

	add_string(ret, "name", config->name);
	add_string(ret, "measure", rsp_slo_measure_name(config->measure));
	add_string(ret, "subject", rsp_slo_subject(config, subject, sizeof(subject)));
	add_int(ret, "threshold_ns", config->threshold_ns);
	add_int(ret, "quantile_ppm", config->quantile_ppm);
	add_int(ret, "over_ns", config->over_ns);
	add_int(ret, "before_ns", config->before_ns);
	add_int(ret, "after_ns", config->after_ns);
	add_int(ret, "cooldown_ns", config->cooldown_ns);
	add_bool(ret, "measured", slo->measured);
	add_string(ret, "why", slo->why);
	add_int(ret, "cnt", slo->cnt);
	add_int(ret, "over_cnt", slo->over_cnt);
	add_int(ret, "unmeasured_cnt", slo->unmeasured_cnt);
	add_int(ret, "lost_cnt", slo->lost_cnt);
	add_int(ret, "sum_ns", slo->sum_ns);
	add_int(ret, "max_ns", slo->max_ns);
	add_int(ret, "breach_cnt", slo->breach_cnt);
	add_int(ret, "suppressed_cnt", slo->suppressed_cnt);
	add_int(ret, "last_breach_ns", slo->last_breach_ns);
	add_int(ret, "cooldown_until_ns", slo->cooldown_until_ns);
	json_object_object_add(ret, "buckets", buckets_to_json(slo));
	return ret;
}

static struct json_object *slos_to_json(const struct rsp_status *status)
{
	struct json_object *ret = json_object_new_array();

	for (size_t i = 0; i < status->slo_cnt; i++)
		json_object_array_add(ret, slo_to_json(&status->slos[i]));
	return ret;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

struct json_object *rsp_status_to_json(const struct rsp_status *status)
{
	struct json_object *ret = json_object_new_object();

	add_string(ret, "version", RSP_VERSION);
	add_int(ret, "pid", (uint64_t)getpid());
	add_int(ret, "now_ns", rsp_now_ns());
	add_int(ret, "uptime_ns", status->uptime_ns);
	json_object_object_add(ret, "abilities",
			       rsp_abilities_to_json(status->abilities, status->ability_cnt));
	json_object_object_add(ret, "window", window_to_json(&status->window));
	json_object_object_add(ret, "stacks", stacks_to_json(&status->capture.stacks));
	json_object_object_add(ret, "tables", tables_to_json(&status->capture.binaries));
	json_object_object_add(ret, "cost", cost_to_json(&status->cost));
	json_object_object_add(ret, "snapshots", snapshots_to_json(&status->snapshots));
	json_object_object_add(ret, "store", store_to_json(&status->store));
	json_object_object_add(ret, "slos", slos_to_json(status));
	add_int(ret, "events", status->window.events);
	add_int(ret, "lost", status->window.lost_cnt);
	add_int(ret, "bad", status->window.bad_cnt);
	json_object_object_add(ret, "by_kind", by_kind_to_json(&status->window));
	return ret;
}
