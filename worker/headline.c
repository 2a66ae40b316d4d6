/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the first sentence of a snapshot's report. */
#include "lib/base/cleanup.h"
#include "lib/report/report.h"
#include "worker/commands.h"

static int explain(const struct rsp_snapshot *snap, char *ret, size_t size)
{
	struct rsp_explanation *explanation;
	struct rsp_trace *trace;
	int r;

	r = rsp_trace_new(snap, &trace);
	if (r < 0)
		return r;
	r = rsp_explain_details(trace, 0, &explanation);
	if (r == 0) {
		r = rsp_report_headline(explanation, ret, size);
		rsp_explanation_free(explanation);
	}
	rsp_trace_free(trace);
	return r;
}

int rsp_command_headline(const struct rsp_worker_request *request, const int fds[RSP_WORKER_FD_MAX],
			 struct rsp_worker_message *reply)
{
	struct rsp_snapshot *snap;
	int r;

	r = rsp_snapshot_open_recent_fd(fds[RSP_WORKER_INPUT], RSP_SNAPSHOT_RECENT_BYTES, &snap);
	if (r < 0)
		return r;
	r = explain(snap, reply->headline, sizeof(reply->headline));
	rsp_snapshot_free(snap);
	return r;
}
