/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pipeline.h. */
#include "cli/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/fresh.h"
#include "cli/isolated.h"
#include "cli/output.h"
#include "lib/base/cleanup.h"
#include "lib/model/explain.h"
#include "lib/report/requests-beside.h"
#include "lib/viewer/viewer.h"

static int fail_to(const char *what, int error, const char *name)
{
	if (error == -ENOMEM)
		return rsp_fail(error,
				"cannot %s %s: that takes more memory than a snapshot of its size "
				"may use: it may be damaged",
				what, name);
	return rsp_fail(error, "cannot %s %s: %m", what, name);
}

int rsp_pipeline_fail_open(int error, const char *name)
{
	switch (error) {
	case -EPROTO:
		return rsp_fail(error, "%s is not a snapshot", name);
	case -ENOTSUP:
		return rsp_fail(error, "%s was written by a later version: use that rspctl", name);
	case -EBADMSG:
		return rsp_fail(error, "%s is damaged: nothing in it is usable", name);
	case -E2BIG:
		return rsp_fail(error,
				"%s claims to hold more than a file of its size can: it is damaged",
				name);
	default:
		return fail_to("read", error, name);
	}
}

struct pipeline {
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	struct rsp_explanation *explanation;
	struct rsp_beside beside;
};

static void pipeline_done(struct pipeline *p)
{
	rsp_beside_done(&p->beside);
	rsp_explanation_free(p->explanation);
	rsp_trace_free(p->trace);
	rsp_snapshot_free(p->snap);
}

static int open_pipeline(int fd, const char *name, const struct rsp_options *opt,
			 uint64_t events_bytes_max, struct pipeline *ret)
{
	_cleanup_(pipeline_done) struct pipeline p = {0};
	int r;

	r = rsp_snapshot_open_recent_fd(fd, opt->whole ? UINT64_MAX : events_bytes_max, &p.snap);
	if (r < 0)
		return rsp_pipeline_fail_open(r, name);
	if (p.snap->truncated)
		rsp_warn("%s is truncated: the first %zu of its %zu bytes are usable", name,
			 p.snap->usable_bytes, p.snap->file_bytes);
	if (opt->pid)
		rsp_meta_choose_process(&p.snap->meta, (uint32_t)opt->pid);
	if (opt->whole)
		rsp_meta_choose_whole(&p.snap->meta);
	r = rsp_trace_new(p.snap, &p.trace);
	if (r < 0)
		return fail_to("read the records of", r, name);
	*ret = p;
	p = (struct pipeline){0};
	return RSP_EXIT_OK;
}

static int fail_absent(const struct pipeline *p, const char *name, const struct rsp_options *opt)
{
	return rsp_fail(-ESRCH, "process %u does not occur in %s%s", p->snap->meta.target_pid, name,
			opt->pid ? ": '--view table' without --pid shows some that do" : "");
}

static bool is_lossy(const struct pipeline *p)
{
	return p->snap->truncated || p->trace->bad_cnt > 0;
}

/* --- the report
 * ----------------------------------------------------------------------------------- */

static unsigned int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* See https://no-color.org: any value but the empty one. */
static bool want_colour(void)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

