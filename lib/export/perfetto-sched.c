/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes switches and wakeups as events of ftrace, from which Perfetto makes its scheduling tables.
 * During a pause or a loss, the idle task has the CPU.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/export/perfetto.h"

#define EVENTS_PER_BUNDLE 256

/*
 * The event sched_switch contains the bits of TASK_REPORT, and two more states in the bits above
 * them.
 */
#define REPORT_IDLE	       0x80
#define REPORT_PREEMPTED       0x100
#define STATE_NOLOAD	       0x402 /* TASK_UNINTERRUPTIBLE | TASK_NOLOAD */
#define STATE_DEAD	       0x80
#define STATE_RTLOCK	       0x1000
#define REPORT_UNINTERRUPTIBLE 0x2
#define REPORT_EXIT	       0x10
#define REPORT_MASK	       0x7f

/* Flags of a trace event that was recorded in an interrupt. */
#define TRACE_FLAG_HARDIRQ 0x08
#define TRACE_FLAG_SOFTIRQ 0x10

#define PRIO_DEFAULT 120

struct bundle {
	PB(FtraceEvent) events[EVENTS_PER_BUNDLE], *list[EVENTS_PER_BUNDLE];
	union {
		PB(SchedSwitchFtraceEvent) switches[EVENTS_PER_BUNDLE];
		PB(SchedWakingFtraceEvent) wakings[EVENTS_PER_BUNDLE];
		PB(SchedProcessFreeFtraceEvent) frees[EVENTS_PER_BUNDLE];
	};
	size_t cnt;
	__u32 cpu;
};

static void flush(struct rsp_perfetto *p, struct bundle *b)
{
	PB(FtraceEventBundle) message = PB_INIT(FTRACE_EVENT_BUNDLE);

	PB_SET(&message, cpu, b->cpu);
	message.n_event = b->cnt;
	message.event = b->list;
	if (b->cnt)
		rsp_perfetto_put_ftrace(p, &message);
	b->cnt = 0;
}

/* A bundle contains the events of one CPU. */
static PB(FtraceEvent) *
	add(struct rsp_perfetto *p, struct bundle *b, __u32 cpu, __u64 ts_ns, __u32 tid)
{
	PB(FtraceEvent) * event;

	if (b->cnt == EVENTS_PER_BUNDLE || b->cpu != cpu)
		flush(p, b);
	b->cpu = cpu;
	event = b->list[b->cnt] = &b->events[b->cnt];
	perfetto__protos__ftrace_event__init(event);
	PB_SET(event, timestamp, ts_ns);
	PB_SET(event, pid, tid);
	b->cnt++;
	return event;
}

/* --- switches --------------------------------------------------------------------------------- */

static __u32 reported_state(__u32 state)
{
	if ((state & STATE_NOLOAD) == STATE_NOLOAD)
		return REPORT_IDLE;
	if (state & STATE_DEAD)
		return REPORT_EXIT;
	if (state & STATE_RTLOCK)
		return REPORT_UNINTERRUPTIBLE;
	return state & REPORT_MASK;
}

static const char *comm_at(struct rsp_perfetto *p, __u32 thread, __u64 ts_ns)
{
	const struct rsp_model *m = p->x->model;

	if (thread == RSP_NO_THREAD)
		return "swapper";
	if (!rsp_thread_task(m, &m->threads.v[thread], ts_ns))
		return "";
	return rsp_names_text(p->x->names,
			      rsp_names_thread(p->x->names, &m->threads.v[thread], ts_ns));
}

static __u32 tid_of(const struct rsp_perfetto *p, __u32 thread)
{
	return thread == RSP_NO_THREAD ? 0 : p->x->model->threads.v[thread].tid;
}

struct run {
	__u64 from_ns, to_ns;
	__u32 thread, cpu;
	__u32 state; /* state of the thread after the run, in the form of sched_switch */
};

struct runs {
	struct run *v;
	size_t cnt, cap;
};

/*
 * If the run has no recorded end, or goes on after the exported span, the thread counts as
 * preempted.
 */
static __u32 state_after(const struct rsp_export *x, const struct rsp_thread *t,
			 const struct rsp_export_span *s)
{
	const struct rsp_ev_switch *out = s->span->out;

	if (!out || out->hdr.flags & RSP_SW_PREEMPTED || s->to_ns < rsp_span_end(t, s->index))
		return REPORT_PREEMPTED;
	return reported_state(out->prev_state);
}

static void find_runs(struct rsp_perfetto *p, struct runs *runs, __u32 thread)
{
	const struct rsp_thread *t = &p->x->model->threads.v[thread];
	struct rsp_export_span s;

	for (size_t i = 0; rsp_export_next_span(p->x, t, &i, &s) && !p->error;) {
		int cpu = s.span ? rsp_export_cpu(t, s.index) : -1;
		struct run *run;

		if (!s.span || s.span->kind != RSP_SPAN_RUN)
			continue;
		run = rsp_array_add(runs);
		if (!run) {
			p->error = -ENOMEM;
			return;
		}
		*run = (struct run){s.from_ns, s.to_ns, thread, cpu < 0 ? t->cpu : (__u32)cpu,
				    state_after(p->x, t, &s)};
	}
}

