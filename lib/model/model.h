/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a trace into the states of each thread over time, and finds the thread that ended each
 * wait. The model contains only facts: explain.h decides where the time of a process went.
 * docs/model.md describes the rules.
 */
#ifndef RSP_LIB_MODEL_H
#define RSP_LIB_MODEL_H

#include <stddef.h>

#include "lib/model/ops.h"
#include "lib/model/requests/requests.h"
#include "lib/trace/trace.h"

enum rsp_span_kind {
	RSP_SPAN_RUN,	      /* on a CPU */
	RSP_SPAN_BLOCKED,     /* left the CPU voluntarily, until woken */
	RSP_SPAN_RUNNABLE,    /* woken or new; waits for a CPU */
	RSP_SPAN_PREEMPTED,   /* taken off the CPU involuntarily; waits for one */
	RSP_SPAN_UNEXPLAINED, /* its records contradict each other: some are missing */
};

/* How a blocked span ended. */
enum rsp_cause {
	RSP_CAUSE_NONE, /* it did not end, or its end was not recorded */
	RSP_CAUSE_TASK, /* cause_id: index of the thread */
	RSP_CAUSE_DISK, /* cause_id: index into ops.disk_waits */
	RSP_CAUSE_NET,	/* cause_id: index into ops.arrivals */
	RSP_CAUSE_SLEEP,
	RSP_CAUSE_TIMEOUT,  /* cause_id: index into ops.asks, or RSP_NO_SENT_REQUEST */
	RSP_CAUSE_HARDWARE, /* waking->cause: OBJECT of the handler */
	RSP_CAUSE_KERNEL,   /* softirq, kernel timer, nameless interrupt */
	/* cause_id: thread that read at the other end of a socket, and so made room */
	RSP_CAUSE_READER,
};

/* A span lasts until the next span of its thread begins, or the thread ends. */
struct rsp_span {
	__u64 from_ns;
	/* The switch that ended a RUN or began a BLOCKED or PREEMPTED span. RUNNABLE: the switch
	 * that began the wait before it. NULL: unknown. */
	const struct rsp_ev_switch *out;
	union {
		const struct rsp_ev_waking *waking; /* BLOCKED: the wakeup that ended it, or NULL */
		/* RUNNABLE, PREEMPTED: the switch that ended it, or NULL */
		const struct rsp_ev_switch *in;
		struct {
			__u32 first, cnt; /* RUN: in the thread's samples */
		} samples;
	};
	__u32 cause_id;
	/*
	 * RSP_SW_*, of the switch that began it: the only part of that switch that most code needs
	 */
	__u16 flags;
	__u8 cause; /* enum rsp_cause of BLOCKED */
	__u8 kind;  /* enum rsp_span_kind */
};

/*
 * A work item that a worker began. The worker is busy with it until the next item, or until it is
 * idle.
 */
struct rsp_work {
	const struct rsp_ev_work *ev;
	__u32 queuer; /* thread; RSP_NO_THREAD: no thread queued it, or the thread is unknown */
};

#define RSP_NO_WORK UINT32_MAX

/* A time in which the thread had to reclaim memory. It ended at ev->hdr.ts_ns. */
struct rsp_reclaim {
	const struct rsp_ev_delay *ev;
};

/* One life of a tid, from fork to exit. */
struct rsp_thread {
	__u32 tid;
	__u32 parent;			  /* index of the thread that forked it, or RSP_NO_THREAD */
	struct rsp_identities identities; /* of its tid, including other lives */
	__u64 birth_ns;			  /* 0: before the recording or unknown */
	/* before this, the tid belonged to another thread; 0: unknown */
	__u64 known_ns;
	__u64 end_ns; /* UINT64_MAX: still alive at the end of the recording */
	__u32 cpu;    /* of its newest run */
	struct {
		struct rsp_span *v; /* without gaps */
		size_t cnt, cap;
	} spans;
	size_t first_span; /* number of its first span among the spans of all threads */
	struct {
		const struct rsp_ev_sample **v;
		size_t cnt, cap;
	} samples;
	size_t first_sample; /* number of its first sample among the samples of all threads */
	struct {
		struct rsp_work *v; /* of a worker of a workqueue, in order */
		size_t cnt, cap;
	} works;
	struct {
		struct rsp_reclaim *v; /* in order */
		size_t cnt, cap;
	} reclaims;
	__u64 quota; /* OBJECT id of the cgroup that last ran out of CPU quota for it; 0: none */
	__u32 exec_cnt, fork_cnt; /* within [since_ns, until_ns] */

