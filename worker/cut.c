/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies a snapshot. If rspd requests this, chooses the process of interest, and reduces the copy
 * to the records that one user may see. This command runs before names are looked up. So if an
 * attacker takes over the process that reads a user's files, its memory contains no data of other
 * users.
 */
#include <errno.h>

#include "lib/model/cut/cut.h"
#include "lib/model/victim.h"
#include "lib/snapshot/redact.h"
#include "worker/commands.h"

static int choose(struct rsp_snapshot *snap)
{
	const struct rsp_ev_task *task;
	struct rsp_trace *trace;
	int r;

	r = rsp_trace_new(snap, &trace);
	if (r < 0)
		return r;
	r = rsp_victim_find(trace, &task);
	if (r == 0) {
		snap->meta.target_pid = task->tgid;
		snap->meta.target_start_ns = task->start_ns;
	}
	rsp_trace_free(trace);
	return r;
}

/* rsp_cut() keeps the records that the chains (docs/model.md) of the user's processes need. */
static int redact(const struct rsp_snapshot *snap, uid_t uid, struct rsp_snapshot_writer *w)
{
	struct rsp_snapshot *redacted;
	int r = rsp_redact(snap, uid, &redacted);

	if (r < 0)
		return r;
	r = rsp_cut(redacted, w);
	rsp_snapshot_free(redacted);
	return r;
}

static int cut(const struct rsp_worker_request *request, struct rsp_snapshot *snap, int fd)
{
	struct rsp_snapshot_writer *w;
	int r;

	if (snap->truncated)
		return -EBADMSG;
	r = request->flags & RSP_WORKER_CHOOSE ? choose(snap) : 0;
	if (r == 0)
		r = rsp_snapshot_writer_new(fd, &w);
	if (r < 0)
		return r;
	if (request->flags & RSP_WORKER_REDACT)
		r = redact(snap, request->uid, w);
	else
		r = rsp_snapshot_write_all(w, snap);
	if (r == 0)
		r = rsp_snapshot_writer_finish(w);
	rsp_snapshot_writer_free(w);
	return r;
}

int rsp_command_cut(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
		    struct rsp_worker_message *reply)
{
	struct rsp_snapshot *snap;
	int r;

	r = rsp_snapshot_open_fd(fds[RSP_WORKER_INPUT], &snap);
	if (r < 0)
		return r;
	r = cut(request, snap, fds[RSP_WORKER_OUTPUT]);
	rsp_snapshot_free(snap);
	return r;
}
