/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the thread that ended a wait. Timelines show an arrow from this thread to the end of the
 * wait.
 */
#include "lib/export/export-parts.h"

bool rsp_export_wakeup(const struct rsp_export *x, const struct rsp_thread *t,
		       const struct rsp_export_span *s, struct rsp_export_wakeup *ret)
{
	const struct rsp_model *m = x->model;
	__u32 waker;

	if (!s->span || s->span->kind != RSP_SPAN_BLOCKED || s->to_ns != rsp_span_end(t, s->index))
		return false;
	waker = rsp_span_ender(m, t, s->index);
	if (waker == RSP_NO_THREAD || !rsp_export_has_thread(x, waker))
		return false;
	*ret = (struct rsp_export_wakeup){s->to_ns, s->to_ns, waker};
	if (s->span->cause == RSP_CAUSE_NET) {
		__u64 send_ns = m->ops.arrivals.v[s->span->cause_id].send_ns;

		if (send_ns && send_ns >= m->since_ns && send_ns < s->to_ns)
			ret->from_ns = send_ns;
	}
	return true;
}
