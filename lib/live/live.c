/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See live.h. */
#include "lib/live/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/syscalls.h"
#include "lib/live/live-parts.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/owner.h"
#include "lib/trace/trace-sort.h"

#define TASK_UNINTERRUPTIBLE 0x2
#define TASK_ENDED	     0xb0 /* EXIT_DEAD, EXIT_ZOMBIE, TASK_DEAD */
#define TASK_NOLOAD	     0x400

/* --- processes and threads -------------------------------------------------------------------- */

static int process_of(struct rsp_live *live, __u32 tgid, __u32 *ret)
{
	struct rsp_live_process_state *p;
	uint64_t i;
	int r;

	if (rsp_idmap_get(&live->process_of, tgid, &i)) {
		*ret = (__u32)i;
		return 0;
	}
	if (live->free_processes.cnt) {
		i = live->free_processes.v[--live->free_processes.cnt];
		p = &live->processes.v[i];
	} else {
		p = rsp_array_add(&live->processes);
		if (!p)
			return -ENOMEM;
		i = live->processes.cnt - 1;
	}
	*p = (struct rsp_live_process_state){.tgid = tgid, .used = true};
	r = rsp_idmap_put(&live->process_of, tgid, i);
	*ret = (__u32)i;
	return r;
}

struct rsp_live_thread *rsp_live_thread(const struct rsp_live *live, __u32 tid)
{
	uint64_t i;

	return rsp_idmap_get(&live->thread_of, tid, &i) ? &live->threads.v[i] : NULL;
}

static struct rsp_live_thread *add_thread(struct rsp_live *live, __u32 tid)
{
	struct rsp_live_thread *t;
	__u32 process;
	uint64_t i;

	if (process_of(live, tid, &process) < 0)
		return NULL;
	if (live->free_threads.cnt) {
		i = live->free_threads.v[--live->free_threads.cnt];
		t = &live->threads.v[i];
	} else {
		t = rsp_array_add(&live->threads);
		if (!t)
			return NULL;
		i = live->threads.cnt - 1;
	}
	*t = (struct rsp_live_thread){.tid = tid, .process = process, .used = true, .comm = "?"};
	live->processes.v[process].thread_cnt++;
	return rsp_idmap_put(&live->thread_of, tid, i) < 0 ? NULL : t;
}

static struct rsp_live_thread *thread_of(struct rsp_live *live, __u32 tid)
{
	struct rsp_live_thread *t = rsp_live_thread(live, tid);

	return t ? t : add_thread(live, tid);
}

/*
 * A process without threads stays until the next call of rsp_live_look(), which still shows its
 * time.
 */
static void leave_process(struct rsp_live *live, __u32 process)
{
	struct rsp_live_process_state *p = &live->processes.v[process];

	if (p->thread_cnt)
		p->thread_cnt--;
}

static void remove_thread(struct rsp_live *live, __u32 tid)
{
	struct rsp_live_thread *t = rsp_live_thread(live, tid);
	__u32 *slot;

	if (!t)
		return;
	leave_process(live, t->process);
	t->used = false;
	rsp_idmap_remove(&live->thread_of, tid);
	slot = rsp_array_add(&live->free_threads);
	if (slot)
		*slot = (__u32)(t - live->threads.v);
}

/* --- time ------------------------------------------------------------------------------------- */

/* Converts a timestamp to the time of a clock that stops while the recorder pauses. */
static __u64 seen_ns(const struct rsp_live *live, __u64 ts_ns)
{
	return ts_ns > live->paused_ns ? ts_ns - live->paused_ns : 0;
}

__u64 rsp_live_place(const struct rsp_live_thread *t)
{
	return (t->object ^ t->ustack * 0x9e3779b97f4a7c15ULL) + (__u64)(__u32)t->syscall_nr + 1;
}

static bool waits_for_work(const struct rsp_live_thread *t, __u64 now_ns)
{
	bool can_be_interrupted = !(t->prev_state & TASK_UNINTERRUPTIBLE) ||
				  t->prev_state & TASK_NOLOAD;

	if (t->flags & RSP_SW_IOWAIT || !can_be_interrupted)
		return false;
	if (t->is_kthread || t->flags & RSP_SW_SLEEP || rsp_syscall_accepts(t->syscall_nr) ||
	    rsp_syscall_awaits_signal(t->syscall_nr))
		return true;
	if (rsp_syscall_polls(t->syscall_nr))
		return !t->question_sk;
	return now_ns > t->since_ns + RSP_LIVE_IDLE_NS;
}

