/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains sleeps by the cause of their end. */
#include <netinet/in.h>
#include <string.h>

#include "lib/base/syscalls.h"
#include "lib/model/attribute/attribute-parts.h"
#include "lib/model/request.h"
#include "lib/model/waits/unseen.h"
#include "lib/model/waits/used.h"
#include "lib/snapshot/decode.h"

/*
 * Minimum length of a delay that is explained by Nagle's algorithm: a packet normally takes less
 * time through the kernel.
 */
#define NAGLE_NS_MIN 1000000

/* The wait for a resend ends with the last transmission. */
static void wait_for_resend(struct rsp_attribution *a, struct rsp_piece *p,
			    const struct rsp_arrival *arrival, struct rsp_label label)
{
	const struct rsp_resend *resend = &arrival->resend;
	__u32 server = RSP_NO_THREAD;

	if (resend->from_ns > p->from_ns)
		rsp_attribute_leaf_until(a, p, resend->from_ns, RSP_CAT_NETWORK, label);
	p->why = RSP_WHY_RETRANSMIT;
	if (resend->connects) {
		p->why = RSP_WHY_CONNECT;
		server = rsp_ops_server(&a->model->ops, arrival->sock);
	}
	if (server != RSP_NO_THREAD)
		label.behind = rsp_names_thread(a->names, rsp_attribution_thread(a, server),
						p->to_ns);
	rsp_attribute_leaf_until(a, p, resend->to_ns, RSP_CAT_NETWORK, label);
	p->why = RSP_WHY_NONE;
}

static void wait_for_packet(struct rsp_attribution *a, struct rsp_piece *p,
			    const struct rsp_arrival *arrival, struct rsp_label label)
{
	if (arrival->resend.to_ns > p->from_ns && arrival->resend.from_ns < p->to_ns)
		wait_for_resend(a, p, arrival, label);
	else if (arrival->is_nagled && arrival->ts_ns >= arrival->send_ns + NAGLE_NS_MIN)
		p->why = RSP_WHY_NAGLE;
	rsp_attribute_leaf(a, p, RSP_CAT_NETWORK, label);
	p->why = RSP_WHY_NONE;
}

/*
 * While the request of this end is on its way to the other end, the thread waits for the network,
 * not for the sender of the answer.
 */
static bool wait_for_passage(struct rsp_attribution *a, struct rsp_piece *p,
			     const struct rsp_arrival *arrival, struct rsp_label label)
{
	struct rsp_piece head = *p;

	if (p->from_ns < arrival->request_sent_ns && p->to_ns > arrival->request_sent_ns)
		p->to_ns = arrival->request_sent_ns;
	if (p->from_ns < arrival->request_sent_ns || p->from_ns >= arrival->request_arrived_ns)
		return false;
	if (head.to_ns > arrival->request_arrived_ns)
		head.to_ns = arrival->request_arrived_ns;
	p->to_ns = head.to_ns;
	if (arrival->resend.to_ns > head.from_ns && arrival->resend.from_ns < head.to_ns)
		wait_for_resend(a, &head, arrival, label);
	else if (arrival->request_is_nagled)
		head.why = RSP_WHY_NAGLE;
	rsp_attribute_leaf(a, &head, RSP_CAT_NETWORK, label);
	return true;
}

/* The thread waits for a sender on this host until the sender sends, and then for the packet. */
static void wait_for_arrival(struct rsp_attribution *a, struct rsp_piece *p, __u32 id)
{
	const struct rsp_arrival *arrival = &a->model->ops.arrivals.v[id];
	bool blocks = p->span->kind == RSP_SPAN_BLOCKED;
	struct rsp_label label = rsp_attribute_label(a, blocks ? p->span->out : NULL);

	if (rsp_attribute_idle_arrival(a, p, arrival))
		return;
	/* The thread may poll many sockets; this socket ended the wait. */
	if (arrival->sock)
		label.object = rsp_names_object(a->names, arrival->sock->id);
	if (wait_for_passage(a, p, arrival, label))
		return;
	if (arrival->sender != RSP_NO_THREAD && p->from_ns < arrival->send_ns) {
		if (p->to_ns > arrival->send_ns)
			p->to_ns = arrival->send_ns;
		p->until_ns = arrival->send_ns;
		rsp_attribute_follow(a, p, arrival->sender, label);
		return;
	}
	wait_for_packet(a, p, arrival, label);
}

