/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cause of the end of a wait from the context of the wakeup. Wakeups must be resolved in
 * order of time, because the functions need the state of requests and sockets at the time of the
 * wakeup.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "lib/base/syscalls.h"
#include "lib/model/model-parts.h"
#include "lib/model/roots.h"

/* Softirq vectors, from include/linux/interrupt.h in the kernel. */
enum {
	VEC_NET_TX = 2,
	VEC_NET_RX = 3,
};

static int arrive(struct rsp_model *m, const struct rsp_ev_socket *sock,
		  const struct rsp_ev_waking *waking, struct rsp_span *blocked)
{
	uint64_t current = RSP_NO_THREAD, receiver = RSP_NO_THREAD;
	int r;

	rsp_idmap_get(&m->thread_of, waking->waker_tid, &current);
	rsp_idmap_get(&m->thread_of, waking->wakee_tid, &receiver);
	blocked->cause = RSP_CAUSE_NET;
	r = rsp_ops_arrive(&m->ops, sock, waking->hdr.ts_ns, (__u32)current, &blocked->cause_id);
	if (r == 0)
		m->ops.arrivals.v[blocked->cause_id].receiver = (__u32)receiver;
	return r;
}

static int of_disk(struct rsp_model *m, const struct rsp_ev_waking *waking,
		   struct rsp_span *blocked)
{
	uint64_t wakee = RSP_NO_THREAD;
	int r;

	rsp_idmap_get(&m->thread_of, waking->wakee_tid, &wakee);
	r = rsp_ops_complete(&m->ops, waking->cause, (__u32)wakee, &blocked->cause_id);
	blocked->cause = r == 0 ? RSP_CAUSE_DISK : RSP_CAUSE_KERNEL;
	return r == -ENOENT ? 0 : r;
}

static int of_task(struct rsp_model *m, const struct rsp_ev_waking *waking,
		   struct rsp_span *blocked)
{
	blocked->cause = RSP_CAUSE_KERNEL;
	if (waking->waker_tid == 0)
		return 0;
	blocked->cause = RSP_CAUSE_TASK;
	return rsp_model_thread(m, waking->waker_tid, &blocked->cause_id);
}

/*
 * Returns the socket whose full buffer the thread may wait for: the object of a write or, if the
 * thread polls, the socket of its last send. A recorder that records sends also records the arrival
 * of data, so arriving data did not end this poll.
 */
static const struct rsp_ev_socket *full_socket(const struct rsp_model *m,
					       const struct rsp_ev_waking *waking,
					       const struct rsp_ev_switch *out)
{
	uint64_t wakee;

	if (rsp_syscall_writes(out->syscall_nr))
		return rsp_trace_socket(m->trace, out->object);
	if (!rsp_syscall_polls(out->syscall_nr) ||
	    !rsp_idmap_get(&m->thread_of, waking->wakee_tid, &wakee))
		return NULL;
	return rsp_ops_sent_on(&m->ops, (__u32)wakee);
}

/* Returns whether the task may be the reader: no process has sent at the other end, or its own. */
static bool is_peer(const struct rsp_model *m, const struct rsp_ev_socket *sock,
		    const struct rsp_ev_task *task)
{
	__u32 peer = rsp_ops_server(&m->ops, sock);

	return peer == RSP_NO_THREAD || rsp_thread_tgid(m, peer) == task->tgid;
}

/*
 * Returns whether the reader at the other end ended the wait, by making room in the full buffer. On
 * one host, the packet that reports the room is delivered in the context of the reading thread.
 */
static bool is_for_reader(const struct rsp_model *m, const struct rsp_ev_waking *waking,
			  const struct rsp_ev_switch *out)
{
	const struct rsp_ev_task *task = rsp_trace_task(m->trace, waking->waker_tid,
							waking->hdr.ts_ns);
	const struct rsp_ev_socket *sock = full_socket(m, waking, out);

	return sock && sock->protocol == IPPROTO_TCP && waking->waker_tid && task &&
	       !(task->attrs & RSP_TASK_ATTR_KTHREAD) && rsp_ops_is_local(&m->ops, sock) &&
	       (rsp_syscall_writes(out->syscall_nr) || is_peer(m, sock, task));
}

static int of_softirq(struct rsp_model *m, const struct rsp_ev_waking *waking,
		      struct rsp_span *blocked)
{
	const struct rsp_ev_switch *out = blocked->out;
	const struct rsp_ev_socket *sock;

	blocked->cause = RSP_CAUSE_KERNEL;
	if (!out || (waking->cause != VEC_NET_RX && waking->cause != VEC_NET_TX))
		return 0;
	if (is_for_reader(m, waking, out)) {
		blocked->cause = RSP_CAUSE_READER;
		return rsp_model_thread(m, waking->waker_tid, &blocked->cause_id);
	}
	sock = rsp_trace_socket(m->trace, out->object);
	return sock ? arrive(m, sock, waking, blocked) : 0;
}

