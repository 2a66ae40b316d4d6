/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a trace into the states of each thread over time, and finds the thread that ended each
 * wait. explain.h attributes the time of a process. docs/model.md describes the rules.
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
	RSP_SPAN_PREEMPTED,   /* taken off the CPU involuntarily; waits for a CPU */
	RSP_SPAN_UNEXPLAINED, /* unknown: records are missing, or the recorder paused */
};

/* How a blocked span ended. */
enum rsp_cause {
	RSP_CAUSE_NONE, /* the wait did not end, or its end was not recorded */
	RSP_CAUSE_TASK, /* cause_id: index of the thread */
	RSP_CAUSE_DISK, /* cause_id: index into ops.disk_waits */
	RSP_CAUSE_NET,	/* cause_id: index into ops.arrivals */
	RSP_CAUSE_SLEEP,
	/* cause_id (also of SLEEP): index into ops.sent_requests, or RSP_NO_SENT_REQUEST */
	RSP_CAUSE_TIMEOUT,
	RSP_CAUSE_HARDWARE, /* waking->cause: OBJECT of the handler */
	/* a softirq, a kernel timer, an interrupt that CPUs send, the idle task */
	RSP_CAUSE_KERNEL,
	/* cause_id: the thread at the other end of a socket, which made room by reading */
	RSP_CAUSE_READER,
};

/* A span lasts until the next span of its thread begins, or until the thread ends. */
struct rsp_span {
	__u64 from_ns;
	/*
	 * The switch that ended a RUN or began a BLOCKED or PREEMPTED span. RUNNABLE: the switch
	 * that began the wait before this span. NULL: unknown.
	 */
	const struct rsp_ev_switch *out;
	union {
		/* BLOCKED: the wakeup that ended the span, or NULL */
		const struct rsp_ev_waking *waking;
		/* RUNNABLE, PREEMPTED: the switch that ended the span, or NULL */
		const struct rsp_ev_switch *in;
		struct {
			__u32 first, cnt; /* RUN: range in the samples of the thread */
		} samples;
	};
	__u32 cause_id;
	/* RSP_SW_* of out when the span began, or 0 */
	__u16 flags;
	__u8 cause; /* enum rsp_cause of BLOCKED */
	__u8 kind;  /* enum rsp_span_kind */
};

/*
 * A work item that a worker began. The worker is busy with the item until the next item begins, or
 * until the worker is idle.
 */
struct rsp_work {
	const struct rsp_ev_work *ev;
	/* index; RSP_NO_THREAD: unknown, or an interrupt queued the item */
	__u32 queuer;
};

#define RSP_NO_WORK UINT32_MAX

/* A time in which the thread had to reclaim memory, from ev->from_ns to ev->hdr.ts_ns. */
struct rsp_reclaim {
	const struct rsp_ev_delay *ev;
};

/* One life of a tid, from fork to exit. */
struct rsp_thread {
	__u32 tid;
	__u32 parent;			  /* index, or RSP_NO_THREAD */
	struct rsp_identities identities; /* names of the tid over time, in all of its lives */
	__u64 birth_ns;			  /* 0: born before the recording, or unknown */
	/* before this time, the tid belonged to another thread; 0: unknown */
	__u64 known_ns;
	__u64 end_ns; /* UINT64_MAX: no end is known */
	__u32 cpu;    /* of its newest run */
	struct {
		struct rsp_span *v; /* without gaps */
		size_t cnt, cap;
	} spans;
	size_t first_span; /* number of the thread's first span among the spans of all threads */
	struct {
		const struct rsp_ev_sample **v;
		size_t cnt, cap;
	} samples;
	size_t first_sample;
	struct {
		/* if the thread is a worker of a workqueue: its items, in order */
		struct rsp_work *v;
		size_t cnt, cap;
	} works;
	struct {
		struct rsp_reclaim *v; /* in order */
		size_t cnt, cap;
	} reclaims;
	/* OBJECT id of the cgroup that last stopped the thread for its CPU quota, or 0 */
	__u64 quota;
	__u32 exec_cnt, fork_cnt; /* within [since_ns, until_ns] */

