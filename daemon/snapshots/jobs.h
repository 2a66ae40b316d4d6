/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots in the making, whoever wants them: what is to be recorded of them yet is waited for,
 * then the dump (dump.h) is begun, a few at a time, then whoever wants it is told.
 */
#ifndef RSP_DAEMON_JOBS_H
#define RSP_DAEMON_JOBS_H

#include "daemon/api/api.h"
#include "dump.h"

struct rsp_bus;
struct rsp_capture;
struct rsp_jobs;

/*
 * Dumps at once: each holds a copy-on-write image of the window for a while. Half of them are for
 * SLOs, root and group rsp.
 */
#define RSP_DUMPS_AT_ONCE  4
#define RSP_DUMPS_RESERVED 2

/*
 * Snapshots of users that are being made, or that they have not read yet: each may come to a
 * window's size.
 */
#define RSP_UNREAD_MAX	    8
#define RSP_UNREAD_PER_USER 2

/* Snapshots in the making, most of which wait for their time to come. */
#define RSP_JOBS_MAX	  64
#define RSP_JOBS_RESERVED 32

struct rsp_jobs_env {
	sd_event *event;
	struct rsp_window *window;
	struct rsp_capture *capture;
	unsigned int sample_hz;
};

struct rsp_job_spec {
	/*
	 * meta: span, target, trigger, command and exit status; all the rest is filled in when the
	 * dump begins. until_ns may be UINT64_MAX: then. wanted is taken, even on
	 * failure; the put's strings must live as long as the job.
	 */
	struct rsp_dump_request request;
	uint64_t begin_at_ns; /* 0: at once */
	bool patient;	      /* where too many are under way, wait for one to end; else -EBUSY */
};

struct rsp_job_result {
	const struct rsp_dump_result *dump;
	const struct rsp_meta *meta; /* id, trigger, …; target_pid as in the dump */
};

/* error: as to rsp_snapshot_done_fn; result: valid during the call, NULL on error. */
typedef void (*rsp_job_fn)(int error, const struct rsp_job_result *result, void *userdata);

/* env's parts must outlive it. */
int rsp_jobs_new(const struct rsp_jobs_env *env, struct rsp_jobs **ret);
/* What is under way is cancelled; each userdata is freed, by free(). */
struct rsp_jobs *rsp_jobs_free(struct rsp_jobs *jobs);

/* Through which systemd is asked for units; outlives it. NULL: units of unusual places are unknown.
 */
void rsp_jobs_set_bus(struct rsp_jobs *jobs, const struct rsp_bus *bus);

/*
 * 0, and done will be called from the event loop, unless cancelled; or -errno, -ENOENT: there is no
 * such unit, -EBUSY: there are too many, or one of that user.
 */
int rsp_jobs_begin(struct rsp_jobs *jobs, const struct rsp_job_spec *spec, rsp_job_fn done,
		   void *userdata, struct rsp_job **ret);
/* done is not called; returns its userdata. */
void *rsp_job_cancel(struct rsp_job *job);

#endif