enum rsp_live_category rsp_live_category(const struct rsp_live *live,
					 const struct rsp_live_thread *t, __u64 now_ns)
{
	switch (t->state) {
	case RSP_LIVE_RUNS:
		return RSP_LIVE_CPU;
	case RSP_LIVE_WANTS:
		return RSP_LIVE_QUEUE;
	case RSP_LIVE_BLOCKED:
		break;
	default:
		return RSP_LIVE_IDLE;
	}
	if (waits_for_work(t, now_ns))
		return RSP_LIVE_IDLE;
	if (t->flags & RSP_SW_IOWAIT)
		return RSP_LIVE_DISK;
	if (t->flags & RSP_SW_FUTEX)
		return RSP_LIVE_LOCK;
	if (t->question_sk || rsp_live_socket(live, t->object))
		return RSP_LIVE_NET;
	return RSP_LIVE_OTHER;
}

static void account(struct rsp_live *live, struct rsp_live_thread *t, __u64 now_ns)
{
	__u64 to = seen_ns(live, now_ns), from = t->seen_since_ns;

	if (from < live->look_seen_ns)
		from = live->look_seen_ns;
	if (t->state != RSP_LIVE_UNKNOWN && to > from)
		live->processes.v[t->process].cat_ns[rsp_live_category(live, t, now_ns)] += to -
											    from;
}

static void set_state(struct rsp_live *live, struct rsp_live_thread *t, enum rsp_live_state state,
		      __u64 ts_ns)
{
	account(live, t, ts_ns);
	t->state = (__u8)state;
	t->since_ns = ts_ns;
	t->seen_since_ns = seen_ns(live, ts_ns);
	t->at_least = false;
}

/* --- events ----------------------------------------------------------------------------------- */

static void block(struct rsp_live *live, struct rsp_live_thread *t, const struct rsp_ev_switch *sw)
{
	set_state(live, t, RSP_LIVE_BLOCKED, sw->hdr.ts_ns);
	t->at_least = sw->hdr.flags & RSP_SW_SEED;
	t->flags = sw->hdr.flags;
	t->is_kthread = sw->hdr.flags & RSP_SW_KTHREAD;
	t->prev_state = sw->prev_state;
	t->syscall_nr = sw->syscall_nr;
	t->object = sw->object;
	t->kstack = sw->kstack;
	t->ustack = sw->ustack;
}

static int leave_cpu(struct rsp_live *live, const struct rsp_ev_switch *sw)
{
	struct rsp_live_thread *t;

	if (!sw->prev_tid)
		return 0;
	if (sw->prev_state & TASK_ENDED) {
		t = rsp_live_thread(live, sw->prev_tid);
		if (t)
			account(live, t, sw->hdr.ts_ns);
		remove_thread(live, sw->prev_tid);
		return 0;
	}
	t = thread_of(live, sw->prev_tid);
	if (!t)
		return -ENOMEM;
	if (sw->hdr.flags & RSP_SW_SAME) {
		/*
		 * The thread has been in its state since before the pause, so this state is kept.
		 * But earlier records may not show that a thread runs.
		 */
		if (!sw->prev_state && t->state != RSP_LIVE_RUNS)
			set_state(live, t, RSP_LIVE_RUNS, sw->hdr.ts_ns);
		return 0;
	}
	if (sw->hdr.flags & RSP_SW_PREEMPTED || !sw->prev_state)
		set_state(live, t, RSP_LIVE_WANTS, sw->hdr.ts_ns);
	else
		block(live, t, sw);
	return 0;
}

/*
 * If a thread other than sw->prev_tid was on the CPU, the record of its switch is missing, and its
 * state becomes unknown.
 */
static void correct_cpu(struct rsp_live *live, const struct rsp_ev_switch *sw)
{
	struct rsp_live_thread *t;
	__u32 *on_cpu;

	if (sw->hdr.cpu >= RSP_LIVE_CPUS_MAX)
		return;
	on_cpu = &live->on_cpu[sw->hdr.cpu];
	if (*on_cpu && *on_cpu != sw->prev_tid) {
		t = rsp_live_thread(live, *on_cpu);
		if (t && t->state == RSP_LIVE_RUNS) {
			t->state = RSP_LIVE_UNKNOWN;
			t->at_least = true;
		}
	}
	*on_cpu = sw->next_tid;
}

