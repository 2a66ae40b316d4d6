/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl requests [SNAPSHOT]: the requests that servers got, and why some took longer than others.
 * Of a saved snapshot, by default the newest; or of the recent past, if a process, a unit or a span
 * is named.
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

/* The recorder knows processes by unit, cgroup and port; the report is of the one it chose. */
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
