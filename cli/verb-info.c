/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspctl info [SNAPSHOT]: prints the metadata of a snapshot. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cli/isolated.h"
#include "cli/opened.h"
#include "cli/output.h"
#include "cli/stored.h"
#include "lib/base/cleanup.h"

static void add_process(struct rsp_table *t, const struct rsp_meta *meta)
{
	char name[sizeof(meta->target_comm) + 3] = "", thread[32] = "";

	if (meta->target_comm[0])
		snprintf(name, sizeof(name), " (%s)", meta->target_comm);
	if (meta->target_tid)
		snprintf(thread, sizeof(thread), ", thread %u", meta->target_tid);
	if (meta->target_pid)
		rsp_table_add(t, "%u%s%s", meta->target_pid, name, thread);
	else
		rsp_table_add(t, "unknown");
}

static void add_exit_status(struct rsp_table *t, int status)
{
	if (status < 0)
		return;
	rsp_table_add(t, "Exit status:");
	if (WIFSIGNALED(status))
		rsp_table_add(t, "killed by signal %d", WTERMSIG(status));
	else
		rsp_table_add(t, "%d", WEXITSTATUS(status));
}

static int info_table(const struct rsp_stored *stored)
{
	const struct rsp_meta *meta = &stored->meta;
	_cleanup_(rsp_table_done) struct rsp_table t;
	_cleanup_free_ char *why = rsp_stored_trigger(stored);
	char time[RSP_OUTPUT_TIME_MAX], buf[RSP_FORMAT_MAX];

	rsp_table_init(&t, 2);
	rsp_table_add(&t, "ID:");
	rsp_table_add(&t, "%s", meta->id);
	rsp_table_add(&t, "File:");
	rsp_table_add(&t, "%s", stored->path);
	rsp_table_add(&t, "Size:");
	rsp_table_add(&t, "%s%s", rsp_format_bytes(stored->bytes, buf, sizeof(buf)),
		      rsp_stored_state(stored));
	rsp_table_add(&t, "Taken:");
	rsp_table_add(&t, "%s", rsp_output_time(stored->taken_ns, time));
	rsp_table_add(&t, "Span:");
	rsp_table_add(&t, "%s", rsp_format_ns(meta->until_ns - meta->since_ns, buf, sizeof(buf)));
	if (why && *why) {
		rsp_table_add(&t, "Why:");
		rsp_table_add(&t, "%s", why);
	}
	if (meta->trigger.subject[0]) {
		rsp_table_add(&t, "Of:");
		rsp_table_add(&t, "%s", meta->trigger.subject);
	}
	rsp_table_add(&t, "Process:");
	add_process(&t, meta);
	if (meta->redacted) {
		rsp_table_add(&t, "Redacted:");
		rsp_table_add(&t, "other users' tasks have no names, stacks and files");
	}
	if (meta->command[0]) {
		rsp_table_add(&t, "Command:");
		rsp_table_add(&t, "%s", meta->command);
	}
	add_exit_status(&t, meta->exit_status);
	for (uint32_t i = 0; i < meta->host_cnt; i++) {
		rsp_table_add(&t, "Merged from:");
		rsp_table_add(&t, "%s, snapshot %s", meta->hosts[i].name, meta->hosts[i].id);
	}
	rsp_table_add(&t, "Host:");
	rsp_table_add(&t, "%s, Linux %s, %s, %u CPUs", meta->host, meta->kernel, meta->arch,
		      meta->cpu_cnt);
	rsp_table_add(&t, "Recorded by:");
	rsp_table_add(&t, "rspd %s, %u samples per second and CPU", meta->version, meta->sample_hz);
	return rsp_table_print(&t);
}

struct description {
	const struct rsp_options *opt;
	char *path;
	int fd;
};

static int print_description(void *userdata)
{
	const struct description *description = userdata;
	struct rsp_stored stored;
	int r = rsp_store_describe(description->fd, &stored);

	if (r < 0)
		return rsp_opened_fail_open(r, description->path);
	stored.path = description->path;
	if (description->opt->json != RSP_JSON_OFF)
		return rsp_output_json(rsp_stored_to_json(&stored), description->opt->json);
	return info_table(&stored);
}

int rsp_verb_info(const struct rsp_options *opt)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	r = rsp_stored_choose(opt, &path);
	if (!r)
		r = rsp_stored_open(path, &fd);
	if (r)
		return r;
	return rsp_isolated(&(struct rsp_isolated){
		.work = print_description,
		.userdata = &(struct description){opt, path, fd},
		.name = path,
		.input = fd,
		.output = -1,
	});
}
