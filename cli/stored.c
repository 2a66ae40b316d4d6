/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See stored.h. */
#include "cli/stored.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/pipeline.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"
#include "lib/snapshot/stored-name.h"

static int fail_store(const struct rsp_options *opt, int error)
{
	if (error == -EACCES)
		return rsp_fail(error,
				"only root and members of group rsp may read the store %s: "
				"'rspctl snapshot' explains your own processes",
				opt->store);
	return rsp_fail(error, "cannot read the store %s: %m", opt->store);
}

int rsp_stored_list(const struct rsp_options *opt, struct rsp_store_list *ret)
{
	int r = rsp_store_list(opt->store, ret);

	if (r < 0)
		return fail_store(opt, r);
	if (ret->cnt == 0)
		return rsp_fail(-ENOENT,
				"no snapshots in %s: take one with 'rspctl snapshot', or record a "
				"command with 'rspctl run -- CMD'; 'rspctl help' lists all verbs",
				opt->store);
	return RSP_EXIT_OK;
}

int rsp_stored_newest(const struct rsp_options *opt, char **ret_path)
{
	_cleanup_(rsp_store_list_done) struct rsp_store_list list = {0};
	size_t i;
	int r = rsp_stored_list(opt, &list);

	if (r)
		return r;
	/* If all snapshots are damaged, takes the oldest one: opening it then reports the error. */
	for (i = list.cnt - 1; i > 0 && list.v[i].damaged; i--)
		;
	*ret_path = rsp_take_ptr(list.v[i].path);
	return RSP_EXIT_OK;
}

int rsp_stored_choose(const struct rsp_options *opt, char **ret_path)
{
	return opt->arg_cnt ? rsp_stored_find(opt, opt->args[0], true, ret_path)
			    : rsp_stored_newest(opt, ret_path);
}

const char *rsp_stored_name(const char *path, char buf[static RSP_STORED_ID_COLS + 1])
{
	const char *store = rsp_options_default_store(), *slash = strrchr(path, '/');
	size_t len = strlen(store);
	struct rsp_stored_name name;

	while (len > 1 && store[len - 1] == '/')
		len--;
	if (!slash || strncmp(path, store, len) != 0 ||
	    path + len + strspn(path + len, "/") != slash + 1 ||
	    rsp_stored_name_parse(slash + 1, &name) < 0)
		return path;
	snprintf(buf, RSP_STORED_ID_COLS + 1, "%.*s", RSP_STORED_ID_COLS, name.id);
	return buf;
}

int rsp_stored_find(const struct rsp_options *opt, const char *name, bool may_be_file,
		    char **ret_path)
{
	int r = rsp_store_find(opt->store, name, may_be_file, ret_path);

	if (r == -ENOENT)
		return rsp_fail(r, "there is no %s '%s' in %s: see 'rspctl list'",
				may_be_file ? "file or snapshot" : "snapshot", name, opt->store);
	if (r == -ENOTUNIQ)
		return rsp_fail(r, "several snapshots in %s begin with '%s': give more digits",
				opt->store, name);
	return r < 0 ? fail_store(opt, r) : RSP_EXIT_OK;
}

char *rsp_stored_trigger(const struct rsp_stored *stored)
{
	char *why = NULL;

	return !stored->damaged && rsp_report_trigger(&stored->meta, &why) == 0 ? why : NULL;
}

const char *rsp_stored_state(const struct rsp_stored *stored)
{
	return stored->damaged ? " (damaged)" : stored->truncated ? " (truncated)" : "";
}

struct json_object *rsp_stored_to_json(const struct rsp_stored *stored)
{
	const struct rsp_meta *meta = &stored->meta;
	_cleanup_free_ char *why = rsp_stored_trigger(stored);
	const struct {
		const char *key, *value;
	} strings[] = {
		{"id", meta->id},	    {"path", stored->path},
		{"command", meta->command}, {"host", meta->host},
		{"kernel", meta->kernel},   {"arch", meta->arch},
		{"version", meta->version}, {"slo", meta->trigger.slo},
		{"why", why ? why : ""},    {"comm", meta->target_comm},
	};
	const struct {
		const char *key;
		int64_t value;
	} numbers[] = {
		{"taken_realtime_ns", stored->taken_ns},
		{"pid", meta->target_pid},
		{"tid", meta->target_tid},
		{"since_ns", (int64_t)meta->since_ns},
		{"until_ns", (int64_t)meta->until_ns},
		{"window_oldest_ns", (int64_t)meta->window_oldest_ns},
		{"cpus", meta->cpu_cnt},
		{"sample_hz", meta->sample_hz},
		{"bytes", (int64_t)stored->bytes},
	};
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		json_object_object_add(o, strings[i].key, json_object_new_string(strings[i].value));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_object_object_add(o, numbers[i].key, json_object_new_int64(numbers[i].value));
	json_object_object_add(o, "exit_status",
			       meta->exit_status < 0 ? NULL
						     : json_object_new_int(meta->exit_status));
	json_object_object_add(o, "truncated", json_object_new_boolean(stored->truncated));
	json_object_object_add(o, "damaged", json_object_new_boolean(stored->damaged));
	json_object_object_add(o, "redacted", json_object_new_boolean(meta->redacted));
	return o;
}

int rsp_stored_open(const char *path, int *ret_fd)
{
	int fd = rsp_regular_open(path);

	if (fd == -ESTALE)
		return rsp_fail(fd, "%s is not a snapshot: it is not a regular file", path);
	if (fd < 0)
		return rsp_fail(fd, "cannot open %s: %m", path);
	*ret_fd = fd;
	return RSP_EXIT_OK;
}

/*
 * Writes the options that chose the process, like " --pid 12 --whole", or "" if there are none.
 */
static void put_selection(const struct rsp_options *opt, char *buf, size_t len)
{
	char pid[16], *words[8];
	size_t cnt = 0;

	snprintf(pid, sizeof(pid), "%d", opt->pid);
	if (opt->pid) {
		words[cnt++] = "--pid";
		words[cnt++] = pid;
	}
	if (opt->container) {
		words[cnt++] = "--container";
		words[cnt++] = (char *)opt->container;
	}
	if (opt->comm) {
		words[cnt++] = "--comm";
		words[cnt++] = (char *)opt->comm;
	}
	if (opt->whole)
		words[cnt++] = "--whole";
	words[cnt] = NULL;
	*buf = '\0';
	if (cnt) {
		*buf = ' ';
		rsp_command_line(words, buf + 1, len - 1);
	}
}

int rsp_stored_report(const struct rsp_options *opt, const char *path, const char *name)
{
	char source[PATH_MAX], selection[PATH_MAX];
	char *const words[] = {(char *)name, NULL};
	_cleanup_close_ int fd = -1;
	int r = rsp_stored_open(path, &fd);

	if (r)
		return r;
	rsp_command_line(words, source, sizeof(source));
	put_selection(opt, selection, sizeof(selection));
	return rsp_pipeline_explain(fd, path, opt, source, selection);
}
