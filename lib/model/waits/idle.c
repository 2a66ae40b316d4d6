/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See idle.h. */
#include "lib/model/waits/idle.h"

#include <netinet/in.h>

#include "lib/base/syscalls.h"
#include "lib/model/waits/unseen.h"

/*
 * From include/linux/sched.h, except RSP_TASK_FROZEN: the task sleeps uninterruptibly, or a signal
 * or a debugger stopped it.
 */
#define TASK_BUSY (0x0002 | 0x0004 | 0x0008 | RSP_TASK_FROZEN)

/* DNS resolvers ask again after this time, so an answer to a datagram is no longer expected. */
#define DATAGRAM_NS 5000000000ULL

/* --- kinds of waits --------------------------------------------------------------------------- */

/* A poll without an object waits for several files. */
static bool is_event_source(const struct rsp_model *m, __u64 id, bool polls)
{
	const struct rsp_ev_socket *sock = id ? rsp_trace_socket(m->trace, id) : NULL;
	const struct rsp_ev_object *obj = id ? rsp_trace_object(m->trace, id) : NULL;

	if (sock)
		return rsp_service_is_served(sock);
	if (!obj)
		return polls;
	return obj->type == RSP_OBJ_ANON || (polls && obj->type == RSP_OBJ_SOCKET);
}

enum rsp_rest rsp_idle_wait(const struct rsp_model *m, const struct rsp_span *span)
{
	const struct rsp_ev_switch *out = span->out;

	if (span->kind != RSP_SPAN_BLOCKED || !out || out->prev_state & TASK_BUSY ||
	    out->hdr.flags & (RSP_SW_IOWAIT | RSP_SW_FAULT))
		return RSP_REST_NONE;
	if (span->flags & RSP_SW_SLEEP)
		return RSP_REST_SLEEP;
	if (rsp_syscall_is_futex(out->syscall_nr))
		return RSP_REST_JOB;
	if (rsp_syscall_accepts(out->syscall_nr) || rsp_syscall_awaits_signal(out->syscall_nr))
		return RSP_REST_EVENT;
	if (rsp_syscall_polls(out->syscall_nr))
		return is_event_source(m, out->object, true) ? RSP_REST_EVENT : RSP_REST_NONE;
	if (rsp_syscall_reads(out->syscall_nr) && is_event_source(m, out->object, false))
		return RSP_REST_EVENT;
	return RSP_REST_NONE;
}

/* --- the end of a wait ------------------------------------------------------------------------ */

static bool awaits_answer(const struct rsp_model *m, const struct rsp_span *span)
{
	const struct rsp_sent_request *sent;

	if (span->cause_id == RSP_NO_SENT_REQUEST)
		return false;
	sent = &m->ops.sent_requests.v[span->cause_id];
	return sent->sock->protocol == IPPROTO_TCP || sent->ts_ns + DATAGRAM_NS > span->from_ns;
}

/* A thread of the same process, of a child or of the kernel is no client. */
static bool is_other_program(const struct rsp_model *m, __u32 thread, const struct rsp_span *span)
{
	const struct rsp_ev_task *own = rsp_thread_identity(m, &m->threads.v[thread]);
	const struct rsp_ev_task *other = rsp_thread_identity(m, &m->threads.v[span->cause_id]);

	return own && other && !(other->attrs & RSP_TASK_ATTR_KTHREAD) &&
	       other->tgid != own->tgid && rsp_thread_parent_tgid(m, span->cause_id) != own->tgid;
}

static bool is_client_data(const struct rsp_model *m, const struct rsp_span *span)
{
	const struct rsp_arrival *arrival = &m->ops.arrivals.v[span->cause_id];

	return arrival->is_of_client &&
	       (arrival->is_request || (arrival->sock && rsp_service_is_served(arrival->sock)));
}

static bool ends_rest(const struct rsp_model *m, __u32 thread, const struct rsp_span *span,
		      enum rsp_rest rest)
{
	const struct rsp_thread *t = &m->threads.v[thread];

	switch (span->cause) {
	case RSP_CAUSE_NONE: /* the wait has not ended, or a timer probably ended it */
		return span + 1 == t->spans.v + t->spans.cnt ||
		       rsp_unseen_is_timeout(t, (size_t)(span - t->spans.v));
	case RSP_CAUSE_SLEEP:
	case RSP_CAUSE_TIMEOUT:
		return !awaits_answer(m, span);
	case RSP_CAUSE_NET:
		return rest == RSP_REST_EVENT && is_client_data(m, span);
	case RSP_CAUSE_TASK:
		return rest == RSP_REST_EVENT && is_other_program(m, thread, span);
	}
	return false;
}

bool rsp_idle_polls_unknown(const struct rsp_span *span)
{
	return span->out && rsp_syscall_polls(span->out->syscall_nr) && !span->out->object &&
	       span->out->hdr.flags & RSP_SW_SEED;
}

/*
 * If the parent of the process is init, RSP assumes that the process is a service, and that the
 * poll waits for requests.
 */
static bool may_await_answer(const struct rsp_model *m, __u32 thread, const struct rsp_span *span)
{
	return rsp_idle_polls_unknown(span) && !(span->out->hdr.flags & RSP_SW_SEVERAL) &&
	       rsp_thread_parent_tgid(m, thread) != 1;
}

enum rsp_rest rsp_idle_rest(const struct rsp_model *m, __u32 thread, const struct rsp_span *span)
{
	enum rsp_rest rest = rsp_idle_wait(m, span);

	if (rest == RSP_REST_EVENT && may_await_answer(m, thread, span))
		return RSP_REST_NONE;
	return rest && ends_rest(m, thread, span, rest) ? rest : RSP_REST_NONE;
}

int rsp_idle_find(const struct rsp_model *m, const struct rsp_roots *roots, bool was_run,
		  struct rsp_used *used, struct rsp_idle *ret)
{
	struct rsp_idle idle = {0};
	int r = rsp_service_find(m, roots, &idle.service);

	if (r < 0)
		return r;
	idle.rests = !was_run && !m->request_tid && !idle.service.serves && !idle.service.any.cnt &&
		     rsp_rests(m, roots, used, &idle.is_asleep);
	*ret = idle;
	return 0;
}

void rsp_idle_done(struct rsp_idle *idle)
{
	rsp_service_done(&idle->service);
}
