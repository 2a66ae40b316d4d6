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
#include <unistd.h>

#include "cli/command.h"
#include "cli/pipeline.h"
#include "cli/progress.h"
#include "cli/save.h"
#include "cli/stored.h"
#include "cli/when.h"
#include "lib/base/cleanup.h"

/* Compressing a window of gigabytes takes seconds on a busy machine. */
#define SNAPSHOT_TIMEOUT_MS 300000

static void add_string(struct json_object *o, const char *key, const char *value)
{
	if (value)
		json_object_object_add(o, key, json_object_new_string(value));
}

static void add_int(struct json_object *o, const char *key, int64_t value)
{
	json_object_object_add(o, key, json_object_new_int64(value));
}

static struct json_object *params_to_json(const struct rsp_snapshot_params *params)
{
	struct json_object *o = json_object_new_object();

	if (params->pid)
		add_int(o, "pid", params->pid);
	if (params->port)
		add_int(o, "port", params->port);
	add_string(o, "unit", params->unit);
	add_string(o, "cgroup", params->cgroup);
	add_string(o, "comm", params->comm);
	add_string(o, "container", params->container);
	if (params->own)
		json_object_object_add(o, "own", json_object_new_boolean(true));
	add_string(o, "command", params->command);
	add_int(o, "since_ns", (int64_t)params->since_ns);
	add_int(o, "until_ns", (int64_t)params->until_ns);
	if (params->exit_status >= 0)
		add_int(o, "exit_status", params->exit_status);
	json_object_object_add(o, "store", json_object_new_boolean(params->store));
	/* rspctl makes the report itself, so it needs no headline from the recorder. */
	json_object_object_add(o, "headline", json_object_new_boolean(false));
	return o;
}

static char *copy_string(struct json_object *reply, const char *key)
{
	struct json_object *value;
	const char *s = NULL;

	if (json_object_object_get_ex(reply, key, &value))
		s = json_object_get_string(value);
	return strdup(s ? s : "");
}

static int timeout_ms(const struct rsp_snapshot_params *params)
{
	uint64_t now_ns = rsp_when_now_ns();
	uint64_t ahead_ns = params->until_ns > now_ns ? params->until_ns - now_ns : 0;

	return SNAPSHOT_TIMEOUT_MS + (int)(ahead_ns / 1000000);
}

/* Reads the pipe *fd, which must contain size bytes, into a memfd that replaces *fd. */
static int read_pipe(int *fd, size_t size)
{
	_cleanup_close_ int memory = memfd_create("rsp-snapshot", MFD_CLOEXEC);
	char buf[1 << 16];
	size_t got = 0;
	ssize_t n;

	if (memory < 0)
		return -errno;
	while ((n = read(*fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || write(memory, buf, (size_t)n) != n)
			return n < 0 ? -errno : -ENOSPC;
		got += (size_t)n;
	}
	if (got != size)
		return -EBADMSG;
	close(*fd);
	*fd = rsp_take_fd(&memory);
	return 0;
}

/*
 * The recorder sends a memfd to trusted users, but a pipe to other users, so that their own memory
 * contains the snapshot.
 */
static int keep(int *fd, struct json_object *reply)
{
	struct json_object *size;
	struct stat st;

	if (*fd < 0 || !json_object_object_get_ex(reply, "size", &size))
		return -EBADMSG;
	if (fstat(*fd, &st) < 0)
		return -errno;
	return S_ISFIFO(st.st_mode) ? read_pipe(fd, (size_t)json_object_get_uint64(size)) : 0;
}

int rsp_fresh_take(struct rsp_client *client, const struct rsp_snapshot_params *params,
		   struct rsp_fresh *ret)
{
	_cleanup_(rsp_fresh_done) struct rsp_fresh fresh = {.fd = -1};
	struct json_object *reply;
	int r;

	rsp_progress_begin("waiting for the recorder's snapshot");
	r = rsp_client_call(client, "io.rsp.Recorder.Snapshot", params_to_json(params),
			    timeout_ms(params), &reply, &fresh.fd);
	rsp_progress_end();
	if (r < 0)
		return r;
	fresh.path = copy_string(reply, "path");
	fresh.unstored = copy_string(reply, "unstored");
	r = keep(&fresh.fd, reply);
	json_object_put(reply);
	if (r < 0)
		return r;
	if (!fresh.path || !fresh.unstored)
		return -ENOMEM;
	*ret = fresh;
	fresh = (struct rsp_fresh){.fd = -1};
	return 0;
}

void rsp_fresh_done(struct rsp_fresh *fresh)
{
	if (fresh->fd >= 0)
		close(fresh->fd);
	free(fresh->path);
	free(fresh->unstored);
}

/* --- presenting ------------------------------------------------------------------------------- */

/*
 * Ignores --pid, because the recorder has already chosen the process of interest of this snapshot.
 */
static int explain(int fd, const struct rsp_options *opt, const char *path)
{
	char *const again[] = {(char *)path, NULL};
	struct rsp_options all = *opt;
	char source[PATH_MAX];

	all.pid = 0;
	if (path)
		rsp_command_line(again, source, sizeof(source));
	return rsp_pipeline_explain(fd, "the recording", &all, path ? source : NULL, NULL);
}

/* Returns NULL if the snapshot is not saved. */
static const char *place(const struct rsp_fresh *fresh, const struct rsp_options *opt,
			 char name[static RSP_STORED_ID_COLS + 1])
{
	if (opt->output)
		return opt->output;
	return fresh->path[0] ? rsp_stored_name(fresh->path, name) : NULL;
}

static int picture(int fd, const struct rsp_options *opt)
{
	struct rsp_options all = *opt;
	int r;

	all.pid = 0;
	all.comm = NULL;
	r = rsp_pipeline_html(fd, "the recording", &all, opt->html);
	if (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY)
		rsp_warn("the page is in %s", opt->html);
	return r;
}

/*
 * Saves the snapshot first, because the file is useful even if the report fails. Prints the name of
 * the file last, because users see the end of the output.
 */
int rsp_fresh_present(const struct rsp_fresh *fresh, const struct rsp_options *opt)
{
	int saved = opt->output ? rsp_save(fresh->fd, opt->output) : 0;
	char name[RSP_STORED_ID_COLS + 1];
	const char *path = saved < 0 ? NULL : place(fresh, opt, name);
	int r = explain(fresh->fd, opt, path);

	if (opt->html && (r == RSP_EXIT_OK || r == RSP_EXIT_LOSSY))
		r = picture(fresh->fd, opt);
	if (saved < 0)
		return rsp_fail(saved,
				"cannot save the snapshot as %s: %m: name another file with -o",
				opt->output);
	if (fresh->unstored[0])
		return rsp_fail(
			0, "the recorder could not store the snapshot: %s: name a file with -o",
			fresh->unstored);
	if (path)
		rsp_warn("saved as %s", opt->output ? opt->output : fresh->path);
	return r;
}
