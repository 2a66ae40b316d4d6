/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds sleeps in which a thread of the process had nothing to do. docs/model.md, "Idle", has the
 * rules.
 */
#include "lib/base/syscalls.h"
#include "lib/model/attribute/attribute-parts.h"

/* In the mode of paths.h, only the main path contains idle time. */
static void idle(struct rsp_attribution *a, const struct rsp_piece *p, struct rsp_label label)
{
	__u64 ns = p->to_ns - p->from_ns;

	if (!a->mode->idles(a))
		return;
	rsp_attribute_leaf(a, p, RSP_CAT_IDLE, label);
	a->idle_ns += ns;
	if (a->idle)
		a->idle_ns -= rsp_busy_within(&a->idle->service.any, p->from_ns, p->to_ns,
					      &(size_t){0});
}

static bool is_own(const struct rsp_attribution *a, const struct rsp_piece *p)
{
	return a->depth == 1 ||
	       (a->mode->idles_deep && rsp_attribution_is_among_own(a, p->from_ns));
}

/* --- nothing is pending ----------------------------------------------------------------------- */

static bool may_rest(const struct rsp_attribution *a, const struct rsp_piece *p)
{
	enum rsp_rest rest;

	if (!a->idle || (!a->idle->service.serves && !a->idle->rests) || !is_own(a, p))
		return false;
	if (rsp_gap_overlaps(&a->model->pauses, p->from_ns, p->to_ns))
		return false; /* most messages in a pause are not recorded */
	rest = rsp_idle_rest(a->model, p->thread, p->span);
	return rest == RSP_REST_EVENT || (rest && p->thread != a->never_idle);
}

/*
 * Requests and calls divide a sleep into parts. A sleep with more than PARTS_MAX parts is explained
 * as a whole: it is idle if requests or calls were pending for at most a tenth of it.
 */
#define PARTS_MAX    64
#define BUSY_DIVISOR 10

/* Ends the piece where a request or a call begins or ends. */
static bool is_pending(const struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_busy_spans *any = &a->idle->service.any;
	const struct rsp_busy_span *pending;
	size_t part_cnt;
	__u64 until_ns, busy_ns = rsp_busy_within(any, p->from_ns, p->to_ns, &part_cnt);

	if (part_cnt > PARTS_MAX)
		return busy_ns > (p->to_ns - p->from_ns) / BUSY_DIVISOR;
	pending = rsp_busy_at(any, p->from_ns, &until_ns);
	if (p->to_ns > until_ns)
		p->to_ns = until_ns;
	return pending != NULL;
}

bool rsp_attribute_idle(struct rsp_attribution *a, struct rsp_piece *p)
{
	if (p->span->kind != RSP_SPAN_BLOCKED || !may_rest(a, p) || is_pending(a, p))
		return false;
	if (a->idle->rests) {
		p->flags |= RSP_HOP_INFERRED;
		p->why = RSP_WHY_RESTS;
	}
	idle(a, p, rsp_attribute_label(a, p->span->out));
	p->why = RSP_WHY_NONE;
	return true;
}

/* --- a request arrives ------------------------------------------------------------------------ */

/*
 * In a report about one request, the thread of the request is not idle: the client is part of the
 * request.
 */
static bool is_for_requests(const struct rsp_attribution *a, const struct rsp_piece *p,
			    const struct rsp_arrival *arrival)
{
	const struct rsp_ev_switch *out = p->span->out;

	/*
	 * If the thread slept in a call that writes, it waited for space in the send buffer, not
	 * for a request.
	 */
	if (!arrival->is_request || (out && rsp_syscall_writes(out->syscall_nr)))
		return false;
	return is_own(a, p) && (a->depth > 1 || !a->model->request_tid);
}

/* otherwise: the category of the wait if the server is on this host, but its thread is unknown. */
static void wait_for_call(struct rsp_attribution *a, struct rsp_piece *p,
			  const struct rsp_ev_socket *sock, enum rsp_category otherwise,
			  struct rsp_label label)
{
	bool is_local = rsp_ops_is_local(&a->model->ops, sock);
	__u32 server = rsp_ops_server(&a->model->ops, sock);

