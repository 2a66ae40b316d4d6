/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl callgraph [SNAPSHOT]: shows the functions in which a process ran or waited, with their
 * callers and callees.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/profile-notes.h"
#include "cli/progress.h"
#include "cli/source.h"
#include "lib/base/cleanup.h"
#include "lib/base/format.h"
#include "lib/profile/callgraph.h"

static void name_profile(const struct rsp_opened *opened, const struct rsp_profile_options *opt,
			 char *buf, size_t len)
{
	const struct rsp_meta *meta = &opened->snap->meta;
	const struct rsp_ev_task *task = rsp_trace_task(opened->trace, opt->tgid, meta->until_ns);
	const char *comm = opt->comm ? opt->comm : task ? task->comm : "?";
	char name[RSP_FORMAT_NAME_BYTES(RSP_TASK_COMM_LEN)];
	int used;

	rsp_format_name(comm, RSP_TASK_COMM_LEN, name, sizeof(name));
	used = snprintf(buf, len, "%s of %s", rsp_profile_words(opt->kind)->title, name);
	if (opt->tgid)
		snprintf(buf + used, len - (size_t)used, " [%u]%s", rsp_host_tid(opt->tgid),
			 opt->descendants ? " and its descendants" : "");
}

struct graphing {
	int fd;
	const char *name;
	const struct rsp_options *opt;
	unsigned int width;
};

/* Sets *ret_lossy if records were lost. */
static int make_profile(const struct rsp_opened *opened, const struct rsp_profile_options *what,
			struct rsp_profile *ret, bool *ret_lossy)
{
	char note[RSP_PROFILE_NOTE_BYTES];
	struct rsp_model *m;
	int r = rsp_model_new(opened->trace, &m);

	if (r < 0)
		return r;
	r = rsp_profile_make(m, what, ret);
	if (r == 0) {
		*ret_lossy = rsp_profile_missing(m, ret, what, note);
		if (*note)
			rsp_warn("note: %s", note);
		if (!ret->total)
			rsp_warn("note: %s", rsp_profile_empty(m, ret, what->kind, note));
	}
	rsp_model_free(m);
	return r;
}

static int report(const struct graphing *x, const struct rsp_opened *opened)
{
	const struct rsp_options *opt = x->opt;
	struct rsp_chosen chosen = rsp_opened_choose(opened, opt);
	struct rsp_profile_options what = {
		.kind = opt->kind,
		.tgid = chosen.tgid || chosen.comm ? chosen.tgid : opened->snap->meta.target_pid,
		.descendants = chosen.descendants,
		.comm = chosen.comm,
	};
	char title[200];
	struct rsp_callgraph_options how = {
		.function = opt->function,
		.bottom_up = opt->bottom_up,
		.json = opt->json != RSP_JSON_OFF,
		.pretty = opt->json == RSP_JSON_PRETTY,
		.width = x->width,
		.row_max = opt->chain_max,
		.title = title,
	};
	struct rsp_profile profile;
	bool lossy = false;
	int r = make_profile(opened, &what, &profile, &lossy);

	if (r < 0)
		return rsp_opened_fail("profile", r, x->name);
	name_profile(opened, &what, title, sizeof(title));
	rsp_progress_hide();
	r = rsp_callgraph_report(&profile, &how, stdout);
	rsp_profile_done(&profile);
	if (r == -ENOENT)
		return rsp_fail(r, "%s: no stack contains a function '%s'", title, opt->function);
	if (r < 0)
		return rsp_fail(r, "cannot write the call graph: %m");
	r = rsp_output_flush();
	if (r)
		return r;
	return rsp_opened_is_lossy(opened) || lossy ? RSP_EXIT_LOSSY : RSP_EXIT_OK;
}

static int work(void *userdata)
{
	const struct graphing *x = userdata;
	_cleanup_(rsp_opened_done) struct rsp_opened opened = {0};
	int r = rsp_opened_read(x->fd, x->name, x->opt, UINT64_MAX, &opened);

	return r ? r : report(x, &opened);
}

int rsp_verb_callgraph(const struct rsp_options *opt)
{
	_cleanup_(rsp_source_done) struct rsp_source source = RSP_SOURCE_NONE;
	struct rsp_options all = *opt;
	struct graphing x = {.opt = &all, .width = rsp_output_width()};
	int r = rsp_source_open(opt, &source);

	if (r)
		return r;
	/*
	 * The recorder has already chosen one process called opt->comm, so the graph does not show
	 * other processes of this name.
	 */
	if (source.is_recent)
		all.comm = NULL;
	x.fd = source.fd;
	x.name = source.name;
	return rsp_paged(opt, &(struct rsp_isolated){work, &x, x.name, x.fd, -1, NULL});
}
