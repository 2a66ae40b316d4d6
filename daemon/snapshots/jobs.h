/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshots in progress, for clients and SLOs. A job waits until its span has been recorded,
 * and then begins the dump (dump.h).
 */
#ifndef RSP_DAEMON_JOBS_H
#define RSP_DAEMON_JOBS_H

#include "daemon/snapshots/dump.h"
#include "daemon/snapshots/request.h"

struct rsp_bus_connection;
struct rsp_capture;
struct rsp_jobs;

/*
 * Maximum number of dumps at the same time: each holds a copy-on-write image of the window for a
 * while.
 */
#define RSP_DUMPS_AT_ONCE  4
#define RSP_DUMPS_RESERVED 2

/*
 * Maximum number of snapshots for untrusted users that are in progress or not read yet. Each may be
 * as large as the window.
 */
#define RSP_UNREAD_MAX	    8
#define RSP_UNREAD_PER_USER 2

#define RSP_JOBS_MAX	  64
#define RSP_JOBS_RESERVED 32

struct rsp_jobs_env {
	sd_event *event;
	struct rsp_window *window;
	struct rsp_capture *capture;
	const struct rsp_containers *containers;
	unsigned int sample_hz;
};

struct rsp_job_spec {
	/*
	 * In meta, the caller sets span, target, trigger, command and exit status; the job fills in
	 * the other fields when the dump begins. If meta.until_ns is UINT64_MAX, the span ends when
	 * the dump begins. rsp_jobs_begin() takes ownership of wanted, even on failure. The strings
	 * of put must live as long as the job.
	 */
	struct rsp_dump_request request;
	uint64_t begin_at_ns; /* 0: immediately */
	bool patient; /* if too many dumps are in progress, wait instead of failing with -EBUSY */
};

struct rsp_job_result {
	const struct rsp_dump_result *dump;
	const struct rsp_meta *meta; /* id, trigger and so on; target_pid is the selected process */
};

/*
 * error: as for rsp_snapshot_done_fn. result: valid during the call. On error, result is NULL; on
 * -ENOTUNIQ, result contains only the candidates.
 */
typedef void (*rsp_job_fn)(int error, const struct rsp_job_result *result, void *userdata);

/* The objects to which env points must outlive *ret. Returns 0 or -errno. */
int rsp_jobs_new(const struct rsp_jobs_env *env, struct rsp_jobs **ret);
/* Cancels all jobs, and passes the userdata of each to free(). */
struct rsp_jobs *rsp_jobs_free(struct rsp_jobs *jobs);

/* Without a bus (NULL), only units whose cgroup is at the default path can be found. */
void rsp_jobs_set_bus(struct rsp_jobs *jobs, const struct rsp_bus_connection *bus);

/*
 * Begins a job. If it returns 0, the event loop will call done, unless the job is cancelled.
 * Errors: -ENOENT: there is no such unit; -EBUSY: too many jobs; -errno.
 */
int rsp_jobs_begin(struct rsp_jobs *jobs, const struct rsp_job_spec *spec, rsp_job_fn done,
		   void *userdata, struct rsp_job **ret);
/* Cancels the job: done will not be called. Returns its userdata. */
void *rsp_job_cancel(struct rsp_job *job);

#endif
