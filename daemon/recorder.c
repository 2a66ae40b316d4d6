/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recorder.h. */
#include "daemon/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "daemon/base/clock.h"
#include "daemon/base/journal.h"
#include "daemon/bus/bus.h"
#include "daemon/containers/containers.h"
#include "daemon/guests.h"
#include "daemon/kill-switch.h"
#include "daemon/log.h"
#include "daemon/machine/counters.h"
#include "daemon/machine/marks.h"
#include "daemon/recorder-parts.h"
#include "daemon/service.h"
#include "daemon/slo/breach.h"
#include "daemon/snapshots/jobs.h"
#include "daemon/snapshots/usage.h"
#include "daemon/summaries/summaries.h"
#include "daemon/tap.h"
#include "daemon/watches.h"

/* At this interval, a ring of 4 MiB suffices for some 400,000 events per second and CPU. */
#define DRAIN_INTERVAL_US (RSP_GOVERNOR_POLL_NS / 1000)

/* Minimum time between two journal entries about losses. */
#define LOST_INTERVAL_NS 60000000000ULL

/*
 * Limits for the snapshots of each untrusted user. A snapshot costs some hundred milliseconds of
 * one CPU.
 */
#define SNAPSHOT_BURST	     5
#define SNAPSHOT_INTERVAL_NS 2000000000ULL

/* --- from the kernel to the window ------------------------------------------------------------ */

static void sink(const void *record, size_t len, void *userdata)
{
	struct rsp_recorder *rec = userdata;
	int r = rsp_window_append(rec->window, record, len);

	if (r > 0 && rec->capture)
		rsp_capture_bump_epoch(rec->capture);
	if (rec->tap && r >= 0)
		rsp_tap_append(rec->tap, record, len);
}

/*
 * If the rings cannot be read, the recorder ends, because it would record nothing, and systemd
 * starts it again.
 */
static int drain(struct rsp_recorder *rec)
{
	int r = rsp_capture_drain(rec->capture);

	if (r < 0)
		rsp_log(LOG_ERR, "the rings cannot be read (%s): recording cannot go on",
			strerror(-r));
	return r;
}

static int on_fill(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	return drain(userdata);
}

static void log_losses(struct rsp_recorder *rec, uint64_t now_ns)
{
	struct rsp_window_stats stats;
	uint64_t cnt, miss_cnt;

	if (rec->logged_lost_ns && now_ns - rec->logged_lost_ns < LOST_INTERVAL_NS)
		return;
	rsp_window_get_stats(rec->window, &stats);
	cnt = stats.lost_cnt - rec->logged_lost_cnt;
	if (!cnt)
		return;
	miss_cnt = rsp_capture_miss_cnt(rec->capture);
	rsp_log_lost(cnt, miss_cnt - rec->logged_miss_cnt);
	rec->logged_lost_cnt = stats.lost_cnt;
	rec->logged_miss_cnt = miss_cnt;
	rec->logged_lost_ns = now_ns;
}

/* Fills in all fields except the store, because the disk of the store may not answer now. */
void rsp_recorder_fill_status(struct rsp_recorder *rec, struct rsp_status *ret)
{
	const struct rsp_ladder *ladder = rsp_capture_ladder(rec->capture);

	rsp_capture_drain(rec->capture);
	rsp_capture_report_misses(rec->capture);
	*ret = (struct rsp_status){
		.uptime_ns = rsp_now_ns() - rec->started_ns,
		.abilities = ladder->v,
		.ability_cnt = ladder->cnt,
		.snapshots = rec->snapshots,
		.slos = rec->slo_states,
		.slo_cnt = rec->slos ? rsp_slos_get(rec->slos, rec->slo_states) : 0,
		.summary_boot = rsp_summaries_ring(rec->summaries)->boot,
	};
	rsp_window_get_stats(rec->window, &ret->window);
	rsp_capture_get_stats(rec->capture, &ret->capture);
	rsp_containers_get_stats(rec->containers, &ret->containers);
	rsp_governor_get(rec->governor, &ret->cost);
	rsp_summaries_get(rec->summaries, &ret->summaries);
	ret->cost.paused_ns = rsp_capture_paused_ns(rec->capture);
	ret->pause = rsp_kill_switch_pause_of(rec->kill_switch);
}

