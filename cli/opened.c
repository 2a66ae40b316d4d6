/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See opened.h. */
#include "cli/opened.h"

#include <errno.h>
#include <stdint.h>

#include "cli/target.h"
#include "lib/base/cleanup.h"
#include "lib/trace/trace-comm.h"
#include "lib/trace/trace-container.h"

int rsp_opened_fail(const char *verb, int error, const char *name)
{
	if (error == -ENOMEM)
		return rsp_fail(error,
				"cannot %s %s: it needs more memory than a snapshot of this size "
				"may use: it may be damaged",
				verb, name);
	return rsp_fail(error, "cannot %s %s: %m", verb, name);
}

int rsp_opened_fail_open(int error, const char *name)
{
	switch (error) {
	case -EPROTO:
		return rsp_fail(error, "%s is not a snapshot", name);
	case -ENOTSUP:
		return rsp_fail(
			error,
			"%s was written by a later version of RSP: use rspctl of that version",
			name);
	case -EBADMSG:
		return rsp_fail(error, "%s is damaged: nothing in it is usable", name);
	case -E2BIG:
		return rsp_fail(
			error,
			"%s claims to contain more than a file of its size can: it is damaged",
			name);
	default:
		return rsp_opened_fail("read", error, name);
	}
}

int rsp_opened_fail_absent(const struct rsp_opened *opened, const char *name,
			   const struct rsp_options *opt)
{
	if (opt->comm && !opt->of_target && !opt->pid)
		return rsp_fail(-ESRCH, "no process called '%s' occurs in %s", opt->comm, name);
	if (!opened->snap->meta.target_pid)
		return rsp_fail(-ESRCH,
				"%s does not contain the process ID that it is about: choose a "
				"process with --pid or --comm; 'rspctl util' lists them",
				name);
	return rsp_fail(-ESRCH, "process %u does not occur in %s%s", opened->snap->meta.target_pid,
			name, opt->pid ? ": 'rspctl util' with this snapshot lists processes" : "");
}

void rsp_opened_done(struct rsp_opened *opened)
{
	rsp_trace_free(opened->trace);
	rsp_snapshot_free(opened->snap);
}

static int choose_in_container(struct rsp_opened *o, const char *name, const char *container)
{
	char candidates[RSP_CANDIDATES_BYTES];
	__u32 tgid;
	int r = rsp_trace_find_container(o->trace, container, &tgid, candidates);

	if (r == -ESRCH)
		return rsp_fail(r, "%s contains no process in container %s", name, container);
	if (r == -ENOTUNIQ)
		return rsp_fail(r,
				"several containers in %s match '%s': %s: give more of the ID, or "
				"NAMESPACE/POD/NAME",
				name, container, candidates);
	if (r < 0)
		return rsp_opened_fail("read the records of", r, name);
	rsp_meta_choose_process(&o->snap->meta, tgid);
	return RSP_EXIT_OK;
}

int rsp_opened_read(int fd, const char *name, const struct rsp_options *opt,
		    uint64_t events_bytes_max, struct rsp_opened *ret)
{
	_cleanup_(rsp_opened_done) struct rsp_opened o = {0};
	int r;

	if (opt->pid && opt->container)
		return rsp_target_fail();
	r = rsp_snapshot_open_recent_fd(fd, opt->whole ? UINT64_MAX : events_bytes_max, &o.snap);
	if (r < 0)
		return rsp_opened_fail_open(r, name);
	if (o.snap->truncated)
		rsp_warn("%s is truncated or damaged: the first %zu of its %zu bytes are usable",
			 name, o.snap->usable_bytes, o.snap->file_bytes);
	if (opt->pid)
		rsp_meta_choose_process(&o.snap->meta, (uint32_t)opt->pid);
	/*
	 * In the recording of a command, the span is the life of the command. --whole does not
	 * extend this span, because the rest of the window is not about the command.
	 */
	if (opt->whole && !o.snap->meta.command[0])
		rsp_meta_choose_whole(&o.snap->meta);
	r = rsp_trace_new(o.snap, &o.trace);
	if (r < 0)
		return rsp_opened_fail("read the records of", r, name);
	if (opt->container) {
		r = choose_in_container(&o, name, opt->container);
		if (r)
			return r;
	}
	*ret = o;
	o = (struct rsp_opened){0};
	return RSP_EXIT_OK;
}

int rsp_opened_choose_comm(const struct rsp_opened *opened, const char *name,
			   const struct rsp_options *opt)
{
	__u32 tgid;
	ssize_t cnt;

	if (!opt->comm)
		return RSP_EXIT_OK;
	if (opt->pid || opt->container)
		return rsp_target_fail();
	cnt = rsp_trace_find_comm(opened->trace, opt->comm, &tgid);
	if (cnt < 0)
		return rsp_opened_fail("read the records of", (int)cnt, name);
	if (cnt == 0)
		return rsp_opened_fail_absent(opened, name, opt);
	rsp_meta_choose_process(&opened->snap->meta, tgid);
	if (cnt > 1)
		rsp_warn("%zd processes are called '%s', and process %u was chosen; 'rspctl util' "
			 "with --comm lists them, and --pid chooses another one",
			 cnt, opt->comm, rsp_host_tid(tgid));
	return RSP_EXIT_OK;
}

struct rsp_chosen rsp_opened_choose(const struct rsp_opened *opened, const struct rsp_options *opt)
{
	const struct rsp_meta *meta = &opened->snap->meta;

	if (opt->pid || opt->container || opt->of_target)
		return (struct rsp_chosen){.tgid = meta->target_pid};
	if (opt->comm)
		return (struct rsp_chosen){.comm = opt->comm};
	if (meta->command[0] && !opt->whole && !opt->all_processes)
		return (struct rsp_chosen){.tgid = meta->target_pid, .descendants = true};
	return (struct rsp_chosen){0};
}

bool rsp_opened_is_lossy(const struct rsp_opened *opened)
{
	return opened->snap->truncated || opened->trace->bad_cnt > 0;
}