	p->flags |= RSP_HOP_INFERRED;
	label.object = rsp_names_object(a->names, sock->id);
	if (server != RSP_NO_THREAD)
		rsp_attribute_follow(a, p, server, label);
	else
		rsp_attribute_leaf(a, p, is_local ? otherwise : RSP_CAT_NETWORK, label);
}

/*
 * Only for processes with one active thread: in other processes, another thread may work on the
 * older requests.
 */
static bool is_busy(struct rsp_attribution *a, struct rsp_piece *p, struct rsp_label label)
{
	const struct rsp_busy_span *call, *request;
	__u64 until_ns, request_until_ns;

	if (!a->idle || a->awaited)
		return false;
	call = rsp_busy_at(&a->idle->service.calls, p->from_ns, &until_ns);
	request = rsp_busy_at(&a->idle->service.answered, p->from_ns, &request_until_ns);
	if (until_ns > request_until_ns)
		until_ns = request_until_ns;
	if (p->to_ns > until_ns)
		p->to_ns = until_ns;
	if (call && call->call)
		wait_for_call(a, p, call->call, RSP_CAT_OTHER_PATH, label);
	else if (request)
		rsp_attribute_leaf(
			a, p, RSP_CAT_OTHER_PATH,
			(struct rsp_label){.syscall = label.syscall, .frames = label.frames});
	else
		return false;
	return true;
}

bool rsp_attribute_open_call(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_busy_span *call;
	__u64 until_ns;

	if (!a->idle || a->awaited || a->depth != 1 ||
	    rsp_idle_rest(a->model, p->thread, p->span) != RSP_REST_EVENT)
		return false;
	call = rsp_busy_at(&a->idle->service.calls, p->from_ns, &until_ns);
	if (p->to_ns > until_ns)
		p->to_ns = until_ns;
	if (!call || !call->call)
		return false;
	wait_for_call(a, p, call->call, RSP_CAT_EDGE, rsp_attribute_label(a, p->span->out));
	return true;
}

bool rsp_attribute_idle_arrival(struct rsp_attribution *a, struct rsp_piece *p,
				const struct rsp_arrival *arrival)
{
	struct rsp_label label;

	if (!is_for_requests(a, p, arrival))
		return false;
	label = rsp_attribute_label(a, p->span->out);
	if (!is_busy(a, p, label))
		idle(a, p, label);
	return true;
}

/* --- threads of a process with several threads ------------------------------------------------ */

static bool may_idle(const struct rsp_attribution *a, const struct rsp_piece *p)
{
	return a->depth == 1 && a->awaited && p->thread != a->never_idle;
}

bool rsp_attribute_idle_until_timer(struct rsp_attribution *a, const struct rsp_piece *p,
				    const struct rsp_poll *poll, struct rsp_label label)
{
	if (poll && poll->worker != RSP_NO_THREAD)
		return false;
	if (!may_idle(a, p) || rsp_awaited_within(a->awaited, p->thread, p->from_ns, p->to_ns))
		return false;
	idle(a, p, label);
	return true;
}

/* Returns whether the thread of the piece was woken at the end of this sleep, but had no job. */
static bool had_no_job(const struct rsp_attribution *a, const struct rsp_piece *p,
		       const struct rsp_span *sleep)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);

	return a->awaited && rsp_polls_is_look(a->polls, t, sleep) &&
	       !rsp_awaited_at_end(a->awaited, t, p->thread, sleep);
}

bool rsp_attribute_idle_in_pool(struct rsp_attribution *a, const struct rsp_piece *p,
				const struct rsp_span *sleep)
{
	if (!may_idle(a, p) || !had_no_job(a, p, sleep))
		return false;
	idle(a, p, rsp_attribute_label(a, sleep->out));
	return true;
}
