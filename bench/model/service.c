/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the streams service and service-threads (streams.h). Simulates a small machine, whose tasks
 * compute in bursts, and call other tasks, read files, send data, sleep or fork between bursts.
 */
#include "bench/model/streams.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LAYERS	   4
#define PER_LAYER  24
#define BACKGROUND 64
#define CHILDREN   64 /* maximum number of children alive at the same time */
#define TASKS	   (LAYERS * PER_LAYER + BACKGROUND + CHILDREN)
#define FILES	   200
#define SOCKETS	   20

#define BURST_NS 60000
#define SLICE_NS 3000000
#define TICK_NS	 10000000
#define DISK_NS	 200000
#define NET_NS	 400000
#define SLEEP_NS 5000000
#define IDLE_NS	 2000 /* time until an idle CPU runs a new task */

#define FILE_ID(i)   (0x1000ULL + (i))
#define SOCKET_ID(i) (0x2000ULL + (i))

enum kind { SERVICE, OTHER, CHILD };

struct task {
	__u32 tid, tgid;
	enum kind kind;
	unsigned int layer;
	unsigned int burst_cnt; /* bursts until the job is done */
	__u64 left_ns;		/* time until the burst ends */
	bool busy;		/* whether a service has a job */
	bool fresh;		/* whether a child has not run yet */
	__u64 object;
	struct task *caller;	    /* the task to wake when the job is done */
	struct task *first, **last; /* queued callers */
	struct task *next;	    /* in the run queue, or in the queue of a service */
};

enum happening { BURST_END, DISPATCH, DISK_ISSUE, DISK_DONE, NET_DONE, TIMER, TICK };

struct event {
	__u64 ns;
	enum happening what;
	unsigned int which; /* index of the CPU or task */
};

struct cpu {
	struct task *cur;
	__u64 slice_ns;
	bool coming; /* a DISPATCH event is in the heap */
};

struct machine {
	struct stream *s;
	struct task tasks[TASKS];
	struct cpu cpus[STREAM_CPUS];
	struct task *runnable, **runnable_end;
	struct event heap[4 * TASKS]; /* at most one event per task, one per CPU, and one TICK */
	size_t heap_cnt;
	__u32 last_child;
};

/* --- the heap of events ---------------------------------------------------------------------- */

static void at(struct machine *m, __u64 delay_ns, enum happening what, unsigned int which)
{
	struct event ev = {m->s->now_ns + delay_ns, what, which};
	size_t i = m->heap_cnt++, up;

	if (m->heap_cnt > sizeof(m->heap) / sizeof(m->heap[0]))
		errx(1, "too many events in the heap");
	for (; i > 0; i = up) {
		up = (i - 1) / 2;
		if (m->heap[up].ns <= ev.ns)
			break;
		m->heap[i] = m->heap[up];
	}
	m->heap[i] = ev;
}

static struct event take(struct machine *m)
{
	struct event ret = m->heap[0], ev = m->heap[--m->heap_cnt];
	size_t i = 0, down;

	while ((down = 2 * i + 1) < m->heap_cnt) {
		if (down + 1 < m->heap_cnt && m->heap[down + 1].ns < m->heap[down].ns)
			down++;
		if (ev.ns <= m->heap[down].ns)
			break;
		m->heap[i] = m->heap[down];
		i = down;
	}
	m->heap[i] = ev;
	return ret;
}

/* --- CPUs ------------------------------------------------------------------------------------- */

static __u16 number_of(const struct machine *m, const struct cpu *cpu)
{
	return (__u16)(cpu - m->cpus);
}

static void make_runnable(struct machine *m, struct task *t)
{
	unsigned int i;

	t->next = NULL;
	*m->runnable_end = t;
	m->runnable_end = &t->next;
	for (i = 0; i < STREAM_CPUS; i++)
		if (!m->cpus[i].cur && !m->cpus[i].coming) {
			m->cpus[i].coming = true;
			at(m, IDLE_NS, DISPATCH, i);
			return;
		}
}

static void go_on(struct machine *m, struct cpu *cpu)
{
	cpu->slice_ns = cpu->cur->left_ns < SLICE_NS ? cpu->cur->left_ns : SLICE_NS;
	at(m, cpu->slice_ns, BURST_END, number_of(m, cpu));
}

/*
 * Gives the CPU to the next task of the run queue. If the queue is empty, the CPU becomes idle.
 * prev: the task that leaves the CPU, or NULL if the CPU was idle; wait: the wait of prev.
 */
static void pass_on(struct machine *m, struct cpu *cpu, const struct task *prev,
		    const struct stream_wait *wait)
{
	struct task *t = m->runnable;

	if (t) {
		m->runnable = t->next;
		if (!m->runnable)
			m->runnable_end = &m->runnable;
	}
	cpu->cur = t;
	if (!t && !prev)
		return;
	stream_switch(m->s, number_of(m, cpu), prev ? prev->tid : 0, t ? t->tid : 0, wait);
	if (!t)
		return;
	if (t->fresh)
		stream_task(m->s, number_of(m, cpu), RSP_TASK_EXEC, t->tid, t->tgid, 0, "helper");
	t->fresh = false;
	go_on(m, cpu);
}

