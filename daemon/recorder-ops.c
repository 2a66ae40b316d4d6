/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recorder.h. The recorder's functions for the socket and the bus (api/api.h). */
#include "daemon/recorder-parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "daemon/base/clock.h"
#include "daemon/kill-switch.h"
#include "daemon/log.h"
#include "daemon/machine/marks.h"
#include "daemon/recent.h"
#include "daemon/snapshots/jobs.h"
#include "daemon/snapshots/target.h"
#include "daemon/snapshots/usage.h"
#include "daemon/summaries/summaries.h"
#include "daemon/tap.h"
#include "daemon/watches.h"

/* --- requests from the socket and the bus ----------------------------------------------------- */

static void get_status(void *ctx, struct rsp_status *ret)
{
	struct rsp_recorder *rec = ctx;

	rsp_recorder_fill_status(rec, ret);
	rsp_usage_get(rec->usage, &ret->store);
}

struct asked {
	struct rsp_recorder *rec;
	rsp_snapshot_done_fn done;
	void *userdata;
	struct rsp_peer peer;
};

static const char *unstored(const struct rsp_dump_result *dump)
{
	return dump->store_error < 0 ? rsp_store_error_text(dump->store_error) : "";
}

static void on_asked_dumped(int error, const struct rsp_job_result *result, void *userdata)
{
	struct asked *asked = userdata;
	struct rsp_recorder *rec = asked->rec;
	struct rsp_snapshot_result ret = {0};

	rec->snapshots.in_progress--;
	if (error == 0) {
		rec->snapshots.asked++;
		rsp_recorder_report_finished(rec, result);
		ret = (struct rsp_snapshot_result){.id = result->meta->id,
						   .path = result->dump->path,
						   .unstored = unstored(result->dump),
						   .headline = result->dump->headline,
						   .fd = result->dump->fd,
						   .size = result->dump->size};
	} else if (error == -ENOTUNIQ && result) {
		ret.candidates = result->dump->candidates;
	} else if (error == -EACCES) {
		rsp_log_denied(&asked->peer);
	} else if (error != -ESRCH && error != -ENOENT && error != -ESTALE && error != -EBUSY) {
		rec->snapshots.failed++;
		rsp_log_failed_request(&asked->peer, error);
	}
	asked->done(error, result ? &ret : NULL, asked->userdata);
	free(asked);
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *ask, rsp_snapshot_done_fn done,
		    void *userdata, struct rsp_job **ret)
{
	struct rsp_recorder *rec = ctx;
	struct rsp_job_spec spec = {
		.request = {.meta = {.since_ns = ask->since_ns,
				     .until_ns = ask->until_ns,
				     .exit_status = ask->exit_status},
			    .own_only = !ask->peer.trusted,
			    .uid = ask->peer.uid,
			    .no_headline = ask->no_headline},
	};
	uint64_t now_ns = rsp_now_ns();
	struct asked *asked;
	int r;

	if (ask->until_ns != UINT64_MAX && ask->until_ns > now_ns + RSP_AFTER_MAX_NS)
		return -EINVAL;
	if (rsp_recorder_is_halted(rec) && ask->until_ns != UINT64_MAX && ask->until_ns > now_ns)
		return -ESHUTDOWN;
	r = rsp_rate_take(&rec->snapshot_rate, &ask->peer, now_ns);
	if (r < 0)
		return r;
	if (ask->until_ns != UINT64_MAX && ask->until_ns > now_ns)
		spec.begin_at_ns = ask->until_ns;
	spec.patient = spec.begin_at_ns != 0;
	snprintf(spec.request.meta.command, sizeof(spec.request.meta.command), "%s", ask->command);
	if (ask->store && ask->peer.trusted)
		rsp_recorder_fill_put(rec, NULL, &spec.request);
	asked = calloc(1, sizeof(*asked));
	if (!asked)
		return -ENOMEM;
	*asked = (struct asked){.rec = rec, .done = done, .userdata = userdata, .peer = ask->peer};
	r = rsp_target_resolve(&ask->target, ask->peer.pid, &spec.request);
	if (r == 0)
		r = rsp_jobs_begin(rec->jobs, &spec, on_asked_dumped, asked, ret);
	if (r < 0)
		free(asked);
	else
		rec->snapshots.in_progress++;
	return r;
}

static void cancel(void *ctx, struct rsp_job *job)
{
	struct rsp_recorder *rec = ctx;

	free(rsp_job_cancel(job));
	rec->snapshots.in_progress--;
}

static int recent(void *ctx, uint64_t position, struct rsp_recent *ret)
{
	struct rsp_recorder *rec = ctx;
	uint64_t now_ns = rsp_now_ns();
	/* Without a tap, the position belongs to an earlier tap, whose records are gone. */
	bool missed = !rec->tap && position;
	int r = 0;

	if (rsp_recorder_is_halted(rec))
		return -ESHUTDOWN;
	if (!rec->tap) {
		position = 0;
		r = rsp_tap_new(now_ns, &rec->tap);
	}
	if (r == 0)
		r = rsp_capture_drain(rec->capture);
	if (r < 0)
		return r;
	r = rsp_recent_make(rec->tap, rsp_capture_binaries(rec->capture), position, now_ns, ret);
	if (r == 0)
		ret->missed |= missed;
	return r;
}