	/* While the model is being built. */
	const struct rsp_ev_waking *early; /* a wakeup seen while it was still running */
	__u64 exit_ns;			   /* time of its EXIT record; 0: none */
	const struct rsp_ev_switch *slept; /* SEED record of a wait that ends in a pause */
	/* span to which a late sample may belong, or NO_THREAD */
	__u32 last_run;
};

/* A wakeup ended this wait, unless a later record has changed the span. */
struct rsp_ended {
	const struct rsp_ev_waking *waking;
	__u32 thread, span;
};

/* Times in which scheduling records were lost; ordered and disjoint. */
struct rsp_gaps {
	struct rsp_gap {
		__u64 from_ns, to_ns;
	} * v;
	size_t cnt, cap;
};

/* The time in which a thread has a CPU, until the next turn there. */
struct rsp_turn {
	__u64 from_ns;
	__u32 thread; /* index; RSP_NO_THREAD: idle, or an unknown thread */
};

#define RSP_NO_TRIP UINT32_MAX

/*
 * The time from a request that a thread sent over a socket until the answer, or from one part of
 * the answer until the next.
 */
struct rsp_trip {
	__u64 from_ns, to_ns;
	__u64 away_ns; /* from then on the thread waits for the answer or works on other things */
	__u32 arrival; /* in ops.arrivals */
	__u32 tid;     /* of the thread that sent the request */
	/* the trip that the previous part of the answer ended; RSP_NO_TRIP: this is the first */
	__u32 before;
};

struct rsp_model {
	const struct rsp_trace *trace; /* borrowed */
	__u64 start_ns;		       /* before this, states are known, but not events */
	__u64 since_ns, until_ns;      /* the requested span */
	struct {
		struct rsp_thread *v;
		size_t cnt, cap;
	} threads;
	size_t span_cnt, sample_cnt; /* of all threads */
	struct rsp_ops ops;
	struct {
		struct rsp_ended *v; /* in the order of the wakeups */
		size_t cnt, cap;
	} ended;
	struct rsp_gaps gaps;	   /* times at which at least one record was lost on some CPU */
	struct rsp_gaps blackouts; /* times at which all records were lost on some CPU */
	struct rsp_gaps pauses;	   /* times at which the recorder of at least one host paused */
	struct rsp_gaps requested; /* those of them that a user requested */

	struct {
		struct rsp_trip *v; /* request.h: of the request of interest; by time, disjoint */
		size_t cnt, cap;
	} trips;
	/* the thread that answered that request: META's target_tid; 0: no request is of interest */
	__u32 request_tid;
	/* The threads whose trips are all in trips, for loops.h; NULL: trips has only those of that
	 * request. Borrowed. */
	const struct rsp_idmap *callers;
	/* Requests and calls of all processes; NULL: see rsp_model_keep_requests(). */
	struct rsp_requests *requests;
	struct rsp_model_ends *ends; /* ends.h; NULL: see rsp_model_keep_requests() */
	struct rsp_idmap asked;	     /* socket -> its latest request, in questions */
	struct {
		struct rsp_question {
			__u64 ts_ns;
			__u64 object; /* SOCKET id */
			__u32 tid;
			__u32 answered; /* the trip that ended at ts_ns, or RSP_NO_TRIP */
		} * v;
		size_t cnt, cap;
	} questions;

	/* While the model is being built. */
	struct rsp_pausing {
		struct rsp_gaps pauses; /* of the host's recorder, on all of its CPUs */
		size_t passed_cnt;	/* number of pauses that have ended */
		/* begin and end of the newest of these pauses; 0: none yet */
		__u64 paused_ns, resumed_ns;
	} pausing[RSP_HOST_CNT_MAX]; /* by host; of one host, unless the snapshot is merged */

	struct rsp_idmap thread_of; /* tid -> index of its newest life */
	struct {
		struct rsp_cpu {
			struct {
				struct rsp_turn *v;
				size_t cnt, cap;
			} turns; /* the last one is the present turn */
			struct rsp_gaps blackouts;
		} * v;
		size_t cnt, cap;
	} cpus;
};

int rsp_model_new(const struct rsp_trace *trace, struct rsp_model **ret); /* -ENOMEM */
/*
 * The same; also records the trips of the given threads (tid -> any value), in order of the time of
 * their answers. 0 or -ENOMEM.
 */
int rsp_model_new_trips(const struct rsp_trace *trace, const struct rsp_idmap *callers,
			struct rsp_model **ret);