/* --- tasks between bursts --------------------------------------------------------------------- */

static unsigned int index_of(const struct machine *m, const struct task *t)
{
	return (unsigned int)(t - m->tasks);
}

static __u64 burst(struct stream *s)
{
	return stream_around(s, stream_below(s, 100) ? BURST_NS : 100 * BURST_NS);
}

static void wake(struct machine *m, const struct cpu *cpu, struct task *waker, struct task *t)
{
	stream_waking(m->s, number_of(m, cpu), waker->tid, t->tid, RSP_WAKE_TASK, 0,
		      t->fresh ? RSP_WK_NEW : 0);
	make_runnable(m, t);
}

static struct stream_wait call(struct machine *m, const struct cpu *cpu, struct task *t)
{
	unsigned int base = (t->layer + 1) * PER_LAYER, i;
	struct task *to = NULL;

	for (i = 0; i < 4 && (!to || to->busy); i++)
		to = &m->tasks[base + stream_below(m->s, PER_LAYER)];
	if (to->busy) {
		t->next = NULL;
		*to->last = t;
		to->last = &t->next;
	} else {
		to->busy = true;
		to->caller = t;
		to->burst_cnt = 1 + stream_below(m->s, 4);
		wake(m, cpu, t, to);
	}
	return (struct stream_wait){0, 45, 0, t->layer * 2 + stream_below(m->s, 2)};
}

static struct stream_wait read_file(struct machine *m, const struct cpu *cpu, struct task *t)
{
	t->object = FILE_ID(stream_below(m->s, FILES));
	stream_block(m->s, number_of(m, cpu), RSP_BLK_INSERT, t->tid, t->tid, t->object);
	at(m, stream_around(m->s, DISK_NS / 8), DISK_ISSUE, index_of(m, t));
	return (struct stream_wait){RSP_SW_IOWAIT, 0, t->object, 20 + stream_below(m->s, 4)};
}

static struct stream_wait send(struct machine *m, const struct cpu *cpu, struct task *t)
{
	t->object = SOCKET_ID(stream_below(m->s, SOCKETS));
	stream_net(m->s, number_of(m, cpu), RSP_NET_SEND, t->tid, t->object);
	at(m, stream_around(m->s, NET_NS), NET_DONE, index_of(m, t));
	return (struct stream_wait){0, 45, t->object, 30 + stream_below(m->s, 4)};
}

static struct stream_wait sleep_for(struct machine *m, struct task *t)
{
	at(m, stream_around(m->s, SLEEP_NS), TIMER, index_of(m, t));
	return (struct stream_wait){RSP_SW_SLEEP, 230, 0, 40};
}

static int fork_one(struct machine *m, const struct cpu *cpu, struct task *t)
{
	struct task *child = &m->tasks[TASKS - 1 - stream_below(m->s, CHILDREN)];

	if (child->busy)
		return -1;
	*child = (struct task){
		.tid = ++m->last_child,
		.tgid = m->last_child,
		.kind = CHILD,
		.burst_cnt = 3,
		.left_ns = burst(m->s),
		.busy = true,
		.fresh = true,
		.caller = t,
	};
	stream_task(m->s, number_of(m, cpu), RSP_TASK_FORK, child->tid, child->tgid, t->tid, "app");
	wake(m, cpu, t, child);
	return 0;
}

static struct stream_wait one_thing(struct machine *m, const struct cpu *cpu, struct task *t)
{
	unsigned int dice = stream_below(m->s, 100);

	if (dice < 50 && t->kind == SERVICE && t->layer < LAYERS - 1)
		return call(m, cpu, t);
	if (dice == 50 && t->kind == SERVICE && fork_one(m, cpu, t) == 0)
		return (struct stream_wait){0, 61, 0, 50};
	if (dice < 75)
		return read_file(m, cpu, t);
	if (dice < 98)
		return send(m, cpu, t);
	return sleep_for(m, t);
}

/* Returns false if another job was queued, true if the task must wait. */
static bool finish_job(struct machine *m, const struct cpu *cpu, struct task *t)
{
	if (t->kind == CHILD)
		stream_exit(m->s, number_of(m, cpu), t->tid, t->tgid);
	wake(m, cpu, t, t->caller);
	t->caller = t->first;
	if (t->caller) {
		t->first = t->first->next;
		if (!t->first)
			t->last = &t->first;
		t->burst_cnt = 1 + stream_below(m->s, 4);
	}
	t->busy = t->caller;
	return !t->busy;
}