static int compare_runs(const void *pa, const void *pb)
{
	const struct run *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

/* NULL stands for the idle task. */
static void put_switch(struct rsp_perfetto *p, struct bundle *b, __u64 ts_ns,
		       const struct run *from, const struct run *to)
{
	__u32 prev = from ? from->thread : RSP_NO_THREAD, next = to ? to->thread : RSP_NO_THREAD;
	PB(FtraceEvent) *event = add(p, b, from ? from->cpu : to->cpu, ts_ns, tid_of(p, prev));
	PB(SchedSwitchFtraceEvent) *message = event->sched_switch = &b->switches[b->cnt - 1];

	perfetto__protos__sched_switch_ftrace_event__init(message);
	message->prev_comm = (char *)comm_at(p, prev, ts_ns ? ts_ns - 1 : 0);
	PB_SET(message, prev_pid, (int32_t)tid_of(p, prev));
	PB_SET(message, prev_prio, PRIO_DEFAULT);
	PB_SET(message, prev_state, from ? from->state : 0);
	message->next_comm = (char *)comm_at(p, next, ts_ns);
	PB_SET(message, next_pid, (int32_t)tid_of(p, next));
	PB_SET(message, next_prio, PRIO_DEFAULT);
}

/*
 * In a gap between two runs, the idle task has the CPU. Runs of the same tid without a gap are one
 * run for Perfetto, even if the thread or its name changed.
 */
static void put_switches(struct rsp_perfetto *p, struct bundle *b, const struct runs *runs)
{
	const struct run *last = NULL;

	for (size_t i = 0; i < runs->cnt && !p->error; i++) {
		const struct run *run = &runs->v[i];
		bool follows = last && last->cpu == run->cpu && last->to_ns >= run->from_ns;

		if (last && !follows)
			put_switch(p, b, last->to_ns, last, NULL);
		if (!follows || tid_of(p, last->thread) != tid_of(p, run->thread))
			put_switch(p, b, run->from_ns, follows ? last : NULL, run);
		last = run;
	}
	if (last)
		put_switch(p, b, last->to_ns, last, NULL);
	flush(p, b);
}

/* --- wakeups ---------------------------------------------------------------------------------- */

static __u32 flags_of(__u32 context)
{
	switch (context) {
	case RSP_WAKE_TASK:
		return 0;
	case RSP_WAKE_SOFTIRQ:
	case RSP_WAKE_NET:
	case RSP_WAKE_BLOCK:
		return TRACE_FLAG_SOFTIRQ;
	default:
		return TRACE_FLAG_HARDIRQ;
	}
}

static void put_waking(struct rsp_perfetto *p, struct bundle *b, const struct rsp_ev_waking *ev)
{
	PB(FtraceEvent) *event = add(p, b, ev->hdr.cpu, ev->hdr.ts_ns, ev->waker_tid);
	PB(SchedWakingFtraceEvent) *message = event->sched_waking = &b->wakings[b->cnt - 1];
	__u32 name = rsp_names_tid(p->x->names, ev->wakee_tid, ev->hdr.ts_ns);

	PB_SET(event, common_flags, flags_of(ev->context));
	perfetto__protos__sched_waking_ftrace_event__init(message);
	message->comm = (char *)rsp_names_text(p->x->names, name);
	PB_SET(message, pid, (int32_t)ev->wakee_tid);
	PB_SET(message, prio, PRIO_DEFAULT);
	PB_SET(message, success, 1);
	PB_SET(message, target_cpu, ev->hdr.cpu);
}

static void put_wakings(struct rsp_perfetto *p, struct bundle *b)
{
	const struct rsp_model *m = p->x->model;

	for (size_t i = 0; i < p->x->trace->event_cnt && !p->error; i++) {
		const struct rsp_ev_hdr *hdr = p->x->trace->events[i];

		if (hdr->kind == RSP_EV_WAKING && hdr->ts_ns >= m->since_ns &&
		    hdr->ts_ns < m->until_ns)
			put_waking(p, b, (const struct rsp_ev_waking *)hdr);
	}
	flush(p, b);
}

/* --- reused IDs ------------------------------------------------------------------------------- */

static void put_free(struct rsp_perfetto *p, struct bundle *b, __u32 former, __u64 ts_ns)
{
	const struct rsp_thread *t = &p->x->model->threads.v[former];
	PB(FtraceEvent) *event = add(p, b, t->cpu, ts_ns, 0);
	PB(SchedProcessFreeFtraceEvent) *message = event->sched_process_free =
		&b->frees[b->cnt - 1];

	perfetto__protos__sched_process_free_ftrace_event__init(message);
	message->comm = (char *)p->x->threads[former].comm;
	PB_SET(message, pid, (int32_t)t->tid);
	PB_SET(message, prio, PRIO_DEFAULT);
}

/*
 * Writes the end of each thread whose ID a later thread has. Without it, Perfetto gives the later
 * thread's first runs and wakeups to the former thread. The event is one nanosecond before the
 * later thread begins, because Perfetto may read events of the same time in any order.
 */
static void put_frees(struct rsp_perfetto *p, struct bundle *b)
{
	const struct rsp_model *m = p->x->model;

	for (size_t i = 0; i < m->threads.cnt && !p->error; i++) {
		__u32 former = p->former[i];
		__u64 begin_ns = rsp_perfetto_begin(p, i);

		if (former != RSP_NO_THREAD)
			put_free(p, b, former, begin_ns - (m->threads.v[former].end_ns < begin_ns));
	}
	flush(p, b);
}

void rsp_perfetto_put_sched(struct rsp_perfetto *p)
{
	const struct rsp_model *m = p->x->model;
	struct bundle *b = calloc(1, sizeof(*b));
	struct runs runs = {0};

	if (!b)
		p->error = -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt && !p->error; i++)
		if (rsp_export_has_thread(p->x, i))
			find_runs(p, &runs, (__u32)i);
	if (runs.cnt)
		qsort(runs.v, runs.cnt, sizeof(*runs.v), compare_runs);
	if (!p->error)
		put_switches(p, b, &runs);
	if (!p->error && !p->x->only_target)
		put_wakings(p, b);
	if (!p->error)
		put_frees(p, b);
	free(runs.v);
	free(b);
}