static void notify_service(struct rsp_recorder *rec, uint64_t now_ns)
{
	rsp_service_feed_watchdog(&rec->service, now_ns);
	if (rsp_service_wants_status(&rec->service, now_ns)) {
		struct rsp_status status;

		rsp_recorder_fill_status(rec, &status);
		rsp_service_notify_status(&rec->service, &status, now_ns);
	}
}

static uint64_t events_so_far(const struct rsp_recorder *rec)
{
	struct rsp_window_stats stats;

	rsp_window_get_stats(rec->window, &stats);
	return stats.events;
}

/* If a pause cannot end, the next poll tries again. */
static void keep_duty(struct rsp_recorder *rec)
{
	bool pause = rsp_governor_wants_pause(rec->governor);
	int r;

	rsp_capture_want_long_waits(rec->capture, rsp_governor_wants_long_waits(rec->governor));
	if (pause == rsp_capture_is_paused(rec->capture))
		return;
	r = rsp_capture_pause(rec->capture, pause);
	if (r < 0 && !rec->stuck)
		rsp_log(LOG_ERR, "recording cannot resume after a pause: %s", strerror(-r));
	rec->stuck = r < 0;
}

static uint64_t guests_ns(const struct rsp_recorder *rec)
{
	return rec->guests ? rsp_guests_cpu_ns(rec->guests) : 0;
}

static void govern(struct rsp_recorder *rec, uint64_t now_ns)
{
	rsp_governor_poll(rec->governor, now_ns, events_so_far(rec), guests_ns(rec),
			  rsp_capture_is_paused(rec->capture));
	keep_duty(rec);
}

bool rsp_recorder_is_halted(const struct rsp_recorder *rec)
{
	return rsp_capture_is_halted(rec->capture);
}

#define HALTED_INTERVAL_US 1000000

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct rsp_recorder *rec = userdata;
	uint64_t now_ns = rsp_now_ns();
	int r;

	if (rsp_recorder_is_halted(rec)) {
		notify_service(rec, now_ns);
		return sd_event_source_set_time_relative(source, HALTED_INTERVAL_US);
	}
	r = drain(rec);
	if (r < 0)
		return r;
	if (rec->tap && !rsp_tap_poll(rec->tap, now_ns))
		rec->tap = rsp_tap_free(rec->tap);
	if (rec->slos)
		rsp_slos_poll(rec->slos, now_ns);
	rsp_counters_poll(&rec->counters, now_ns, sink, rec);
	if (rsp_capture_poll_numbers(rec->capture, rsp_window_oldest(rec->window, 0)))
		rsp_window_drop_user_stacks(rec->window);
	govern(rec, now_ns);
	log_losses(rec, now_ns);
	notify_service(rec, now_ns);
	return sd_event_source_set_time_relative(
		source, rsp_governor_poll_interval_ns(rec->governor) / 1000);
}

static void on_shed(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats,
		    void *userdata)
{
	rsp_log_shed(from, to, stats);
}

/* --- snapshots -------------------------------------------------------------------------------- */

void rsp_recorder_fill_put(const struct rsp_recorder *rec, const struct rsp_slo_config *slo,
			   struct rsp_dump_request *req)
{
	const struct rsp_config *config = rec->config;

	req->store = true;
	req->put = (struct rsp_store_put){
		.dir = rec->opt->store_dir,
		.limits = {.max_use_bytes = config->max_use_bytes,
			   .keep_free_bytes = config->keep_free_bytes,
			   .max_files = config->max_files},
	};
	if (slo)
		req->put.slo_limits = (struct rsp_store_limits){.max_use_bytes = slo->max_use_bytes,
								.max_files = slo->max_files};
}

void rsp_recorder_report_finished(struct rsp_recorder *rec, const struct rsp_job_result *result)
{
	const struct rsp_dump_result *dump = result->dump;

	rsp_usage_changed(rec->usage);
	rsp_log_problems(result, rec->opt->store_dir);
	if (!dump->path[0])
		return;
	rsp_log_stored(result);
	if (rec->bus)
		rsp_bus_emit_snapshot(rec->bus, result->meta->id, result->meta->trigger.slo,
				      (pid_t)dump->target_pid, dump->path, dump->headline);
}