static bool waits_for_timer_file(const struct rsp_model *m, const struct rsp_ev_switch *out)
{
	const struct rsp_ev_object *obj = rsp_trace_object(m->trace, out->object);

	return obj && obj->type == RSP_OBJ_ANON &&
	       (strcmp(obj->name, "[timerfd]") == 0 || strcmp(obj->name, "[signalfd]") == 0);
}

/* The name must decide, because a signal may interrupt any system call. */
static bool sends_signal(const struct rsp_model *m, __u64 function)
{
	struct rsp_frame frame;

	return rsp_trace_frames(m->trace, function, &frame, 1) == 1 &&
	       (strcmp(frame.symbol, "it_real_fn") == 0 ||
		strcmp(frame.symbol, "posix_timer_fn") == 0);
}

static enum rsp_cause cause_of_ktimer(const struct rsp_model *m, const struct rsp_ev_switch *out,
				      __u64 function)
{
	if (!out)
		return RSP_CAUSE_KERNEL;
	if ((out->hdr.flags & RSP_SW_TIMEOUT) || waits_for_timer_file(m, out))
		return RSP_CAUSE_TIMEOUT;
	if (rsp_syscall_polls(out->syscall_nr) || rsp_syscall_awaits_signal(out->syscall_nr))
		return RSP_CAUSE_TIMEOUT;
	if (sends_signal(m, function))
		return RSP_CAUSE_TIMEOUT;
	return RSP_CAUSE_KERNEL;
}

static __u32 unanswered_request_of(const struct rsp_model *m, const struct rsp_ev_waking *waking)
{
	uint64_t wakee;

	if (!rsp_idmap_get(&m->thread_of, waking->wakee_tid, &wakee))
		return RSP_NO_SENT_REQUEST;
	return rsp_ops_unanswered(&m->ops, (__u32)wakee);
}

/*
 * Finds the cause of a wait that an interrupt of unknown kind ended within a pause. A timer ends
 * nearly every deliberate sleep.
 */
static int of_unseen(struct rsp_model *m, const struct rsp_ev_waking *waking,
		     struct rsp_span *blocked)
{
	uint64_t wakee;

	if (blocked->flags & RSP_SW_SLEEP) {
		blocked->cause = RSP_CAUSE_SLEEP;
		blocked->cause_id = unanswered_request_of(m, waking);
		return 0;
	}
	if (!rsp_idmap_get(&m->thread_of, waking->wakee_tid, &wakee))
		return 0;
	return rsp_waker_unseen(m, (__u32)wakee, blocked);
}

int rsp_waker_resolve(struct rsp_model *m, const struct rsp_ev_waking *waking,
		      struct rsp_span *blocked)
{
	const struct rsp_ev_switch *out = blocked->out;

	blocked->waking = waking;
	switch (waking->context) {
	case RSP_WAKE_TASK:
		return of_task(m, waking, blocked);
	case RSP_WAKE_BLOCK:
		return of_disk(m, waking, blocked);
	case RSP_WAKE_NET:
		return arrive(m, rsp_ops_socket(&m->ops, waking->cause), waking, blocked);
	case RSP_WAKE_SOFTIRQ:
		return of_softirq(m, waking, blocked);
	case RSP_WAKE_TIMER:
		blocked->cause = out && (out->hdr.flags & RSP_SW_SLEEP) ? RSP_CAUSE_SLEEP
									: RSP_CAUSE_TIMEOUT;
		blocked->cause_id = unanswered_request_of(m, waking);
		return 0;
	case RSP_WAKE_KTIMER:
		blocked->cause = cause_of_ktimer(m, out, waking->cause);
		blocked->cause_id = unanswered_request_of(m, waking);
		return 0;
	case RSP_WAKE_HARDIRQ:
		blocked->cause = RSP_CAUSE_HARDWARE;
		return 0;
	case RSP_WAKE_UNSEEN:
		return of_unseen(m, waking, blocked);
	}
	blocked->cause = RSP_CAUSE_KERNEL;
	return 0;
}

int rsp_waker_unseen(struct rsp_model *m, __u32 thread, struct rsp_span *blocked)
{
	int r;

	if (blocked->kind != RSP_SPAN_BLOCKED || !(blocked->flags & RSP_SW_IOWAIT))
		return 0;
	r = rsp_ops_wait_unseen(&m->ops, thread, &blocked->cause_id);
	if (r == 0)
		blocked->cause = RSP_CAUSE_DISK;
	return r == -ENOENT ? 0 : r;
}

static bool is_of_client(const struct rsp_model *m, const struct rsp_arrival *arrival)
{
	__u32 own;

	if (arrival->receiver == RSP_NO_THREAD || arrival->sender == RSP_NO_THREAD)
		return true;
	own = rsp_thread_tgid(m, arrival->receiver);
	return rsp_thread_tgid(m, arrival->sender) != own &&
	       rsp_thread_parent_tgid(m, arrival->sender) != own;
}

void rsp_model_find_clients(struct rsp_model *m)
{
	for (size_t i = 0; i < m->ops.arrivals.cnt; i++) {
		struct rsp_arrival *arrival = &m->ops.arrivals.v[i];

		arrival->is_of_client = is_of_client(m, arrival);
		arrival->is_request &= arrival->is_of_client;
	}
}
