/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl symbolize SNAPSHOT [--debug-dir DIR]…: names its functions again, where debug files are.
 * The snapshot may be of another machine. No name is lost that it has.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/fresh.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"
#include "lib/symbols/symbolize.h"

/* The user has named them: that one cannot be read is worth saying, before anything is done. */
static int check_dirs(const struct rsp_options *opt)
{
	for (size_t i = 0; i < opt->debug_dir_cnt; i++) {
		DIR *dir = opendir(opt->debug_dirs[i]);

		if (!dir)
			return rsp_fail(-errno, "cannot read the directory %s: %m",
					opt->debug_dirs[i]);
		closedir(dir);
	}
	return RSP_EXIT_OK;
}

struct tally {
	size_t frames, named;
};

static void count_names(const struct rsp_trace *trace, struct tally *ret)
{
	struct rsp_frame frames[512];

	*ret = (struct tally){0};
	for (size_t i = 0; i < rsp_trace_stack_cnt(trace); i++) {
		const struct rsp_ev_stack *stack = rsp_trace_stack_at(trace, i);
		size_t cnt;

		if (!(stack->hdr.flags & RSP_STACK_USER))
			continue;
		cnt = rsp_trace_frames(trace, stack->id, frames, 512);
		ret->frames += cnt;
		for (size_t f = 0; f < cnt; f++)
			ret->named += rsp_frame_has_name(&frames[f]);
	}
}

static int read_names(int fd, const char *name, struct tally *ret)
{
	struct rsp_snapshot *snap;
	struct rsp_trace *trace;
	int r;

	r = rsp_snapshot_open_fd(fd, &snap);
	if (r < 0)
		return rsp_pipeline_fail_open(r, name);
	r = rsp_trace_new(snap, &trace);
	if (r == 0) {
		count_names(trace, ret);
		rsp_trace_free(trace);
	}
	rsp_snapshot_free(snap);
	return r < 0 ? rsp_fail(r, "cannot read the records of %s: %m", name) : RSP_EXIT_OK;
}

static int symbolize(const struct rsp_options *opt, const char *path)
{
	const char *servers = getenv("DEBUGINFOD_URLS"), *to = opt->output ? opt->output : path;
	const struct rsp_symbolize_options how = {
		.debug_dirs = opt->debug_dirs,
		.debug_dir_cnt = opt->debug_dir_cnt,
		.servers = servers && *servers,
		.elsewhere = true,
		.keep = true,
	};
	_cleanup_close_ int fd = -1, named = -1;
	struct tally before, after;
	int r;

	r = rsp_stored_open(path, &fd);
	if (r)
		return r;
	r = read_names(fd, path, &before);
	if (r)
		return r;
	r = rsp_pipeline_symbolize(fd, path, &how, &named);
	if (r)
		return r;
	r = read_names(named, path, &after);
	if (r)
		return r;
	r = rsp_fresh_save(named, to);
	if (r < 0)
		return rsp_fail(r, "cannot save the snapshot as %s: %m", to);
	printf("%s: of %zu user frames, %zu have a name; before, %zu of %zu\n", to, after.frames,
	       after.named, before.named, before.frames);
	return rsp_output_flush();
}

int rsp_verb_symbolize(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	r = check_dirs(opt);
	if (r)
		return r;
	r = rsp_stored_find(opt, opt->args[0], true, &path);
	return r ? r : symbolize(opt, path);
}