static void end_burst(struct machine *m, struct cpu *cpu)
{
	struct task *t = cpu->cur;
	struct stream_wait wait = {0, 232, 0, 60 + t->layer}; /* epoll_wait(), for the next job */

	t->left_ns -= cpu->slice_ns;
	if (t->left_ns > 0) {
		if (!m->runnable) {
			go_on(m, cpu);
			return;
		}
		make_runnable(m, t);
		pass_on(m, cpu, t, &(struct stream_wait){.flags = RSP_SW_PREEMPTED});
		return;
	}
	t->left_ns = burst(m->s);
	if (t->burst_cnt == 0 && t->caller) {
		if (!finish_job(m, cpu, t)) {
			go_on(m, cpu);
			return;
		}
	} else {
		t->burst_cnt -= t->burst_cnt > 0;
		wait = t->kind == OTHER ? sleep_for(m, t) : one_thing(m, cpu, t);
	}
	m->s->now_ns += 500;
	pass_on(m, cpu, t, &wait);
}

/* --- the end of waits ------------------------------------------------------------------------- */

/*
 * Handles an interrupt on a random CPU, which may be idle. DISK_ISSUE starts the disk request of t;
 * each other event ends the wait of t.
 */
static void interrupt(struct machine *m, struct task *t, enum happening what)
{
	__u16 cpu = (__u16)stream_below(m->s, STREAM_CPUS);
	__u32 over = m->cpus[cpu].cur ? m->cpus[cpu].cur->tid : 0;

	switch (what) {
	case DISK_ISSUE:
		stream_block(m->s, cpu, RSP_BLK_ISSUE, t->tid, over, t->object);
		at(m, stream_around(m->s, DISK_NS), DISK_DONE, index_of(m, t));
		return;
	case DISK_DONE:
		stream_block(m->s, cpu, RSP_BLK_COMPLETE, t->tid, over, t->object);
		stream_waking(m->s, cpu, over, t->tid, RSP_WAKE_BLOCK, t->tid, 0);
		break;
	case NET_DONE:
		stream_net(m->s, cpu, RSP_NET_READY, over, t->object);
		stream_waking(m->s, cpu, over, t->tid, RSP_WAKE_NET, t->object, 0);
		break;
	default:
		stream_waking(m->s, cpu, over, t->tid, RSP_WAKE_TIMER, 0, 0);
	}
	make_runnable(m, t);
}

static void tick(struct machine *m)
{
	__u16 i;

	for (i = 0; i < STREAM_CPUS; i++)
		if (m->cpus[i].cur)
			stream_sample(m->s, i, m->cpus[i].cur->tid);
	at(m, TICK_NS, TICK, 0);
}

static void happen(struct machine *m, const struct event *ev)
{
	static const struct stream_wait idle;

	switch (ev->what) {
	case BURST_END:
		end_burst(m, &m->cpus[ev->which]);
		break;
	case DISPATCH:
		m->cpus[ev->which].coming = false;
		pass_on(m, &m->cpus[ev->which], NULL, &idle);
		break;
	case TICK:
		tick(m);
		break;
	default:
		interrupt(m, &m->tasks[ev->which], ev->what);
	}
}

/* --- the machine ------------------------------------------------------------------------------ */

/*
 * The first interest_cnt threads of the first layer belong to the process of interest, the others
 * to another process.
 */
static void populate(struct machine *m, unsigned int interest_cnt)
{
	static const char *const names[LAYERS] = {"app", "server", "database", "storage"};
	struct task *t = m->tasks;
	unsigned int i, tgid;

	for (i = 0; i < TASKS - CHILDREN; i++, t++) {
		t->kind = i < LAYERS * PER_LAYER ? SERVICE : OTHER;
		t->layer = t->kind == SERVICE ? i / PER_LAYER : 0;
		tgid = STREAM_TARGET * (1 + i / PER_LAYER);
		t->tid = tgid + i % PER_LAYER;
		if (i >= interest_cnt && i < PER_LAYER)
			tgid += interest_cnt;
		t->tgid = t->kind == SERVICE ? tgid : t->tid;
		t->last = &t->first;
		t->left_ns = burst(m->s);
		stream_task(m->s, 0, RSP_TASK_SEED, t->tid, t->tgid, 1,
			    t->kind == SERVICE ? names[t->layer] : "other");
		if (t->kind == SERVICE && t->layer > 0)
			stream_switch(m->s, 0, t->tid, 0,
				      &(struct stream_wait){RSP_SW_SEED, 232, 0, 60 + t->layer});
		else
			make_runnable(m, t);
	}
}

static void play(struct stream *s, unsigned int interest_cnt)
{
	struct machine *m = calloc(1, sizeof(*m));
	unsigned int i;

	if (!m)
		err(1, "calloc");
	m->s = s;
	m->runnable_end = &m->runnable;
	m->last_child = 100000;
	stream_stacks(s);
	for (i = 0; i < FILES; i++)
		stream_file(s, FILE_ID(i), i);
	for (i = 0; i < SOCKETS; i++)
		stream_socket(s, SOCKET_ID(i), i);
	populate(m, interest_cnt);
	at(m, TICK_NS, TICK, 0);
	while (!stream_full(s)) {
		struct event ev = take(m);

		if (ev.ns > s->now_ns)
			s->now_ns = ev.ns;
		happen(m, &ev);
	}
	free(m);
}

void service_play(struct stream *s)
{
	play(s, 4);
}

void service_play_threads(struct stream *s)
{
	play(s, PER_LAYER);
}