static int report(const struct pipeline *p, const struct rsp_options *opt,
		  const struct rsp_report_options *how)
{
	int r;

	if (opt->json == RSP_JSON_OFF)
		r = rsp_report_text(p->explanation, opt->view, how, stdout);
	else
		r = rsp_report_json(p->explanation, &p->beside, opt->json == RSP_JSON_PRETTY,
				    stdout);
	if (r < 0)
		return rsp_fail(r, "cannot write the report: %m");
	r = rsp_output_flush();
	if (r)
		return r;
	return is_lossy(p) || rsp_report_lossy(p->explanation) ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

struct explaining {
	int fd;
	const char *name;
	const struct rsp_options *opt;
	struct rsp_report_options how;
};

static int explain(void *userdata)
{
	struct explaining *x = userdata;
	_cleanup_(pipeline_done) struct pipeline p = {0};
	int r = open_pipeline(x->fd, x->name, x->opt, RSP_SNAPSHOT_RECENT_BYTES, &p);

	if (r)
		return r;
	if (x->opt->json == RSP_JSON_OFF)
		r = rsp_explain_details(p.trace, rsp_view_details(x->opt->view), &p.explanation);
	else
		r = rsp_explain(p.trace, &p.explanation);
	if (r == -ESRCH)
		return fail_absent(&p, x->name, x->opt);
	if (r == 0 && (x->opt->json != RSP_JSON_OFF || x->opt->view == RSP_VIEW_EXPLAIN))
		r = rsp_beside_make(p.trace, &p.beside);
	if (r < 0)
		return fail_to("explain", r, x->name);
	x->how.beside = &p.beside;
	return report(&p, x->opt, &x->how);
}

int rsp_pipeline_explain(int fd, const char *name, const struct rsp_options *opt,
			 const char *source)
{
	struct explaining x = {
		.fd = fd,
		.name = name,
		.opt = opt,
		.how = {.colour = want_colour(),
			.width = terminal_width(),
			.chain_max = opt->chain_max,
			.source = source},
	};

	return rsp_isolated(&(struct rsp_isolated){explain, &x, name, fd, -1, NULL});
}

/* --- requests
 * ----------------------------------------------------------------------------------- */

static int fail_requests(int error, const struct pipeline *p, const struct rsp_options *opt,
			 const char *name)
{
	if (error == -ENODATA)
		return rsp_fail(
			error,
			"%s has no network records: nothing used the network, or this kernel "
			"does not let it be recorded (see 'rspctl doctor')",
			name);
	if (error != -ESRCH)
		return fail_to("find the requests of", error, name);
	if (opt->comm)
		return rsp_fail(error, "no process called '%s' served or called over TCP in %s",
				opt->comm, name);
	return rsp_fail(error, "process %u neither served nor called over TCP in %s",
			p->snap->meta.target_pid, name);
}

static int report_requests(void *userdata)
{
	const struct explaining *x = userdata;
	const struct rsp_options *opt = x->opt;
	struct rsp_requests_options how = {
		.comm = opt->unit || opt->cgroup || opt->port ? NULL : opt->comm,
		.slowest = opt->slowest,
		.slower_than_ns = opt->slower_than_ns,
		.openmetrics = opt->openmetrics,
		.json = opt->json != RSP_JSON_OFF,
		.pretty = opt->json == RSP_JSON_PRETTY,
		.colour = x->how.colour,
		.width = x->how.width,
	};
	_cleanup_(pipeline_done) struct pipeline p = {0};
	bool lossy = false;
	int r = open_pipeline(x->fd, x->name, opt, UINT64_MAX, &p);

	if (r)
		return r;
	if (*p.snap->meta.trigger.slo)
		rsp_meta_choose_whole(&p.snap->meta);
	if (opt->pid || opt->of_target)
		how.pid = p.snap->meta.target_pid;
	r = rsp_requests_report(p.trace, &how, stdout, &lossy);
	if (r < 0)
		return fail_requests(r, &p, opt, x->name);
	r = rsp_output_flush();
	if (r)
		return r;
	return is_lossy(&p) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

int rsp_pipeline_requests(int fd, const char *name, const struct rsp_options *opt)
{
	struct explaining x = {
		.fd = fd,
		.name = name,
		.opt = opt,
		.how = {.colour = want_colour(), .width = terminal_width()},
	};

	return rsp_isolated(&(struct rsp_isolated){report_requests, &x, name, fd, -1, NULL});
}

/* --- pictures
 * ----------------------------------------------------------------------------------- */

struct picturing {
	int fd;
	FILE *out;
	const char *name;
	const struct rsp_options *opt;
};

static int make_html(void *userdata)
{
	const struct picturing *x = userdata;
	_cleanup_(pipeline_done) struct pipeline p = {0};
	bool lossy = false;
	int r;

	r = open_pipeline(x->fd, x->name, x->opt, UINT64_MAX, &p);
	if (r)
		return r;
	r = rsp_viewer_write(p.snap, p.trace, x->opt->pid != 0, x->out, &lossy);
	if (r == -ESRCH)
		return fail_absent(&p, x->name, x->opt);
	if (r < 0)
		return fail_to("draw", r, x->name);
	return is_lossy(&p) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

static int run(struct picturing *x, int output)
{
	return rsp_isolated(&(struct rsp_isolated){make_html, x, x->name, x->fd, output, NULL});
}

/* A file is there whole or not at all; and the process that makes it may open none. */
static int html_by_way_of_memory(struct picturing *x, const char *output)
{
	_cleanup_close_ int memory = memfd_create("page", MFD_CLOEXEC);
	int r, saved;

	x->out = memory < 0 ? NULL : fdopen(memory, "w");
	if (!x->out)
		return rsp_fail(-errno, "cannot make room for the page: %m");
	r = run(x, memory);
	if (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY) {
		saved = rsp_fresh_save(memory, output);
		if (saved < 0)
			r = rsp_fail(saved, "cannot save the page as %s: %m", output);
	}
	fclose(x->out);
	memory = -1;
	return r;
}

int rsp_pipeline_html(int fd, const char *name, const struct rsp_options *opt, const char *output)
{
	struct picturing x = {fd, stdout, name, opt};

	return output ? html_by_way_of_memory(&x, output) : run(&x, -1);
}
