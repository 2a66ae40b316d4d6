/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See jobs.h. */
#include "daemon/snapshots/jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#include "daemon/base/bus-unit.h"
#include "daemon/base/clock.h"
#include "daemon/base/places.h"
#include "daemon/capture/capture.h"
#include "daemon/snapshots/target.h"

#define RETRY_US 200000

/* systemd answers within milliseconds, or does not run. */
#define QUESTION_NS 3000000000ULL

/* Time to wait after the end of the span, so that all its records are in the rings. */
#define SLACK_US 1000

struct rsp_job {
	struct rsp_jobs *jobs;
	struct rsp_job *prev, *next;
	struct rsp_dump_request request;
	struct rsp_peer peer; /* the client whose shares the job uses */
	bool patient;
	sd_event_source *timer; /* runs until the dump begins */
	sd_bus_slot *question;	/* pending request to systemd; NULL: no request */
	uint64_t question_ns;
	int unit_error; /* result of the request: 0 or -errno */
	struct rsp_dump *dump;
	rsp_job_fn done;
	void *userdata;
};

/* The dump holds memory until the user has read it. */
struct unread {
	struct rsp_jobs *jobs;
	struct unread *prev, *next;
	struct rsp_peer peer;
	struct rsp_dump *dump;
};

struct rsp_jobs {
	struct rsp_jobs_env env;
	const struct rsp_bus_connection *bus; /* NULL: no bus */
	struct rsp_job *first;
	struct rsp_share share, dump_share, unread_share;
	struct unread *unread;
	/* see struct rsp_analysis_request; shared by all dumps, including those that have ended */
	int broker_places;
};

int rsp_jobs_new(const struct rsp_jobs_env *env, struct rsp_jobs **ret)
{
	struct rsp_jobs *jobs = calloc(1, sizeof(*jobs));
	int r;

	if (!jobs)
		return -ENOMEM;
	jobs->env = *env;
	jobs->share = (struct rsp_share){
		.places = RSP_JOBS_MAX, .reserved = RSP_JOBS_RESERVED, .per_user = 1};
	jobs->dump_share = (struct rsp_share){
		.places = RSP_DUMPS_AT_ONCE, .reserved = RSP_DUMPS_RESERVED, .per_user = 1};
	jobs->unread_share = (struct rsp_share){.places = RSP_UNREAD_MAX,
						.per_user = RSP_UNREAD_PER_USER};
	jobs->broker_places = rsp_places_new();
	if (jobs->broker_places < 0) {
		r = jobs->broker_places;
		free(jobs);
		return r;
	}
	*ret = jobs;
	return 0;
}

struct rsp_jobs *rsp_jobs_free(struct rsp_jobs *jobs)
{
	if (!jobs)
		return NULL;
	while (jobs->first)
		free(rsp_job_cancel(jobs->first));
	while (jobs->unread)
		rsp_dump_cancel(jobs->unread->dump);
	close(jobs->broker_places);
	free(jobs);
	return NULL;
}

static void job_free(struct rsp_job *job)
{
	struct rsp_jobs *jobs = job->jobs;

	if (job->prev)
		job->prev->next = job->next;
	else
		jobs->first = job->next;
	if (job->next)
		job->next->prev = job->prev;
	sd_event_source_disable_unref(job->timer);
	sd_bus_slot_unref(job->question);
	rsp_wanted_done(&job->request.wanted);
	rsp_share_give(&jobs->share, &job->peer);
	free(job);
}

void *rsp_job_cancel(struct rsp_job *job)
{
	void *userdata = job->userdata;

	if (job->dump) {
		rsp_dump_cancel(job->dump);
		rsp_share_give(&job->jobs->dump_share, &job->peer);
	}
	job_free(job);
	return userdata;
}

/* --- the dump --------------------------------------------------------------------------------- */

static int random_id(char *ret, size_t len)
{
	uint8_t bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return -EIO;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, len - 2 * i, "%02x", bytes[i]);
	return 0;
}

