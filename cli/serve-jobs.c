/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See serve.h. A job is a child that makes one page. Output and errors go to memfds. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/pipeline.h"
#include "cli/serve-processes.h"
#include "cli/serve.h"
#include "cli/stored.h"
#include "cli/when.h"
#include "lib/base/cleanup.h"

/* The page of a very large snapshot takes a minute. */
#define PATIENCE_NS 300000000000ULL

#define PAGE_BYTES_MIN (64UL << 20)

struct rsp_serve_job {
	struct rsp_serve_job *next;
	struct rsp_serve_route route;
	const struct rsp_options *opt;
	char *path, *after; /* after: DIFF */
	void (*done)(void *userdata);
	void *userdata;
	pid_t pid; /* 0: the job is waiting, or has ended */
	uint64_t begun_ns;
	int page, errors; /* memfds */
	bool has_ended, ok;
};

/* --- in the child ----------------------------------------------------------------------------- */

static void limit_page(int fd)
{
	struct rlimit limit;
	struct stat st;

	if (fstat(fd, &st) < 0 || getrlimit(RLIMIT_FSIZE, &limit) < 0)
		return;
	limit.rlim_cur = PAGE_BYTES_MIN + 2 * (rlim_t)st.st_size;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
}

static int compare(const struct rsp_serve_job *job, struct rsp_options *opt)
{
	char *sides[] = {job->path, job->after};

	opt->args = sides;
	opt->arg_cnt = 2;
	/* each path is a side, so that a comma in a path does not separate two recordings */
	opt->before_cnt = 1;
	opt->format = "html";
	return rsp_verb_diff(opt);
}

static int make(const struct rsp_serve_job *job)
{
	struct rsp_options opt = {.store = job->opt->store, .pid = job->route.pid};
	_cleanup_close_ int fd = -1;
	int r = rsp_stored_open(job->path, &fd);

	if (r)
		return r;
	limit_page(fd);
	if (job->route.what == RSP_SERVE_PROCESSES)
		return rsp_serve_processes(fd, job->path, &opt);
	if (job->route.what == RSP_SERVE_DIFF)
		return compare(job, &opt);
	return rsp_pipeline_html(fd, job->path, &opt, NULL);
}

static _Noreturn void in_child(const struct rsp_serve_job *job, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent || dup2(job->page, STDOUT_FILENO) < 0 ||
	    dup2(job->errors, STDERR_FILENO) < 0)
		_exit(RSP_EXIT_FAILURE);
	/* The child must not keep connections of clients and memfds of other jobs open. */
	if (close_range(3, ~0U, 0) < 0)
		_exit(RSP_EXIT_FAILURE);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	exit(make(job));
}

/* ---------------------------------------------------------------------------------------------- */

static int start(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job)
{
	pid_t parent = getpid();

	job->page = memfd_create("page", MFD_CLOEXEC);
	job->errors = memfd_create("errors", MFD_CLOEXEC);
	if (job->page < 0 || job->errors < 0)
		return -errno;
	fflush(NULL);
	job->pid = fork();
	if (job->pid < 0) {
		job->pid = 0;
		return -errno;
	}
	if (job->pid == 0)
		in_child(job, parent);
	job->begun_ns = rsp_when_now_ns();
	jobs->running_cnt++;
	return 0;
}

int rsp_serve_job_begin(struct rsp_serve_jobs *jobs, const struct rsp_serve_route *route,
			const struct rsp_options *opt, const char *path, const char *after,
			void (*done)(void *userdata), void *userdata, struct rsp_serve_job **ret)
{
	struct rsp_serve_job *job, **last = &jobs->first;

	if (jobs->cnt >= RSP_SERVE_JOBS_MAX)
		return -EBUSY;
	job = calloc(1, sizeof(*job));
	if (!job)
		return -ENOMEM;
	*job = (struct rsp_serve_job){.route = *route,
				      .opt = opt,
				      .path = strdup(path),
				      .after = after ? strdup(after) : NULL,
				      .done = done,
				      .userdata = userdata,
				      .page = -1,
				      .errors = -1};
	if (!job->path || (after && !job->after)) {
		free(job->path);
		free(job->after);
		free(job);
		return -ENOMEM;
	}
	while (*last)
		last = &(*last)->next;
	*last = job;
	jobs->cnt++;
	*ret = job;
	return 0;
}

static void reap(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job, int status)
{
	job->pid = 0;
	job->has_ended = true;
	job->ok = WIFEXITED(status) &&
		  (WEXITSTATUS(status) == RSP_EXIT_OK || WEXITSTATUS(status) == RSP_EXIT_LOSSY);
	jobs->running_cnt--;
}

void rsp_serve_job_end(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job)
{
	struct rsp_serve_job **p = &jobs->first;
	int status = 0;

	while (*p != job)
		p = &(*p)->next;
	*p = job->next;
	jobs->cnt--;
	if (job->pid) {
		kill(job->pid, SIGKILL); /* this also ends the process that reads the snapshot */
		while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
			;
		reap(jobs, job, status);
	}
	rsp_cleanup_close(&job->page);
	rsp_cleanup_close(&job->errors);
	free(job->path);
	free(job->after);
	free(job);
}

void rsp_serve_job_take(struct rsp_serve_job *job, bool *ret_ok, int *ret_fd, uint64_t *ret_size)
{
	int *fd = job->ok ? &job->page : &job->errors;
	struct stat st = {0};

	*ret_ok = job->ok;
	if (*fd >= 0)
		(void)fstat(*fd, &st);
	*ret_size = (uint64_t)st.st_size;
	*ret_fd = rsp_take_fd(fd);
}

static void finish(struct rsp_serve_job *job)
{
	void (*done)(void *userdata) = job->done;

	job->has_ended = true;
	job->done = NULL;
	done(job->userdata);
}

static void poll_one(struct rsp_serve_jobs *jobs, struct rsp_serve_job *job)
{
	int status;

	if (!job->pid && !job->has_ended && jobs->running_cnt < RSP_SERVE_RUNNING_MAX &&
	    start(jobs, job) < 0)
		finish(job);
	if (!job->pid)
		return;
	if (rsp_when_now_ns() - job->begun_ns > PATIENCE_NS)
		kill(job->pid, SIGKILL);
	if (waitpid(job->pid, &status, WNOHANG) == job->pid) {
		reap(jobs, job, status);
		finish(job);
	}
}

bool rsp_serve_jobs_poll(struct rsp_serve_jobs *jobs)
{
	for (struct rsp_serve_job *job = jobs->first; job; job = job->next)
		poll_one(jobs, job);
	return jobs->running_cnt > 0;
}

void rsp_serve_jobs_stop(struct rsp_serve_jobs *jobs)
{
	for (struct rsp_serve_job *job = jobs->first; job; job = job->next) {
		int status = 0;

		if (job->pid) {
			kill(job->pid, SIGKILL);
			while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
				;
			reap(jobs, job, status);
		}
		if (job->done)
			finish(job);
	}
}