static enum rsp_category infer_timeout(struct rsp_piece *p)
{
	p->flags |= RSP_HOP_INFERRED;
	p->why = RSP_WHY_UNSEEN;
	return RSP_CAT_TIMEOUT;
}

static bool ends_in_a_pause(const struct rsp_attribution *a, const struct rsp_thread *t,
			    const struct rsp_piece *p)
{
	__u64 end_ns = rsp_span_end(t, (size_t)(p->span - t->spans.v));

	return rsp_gap_overlaps(&a->model->pauses, end_ns, end_ns);
}

/* If many similar waits of the thread ended with a timeout, RSP infers that this wait did, too. */
static void wait_without_end(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_thread *t = rsp_piece_thread(a, p);
	const struct rsp_ev_switch *out = p->span->out;
	bool is_open = p->span + 1 == t->spans.v + t->spans.cnt;
	enum rsp_category cat = is_open ? RSP_CAT_EDGE : RSP_CAT_UNACCOUNTED;

	if (is_open && a->depth == 1 && !a->mode->idles(a))
		return;
	if (is_open && rsp_attribute_open_call(a, p))
		return;
	if (p->span->flags & RSP_SW_SLEEP)
		cat = RSP_CAT_SLEEP;
	else if (ends_in_a_pause(a, t, p))
		cat = RSP_CAT_UNRECORDED;
	else if (!is_open && rsp_unseen_is_timeout(t, (size_t)(p->span - t->spans.v)))
		cat = infer_timeout(p);
	rsp_attribute_leaf(a, p, cat, rsp_attribute_label(a, out));
	p->why = RSP_WHY_NONE;
}

/* An epoll file does not count, because it stands for many files. */
static bool names_a_file(const struct rsp_attribution *a, const struct rsp_ev_switch *out)
{
	const struct rsp_ev_object *obj = rsp_trace_object(a->model->trace, out->object);
	bool is_epoll = obj && obj->type == RSP_OBJ_ANON && strcmp(obj->name, "[eventpoll]") == 0;

	return out->object && !is_epoll;
}

static const struct rsp_ev_socket *unanswered(const struct rsp_attribution *a,
					      const struct rsp_span *span)
{
	const struct rsp_ev_socket *sock;

	if (span->cause != RSP_CAUSE_TIMEOUT || span->cause_id == RSP_NO_SENT_REQUEST || !span->out)
		return NULL;
	sock = a->model->ops.sent_requests.v[span->cause_id].sock;
	if (span->out->object == sock->id)
		return sock;
	if (!rsp_syscall_polls(span->out->syscall_nr) || names_a_file(a, span->out))
		return NULL;
	return sock;
}

/*
 * If the thread polled for a worker, the time after the worker finished is wasted, and the hop
 * names the worker.
 */
static void wait_for_timer(struct rsp_attribution *a, struct rsp_piece *p, enum rsp_category cat)
{
	const struct rsp_poll *poll = rsp_polls_find(a->polls, rsp_piece_thread(a, p), p->span);
	struct rsp_label label = rsp_attribute_label(a, p->span->out);
	const struct rsp_ev_socket *silent = unanswered(a, p->span);

	if (silent)
		label.object = rsp_names_object(a->names, silent->id);
	/* A datagram needs no answer. */
	if (!(silent && silent->protocol == IPPROTO_TCP) &&
	    rsp_attribute_idle_until_timer(a, p, poll, label))
		return;
	rsp_used_poll(a->used, poll);
	if (poll && poll->worker != RSP_NO_THREAD && !a->on_path[poll->worker]) {
		if (p->from_ns < poll->ready_ns)
			p->to_ns = p->to_ns < poll->ready_ns ? p->to_ns : poll->ready_ns;
		else
			label.behind = rsp_names_thread(a->names,
							rsp_attribution_thread(a, poll->worker),
							poll->ready_ns - 1);
	}
	if (silent && !label.behind)
		p->why = RSP_WHY_UNANSWERED;
	rsp_attribute_leaf(a, p, cat, label);
	p->why = RSP_WHY_NONE;
}