static int on_switch(struct rsp_live *live, const struct rsp_ev_switch *sw)
{
	bool is_switch = !(sw->hdr.flags & (RSP_SW_SEED | RSP_SW_CARRIED));
	struct rsp_live_thread *t;
	int r;

	if (is_switch)
		correct_cpu(live, sw);
	r = leave_cpu(live, sw);
	if (r < 0 || !is_switch || !sw->next_tid)
		return r;
	t = thread_of(live, sw->next_tid);
	if (!t)
		return -ENOMEM;
	set_state(live, t, RSP_LIVE_RUNS, sw->hdr.ts_ns);
	return 0;
}

static __u32 waker_of(const struct rsp_live *live, const struct rsp_ev_waking *waking)
{
	const struct rsp_live_sock *sock, *peer;

	if (waking->context == RSP_WAKE_TASK)
		return waking->waker_tid;
	if (waking->context != RSP_WAKE_NET)
		return 0;
	sock = rsp_live_find_sock(live, waking->cause);
	peer = sock ? rsp_live_peer(live, rsp_live_socket(live, sock->socket)) : NULL;
	return peer ? peer->sender : 0;
}

static int on_waking(struct rsp_live *live, const struct rsp_ev_waking *waking)
{
	struct rsp_live_thread *t = waking->wakee_tid ? thread_of(live, waking->wakee_tid) : NULL;

	if (!waking->wakee_tid)
		return 0;
	if (!t)
		return -ENOMEM;
	if (t->state == RSP_LIVE_BLOCKED && waking->hdr.ts_ns >= t->since_ns) {
		__u32 waker = waker_of(live, waking);

		t->woken_place = waker ? rsp_live_place(t) : 0;
		t->woken_by = waker;
	}
	/*
	 * A thread that is about to sleep may be woken before it leaves its CPU. It then continues
	 * to run.
	 */
	if (t->state != RSP_LIVE_RUNS)
		set_state(live, t, RSP_LIVE_WANTS, waking->hdr.ts_ns);
	return 0;
}

static int on_task(struct rsp_live *live, const struct rsp_ev_task *task)
{
	struct rsp_live_thread *t = thread_of(live, task->tid);
	struct rsp_live_process_state *p;
	__u32 process;
	int r = t ? process_of(live, task->tgid, &process) : -ENOMEM;

	if (r < 0)
		return r;
	p = &live->processes.v[process];
	if (t->process != process) {
		leave_process(live, t->process);
		p->thread_cnt++;
		t->process = process;
	}
	memcpy(t->comm, task->comm, sizeof(t->comm));
	t->comm[sizeof(t->comm) - 1] = '\0';
	t->is_kthread = task->attrs & RSP_TASK_ATTR_KTHREAD;
	t->ptid = task->ptid;
	if (task->tid == task->tgid || !p->comm[0])
		memcpy(p->comm, t->comm, sizeof(p->comm));
	p->is_kthread = t->is_kthread;
	p->is_open = rsp_task_is_open(task);
	p->cgroup_id = task->cgroup_id;
	return 0;
}

static int on_net(struct rsp_live *live, const struct rsp_ev_net *net)
{
	const struct rsp_ev_socket *socket = rsp_live_socket(live, net->object);
	struct rsp_live_sock *sock = rsp_live_sock(live, net->sk);
	struct rsp_live_thread *t = rsp_live_thread(live, net->tid);

	if (!sock)
		return -ENOMEM;
	if (net->object)
		sock->socket = net->object;
	if (net->hdr.flags & RSP_NET_SEND) {
		sock->sender = net->tid;
		if (sock->arrived_ns > live->pause_end_ns && net->hdr.ts_ns >= sock->arrived_ns) {
			__u64 ns = net->hdr.ts_ns - sock->arrived_ns;

			sock->answered_cnt++;
			sock->sum_ns += ns;
			if (ns > sock->max_ns)
				sock->max_ns = ns;
		}
		sock->arrived_ns = 0;
		if (t && socket && socket->hdr.flags & RSP_SOCKET_CONNECTED)
			t->question_sk = net->sk;
	}
	if (net->hdr.flags & RSP_NET_READY) {
		/*
		 * A request that arrived before the end of the last pause may have been answered in
		 * the pause, so the new request replaces it.
		 */
		if (socket && socket->hdr.flags & RSP_SOCKET_ACCEPTED &&
		    sock->arrived_ns <= live->pause_end_ns)
			sock->arrived_ns = net->hdr.ts_ns;
		t = sock->sender ? rsp_live_thread(live, sock->sender) : NULL;
		if (t && t->question_sk == net->sk)
			t->question_sk = 0;
	}
	if (net->hdr.flags & RSP_NET_CLOSE) {
		sock->arrived_ns = 0;
		t = rsp_live_thread(live, sock->sender);
		if (t && t->question_sk == net->sk)
			t->question_sk = 0;
	}
	return 0;
}