	/* Used only while the model is being built. */
	/* a wakeup that came while the thread was still running */
	const struct rsp_ev_waking *early;
	__u64 exit_ns;			   /* 0: no EXIT record */
	const struct rsp_ev_switch *slept; /* SEED record of a wait that ends in a pause */
	/* index of the run to which a late sample may belong, or RSP_NO_THREAD */
	__u32 last_run;
};

/* A wait that a wakeup ended. A later record may have changed the span. */
struct rsp_ended {
	const struct rsp_ev_waking *waking;
	__u32 thread, span;
};

/* A list of times in order and without overlaps. */
struct rsp_gaps {
	struct rsp_gap {
		__u64 from_ns, to_ns;
	} * v;
	size_t cnt, cap;
};

/* The time in which a thread has a CPU, until the next turn of this CPU. */
struct rsp_turn {
	__u64 from_ns;
	/* index of the thread; RSP_NO_THREAD: the CPU is idle, or the thread is unknown */
	__u32 thread;
};

#define RSP_NO_TRIP UINT32_MAX

/*
 * The time from a request that a thread sent over a socket until the answer, or from one part of
 * the answer until the next.
 */
struct rsp_trip {
	__u64 from_ns, to_ns;
	/* from this time on, the thread waits for the answer or works for other requests */
	__u64 away_ns;
	__u32 arrival; /* in ops.arrivals */
	__u32 tid;     /* the thread that sent the request */
	/* index of the trip of the previous part of the answer, or RSP_NO_TRIP */
	__u32 before;
};

struct rsp_model {
	const struct rsp_trace *trace; /* borrowed */
	/* before this time, the model knows states, but not events */
	__u64 start_ns;
	__u64 since_ns, until_ns; /* the requested span */
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
	struct rsp_gaps blackouts; /* times at which the ring of some CPU was full */
	struct rsp_gaps pauses;	   /* times at which the recorder of at least one host paused */
	struct rsp_gaps requested; /* the pauses that a user requested */

	struct {
		struct rsp_trip *v; /* in the order of the answers; see callers */
		size_t cnt, cap;
	} trips;
	/* tid of the thread that answered the request of interest (META's target_tid), or 0 */
	__u32 request_tid;
	/*
	 * Its keys are the tids of the threads whose trips are all in trips. NULL: trips contains
	 * only those of the request of interest. Borrowed.
	 */
	const struct rsp_idmap *callers;
	/* Requests and calls of all processes; NULL: not kept */
	struct rsp_requests *requests;
	struct rsp_model_ends *ends; /* ends.h; NULL until rsp_model_keep_requests() is called */
	/* maps a socket to the index of its latest request in trip_requests */
	struct rsp_idmap trip_request_of;
	struct {
		struct rsp_trip_request {
			__u64 ts_ns;
			__u64 object; /* SOCKET id */
			__u32 tid;
			__u32 answered; /* the trip that ended at ts_ns, or RSP_NO_TRIP */
		} * v;
		size_t cnt, cap;
	} trip_requests;

	/* Used only while the model is being built. */
	struct rsp_pausing {
		struct rsp_gaps pauses;
		size_t passed_cnt; /* number of pauses that have ended */
		/* begin and end of the newest pause; 0: no pause yet */
		__u64 paused_ns, resumed_ns;
		/* [number of a host]; only a merged snapshot has several hosts */
	} pausing[RSP_HOST_CNT_MAX];