static void wait_for_kernel(struct rsp_attribution *a, struct rsp_piece *p)
{
	struct rsp_label label = rsp_attribute_label(a, p->span->out);

	label.object = rsp_names_interrupt(a->names, p->span->waking);
	rsp_attribute_leaf(a, p, RSP_CAT_KERNEL, label);
}

static void wait_for_device(struct rsp_attribution *a, struct rsp_piece *p)
{
	struct rsp_label label = rsp_attribute_label(a, p->span->out);

	label.object = rsp_names_object(a->names, p->span->waking->cause);
	rsp_attribute_leaf(a, p, RSP_CAT_HARDWARE, label);
}

/* From include/linux/sched.h. A signal (STOPPED) or a debugger (TRACED) stopped the task. */
#define TASK_STOPPED 0x0004
#define TASK_TRACED  0x0008

static bool is_stopped(const struct rsp_span *span)
{
	return span->out && span->out->prev_state & (TASK_STOPPED | TASK_TRACED);
}

static bool is_frozen(const struct rsp_span *span)
{
	return span->out && span->out->prev_state & RSP_TASK_FROZEN;
}

/* The reason for this wait is the stop, not the task that resumed the thread. */
static void wait_stopped(struct rsp_attribution *a, struct rsp_piece *p)
{
	struct rsp_label label = rsp_attribute_label(a, p->span->out);

	label.object = 0;
	/* a stop outside of a system call looks like a page fault, but is none */
	if (p->span->out->hdr.flags & RSP_SW_FAULT)
		label.syscall = 0;
	if (p->span->cause == RSP_CAUSE_TASK)
		label.object = rsp_names_thread(
			a->names, rsp_attribution_thread(a, p->span->cause_id), p->to_ns);
	p->why = is_frozen(p->span) ? RSP_WHY_FROZEN : RSP_WHY_NONE;
	rsp_attribute_leaf(a, p, RSP_CAT_STOPPED, label);
	p->why = RSP_WHY_NONE;
}

/* Over a unix socket, the sending thread itself wakes the receiver. */
static bool is_answer(const struct rsp_attribution *a, const struct rsp_span *span,
		      const struct rsp_trip *trip)
{
	const struct rsp_arrival *arrivals = a->model->ops.arrivals.v;
	const struct rsp_arrival *answer = &arrivals[trip->arrival];

	if (span->kind != RSP_SPAN_BLOCKED)
		return false;
	if (span->cause == RSP_CAUSE_TASK)
		return rsp_socket_is_unix(answer->sock) && span->cause_id == answer->sender &&
		       span->waking && span->waking->hdr.ts_ns >= trip->to_ns;
	return span->cause == RSP_CAUSE_NET && arrivals[span->cause_id].sock == answer->sock;
}

/*
 * While the explained request waits for an answer, the work of the thread for other requests does
 * not matter.
 */
bool rsp_attribute_request(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_trip *trip;
	__u64 away_ns;

	if (a->depth != 1)
		return false;
	trip = rsp_request_trip(a->model, rsp_piece_thread(a, p), p->from_ns);
	if (!trip)
		return false;
	away_ns = trip->away_ns > trip->from_ns ? trip->away_ns : trip->from_ns;
	if (p->from_ns < away_ns) {
		if (p->to_ns > away_ns)
			p->to_ns = away_ns;
		return false;
	}
	if (p->to_ns > trip->to_ns)
		p->to_ns = trip->to_ns;
	if (!is_answer(a, p->span, trip))
		p->flags |= RSP_HOP_INFERRED;
	wait_for_arrival(a, p, trip->arrival);
	return true;
}