/* --- breaches --------------------------------------------------------------------------------- */

struct breached {
	struct rsp_recorder *rec;
	char slo[RSP_SLO_NAME_MAX];
};

static void on_breach_dumped(int error, const struct rsp_job_result *result, void *userdata)
{
	struct breached *b = userdata;
	struct rsp_recorder *rec = b->rec;

	rec->snapshots.in_progress--;
	if (error == 0 && result->dump->store_error == 0)
		rec->snapshots.breached++;
	else
		rec->snapshots.failed++;
	if (error == 0)
		rsp_recorder_report_finished(rec, result);
	else
		rsp_log_no_snapshot(b->slo, error);
	free(b);
}

/*
 * Maximum age of a mark's time. An older time could lie in a part of the window that is already
 * complete, so the mark gets the current time instead.
 */
#define LATE_MARK_NS 1000000000ULL

__u64 rsp_recorder_mark_time(__u64 at_ns, __u64 now_ns)
{
	return at_ns > now_ns || now_ns - at_ns > LATE_MARK_NS ? now_ns : at_ns;
}

static void mark_breach(struct rsp_recorder *rec, const struct rsp_slo_breach *breach)
{
	__u64 now_ns = rsp_now_ns();
	struct rsp_ev_mark mark = {.hdr = {.ts_ns = rsp_recorder_mark_time(breach->end_ns, now_ns),
					   .flags = RSP_MARK_BREACH},
				   .from_ns = breach->start_ns,
				   .tgid = (__u32)breach->tgid};

	rsp_marks_put(&rec->marks, RSP_MARKS_OF_SLOS, &mark, breach->slo->name, now_ns);
}

static void on_breach(const struct rsp_slo_breach *breach, void *userdata)
{
	struct rsp_recorder *rec = userdata;
	struct breached *b = calloc(1, sizeof(*b));
	struct rsp_job_spec spec;
	struct rsp_job *job;
	int r = b ? rsp_breach_specify(breach, &spec) : -ENOMEM;

	rsp_log_breach(breach);
	mark_breach(rec, breach);
	if (r == 0) {
		b->rec = rec;
		memcpy(b->slo, breach->slo->name, sizeof(b->slo));
		rsp_recorder_fill_put(rec, breach->slo, &spec.request);
		/*
		 * The configuration may have changed when the snapshot is stored, so use a copy of
		 * the name.
		 */
		spec.request.put.slo = b->slo;
		r = rsp_jobs_begin(rec->jobs, &spec, on_breach_dumped, b, &job);
	}
	if (r == 0) {
		rec->snapshots.in_progress++;
		return;
	}
	free(b);
	rec->snapshots.failed++;
	rsp_log_no_snapshot(breach->slo->name, r);
}

/* --- watches ---------------------------------------------------------------------------------- */

/* While a client watches, the recorder ignores its budget. */
static void on_watched(bool is_watched, void *userdata)
{
	struct rsp_recorder *rec = userdata;

	govern(rec, rsp_now_ns());
	rsp_governor_ignore_budget(rec->governor, is_watched);
	keep_duty(rec);
}

/* --- pauses by request ------------------------------------------------------------------------ */

static void halt(struct rsp_recorder *rec)
{
	rsp_watches_end_all(rec->watches);
	rec->tap = rsp_tap_free(rec->tap);
	(void)drain(rec);
	rsp_capture_halt(rec->capture);
	(void)drain(rec); /* records made before all programs were detached */
	if (rec->slos)
		rsp_slos_halt(rec->slos);
	rsp_governor_skip(rec->governor, rsp_now_ns(), events_so_far(rec), guests_ns(rec));
}

/*
 * rspd has dropped the right to load programs. If it cannot attach the loaded programs again, it
 * ends with an error, and systemd starts it again.
 */
