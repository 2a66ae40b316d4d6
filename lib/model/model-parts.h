/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations for the files that turn records into a model. Each thread is a state machine whose
 * state is its last span. All functions that return int return 0 or -ENOMEM.
 */
#ifndef RSP_LIB_MODEL_PARTS_H
#define RSP_LIB_MODEL_PARTS_H

#include <errno.h>

#include "lib/model/model.h"

/* --- threads.c ------------------------------------------------------------------------------- */

/* Returns NULL if no state of the thread is known yet. */
struct rsp_span *rsp_span_last(const struct rsp_thread *t);

static inline enum rsp_span_kind rsp_span_last_kind(const struct rsp_thread *t)
{
	return rsp_span_last(t)->kind;
}

/* Returns NULL if memory runs out. */
struct rsp_span *rsp_span_begin(struct rsp_thread *t, enum rsp_span_kind kind, __u64 ts_ns,
				const struct rsp_ev_switch *out);
int rsp_span_begin_run(struct rsp_thread *t, __u64 ts_ns, __u32 cpu);
void rsp_span_contradict(const struct rsp_model *m, struct rsp_thread *t);
/* Begins a new life of tid at ts_ns. ptid 0: the parent is unknown. */
int rsp_thread_begin(struct rsp_model *m, __u32 tid, __u32 ptid, __u64 ts_ns, __u32 *ret);

/* --- waker.c --------------------------------------------------------------------------------- */

/* Finds the arrivals that clients sent. Must be called after the last record. */
void rsp_model_find_clients(struct rsp_model *m);

/* --- cpus.c ---------------------------------------------------------------------------------- */

/* Returns NULL if memory runs out. */
struct rsp_cpu *rsp_cpu_get(struct rsp_model *m, __u16 cpu);
/* Returns NULL if the CPU has no turn yet. */
struct rsp_turn *rsp_turn_last(const struct rsp_cpu *cpu);
int rsp_turn_begin(struct rsp_cpu *cpu, __u32 thread, __u64 ts_ns);
/* Notes that a thread left its CPU without a record of the switch. */
void rsp_cpu_lose_track(struct rsp_model *m, const struct rsp_thread *t);
/*
 * Returns whether a wait without a recorded wakeup lasted until ts_ns: it began in the window, and
 * no record was lost since.
 */
bool rsp_span_lasted(const struct rsp_model *m, const struct rsp_span *blocked, __u64 ts_ns);
/*
 * Returns the earliest time at which the state before a thread's first record may have begun.
 * ts_ns: the time of this record.
 */
__u64 rsp_thread_lead_ns(struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns);
/* tid 0: the idle task */
int rsp_cpu_seen_running(struct rsp_model *m, __u16 cpu, __u32 tid, __u64 ts_ns);

/* --- pauses.c -------------------------------------------------------------------------------- */

struct rsp_pausing *rsp_pausing_of_tid(struct rsp_model *m, __u32 tid);
struct rsp_pausing *rsp_pausing_of_cpu(struct rsp_model *m, size_t cpu);
/*
 * Call this before handling a record of time ts_ns. Each pause that has ended by this time makes
 * the states of all threads and CPUs of its host unknown.
 */
int rsp_model_pass_pauses(struct rsp_model *m, __u64 ts_ns);
bool rsp_model_is_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr);
/* Handles a record within a pause. Only SEED and WAKING records of long waits matter. */
int rsp_model_wait_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr);
/*
 * Called when a wakeup ends the last span of the thread, a wait. If the wait began within a pause,
 * moves the beginning of the span back to the beginning of the wait.
 */
void rsp_wait_extend(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev);
int rsp_model_seed_again(struct rsp_model *m, const struct rsp_ev_switch *ev);
/* Returns whether neither the CPU nor the thread was seen since the last pause. */
bool rsp_cpu_is_fresh(struct rsp_model *m, const struct rsp_cpu *cpu, const struct rsp_thread *t);

/* --- switches.c, lives.c, gaps.c ------------------------------------------------------------ */

int rsp_model_switch(struct rsp_model *m, const struct rsp_ev_switch *ev);
int rsp_model_seed(struct rsp_model *m, const struct rsp_ev_switch *ev);
int rsp_model_waking(struct rsp_model *m, const struct rsp_ev_waking *ev);
int rsp_model_task(struct rsp_model *m, const struct rsp_ev_task *ev);
int rsp_model_exit(struct rsp_model *m, const struct rsp_ev_exit *ev);
/* Creates the waker and the wakee if necessary. Invalidates pointers to threads. */
int rsp_model_waking_threads(struct rsp_model *m, const struct rsp_ev_waking *ev, __u32 *ret_wakee);
/* Notes that the wakeup ends the last span of the thread, which is BLOCKED, and finds the cause. */
int rsp_wait_end(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev);
int rsp_model_find_gaps(struct rsp_model *m);

/* Returns whether the birth of the thread is all that the model knows of it. */
bool rsp_thread_is_newborn(const struct rsp_thread *t);
int rsp_thread_begin_life(struct rsp_thread *t, __u64 ts_ns);

/* --- ends.c, request.c ------------------------------------------------------------------------ */

/* For rsp_model_keep_requests(). */
int rsp_model_ends_new(const struct rsp_model *m, struct rsp_model_ends **ret);
struct rsp_model_ends *rsp_model_ends_free(struct rsp_model_ends *e);

/*
 * Notes the requests that request_tid (or each of the callers, if they are set) sends as a client
 * within the span, and the answers.
 */
int rsp_request_net(struct rsp_model *m, const struct rsp_ev_net *ev);

/*
 * Keeps only the trips of the request of interest. Must be called after the last record. Assumes
 * that the thread did not sleep between an answer and the next call, nor between the last answer
 * and the end of the request.
 */
void rsp_request_find(struct rsp_model *m);

#endif
