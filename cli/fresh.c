/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See fresh.h. */
#include "cli/fresh.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/pipeline.h"
#include "cli/store.h"
#include "lib/base/cleanup.h"
#include "lib/symbols/symbolize.h"

/* A window of gigabytes takes seconds to compress on a busy machine, not minutes. */
#define SNAPSHOT_TIMEOUT_MS 300000

int rsp_fresh_take(struct rsp_client *client, const struct rsp_snapshot_wish *wish, int *ret_fd)
{
	struct json_object *parameters = json_object_new_object(), *reply;
	int fd = -1, r;

	json_object_object_add(parameters, "pid", json_object_new_int(wish->pid));
	json_object_object_add(parameters, "since_ns", json_object_new_uint64(wish->since_ns));
	json_object_object_add(parameters, "until_ns", json_object_new_uint64(wish->until_ns));
	if (wish->command)
		json_object_object_add(parameters, "command",
				       json_object_new_string(wish->command));
	if (wish->exit_status >= 0)
		json_object_object_add(parameters, "exit_status",
				       json_object_new_int(wish->exit_status));
	r = rsp_client_call(client, "io.rsp.Recorder.Snapshot", parameters, SNAPSHOT_TIMEOUT_MS,
			    &reply, &fd);
	if (r < 0)
		return r;
	json_object_put(reply);
	if (fd < 0)
		return -EBADMSG;
	*ret_fd = fd;
	return 0;
}

/* --- saving
 * --------------------------------------------------------------------------------------- */

int rsp_fresh_save(int fd, const char *path)
{
	struct stat st;
	void *bytes;
	int r;

	if (fstat(fd, &st) < 0)
		return -errno;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	r = rsp_snapshot_save(path, bytes, (size_t)st.st_size);
	munmap(bytes, (size_t)st.st_size);
	return r;
}

/* *ret_path: where it is to be saved, NULL: nowhere. */
static int choose_path(int fd, const struct rsp_options *opt, bool to_store, char **ret_path)
{
	struct rsp_stored stored;
	int r;

	if (opt->output) {
		*ret_path = strdup(opt->output);
		return *ret_path ? 0 : -ENOMEM;
	}
	if (!to_store)
		return 0;
	r = rsp_store_describe(fd, &stored);
	if (r < 0)
		return r;
	return rsp_store_place(opt->store, stored.meta.id, ret_path);
}

static int explain(int fd, const struct rsp_options *opt, char *path)
{
	char *const again[] = {path, NULL};
	char source[PATH_MAX];
	_cleanup_(rsp_pipeline_done) struct rsp_pipeline p = {0};
	int r;

	r = rsp_pipeline_open(fd, "what was recorded", 0, false, &p);
	if (r)
		return r;
	rsp_command_line(again, source, sizeof(source));
	return rsp_pipeline_report(&p, opt, path ? source : NULL);
}

/* Saved first: what cannot be explained may still be looked at elsewhere. Told last: to be seen. */
int rsp_fresh_present(int fd, const struct rsp_options *opt, bool to_store)
{
	static const struct rsp_symbolize_options here = {0};
	_cleanup_close_ int named = -1;
	_cleanup_free_ char *path = NULL;
	int r, saved;

	r = rsp_pipeline_symbolize(fd, "what the recorder sent", &here, &named);
	if (r)
		return r;
	saved = choose_path(named, opt, to_store, &path);
	if (saved >= 0 && path)
		saved = rsp_fresh_save(named, path);
	r = explain(named, opt, saved < 0 ? NULL : path);
	if (saved < 0)
		return rsp_fail(saved,
				"cannot save the snapshot as %s: %m: give another place with -o",
				path ? path : opt->store);
	if (path)
		rsp_warn("saved as %s", path);
	return r;
}
