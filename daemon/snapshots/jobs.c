/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See jobs.h. */
#include "jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "daemon/capture/capture.h"
#include "daemon/clock.h"
#include "daemon/places.h"

/* What waits for its turn asks again. */
#define RETRY_US 200000

/* Late enough for all records of the span to be in the rings. */
#define SLACK_US 1000

struct rsp_job {
	struct rsp_jobs *jobs;
	struct rsp_job *prev, *next;
	struct rsp_dump_request request;
	bool patient;
	sd_event_source *timer; /* until the dump begins */
	struct rsp_dump *dump;
	rsp_job_fn done;
	void *userdata;
};

struct rsp_jobs {
	struct rsp_jobs_env env;
	struct rsp_job *first;
	unsigned int dump_cnt;
	int broker_places; /* of all dumps, those that have ended too */
};

int rsp_jobs_new(const struct rsp_jobs_env *env, struct rsp_jobs **ret)
{
	struct rsp_jobs *jobs = calloc(1, sizeof(*jobs));
	int r;

	if (!jobs)
		return -ENOMEM;
	jobs->env = *env;
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
	free(job->request.wanted.cgroup_ids);
	free(job);
}

void *rsp_job_cancel(struct rsp_job *job)
{
	void *userdata = job->userdata;

	if (job->dump) {
		rsp_dump_cancel(job->dump);
		job->jobs->dump_cnt--;
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
	snprintf(meta->host, sizeof(meta->host), "%s", uts.nodename);
	snprintf(meta->kernel, sizeof(meta->kernel), "%.64s", uts.release);
	snprintf(meta->arch, sizeof(meta->arch), "%.15s", uts.machine);
	snprintf(meta->version, sizeof(meta->version), "%s", RSP_VERSION);
	return random_id(meta->id, sizeof(meta->id));
}

static void end(struct rsp_job *job, int error, const struct rsp_dump_result *dump)
{
	struct rsp_job_result result = {.dump = dump, .meta = &job->request.meta};

	if (dump)
		job->request.meta.target_pid = dump->target_pid;
	job->dump = NULL;
	job->done(error, error < 0 ? NULL : &result, job->userdata);
	job_free(job);
}

static void on_dumped(int error, const struct rsp_dump_result *dump, void *userdata)
{
	struct rsp_job *job = userdata;

	job->jobs->dump_cnt--;
	end(job, error, dump);
}

static int begin_dump(struct rsp_job *job)
{
	const struct rsp_jobs_env *env = &job->jobs->env;
	int r = rsp_capture_drain(env->capture);

	if (r < 0)
		return r;
	rsp_capture_report_misses(env->capture);
	r = describe(job);
	if (r == 0)
		r = rsp_dump_start(env->event, env->window, rsp_capture_binaries(env->capture),
				   &job->request, on_dumped, job, &job->dump);
	if (r == 0)
		job->jobs->dump_cnt++;
	return r;
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct rsp_job *job = userdata;
	int r = 0;

	if (job->jobs->dump_cnt >= RSP_DUMPS_AT_ONCE) {
		if (job->patient) {
			sd_event_source_set_time(source, usec + RETRY_US);
			return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
		}
		r = -EBUSY;
	}
	if (r == 0)
		r = begin_dump(job);
	if (r < 0)
		end(job, r, NULL);
	return 0;
}

int rsp_jobs_begin(struct rsp_jobs *jobs, const struct rsp_job_spec *spec, rsp_job_fn done,
		   void *userdata, struct rsp_job **ret)
{
	struct rsp_job *job = calloc(1, sizeof(*job));
	uint64_t at_us = spec->begin_at_ns ? spec->begin_at_ns / 1000 + SLACK_US : 0;
	int r;

	if (!job) {
		free(spec->request.wanted.cgroup_ids);
		return -ENOMEM;
	}
	*job = (struct rsp_job){
		.jobs = jobs,
		.next = jobs->first,
		.request = spec->request,
		.patient = spec->patient,
		.done = done,
		.userdata = userdata,
	};
	if (jobs->first)
		jobs->first->prev = job;
	jobs->first = job;
	r = sd_event_add_time(jobs->env.event, &job->timer, CLOCK_MONOTONIC, at_us, 0, on_timer,
			      job);
	if (r < 0) {
		job_free(job);
		return r;
	}
	*ret = job;
	return 0;
}