	struct rsp_idmap thread_of; /* maps a tid to the index of its newest life */
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

/* Returns 0 or -ENOMEM. */
int rsp_model_new(const struct rsp_trace *trace, struct rsp_model **ret);
/*
 * Like rsp_model_new(), but instead of the trips of the request of interest, the model contains all
 * trips of the threads whose tids are the keys of callers, in order of their answers.
 */
int rsp_model_new_trips(const struct rsp_trace *trace, const struct rsp_idmap *callers,
			struct rsp_model **ret);
struct rsp_model *rsp_model_free(struct rsp_model *m);
/*
 * Makes [since_ns, until_ns] the span, so that one model serves for several parts of a recording.
 * Drops the requests that the model keeps. The trips, fork_cnt and exec_cnt stay those of the
 * original span.
 */
void rsp_model_choose_span(struct rsp_model *m, __u64 since_ns, __u64 until_ns);
/* Finds the requests and calls within the span. Returns 0 or -ENOMEM. */
int rsp_model_requests(const struct rsp_model *m, struct rsp_requests *ret);
/*
 * Like rsp_model_requests(), but the model keeps the result for explanations of many processes, and
 * makes the indexes of ends.h.
 */
int rsp_model_keep_requests(struct rsp_model *m);

/* Like rsp_trace_task(), for the tid of the thread. */
const struct rsp_ev_task *rsp_thread_task(const struct rsp_model *m, const struct rsp_thread *t,
					  __u64 ts_ns);
/*
 * Returns whether the thread belonged to the kernel at ts_ns. A kernel thread may become a program
 * by exec.
 */
bool rsp_thread_is_kthread(const struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns);
/* Returns whether the thread is on a CPU or waits for a CPU in this span. */
bool rsp_span_is_awake(const struct rsp_span *span);
/* Returns whether the thread is awake or waits for a disk. */
bool rsp_span_is_work(const struct rsp_span *span);
/* Returns whether the span is the wait of an idle kernel thread. */
bool rsp_span_waits_for_work(const struct rsp_span *span);
__u64 rsp_span_end(const struct rsp_thread *t, size_t i);
/*
 * Returns the thread that ended a blocked span, directly, over a socket or through a kernel worker;
 * or RSP_NO_THREAD.
 */
__u32 rsp_span_ender(const struct rsp_model *m, const struct rsp_thread *t, size_t i);
/* Returns the index of the span that contains ts_ns. ts_ns must not be before the first span. */
size_t rsp_span_at(const struct rsp_thread *t, __u64 ts_ns);
/* Like rsp_span_at(), but starts the search at the span near. See near.h. */
size_t rsp_span_near(const struct rsp_thread *t, __u64 ts_ns, size_t near);
static inline size_t rsp_span_number(const struct rsp_thread *t, const struct rsp_span *span)
{
	return t->first_span + (size_t)(span - t->spans.v);
}
/* Returns the index of the newest work item that began at ts_ns or before, or RSP_NO_WORK. */
__u32 rsp_work_at(const struct rsp_thread *t, __u64 ts_ns);
/* Returns the index of the first reclaim that ends after ts_ns, or reclaims.cnt. */
size_t rsp_reclaim_after(const struct rsp_thread *t, __u64 ts_ns);
/*
 * Returns the index of the turn of a CPU that contains ts_ns, or turns.cnt if ts_ns is before the
 * first turn. Starts the search at the turn near.
 */
size_t rsp_turn_near(const struct rsp_cpu *cpu, __u64 ts_ns, size_t near);
/*
 * Finds the threads of a process and of its descendants: (*ret)[i] is true if threads.v[i] is one
 * of them. The caller frees *ret. Returns 0 or -ENOMEM.
 */
int rsp_model_find_family(const struct rsp_model *m, __u32 tgid, bool **ret);

__u64 rsp_model_paused_ns(const struct rsp_model *m);

/* Returns the index of the first gap that ends after ts_ns, or gaps->cnt. */
size_t rsp_gap_after(const struct rsp_gaps *gaps, __u64 ts_ns);
bool rsp_gap_overlaps(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns);
/* Returns the length of the part of [from_ns, to_ns) that the gaps cover. */
__u64 rsp_gap_within(const struct rsp_gaps *gaps, __u64 from_ns, __u64 to_ns);

/* --- shared by the parts of the model -------------------------------------------------------- */

/* Finds the current life of tid, or creates it. Returns 0 or -ENOMEM. */
int rsp_model_thread(struct rsp_model *m, __u32 tid, __u32 *ret);
/*
 * waker.c: fills in the cause of the end of the wait. blocked->out may be NULL. Returns 0 or
 * -ENOMEM.
 */
int rsp_waker_resolve(struct rsp_model *m, const struct rsp_ev_waking *waking,
		      struct rsp_span *blocked);
/*
 * waker.c: fills in the cause of a wait whose end was not recorded, if it was a wait for I/O and
 * the thread has disk requests in flight. Returns 0 or -ENOMEM.
 */
int rsp_waker_unseen(struct rsp_model *m, __u32 thread, struct rsp_span *blocked);

#endif