static int go_on(struct rsp_recorder *rec)
{
	int r = rsp_capture_end_halt(rec->capture);

	if (r < 0) {
		rsp_log(LOG_ERR, "this process cannot resume recording: %s", strerror(-r));
		(void)sd_event_exit(rec->event, r);
		return r;
	}
	rsp_governor_skip(rec->governor, rsp_now_ns(), events_so_far(rec), guests_ns(rec));
	if (rec->slos)
		r = rsp_slos_restart(rec->slos);
	if (r < 0)
		rsp_log(LOG_ERR, "SLOs are not measured any more: %s", strerror(-r));
	return sd_event_source_set_time_relative(rec->timer, DRAIN_INTERVAL_US);
}

static int on_kill(bool halts, void *userdata)
{
	struct rsp_recorder *rec = userdata;

	if (!halts)
		return go_on(rec);
	halt(rec);
	return 0;
}

/* --- start and end ---------------------------------------------------------------------------- */

/* Edge-triggered, because under load the descriptor is always readable. */
static int watch(struct rsp_recorder *rec)
{
	int r = sd_event_add_io(rec->event, &rec->fill, rsp_capture_epoll_fd(rec->capture),
				EPOLLIN | EPOLLET, on_fill, rec);

	if (r >= 0)
		r = sd_event_add_time_relative(rec->event, &rec->timer, CLOCK_MONOTONIC,
					       DRAIN_INTERVAL_US, DRAIN_INTERVAL_US / 10, on_timer,
					       rec);
	if (r >= 0)
		r = sd_event_source_set_enabled(rec->timer, SD_EVENT_ON);
	/*
	 * By default, sd-event disables a source whose handler fails, and rspd would not drain the
	 * rings any more.
	 */
	if (r >= 0)
		r = sd_event_source_set_exit_on_failure(rec->fill, true);
	if (r >= 0)
		r = sd_event_source_set_exit_on_failure(rec->timer, true);
	return r < 0 ? r : 0;
}

int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_config *config, struct rsp_recorder **ret)
{
	struct rsp_recorder *rec = calloc(1, sizeof(*rec));
	int r;

	if (!rec)
		return -ENOMEM;
	rec->event = sd_event_ref(event);
	rec->opt = opt;
	rec->snapshot_rate = (struct rsp_rate){.burst = SNAPSHOT_BURST,
					       .interval_ns = SNAPSHOT_INTERVAL_NS};
	rsp_counters_open(&rec->counters, "");
	r = rsp_window_new(opt->window_bytes, &rec->window);
	if (r == 0)
		r = rsp_usage_new(opt->store_dir, &rec->usage);
	if (r == 0)
		r = rsp_kill_switch_new(event,
					opt->is_private || opt->is_check ? NULL : opt->store_dir,
					on_kill, rec, &rec->kill_switch);
	if (r < 0) {
		rsp_recorder_free(rec);
		return r;
	}
	rec->config = config;
	rec->marks = (struct rsp_marks){.sink = sink, .userdata = rec};
	*ret = rec;
	return 0;
}

static int configure_summaries(struct rsp_recorder *rec, const struct rsp_config *config)
{
	bool makes = !rec->opt->is_private && !rec->opt->is_check;

	return rsp_summaries_configure(rec->summaries, makes ? config->every_ns : 0,
				       config->slice_ns);
}

static void on_summary(__u64 cpu_ns, __u64 every_ns, void *userdata)
{
	struct rsp_recorder *rec = userdata;

	rsp_governor_charge(rec->governor, cpu_ns, every_ns);
}

static int begin_summaries(struct rsp_recorder *rec)
{
	const struct rsp_summaries_env env = {.event = rec->event,
					      .window = rec->window,
					      .capture = rec->capture,
					      .containers = rec->containers,
					      .spent = on_summary,
					      .userdata = rec};
	int r = rsp_summaries_new(&env, &rec->summaries);

	return r == 0 ? configure_summaries(rec, rec->config) : r;
}

