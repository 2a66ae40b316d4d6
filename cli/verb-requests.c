/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl requests [SNAPSHOT]: shows the requests that servers received, and why some took longer
 * than others. It reads a saved snapshot, by default the newest one. If the user names a process, a
 * unit or a span, it reads the recent past instead.
 */
#include <stdio.h>

#include "cli/fresh.h"
#include "cli/pipeline.h"
#include "cli/recent.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static int of_file(const struct rsp_options *opt, const char *path)
{
	_cleanup_close_ int fd = -1;
	int r = rsp_stored_open(path, &fd);

	return r ? r : rsp_pipeline_requests(fd, path, opt);
}

static int of_newest(const struct rsp_options *opt)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	size_t i;
	int r = rsp_stored_list(opt, &list);

	if (r)
		return r;
	for (i = list.cnt - 1; i > 0 && list.v[i].damaged; i--)
		;
	return of_file(opt, list.v[i].path);
}

static int of_snapshot(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	if (opt->spanned || opt->unit || opt->cgroup || opt->port) {
		rsp_fail(0,
			 "a saved snapshot has its span: choose its servers with --pid or --comm");
		return RSP_EXIT_USAGE;
	}
	r = rsp_stored_find(opt, opt->args[0], true, &path);
	return r ? r : of_file(opt, path);
}

/* The recorder finds the process for a unit, cgroup or port; the report is about that process. */
static int of_recent(const struct rsp_options *opt)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct rsp_options all = *opt;
	int r = rsp_recent_take(opt, false, &fresh);

	if (r)
		return r;
	all.of_target = opt->unit || opt->cgroup || opt->port;
	return rsp_pipeline_requests(fresh.fd, "what was recorded", &all);
}

int rsp_verb_requests(const struct rsp_options *opt)
{
	if (opt->arg_cnt)
		return of_snapshot(opt);
	return opt->spanned || rsp_recent_target_cnt(opt) ? of_recent(opt) : of_newest(opt);
}
