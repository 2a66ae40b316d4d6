/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `rspctl serve`: routes, pages, the jobs that make pages, and the HTTP server. */
#ifndef RSP_CLI_SERVE_H
#define RSP_CLI_SERVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "cli/rspctl.h"

#define RSP_SERVE_ID_MAX    32
#define RSP_SERVE_TOKEN_LEN 32

/* --- routes: serve-route.c -------------------------------------------------------------------- */

enum rsp_serve_what {
	RSP_SERVE_NOTHING, /* an unknown path, or a path without the token */
	RSP_SERVE_INDEX,
	RSP_SERVE_PROCESSES,
	RSP_SERVE_PAGE,
	RSP_SERVE_OTHERS, /* list of the snapshots with which id can be compared */
	RSP_SERVE_DIFF,
};

struct rsp_serve_route {
	enum rsp_serve_what what;
	char id[RSP_SERVE_ID_MAX + 1]; /* the ID of a snapshot, or its first digits */
	/* RSP_SERVE_PAGE: the process to show; 0: the process of interest */
	pid_t pid;
	char after[RSP_SERVE_ID_MAX +
		   1]; /* DIFF: the ID of the snapshot with which id is compared */
};

/*
 * Parses "/TOKEN/", "/TOKEN/ID/", "/TOKEN/ID/page", "/TOKEN/ID/PID", "/TOKEN/ID/with/" and
 * "/TOKEN/ID/with/ID/".
 */
struct rsp_serve_route rsp_serve_route(const char *path, const char *token);
/*
 * Returns whether a Host header names this server. This check prevents DNS rebinding, where another
 * site's name resolves to the address of this server.
 */
bool rsp_serve_host_ok(const char *host, uint16_t port);

/* --- pages: serve-pages.c --------------------------------------------------------------------- */

struct rsp_store_list;

void rsp_serve_put_index(const struct rsp_store_list *list, FILE *out);
void rsp_serve_put_others(const struct rsp_store_list *list, const char *id, FILE *out);
/* Writes a list that contains only the file at path. In URLs, this file has the ID "0". */
#define RSP_SERVE_ONLY_ID "0"
void rsp_serve_put_only(const char *path, FILE *out);
void rsp_serve_put_message(const char *text, FILE *out);

/* --- jobs: serve-jobs.c ----------------------------------------------------------------------- */

struct rsp_serve_job;

/* RUNNING_MAX: maximum number of running jobs. JOBS_MAX: of running and waiting jobs together. */
#define RSP_SERVE_RUNNING_MAX 2
#define RSP_SERVE_JOBS_MAX    16

struct rsp_serve_jobs {
	struct rsp_serve_job *first;
	size_t cnt, running_cnt;
};

/*
 * Adds a job that makes a page of the snapshot at path. If route->what is RSP_SERVE_DIFF, the page
 * compares the snapshots at path and at after; otherwise after is NULL. rsp_serve_jobs_poll()
 * starts the job later, and calls done when the job has ended. Returns 0, -EBUSY if there are too
 * many jobs, or -errno.
 */
int rsp_serve_job_begin(struct rsp_serve_jobs *jobs, const struct rsp_serve_route *route,
			const struct rsp_options *opt, const char *path, const char *after,
			void (*done)(void *userdata), void *userdata, struct rsp_serve_job **ret);
/* Frees a job. If the job is running, kills it. */
void rsp_serve_job_end(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job);
/*
 * Sets *ret_fd to the page, or to the error message if *ret_ok is false. The caller closes *ret_fd.
 */
void rsp_serve_job_take(struct rsp_serve_job *job, bool *ret_ok, int *ret_fd, uint64_t *ret_size);
/* Handles jobs that have ended, and starts waiting jobs. Returns whether any job is running. */
bool rsp_serve_jobs_poll(struct rsp_serve_jobs *jobs);
/* Ends all unfinished jobs, which then have no page, and calls their done(). */
void rsp_serve_jobs_stop(struct rsp_serve_jobs *jobs);

/* --- HTTP: serve-http.c ----------------------------------------------------------------------- */

struct rsp_serve_http;

/*
 * Listens on 127.0.0.1 and, if possible, on ::1. If port is 0, chooses any free port. only is the
 * file of the only snapshot to serve. If only is NULL, serves all snapshots of the store. Returns 0
 * or -errno.
 */
int rsp_serve_http_new(const struct rsp_options *opt, const char *only, uint16_t port,
		       struct rsp_serve_http **ret);
struct rsp_serve_http *rsp_serve_http_free(struct rsp_serve_http *http);
/* Returns "http://127.0.0.1:PORT/TOKEN/". */
const char *rsp_serve_http_url(const struct rsp_serve_http *http);
/* Serves until *stop is set. Returns 0 or -errno. */
int rsp_serve_http_run(struct rsp_serve_http *http, const volatile int *stop);

#endif