static int trigger(void *ctx, const char *slo, const struct rsp_peer *peer)
{
	struct rsp_recorder *rec = ctx;

	if (rsp_recorder_is_halted(rec))
		return -ESHUTDOWN;
	return rec->slos ? rsp_slos_trigger(rec->slos, slo, rsp_now_ns()) : -ENOENT;
}

static int mark(void *ctx, const char *text, const struct rsp_peer *peer)
{
	struct rsp_recorder *rec = ctx;
	__u64 now_ns = rsp_now_ns();
	struct rsp_ev_mark mark = {.hdr = {.ts_ns = now_ns, .flags = RSP_MARK_TEXT},
				   .uid = peer->uid,
				   .tgid = (__u32)peer->pid};

	if (!rsp_mark_text_is_valid(text))
		return -EINVAL;
	if (rsp_recorder_is_halted(rec))
		return -ESHUTDOWN;
	return rsp_marks_put(&rec->marks, RSP_MARKS_OF_USERS, &mark, text, now_ns);
}

static void unit_changed(void *ctx, enum rsp_mark_type type, const char *unit, __u64 at_ns)
{
	struct rsp_recorder *rec = ctx;
	__u64 now_ns = rsp_now_ns();
	struct rsp_ev_mark mark = {
		.hdr = {.ts_ns = rsp_recorder_mark_time(at_ns, now_ns), .flags = type}};

	if (rsp_recorder_is_halted(rec)) /* marks would push older records out of the window */
		return;
	rsp_marks_put(&rec->marks, RSP_MARKS_OF_UNITS, &mark, unit, now_ns);
}

static unsigned int prepare(void *ctx, pid_t pid)
{
	struct rsp_recorder *rec = ctx;

	return pid < 0 ? rsp_capture_unprepared(rec->capture)
		       : rsp_capture_prepare(rec->capture, pid);
}

/* Nice value at which other threads run first, but the rings do not overflow. */
#define ASIDE_NICE 10

static void stand_aside(void *ctx, bool aside)
{
	struct rsp_recorder *rec = ctx;

	if (!rec->opt->is_private)
		return;
	(void)setpriority(PRIO_PGRP, 0, aside ? ASIDE_NICE : 0);
	if (aside) /* the command starts next */
		rsp_sampler_expect(rsp_capture_sampler(rec->capture), rsp_now_ns());
}

static int watch_threads(void *ctx, const struct rsp_watch_request *request, uint64_t limit_ns,
			 unsigned int *ret_number)
{
	struct rsp_recorder *rec = ctx;

	if (rsp_recorder_is_halted(rec))
		return -ESHUTDOWN;
	return rsp_watches_begin(rec->watches, request, limit_ns, ret_number);
}

static void unwatch_threads(void *ctx, unsigned int number)
{
	struct rsp_recorder *rec = ctx;

	rsp_watches_end(rec->watches, number);
}

static int pause_recording(void *ctx, const char *reason, uint64_t for_ns,
			   const struct rsp_peer *peer, int *ret_unkept)
{
	struct rsp_recorder *rec = ctx;

	return rsp_kill_switch_pause(rec->kill_switch, peer, reason, for_ns, ret_unkept);
}

static int resume_recording(void *ctx, const struct rsp_peer *peer)
{
	struct rsp_recorder *rec = ctx;

	return rsp_kill_switch_resume(rec->kill_switch, peer);
}

static const struct rsp_summary_ring *summaries(void *ctx)
{
	const struct rsp_recorder *rec = ctx;

	return rsp_summaries_ring(rec->summaries);
}

static int delete_snapshot(void *ctx, const char *id, const struct rsp_peer *peer)
{
	struct rsp_recorder *rec = ctx;
	struct rsp_stored_name deleted;
	int r = rsp_store_delete(rec->opt->store_dir, id, &deleted);

	rsp_usage_changed(rec->usage);
	if (r == 0)
		rsp_log_deleted(peer, &deleted);
	return r;
}

static bool users_may_ask(void *ctx)
{
	struct rsp_recorder *rec = ctx;

	return rec->config->users;
}

const struct rsp_recorder_ops rsp_recorder_ops = {
	.get_status = get_status,
	.snapshot = snapshot,
	.cancel = cancel,
	.recent = recent,
	.trigger = trigger,
	.mark = mark,
	.unit_changed = unit_changed,
	.prepare = prepare,
	.stand_aside = stand_aside,
	.watch = watch_threads,
	.unwatch = unwatch_threads,
	.pause = pause_recording,
	.resume = resume_recording,
	.delete = delete_snapshot,
	.summaries = summaries,
	.users_may_ask = users_may_ask,
};