/*
 * sleep: the sleep that the reader ended. This is the span of the piece, or the last sleep of its
 * polling loop.
 */
static void wait_for_reader(struct rsp_attribution *a, struct rsp_piece *p,
			    const struct rsp_span *sleep)
{
	p->why = RSP_WHY_WINDOW;
	if (rsp_syscall_polls(sleep->out->syscall_nr))
		p->flags |= RSP_HOP_INFERRED; /* from the socket of the last send */
	rsp_attribute_follow(a, p, sleep->cause_id, rsp_attribute_label(a, sleep->out));
	p->why = RSP_WHY_NONE;
}

void rsp_attribute_blocked(struct rsp_attribution *a, struct rsp_piece *p)
{
	/* test this first, because a wait for a disk may also look like another kind of wait */
	if (p->span->cause == RSP_CAUSE_DISK) {
		rsp_attribute_disk(a, p);
		return;
	}
	if (is_stopped(p->span) || is_frozen(p->span)) {
		wait_stopped(a, p);
		return;
	}
	switch (p->span->cause) {
	case RSP_CAUSE_TASK:
		if (rsp_attribute_idle_in_pool(a, p, p->span))
			return;
		rsp_attribute_follow(a, p, p->span->cause_id, rsp_attribute_label(a, p->span->out));
		return;
	case RSP_CAUSE_READER:
		wait_for_reader(a, p, p->span);
		return;
	case RSP_CAUSE_NET:
		wait_for_arrival(a, p, p->span->cause_id);
		return;
	case RSP_CAUSE_SLEEP:
		wait_for_timer(a, p, RSP_CAT_SLEEP);
		return;
	case RSP_CAUSE_TIMEOUT:
		wait_for_timer(a, p, RSP_CAT_TIMEOUT);
		return;
	case RSP_CAUSE_HARDWARE:
		wait_for_device(a, p);
		return;
	case RSP_CAUSE_KERNEL:
		wait_for_kernel(a, p);
		return;
	}
	wait_without_end(a, p);
}

/* The whole loop is a wait for the arrival that ended it. */
static bool wait_for_polled_arrival(struct rsp_attribution *a, struct rsp_piece *p,
				    const struct rsp_poll *poll)
{
	const struct rsp_span *span = p->span;

	if (poll->last->cause != RSP_CAUSE_NET || p->from_ns >= poll->ended_ns)
		return false;
	rsp_used_poll(a->used, poll);
	if (p->to_ns > poll->ended_ns)
		p->to_ns = poll->ended_ns;
	p->span = poll->last;
	wait_for_arrival(a, p, poll->last->cause_id);
	p->span = span;
	return true;
}

static bool wait_for_polled_thread(struct rsp_attribution *a, struct rsp_piece *p,
				   const struct rsp_poll *poll)
{
	if (poll->worker == RSP_NO_THREAD || p->from_ns >= poll->ready_ns ||
	    !rsp_attribute_may_follow(a, poll->worker))
		return false;
	rsp_used_poll(a->used, poll);
	if (p->to_ns > poll->ready_ns)
		p->to_ns = poll->ready_ns;
	if (rsp_attribute_idle_in_pool(a, p, poll->last))
		return true;
	p->until_ns = poll->ready_ns;
	if (poll->last->cause == RSP_CAUSE_READER) {
		wait_for_reader(a, p, poll->last);
		return true;
	}
	if (poll->is_inferred)
		p->flags |= RSP_HOP_INFERRED | RSP_HOP_POLLS;
	rsp_attribute_follow(a, p, poll->worker, rsp_attribute_label(a, poll->last->out));
	return true;
}

/* All sleeps of the loop wait for the event that ends the last sleep. */
bool rsp_attribute_polled(struct rsp_attribution *a, struct rsp_piece *p)
{
	const struct rsp_poll *poll = rsp_polls_find(a->polls, rsp_piece_thread(a, p), p->span);

	if (!poll || poll->sleep_cnt == 1)
		return false;
	return wait_for_polled_arrival(a, p, poll) || wait_for_polled_thread(a, p, poll);
}
