/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See pipeline.h. */
#include "cli/pipeline.h"

#include <errno.h>
#include <stdio.h>

#include "cli/document.h"
#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/target.h"
#include "lib/base/cleanup.h"
#include "lib/model/explain/explain.h"
#include "lib/report/requests-beside.h"
#include "lib/viewer/viewer.h"

struct pipeline {
	struct rsp_opened opened;
	struct rsp_explanation *explanation;
	struct rsp_beside beside;
};

static void pipeline_done(struct pipeline *p)
{
	rsp_beside_done(&p->beside);
	rsp_explanation_free(p->explanation);
	rsp_opened_done(&p->opened);
}

/* --- the report ------------------------------------------------------------------------------- */

static int report(const struct pipeline *p, const struct rsp_options *opt,
		  const struct rsp_report_options *how)
{
	int r;

	rsp_progress_hide();
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
	return rsp_opened_is_lossy(&p->opened) || rsp_report_lossy(p->explanation) ? RSP_EXIT_LOSSY
										   : RSP_EXIT_OK;
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
	int r = rsp_opened_read(x->fd, x->name, x->opt, RSP_SNAPSHOT_RECENT_BYTES, &p.opened);

	if (r == 0)
		r = rsp_opened_choose_comm(&p.opened, x->name, x->opt);
	if (r)
		return r;
	if (x->opt->json == RSP_JSON_OFF)
		r = rsp_explain_details(p.opened.trace, rsp_view_details(x->opt->view),
					&p.explanation);
	else
		r = rsp_explain(p.opened.trace, &p.explanation);
	if (r == -ESRCH)
		return rsp_opened_fail_absent(&p.opened, x->name, x->opt);
	if (r == 0 && (x->opt->json != RSP_JSON_OFF || x->opt->view == RSP_VIEW_EXPLAIN))
		r = rsp_beside_make(p.opened.trace, &p.beside);
	if (r < 0)
		return rsp_opened_fail("explain", r, x->name);
	x->how.beside = &p.beside;
	return report(&p, x->opt, &x->how);
}

int rsp_pipeline_explain(int fd, const char *name, const struct rsp_options *opt,
			 const char *source, const char *selection)
{
	struct explaining x = {
		.fd = fd,
		.name = name,
		.opt = opt,
		.how = {.colour = rsp_output_wants_colour(),
			.width = rsp_output_width(),
			.chain_max = opt->chain_max,
			.source = source,
			.selection = selection},
	};

	return rsp_paged(opt, &(struct rsp_isolated){explain, &x, name, fd, -1, NULL});
}

/* --- requests --------------------------------------------------------------------------------- */

static int fail_requests(int error, const struct rsp_opened *opened, const struct rsp_options *opt,
			 const char *name)
{
	if (error == -ENODATA)
		return rsp_fail(
			error,
			"%s has no network records: nothing used the network, or this kernel "
			"does not let it be recorded (see 'rspctl doctor')",
			name);
	if (error != -ESRCH)
		return rsp_opened_fail("find the requests of", error, name);
	if (opt->comm)
		return rsp_fail(error, "no process called '%s' served or called over TCP in %s",
				opt->comm, name);
	return rsp_fail(error, "process %u neither served nor called over TCP in %s",
			opened->snap->meta.target_pid, name);
}

static int report_requests(void *userdata)
{
	const struct explaining *x = userdata;
	const struct rsp_options *opt = x->opt;
	struct rsp_requests_options how = {
		.comm = rsp_target_is_resolved(opt) ? NULL : opt->comm,
		.slowest = opt->slowest,
		.slower_than_ns = opt->slower_than_ns,
		.openmetrics = opt->openmetrics,
		.json = opt->json != RSP_JSON_OFF,
		.pretty = opt->json == RSP_JSON_PRETTY,
		.colour = x->how.colour,
		.width = x->how.width,
	};
	_cleanup_(rsp_opened_done) struct rsp_opened opened = {0};
	bool lossy = false;
	int r = rsp_opened_read(x->fd, x->name, opt, UINT64_MAX, &opened);

	if (r)
		return r;
	if (*opened.snap->meta.trigger.slo)
		rsp_meta_choose_whole(&opened.snap->meta);
	if (opt->pid || opt->of_target)
		how.pid = opened.snap->meta.target_pid;
	rsp_progress_hide();
	r = rsp_requests_report(opened.trace, &how, stdout, &lossy);
	if (r < 0)
		return fail_requests(r, &opened, opt, x->name);
	r = rsp_output_flush();
	if (r)
		return r;
	return rsp_opened_is_lossy(&opened) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

int rsp_pipeline_requests(int fd, const char *name, const struct rsp_options *opt)
{
	struct explaining x = {
		.fd = fd,
		.name = name,
		.opt = opt,
		.how = {.colour = rsp_output_wants_colour(), .width = rsp_output_width()},
	};

	return rsp_paged(opt, &(struct rsp_isolated){report_requests, &x, name, fd, -1, NULL});
}

/* --- pictures --------------------------------------------------------------------------------- */

static int write_page(const struct rsp_opened *opened, const struct rsp_options *opt, FILE *out,
		      bool *lossy)
{
	return rsp_viewer_write(opened->snap, opened->trace,
				opt->pid || opt->container || opt->comm, out, lossy);
}

int rsp_pipeline_html(int fd, const char *name, const struct rsp_options *opt, const char *output)
{
	static const struct rsp_document page = {write_page, "page", "draw", .is_about_one = true};

	return rsp_document_make(&page, fd, name, opt, output);
}