/*
 * The SOCKET record of either end of a unix socket contains the sk of both ends. For other sockets,
 * returns the SOCKET ID instead.
 */
static __u64 end_of(const struct rsp_live *live, __u64 object, __u64 other)
{
	const struct rsp_ev_socket *own = rsp_live_socket(live, object);
	const struct rsp_ev_socket *peer = rsp_live_socket(live, other);

	if (rsp_socket_is_unix(own))
		return own->sk;
	return rsp_socket_is_unix(peer) ? peer->un.peer : object;
}

static int on_message(struct rsp_live *live, const struct rsp_ev_message *message)
{
	struct rsp_ev_net net = {.hdr = message->hdr, .tid = message->tid};
	int r = 0;

	if (message->from) {
		net.hdr.flags = RSP_NET_SEND;
		net.object = message->from;
		net.sk = end_of(live, message->from, message->to);
		r = on_net(live, &net);
	}
	if (r == 0 && message->to) {
		net.hdr.flags = RSP_NET_READY;
		net.object = message->to;
		net.sk = end_of(live, message->to, message->from);
		r = on_net(live, &net);
	}
	return r;
}

/*
 * A wait that began before the end of a pause may have ended and begun again during the pause, so
 * put_row() in waits.c marks it.
 */
static void on_lost(struct rsp_live *live, const struct rsp_ev_lost *lost)
{
	__u64 from_ns = lost->from_ns;

	live->lost_cnt += lost->lost_cnt;
	if (!(lost->hdr.flags & RSP_LOST_PAUSED))
		return;
	if (from_ns < live->pause_end_ns)
		from_ns = live->pause_end_ns;
	if (lost->hdr.ts_ns > from_ns) {
		live->paused_ns += lost->hdr.ts_ns - from_ns;
		live->pause_end_ns = lost->hdr.ts_ns;
	}
}

static int apply(struct rsp_live *live, const struct rsp_ev_hdr *rec)
{
	const struct rsp_ev_exit *end = (const void *)rec;
	struct rsp_live_thread *t;

	switch (rec->kind) {
	case RSP_EV_SWITCH:
		return on_switch(live, (const void *)rec);
	case RSP_EV_WAKING:
		return on_waking(live, (const void *)rec);
	case RSP_EV_SAMPLE:
		return rsp_live_count(live, (const void *)rec);
	case RSP_EV_NET:
		return on_net(live, (const void *)rec);
	case RSP_EV_MESSAGE:
		return on_message(live, (const void *)rec);
	case RSP_EV_TASK:
		return on_task(live, (const void *)rec);
	case RSP_EV_EXIT:
		t = rsp_live_thread(live, end->tid);
		if (t)
			account(live, t, rec->ts_ns);
		remove_thread(live, end->tid);
		return 0;
	case RSP_EV_LOST:
		on_lost(live, (const void *)rec);
		return 0;
	default:
		return 0;
	}
}

/* --- batches ---------------------------------------------------------------------------------- */

struct batch {
	const struct rsp_ev_hdr **v;
	size_t cnt, cap;
};

static void batch_done(struct batch *batch)
{
	free(batch->v);
}

/*
 * The caller applies the events later, because an event may come before the record to which it
 * refers.
 */
static int collect(struct rsp_live *live, const void *records, size_t len, __u64 since_ns,
		   struct batch *batch)
{
	const struct rsp_ev_hdr *rec, **slot;
	size_t off = 0;
	int r;