/* The kernel does not show the boot ID in some containers. */
static void set_boot_id(struct rsp_meta *meta)
{
	char text[SD_ID128_STRING_MAX];
	sd_id128_t id;

	if (sd_id128_get_boot(&id) >= 0)
		snprintf(meta->boot_id, sizeof(meta->boot_id), "%s", sd_id128_to_string(id, text));
}

static int describe(struct rsp_job *job)
{
	const struct rsp_jobs_env *env = &job->jobs->env;
	struct rsp_dump_request *req = &job->request;
	struct rsp_meta *meta = &req->meta;
	uint64_t now_ns = rsp_now_ns();
	struct rsp_window_stats stats;
	struct utsname uts;

	rsp_window_get_stats(env->window, &stats);
	uname(&uts);
	if (meta->until_ns > now_ns)
		meta->until_ns = now_ns;
	if (!meta->since_ns)
		meta->since_ns = stats.oldest_ns;
	if (!req->events_since_ns || req->events_since_ns > meta->since_ns)
		req->events_since_ns = meta->since_ns;
	if (stats.oldest_ns > meta->until_ns)
		return -ESTALE;
	meta->window_oldest_ns = rsp_window_oldest(env->window, req->events_since_ns);
	meta->events_until_ns = meta->trigger.slo[0] ? now_ns : 0;
	meta->realtime_offset_ns = (int64_t)(rsp_clock_ns(CLOCK_REALTIME) - now_ns);
	meta->cpu_cnt = (uint32_t)get_nprocs();
	meta->sample_hz = env->sample_hz;
	meta->redacted = req->own_only;
	req->broker_places = job->jobs->broker_places;
	req->containers = env->containers;
	snprintf(meta->host, sizeof(meta->host), "%s", uts.nodename);
	set_boot_id(meta);
	snprintf(meta->kernel, sizeof(meta->kernel), "%.64s", uts.release);
	snprintf(meta->arch, sizeof(meta->arch), "%.15s", uts.machine);
	snprintf(meta->version, sizeof(meta->version), "%s", RSP_VERSION);
	return random_id(meta->id, sizeof(meta->id));
}

static void end(struct rsp_job *job, int error, const struct rsp_dump_result *dump)
{
	struct rsp_job_result result = {.dump = dump, .meta = &job->request.meta};

	if (error == 0)
		job->request.meta.target_pid = dump->target_pid;
	job->dump = NULL;
	job->done(error, dump ? &result : NULL, job->userdata);
	job_free(job);
}

static void on_dumped(int error, const struct rsp_dump_result *dump, void *userdata)
{
	struct rsp_job *job = userdata;

	rsp_share_give(&job->jobs->dump_share, &job->peer);
	end(job, error, dump);
}

static void on_read(void *userdata)
{
	struct unread *u = userdata;

	if (u->prev)
		u->prev->next = u->next;
	else
		u->jobs->unread = u->next;
	if (u->next)
		u->next->prev = u->prev;
	rsp_share_give(&u->jobs->unread_share, &u->peer);
	free(u);
}

/* Sets *ret to NULL for trusted peers, because they get a memfd. */
static int add_unread(struct rsp_job *job, struct unread **ret)
{
	struct rsp_jobs *jobs = job->jobs;
	struct unread *u;
	int r;

	*ret = NULL;
	if (job->peer.trusted)
		return 0;
	r = rsp_share_take(&jobs->unread_share, &job->peer);
	if (r < 0)
		return r;
	u = malloc(sizeof(*u));
	if (!u) {
		rsp_share_give(&jobs->unread_share, &job->peer);
		return -ENOMEM;
	}
	*u = (struct unread){.jobs = jobs, .next = jobs->unread, .peer = job->peer};
	if (u->next)
		u->next->prev = u;
	jobs->unread = *ret = u;
	return 0;
}

static int start_dump(struct rsp_job *job)
{
	const struct rsp_jobs_env *env = &job->jobs->env;
	struct unread *unread;
	int r = add_unread(job, &unread);

	if (r < 0)
		return r;
	r = rsp_dump_start(env->event, env->window, rsp_capture_binaries(env->capture),
			   &job->request, on_dumped, job, unread ? on_read : NULL, unread,
			   &job->dump);
	if (unread && r < 0)
		on_read(unread);
	else if (unread)
		unread->dump = job->dump;
	return r;
}

