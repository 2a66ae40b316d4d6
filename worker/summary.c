/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summarizes all processes of a snapshot that covers a short time. Takes the names of functions
 * from the recorder's copies of symbols, so that no file of a user has to be opened each minute.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/snapshot/snapshot-format.h"
#include "lib/summary/summary.h"
#include "lib/symbols/symbolize.h"
#include "worker/commands.h"

static int open_symbols(const struct rsp_file_request *file, const struct rsp_ev_binary *binary,
			void *userdata)
{
	if (file->kind != RSP_FILE_SYMBOLS)
		return -EACCES;
	return rsp_worker_open_by_request(file, binary, userdata);
}

static int make_names(const struct rsp_snapshot *snap, const struct rsp_worker_request *request,
		      void **ret, size_t *ret_len)
{
	const struct rsp_files files = {.open = open_symbols, .userdata = (void *)request};
	const struct rsp_symbolize_options how = {.files = &files};
	struct rsp_trace *trace;
	int r = rsp_trace_new(snap, &trace);

	if (r < 0)
		return r;
	r = rsp_symbolize_user(trace, &how, ret, ret_len);
	rsp_trace_free(trace);
	return r;
}

/* Adds a section with the names of functions, which the snapshot then owns. */
static int name(struct rsp_snapshot *snap, const struct rsp_worker_request *request)
{
	struct rsp_section *sections;
	_cleanup_free_ void *names = NULL;
	size_t len;
	int r = make_names(snap, request, &names, &len);

	if (r < 0)
		return r;
	sections = reallocarray(snap->sections, snap->section_cnt + 1, sizeof(*sections));
	if (!sections)
		return -ENOMEM;
	snap->sections = sections;
	sections[snap->section_cnt++] = (struct rsp_section){RSP_SEC_SYMBOLS, rsp_take_ptr(names),
							     len};
	return 0;
}

int rsp_command_summary(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
			struct rsp_worker_message *reply)
{
	const struct rsp_summary_options opt = {.cpu_ns = request->cpu_ns};
	_cleanup_free_ char *json = NULL;
	struct rsp_snapshot *snap;
	size_t len;
	int r = rsp_snapshot_open_recent_fd(fds[RSP_WORKER_INPUT], RSP_SNAPSHOT_RECENT_BYTES,
					    &snap);

	if (r < 0)
		return r;
	r = name(snap, request);
	if (r == 0)
		r = rsp_summary_make(snap, &opt, &json, &len);
	if (r == 0)
		r = rsp_write_all(fds[RSP_WORKER_OUTPUT], json, len);
	rsp_snapshot_free(snap);
	return r;
}