static int begin(struct rsp_recorder *rec, struct rsp_reason *ret_why)
{
	struct rsp_jobs_env env = {.event = rec->event,
				   .window = rec->window,
				   .capture = rec->capture,
				   .containers = rec->containers,
				   .sample_hz = rsp_sampler_hz(rsp_capture_sampler(rec->capture))};
	int r;

	*ret_why = (struct rsp_reason){"out of memory"};
	r = rsp_jobs_new(&env, &rec->jobs);
	if (r < 0)
		return r;
	*ret_why = (struct rsp_reason){"the cost of recording cannot be measured"};
	r = rsp_governor_new(rsp_capture_bpf(rec->capture), rec->config->cpu_ppm, sink, on_shed,
			     rec, &rec->governor);
	if (r < 0)
		return r;
	rsp_governor_set_budget(rec->governor, rec->config->cpu_ppm, rec->config->time_ppm);
	*ret_why = (struct rsp_reason){"out of memory"};
	r = rsp_watches_new(rec->event, rec->capture, on_watched, rec, &rec->watches);
	if (r == 0)
		r = begin_summaries(rec);
	if (r < 0)
		return r;
	*ret_why = (struct rsp_reason){"the existing tasks cannot be listed"};
	r = rsp_capture_census(rec->capture);
	return r < 0 ? r : watch(rec);
}

int rsp_recorder_start(struct rsp_recorder *rec, struct rsp_reason *ret_why)
{
	struct rsp_capture_options opt = rec->opt->capture;
	int r;

	opt.halted = rsp_kill_switch_is_on(rec->kill_switch);
	rec->started_ns = rsp_now_ns();
	rsp_service_init(&rec->service);
	*ret_why = (struct rsp_reason){"the process that names containers does not start"};
	r = rsp_containers_new(rec->event, &rec->containers);
	if (r < 0)
		return r;
	r = rsp_capture_new(rec->event, &opt, sink, rec, &rec->capture, ret_why);
	if (r == 0)
		r = begin(rec, ret_why);
	return r < 0 ? r : rsp_kill_switch_start(rec->kill_switch);
}

static int configure_slos(struct rsp_recorder *rec, const struct rsp_config *config)
{
	int r = rsp_slos_configure(rec->slos, config->slos, config->slo_cnt);

	if (r == 0 && rsp_recorder_is_halted(rec))
		rsp_slos_halt(rec->slos);
	return r;
}

int rsp_recorder_watch_slos(struct rsp_recorder *rec)
{
	int r = rsp_slos_new(rsp_capture_bpf(rec->capture), on_breach, rec, &rec->slos);

	return r < 0 ? r : configure_slos(rec, rec->config);
}

int rsp_recorder_configure(struct rsp_recorder *rec, struct rsp_config *config)
{
	int r = configure_summaries(rec, config);

	/* The SLOs come last, because they keep pointers into the configuration. */
	if (r == 0 && rec->slos)
		r = configure_slos(rec, config);
	if (r < 0) {
		(void)configure_summaries(rec, rec->config);
		return r;
	}
	rsp_governor_set_budget(rec->governor, config->cpu_ppm, config->time_ppm);
	rsp_config_free(rec->config);
	rec->config = config;
	return 0;
}

void rsp_recorder_set_guests(struct rsp_recorder *rec, const struct rsp_guests *guests)
{
	rec->guests = guests;
}

void rsp_recorder_set_bus(struct rsp_recorder *rec, struct rsp_bus *bus)
{
	rec->bus = bus;
	rsp_jobs_set_bus(rec->jobs, rsp_bus_connection(bus));
	if (rec->slos)
		rsp_slos_set_bus(rec->slos, rsp_bus_connection(bus));
}

struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec)
{
	if (!rec)
		return NULL;
	rsp_kill_switch_free(rec->kill_switch);
	rsp_watches_free(rec->watches);
	rsp_summaries_free(rec->summaries);
	sd_event_source_unref(rec->timer);
	sd_event_source_unref(rec->fill);
	rsp_jobs_free(rec->jobs);
	rsp_slos_free(rec->slos);
	rsp_governor_free(rec->governor);
	rsp_capture_free(rec->capture);
	rsp_containers_free(rec->containers);
	rsp_window_free(rec->window);
	rsp_tap_free(rec->tap);
	rsp_usage_free(rec->usage);
	rsp_counters_close(&rec->counters);
	rsp_config_free(rec->config);
	sd_event_unref(rec->event);
	free(rec);
	return NULL;
}