static int begin_dump(struct rsp_job *job)
{
	const struct rsp_jobs_env *env = &job->jobs->env;
	int r = rsp_capture_drain(env->capture);

	if (r < 0)
		return r;
	rsp_capture_note_states(env->capture);
	rsp_capture_report_misses(env->capture);
	rsp_capture_read_watch(env->capture);
	r = describe(job);
	return r < 0 ? r : start_dump(job);
}

static void retry_later(struct rsp_job *job)
{
	if (sd_event_source_set_time_relative(job->timer, RETRY_US) < 0 ||
	    sd_event_source_set_enabled(job->timer, SD_EVENT_ONESHOT) < 0)
		end(job, -EIO, NULL);
}

/* If the unit of an SLO is gone, the snapshot is about the most affected process. */
static int ignore_missing_unit(const struct rsp_job *job, int r)
{
	return r == -ENOENT && job->request.meta.trigger.slo[0] ? 0 : r;
}

/* After QUESTION_NS, returns false, since no answer comes if the bus is gone. */
static bool awaits_unit(const struct rsp_job *job)
{
	return job->question && rsp_now_ns() - job->question_ns < QUESTION_NS;
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct rsp_job *job = userdata;
	int r = job->question ? ignore_missing_unit(job, -ENOENT) : job->unit_error;

	bool waits = awaits_unit(job);

	if (!waits && r == 0) {
		r = rsp_share_take(&job->jobs->dump_share, &job->peer);
		waits = r < 0 && job->patient;
		if (r == 0) {
			r = begin_dump(job);
			if (r < 0)
				rsp_share_give(&job->jobs->dump_share, &job->peer);
		}
	}
	if (waits) {
		retry_later(job);
		return 0;
	}
	if (r < 0)
		end(job, r, NULL);
	return 0;
}

static void on_unit(int error, const char *cgroup, void *userdata)
{
	struct rsp_job *job = userdata;

	job->question = sd_bus_slot_unref(job->question);
	job->unit_error = error < 0 ? error : rsp_target_set_cgroup(cgroup, &job->request.wanted);
}

static int query_unit(struct rsp_job *job)
{
	const char *unit = job->request.wanted.unit;

	if (!unit)
		return 0;
	job->question_ns = rsp_now_ns();
	return ignore_missing_unit(
		job, rsp_unit_query(job->jobs->bus, unit, on_unit, job, &job->question));
}

void rsp_jobs_set_bus(struct rsp_jobs *jobs, const struct rsp_bus_connection *bus)
{
	jobs->bus = bus;
}

int rsp_jobs_begin(struct rsp_jobs *jobs, const struct rsp_job_spec *spec, rsp_job_fn done,
		   void *userdata, struct rsp_job **ret)
{
	const struct rsp_dump_request *req = &spec->request;
	struct rsp_peer peer = {.uid = req->uid, .trusted = !req->own_only};
	uint64_t at_us = spec->begin_at_ns ? spec->begin_at_ns / 1000 + SLACK_US : 0;
	int r = rsp_share_take(&jobs->share, &peer);
	struct rsp_job *job = r < 0 ? NULL : calloc(1, sizeof(*job));

	if (!job) {
		if (r == 0)
			rsp_share_give(&jobs->share, &peer);
		rsp_wanted_done(&(struct rsp_wanted){.unit = req->wanted.unit,
						     .cgroup = req->wanted.cgroup});
		return r < 0 ? r : -ENOMEM;
	}
	*job = (struct rsp_job){
		.jobs = jobs,
		.next = jobs->first,
		.request = spec->request,
		.patient = spec->patient,
		.peer = peer,
		.done = done,
		.userdata = userdata,
	};
	if (jobs->first)
		jobs->first->prev = job;
	jobs->first = job;
	r = sd_event_add_time(jobs->env.event, &job->timer, CLOCK_MONOTONIC, at_us, 0, on_timer,
			      job);
	if (r >= 0)
		r = query_unit(job);
	if (r < 0) {
		job_free(job);
		return r;
	}
	*ret = job;
	return 0;
}
