/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See log.h. */
#include "daemon/log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "daemon/base/journal.h"
#include "daemon/config/config-keys.h"
#include "lib/base/format.h"

void rsp_log_no_snapshot(const char *slo, int error)
{
	rsp_journal(RSP_MSG_SNAPSHOT_FAILED, LOG_ERR, &(struct rsp_journal_fields){.slo = slo},
		    "there is no snapshot for SLO %s: %s", slo, rsp_dump_error_text(error));
}

void rsp_log_failed_request(const struct rsp_peer *peer, int error)
{
	uid_t uid = peer->uid;

	rsp_journal(RSP_MSG_SNAPSHOT_FAILED, LOG_ERR, &(struct rsp_journal_fields){.uid = &uid},
		    "there is no snapshot for user %u: %s", (unsigned int)uid,
		    rsp_dump_error_text(error));
}

void rsp_log_lost(uint64_t cnt, uint64_t skipped_cnt)
{
	const struct rsp_journal_fields fields = {.lost_cnt = cnt};
	unsigned long long full = cnt - skipped_cnt, skipped = skipped_cnt;

	if (!full)
		rsp_journal(RSP_MSG_LOST, LOG_INFO, &fields,
			    "%llu records were not made: the kernel skips a program that would "
			    "interrupt itself",
			    skipped);
	else if (!skipped)
		rsp_journal(
			RSP_MSG_LOST, LOG_WARNING, &fields,
			"%llu records were lost because the rings were full: increase RingSize=",
			full);
	else
		rsp_journal(
			RSP_MSG_LOST, LOG_WARNING, &fields,
			"%llu records were lost because the rings were full: increase RingSize=; "
			"%llu more were not made, as the kernel skips a program that would "
			"interrupt itself",
			full, skipped);
}

void rsp_log_shed(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats)
{
	double cost = stats->cost_ppm / 1e4, budget = stats->budget_ppm / 1e4;

	if (to == RSP_SHED_NOTHING)
		rsp_journal(
			RSP_MSG_RECOVERED, LOG_INFO, NULL,
			"recording is within its budget of %.2f %% of all CPUs again: nothing is "
			"left out",
			budget);
	else if (to == RSP_SHED_SLICES)
		rsp_journal(
			RSP_MSG_SHED, LOG_WARNING, NULL,
			"recording costs %.2f %% of all CPUs, the budget is %.2f %%: only part of "
			"the time is recorded from now on",
			cost, budget);
	else if (from == RSP_SHED_SLICES)
		rsp_journal(
			RSP_MSG_SHED, LOG_INFO, NULL,
			"recording costs %.2f %% of all CPUs, the budget is %.2f %%: all of the "
			"time is recorded again",
			cost, budget);
	else if (to > from)
		rsp_journal(
			RSP_MSG_SHED, LOG_WARNING, NULL,
			"recording costs %.2f %% of all CPUs, the budget is %.2f %%: %s are left out "
			"from now on",
			cost, budget, rsp_shed_name(to));
	else
		rsp_journal(
			RSP_MSG_SHED, LOG_INFO, NULL,
			"recording costs %.2f %% of all CPUs, the budget is %.2f %%: %s are recorded "
			"again",
			cost, budget, rsp_shed_name(from));
}

void rsp_log_breach(const struct rsp_slo_breach *breach)
{
	const struct rsp_slo_config *slo = breach->slo;
	char value[RSP_FORMAT_MAX], threshold[RSP_FORMAT_MAX], after[RSP_FORMAT_MAX];
	struct rsp_journal_fields fields = {
		.slo = slo->name,
		.measure = rsp_slo_measure_name(slo->measure),
		.value_ns = breach->value_ns,
		.threshold_ns = slo->threshold_ns,
		.pid = breach->tgid,
	};

	rsp_format_ns(slo->after_ns, after, sizeof(after));
	if (!breach->value_ns)
		rsp_journal(RSP_MSG_BREACH, LOG_NOTICE, &fields,
			    "SLO %s was triggered by hand: a snapshot is taken in %s", slo->name,
			    after);
	else
		rsp_journal(
			RSP_MSG_BREACH, LOG_NOTICE, &fields,
			"SLO %s was breached: %s of %s, the limit is %s: a snapshot is taken in %s",
			slo->name, fields.measure,
			rsp_format_ns(breach->value_ns, value, sizeof(value)),
			rsp_format_ns(slo->threshold_ns, threshold, sizeof(threshold)), after);
}