	while (len && rsp_record_next(records, len, &off, &rec) > 0) {
		r = rsp_live_learn(live, rec);
		if (r < 0)
			return r;
		if (rec->kind == RSP_EV_STACK || rec->kind == RSP_EV_OBJECT ||
		    rec->kind == RSP_EV_SOCKET || rec->kind == RSP_EV_BINARY ||
		    rec->ts_ns < since_ns)
			continue;
		slot = rsp_array_add(batch);
		if (!slot)
			return -ENOMEM;
		*slot = rec;
	}
	return 0;
}

int rsp_live_feed(struct rsp_live *live, const void *records, size_t len, __u64 since_ns)
{
	_cleanup_(batch_done) struct batch batch = {0};
	int r = collect(live, records, len, since_ns, &batch);

	if (r == 0)
		r = rsp_trace_sort(batch.v, batch.cnt);
	for (size_t i = 0; i < batch.cnt && r == 0; i++) {
		r = apply(live, batch.v[i]);
		if (batch.v[i]->ts_ns > live->newest_ns)
			live->newest_ns = batch.v[i]->ts_ns;
	}
	live->event_cnt += batch.cnt;
	return r;
}

void rsp_live_begin(struct rsp_live *live, __u64 since_ns)
{
	live->look_ns = since_ns;
	live->look_seen_ns = seen_ns(live, since_ns);
}

/* --- life ------------------------------------------------------------------------------------- */

int rsp_live_new(const struct rsp_live_namer *namer, struct rsp_live **ret)
{
	struct rsp_live *live = calloc(1, sizeof(*live));

	if (!live)
		return -ENOMEM;
	live->namer = *namer;
	live->on_cpu = calloc(RSP_LIVE_CPUS_MAX, sizeof(*live->on_cpu));
	if (!live->on_cpu) {
		free(live);
		return -ENOMEM;
	}
	*ret = live;
	return 0;
}

struct rsp_live *rsp_live_free(struct rsp_live *live)
{
	if (!live)
		return NULL;
	rsp_live_things_done(live);
	rsp_idmap_done(&live->thread_of);
	rsp_idmap_done(&live->process_of);
	rsp_idmap_done(&live->name_of);
	rsp_idmap_done(&live->count_of);
	rsp_intern_done(&live->names);
	free(live->threads.v);
	free(live->processes.v);
	free(live->free_threads.v);
	free(live->free_processes.v);
	free(live->counts.v);
	free(live->on_cpu);
	free(live);
	return NULL;
}

/* --- a look ----------------------------------------------------------------------------------- */

static void remove_processes(struct rsp_live *live)
{
	for (size_t i = 0; i < live->processes.cnt; i++) {
		struct rsp_live_process_state *p = &live->processes.v[i];
		__u32 *slot;

		memset(p->cat_ns, 0, sizeof(p->cat_ns));
		if (!p->used || p->thread_cnt)
			continue;
		slot = rsp_array_add(&live->free_processes);
		if (!slot)
			continue;
		*slot = (__u32)i;
		p->used = false;
		rsp_idmap_remove(&live->process_of, p->tgid);
	}
}

void rsp_live_look(struct rsp_live *live, const struct rsp_live_how *how, struct rsp_live_view *ret)
{
	__u64 now_ns = how->now_ns;

	memset(ret, 0, offsetof(struct rsp_live_view, functions));
	if (now_ns < live->newest_ns)
		now_ns = live->newest_ns;
	for (size_t i = 0; i < live->threads.cnt; i++) {
		if (!live->threads.v[i].used)
			continue;
		account(live, &live->threads.v[i], now_ns);
		ret->thread_cnt++;
	}
	ret->now_ns = now_ns;
	ret->span_ns = now_ns - live->look_ns;
	ret->seen_ns = seen_ns(live, now_ns) - live->look_seen_ns;
	ret->event_cnt = live->event_cnt;
	ret->lost_cnt = live->lost_cnt;
	rsp_live_put_functions(live, how, ret);
	rsp_live_put_waiters(live, how, ret);
	rsp_live_put_servers(live, how, ret);
	rsp_live_put_processes(live, how, ret);
	remove_processes(live);
	live->look_ns = now_ns;
	live->look_seen_ns = seen_ns(live, now_ns);
	live->event_cnt = live->lost_cnt = 0;
}
