/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspctl symbolize SNAPSHOT [--debug-dir DIR]…: looks up the names of functions again, on a machine
 * that has debug files. The snapshot keeps all names that it already has.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cli/downloader.h"
#include "cli/file-server.h"
#include "cli/fresh.h"
#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/output.h"
#include "cli/save.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"
#include "lib/files/copy.h"
#include "lib/symbols/debugdirs.h"
#include "lib/symbols/symbolize.h"

/* Reports a directory of --debug-dir that cannot be read, before any other work. */
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
		return rsp_opened_fail_open(r, name);
	r = rsp_trace_new(snap, &trace);
	if (r == 0) {
		count_names(trace, ret);
		rsp_trace_free(trace);
	}
	rsp_snapshot_free(snap);
	return r < 0 ? rsp_fail(r, "cannot read the records of %s: %m", name) : RSP_EXIT_OK;
}

/* --- in the sandbox --------------------------------------------------------------------------- */

struct tallies {
	struct tally before, after;
};

struct naming {
	int from, to;
	const char *name;
	struct rsp_symbolize_options how;
	struct tallies *tallies; /* in shared memory; the process in the sandbox writes it */
};

static int add_names(const struct naming *x)
{
	_cleanup_free_ void *section = NULL;
	size_t len = 0;
	int r;

	r = rsp_symbolize_snapshot(x->to, &x->how, &section, &len);
	if (r < 0)
		return rsp_opened_fail_open(r, x->name);
	r = rsp_snapshot_append(x->to, RSP_SEC_SYMBOLS, section, len);
	if (r == -EBADMSG)
		return rsp_fail(r, "%s is truncated: names cannot be added", x->name);
	if (r < 0)
		return rsp_fail(r, "cannot add names to %s: %m", x->name);
	return RSP_EXIT_OK;
}

static int name_functions(void *userdata)
{
	const struct naming *x = userdata;
	int r;

	r = read_names(x->from, x->name, &x->tallies->before);
	if (!r)
		r = add_names(x);
	if (!r)
		r = read_names(x->to, x->name, &x->tallies->after);
	return r;
}

/* --- outside ---------------------------------------------------------------------------------- */

static int save(int fd, const char *to, const struct tallies *tallies)
{
	const struct tally *before = &tallies->before, *after = &tallies->after;
	int r = rsp_save(fd, to);

	if (r < 0)
		return rsp_fail(r, "cannot save the snapshot as %s: %m", to);
	printf("%s: of %zu user frames, %zu have a name; before, %zu of %zu\n", to, after->frames,
	       after->named, before->named, before->frames);
	return rsp_output_flush();
}

static int symbolize(const struct rsp_options *opt, const char *path,
		     const struct rsp_file_server *server, struct tallies *tallies)
{
	_cleanup_close_ int fd = -1, copy = -1;
	struct naming x = {
		.name = path,
		.how = {.files = &rsp_file_server_files,
			.dirs = server->dirs != NULL,
			.servers = server->downloader != NULL,
			.elsewhere = true,
			.keep = true},
		.tallies = tallies,
	};
	int r;

	r = rsp_stored_open(path, &fd);
	if (r)
		return r;
	copy = rsp_file_copy(fd, RSP_SNAPSHOT_BYTES_MAX);
	if (copy < 0)
		return rsp_fail(copy, "cannot copy %s: %m", path);
	x.from = fd;
	x.to = copy;
	r = rsp_isolated(&(struct rsp_isolated){name_functions, &x, path, x.from, x.to, server});
	return r ? r : save(copy, opt->output ? opt->output : path, tallies);
}

static void server_done(struct rsp_file_server *server)
{
	rsp_debugdirs_free(server->dirs);
	rsp_downloader_free(server->downloader);
}

static int server_init(const struct rsp_options *opt, struct rsp_file_server *ret)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	int r = 0;

	if (opt->debug_dir_cnt)
		r = rsp_debugdirs_new(opt->debug_dirs, opt->debug_dir_cnt, &ret->dirs);
	if (r == 0 && servers && *servers)
		r = rsp_downloader_new(&ret->downloader);
	return r < 0 ? rsp_fail(r, "cannot look for debug files: %m") : RSP_EXIT_OK;
}

static int serve_and_symbolize(const struct rsp_options *opt, const char *path)
{
	_cleanup_(server_done) struct rsp_file_server server = {0};
	struct tallies *tallies = mmap(NULL, sizeof(*tallies), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r;

	if (tallies == MAP_FAILED)
		return rsp_fail(-errno, "cannot name functions: %m");
	r = server_init(opt, &server);
	if (!r)
		r = symbolize(opt, path, &server, tallies);
	munmap(tallies, sizeof(*tallies));
	return r;
}

int rsp_verb_symbolize(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	int r;

	r = check_dirs(opt);
	if (r)
		return r;
	r = rsp_stored_find(opt, opt->args[0], true, &path);
	return r ? r : serve_and_symbolize(opt, path);
}