void rsp_log_problems(const struct rsp_job_result *result, const char *store)
{
	const struct rsp_dump_result *dump = result->dump;
	const char *slo = result->meta->trigger.slo;
	struct rsp_journal_fields fields = {.snapshot_id = result->meta->id,
					    .slo = slo[0] ? slo : NULL,
					    .pid = (pid_t)dump->target_pid};

	if (dump->analysis_error < 0)
		rsp_journal(RSP_MSG_WORKER_FAILED, LOG_WARNING, &fields,
			    "snapshot %.12s has no names of functions: its analysis failed: %s",
			    result->meta->id, rsp_dump_error_text(dump->analysis_error));
	if (dump->left_out_cnt)
		rsp_log(LOG_WARNING,
			"snapshot %.12s lacks names of functions: reading %u of their files took too "
			"long; 'rspctl symbolize' adds the names",
			result->meta->id, dump->left_out_cnt);
	if (dump->store_error < 0)
		rsp_journal(RSP_MSG_SNAPSHOT_FAILED, LOG_ERR, &fields,
			    "snapshot %.12s could not be stored in %s: %s", result->meta->id, store,
			    rsp_store_error_text(dump->store_error));
	if (dump->deleted_cnt)
		rsp_log(LOG_INFO, "%u older snapshots were deleted to make room for %.12s",
			dump->deleted_cnt, result->meta->id);
}

void rsp_log_stored(const struct rsp_job_result *result)
{
	const struct rsp_dump_result *dump = result->dump;
	const struct rsp_trigger *trigger = &result->meta->trigger;
	struct rsp_journal_fields fields = {
		.snapshot_id = result->meta->id,
		.slo = trigger->slo[0] ? trigger->slo : NULL,
		.measure = trigger->slo[0] ? trigger->measure : NULL,
		.path = dump->path,
		.headline = dump->headline,
		.value_ns = trigger->value_ns,
		.threshold_ns = trigger->threshold_ns,
		.pid = (pid_t)dump->target_pid,
	};

	rsp_journal(RSP_MSG_SNAPSHOT, LOG_NOTICE, &fields, "snapshot %.12s: %s", result->meta->id,
		    dump->headline[0] ? dump->headline : "stored");
}

void rsp_log_denied(const struct rsp_peer *peer)
{
	uid_t uid = peer->uid;

	rsp_journal(RSP_MSG_DENIED, LOG_NOTICE,
		    &(struct rsp_journal_fields){.uid = &uid, .pid = peer->pid},
		    "user %u asked for a snapshot of a process that is not theirs",
		    (unsigned int)uid);
}

/* Writes " until 2026-01-31 12:00:00: REASON". */
static const char *describe_pause(const struct rsp_pause *pause, char *buf, size_t len)
{
	char end[64] = "";
	time_t until = (time_t)(pause->until_usec / 1000000);
	struct tm tm;

	if (pause->until_usec && localtime_r(&until, &tm))
		strftime(end, sizeof(end), " until %F %T", &tm);
	snprintf(buf, len, "%s%s%s", end, pause->reason[0] ? ": " : "", pause->reason);
	return buf;
}

void rsp_log_paused(const struct rsp_peer *peer, const struct rsp_pause *pause, int unkept)
{
	uid_t uid = peer->uid;
	const struct rsp_journal_fields fields = {.uid = &uid, .pid = peer->pid};
	char how[RSP_PAUSE_REASON_MAX + 80];

	rsp_journal(RSP_MSG_PAUSED, LOG_NOTICE, &fields, "user %u paused recording%s",
		    (unsigned int)uid, describe_pause(pause, how, sizeof(how)));
	if (unkept < 0)
		rsp_log(LOG_ERR, "the pause cannot be stored, so it ends when rspd ends: %s",
			strerror(-unkept));
}

void rsp_log_still_paused(const struct rsp_pause *pause)
{
	uid_t uid = pause->uid;
	const struct rsp_journal_fields fields = {.uid = &uid};
	char how[RSP_PAUSE_REASON_MAX + 80];

	rsp_journal(RSP_MSG_PAUSED, LOG_NOTICE, &fields, "recording is still paused, by user %u%s",
		    (unsigned int)uid, describe_pause(pause, how, sizeof(how)));
}

void rsp_log_resumed(const struct rsp_peer *peer)
{
	uid_t uid = peer ? peer->uid : 0;

	if (peer)
		rsp_journal(RSP_MSG_RESUMED, LOG_NOTICE,
			    &(struct rsp_journal_fields){.uid = &uid, .pid = peer->pid},
			    "user %u resumed recording", (unsigned int)uid);
	else
		rsp_journal(RSP_MSG_RESUMED, LOG_NOTICE, NULL,
			    "recording resumes: the time of its pause is over");
}

void rsp_log_deleted(const struct rsp_peer *peer, const struct rsp_stored_name *snapshot)
{
	uid_t uid = peer->uid;

	rsp_journal(RSP_MSG_DELETED, LOG_NOTICE,
		    &(struct rsp_journal_fields){.uid = &uid,
						 .pid = peer->pid,
						 .snapshot_id = snapshot->id,
						 .slo = snapshot->slo},
		    "user %u deleted snapshot %.12s", (unsigned int)uid, snapshot->id);
}
