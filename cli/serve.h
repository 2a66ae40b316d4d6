/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `rspctl serve`: what is served, the pages, and the processes that make them. */
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
	RSP_SERVE_NOTHING, /* a path that means nothing, or without the token */
	RSP_SERVE_INDEX,
	RSP_SERVE_PROCESSES,
	RSP_SERVE_PAGE,
};

struct rsp_serve_route {
	enum rsp_serve_what what;
	char id[RSP_SERVE_ID_MAX + 1]; /* a beginning of a snapshot's ID */
	pid_t pid;		       /* PAGE: 0: the process of interest */
};

/* "/TOKEN/", "/TOKEN/ID/", "/TOKEN/ID/page", "/TOKEN/ID/PID". */
struct rsp_serve_route rsp_serve_route(const char *path, const char *token);
/*
 * Returns whether a Host header names this server. A web page that makes a browser ask another name
 * than this machine's own (DNS rebinding) is turned away by that.
 */
bool rsp_serve_host_ok(const char *host, uint16_t port);

/* --- pages: serve-pages.c --------------------------------------------------------------------- */

struct rsp_store_list;

/* The list of snapshots. */
void rsp_serve_put_index(const struct rsp_store_list *list, FILE *out);
/* Lists one file, which has this ID in URLs. */
#define RSP_SERVE_ONLY_ID "0"
void rsp_serve_put_only(const char *path, FILE *out);
/* A sentence. */
void rsp_serve_put_message(const char *text, FILE *out);

/* --- jobs: serve-jobs.c ----------------------------------------------------------------------- */

struct rsp_serve_job;

/* Pages that are made at once, and that wait for their turn. */
#define RSP_SERVE_RUNNING_MAX 2
#define RSP_SERVE_JOBS_MAX    16

struct rsp_serve_jobs {
	struct rsp_serve_job *first;
	size_t cnt, running_cnt;
};

/*
 * Begins to make a page of the snapshot in the file at path, when it is its turn. done is called
 * from rsp_serve_jobs_poll(). 0; -EBUSY: too many; -errno.
 */
int rsp_serve_job_begin(struct rsp_serve_jobs *jobs, const struct rsp_serve_route *route,
			const struct rsp_options *opt, const char *path,
			void (*done)(void *userdata), void *userdata, struct rsp_serve_job **ret);
/* Ends it whatever its state; frees it. */
void rsp_serve_job_end(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job);
/* The page, or the sentence that says why there is none. *ret_fd is the caller's. */
void rsp_serve_job_take(struct rsp_serve_job *job, bool *ret_ok, int *ret_fd, uint64_t *ret_size);
/* Looks which processes have ended, and starts others. Returns whether any runs. */
bool rsp_serve_jobs_poll(struct rsp_serve_jobs *jobs);
/* Ends all processes; each done is called, and there is no page. */
void rsp_serve_jobs_stop(struct rsp_serve_jobs *jobs);

/* --- HTTP: serve-http.c ----------------------------------------------------------------------- */

struct rsp_serve_http;

/*
 * Listens on 127.0.0.1 and, if there is one, ::1. port: 0: any. only: the file of the one snapshot
 * that is served; NULL: those of the store. 0 or -errno.
 */
int rsp_serve_http_new(const struct rsp_options *opt, const char *only, uint16_t port,
		       struct rsp_serve_http **ret);
struct rsp_serve_http *rsp_serve_http_free(struct rsp_serve_http *http);
/* "http://127.0.0.1:PORT/TOKEN/" */
const char *rsp_serve_http_url(const struct rsp_serve_http *http);
/* Serves until *stop. 0 or -errno. */
int rsp_serve_http_run(struct rsp_serve_http *http, const volatile int *stop);

#endif