struct rsp_model *rsp_model_free(struct rsp_model *m);
/*
 * Makes [since_ns, until_ns] the span, so that one model serves for several parts of a recording.
 * Drops the requests that the model keeps. The trips, fork_cnt and exec_cnt remain those of the
 * span for which the model was made.
 */
void rsp_model_choose_span(struct rsp_model *m, __u64 since_ns, __u64 until_ns);
/* Finds the requests and calls within the span. 0 or -ENOMEM. */
int rsp_model_requests(const struct rsp_model *m, struct rsp_requests *ret);
/*
 * The same, and keeps the result until the model is freed, so that explanations of many processes
 * need not find the requests again. Also makes the indexes of ends.h. For a single process it only
 * costs memory.
 */
int rsp_model_keep_requests(struct rsp_model *m);

/* The newest TASK record of the thread at ts_ns; NULL: none. */
const struct rsp_ev_task *rsp_thread_task(const struct rsp_model *m, const struct rsp_thread *t,
					  __u64 ts_ns);
/*
 * Whether the thread belonged to the kernel at ts_ns. A kernel thread may become a program by exec.
 */
bool rsp_thread_is_kthread(const struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns);
/* Whether the thread is on a CPU or waits for one. */
bool rsp_span_is_awake(const struct rsp_span *span);
/*
 * Whether the thread works: it is awake or waits for a disk. A wait for a disk does not interrupt
 * work.
 */
bool rsp_span_is_work(const struct rsp_span *span);
/* Whether this is the wait of an idle kernel thread. */
bool rsp_span_waits_for_work(const struct rsp_span *span);
__u64 rsp_span_end(const struct rsp_thread *t, size_t i);
/*
 * The thread that ended a blocked span, directly, over a socket, or through a kernel worker; or
 * RSP_NO_THREAD.
 */
__u32 rsp_span_ender(const struct rsp_model *m, const struct rsp_thread *t, size_t i);
/* The span that contains ts_ns, which is not before the first span. */
size_t rsp_span_at(const struct rsp_thread *t, __u64 ts_ns);
/* The same; starts the search at the span near. See near.h. */
size_t rsp_span_near(const struct rsp_thread *t, __u64 ts_ns, size_t near);
/* The number of a span among the spans of all threads. */
static inline size_t rsp_span_number(const struct rsp_thread *t, const struct rsp_span *span)
{
	return t->first_span + (size_t)(span - t->spans.v);
}
/* The newest work item that began at ts_ns or before, or RSP_NO_WORK. */
__u32 rsp_work_at(const struct rsp_thread *t, __u64 ts_ns);
/* The index of the first reclaim that ends after ts_ns, or reclaims.cnt. */
size_t rsp_reclaim_after(const struct rsp_thread *t, __u64 ts_ns);
/* The turn of a CPU that contains ts_ns; turns.cnt if there was none yet. Starts the search at the
 * turn near. */
size_t rsp_turn_near(const struct rsp_cpu *cpu, __u64 ts_ns, size_t near);
/*
 * Marks the threads of a process and of its descendants: (*ret)[i] is about threads.v[i]. The
 * caller frees *ret. Returns 0 or -ENOMEM.
 */
int rsp_model_find_family(const struct rsp_model *m, __u32 tgid, bool **ret);

/* How long the recorder paused within the span. */
__u64 rsp_model_paused_ns(const struct rsp_model *m);

/* The first gap that ends after ts_ns; gaps->cnt if none. */
size_t rsp_gap_after(const struct rsp_gaps *gaps, __u64 ts_ns);
bool rsp_gap_overlaps(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns);
/* Returns how much of the span the gaps cover. */
__u64 rsp_gap_within(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns);

/* --- shared by the parts of the model -------------------------------------------------------- */

/* The current life of tid; creates it if there is none. 0 or -ENOMEM. */
int rsp_model_thread(struct rsp_model *m, __u32 tid, __u32 *ret);
/* waker.c: fills in the cause of the end of the wait; out may be NULL. 0 or -ENOMEM. */
int rsp_waker_resolve(struct rsp_model *m, const struct rsp_ev_waking *waking,
		      struct rsp_span *blocked);
/*
 * waker.c: the same for a wait whose end was not recorded. If the kernel marked it as a wait for
 * I/O, the thread waits for its disk requests in flight. The cause of other waits is unknown. 0 or
 * -ENOMEM.
 */
int rsp_waker_unseen(struct rsp_model *m, __u32 thread, struct rsp_span *blocked);

#endif
