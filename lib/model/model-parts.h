/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the parts that turn records into a model. Each thread is a state machine whose state is
 * its last span. All functions that return int return 0 or -ENOMEM.
 */
#ifndef RSP_LIB_MODEL_PARTS_H
#define RSP_LIB_MODEL_PARTS_H

#include <errno.h>

#include "lib/model/model.h"

/* --- threads.c ------------------------------------------------------------------------------- */

/* NULL: no state of the thread is known yet. */
struct rsp_span *rsp_span_last(const struct rsp_thread *t);

static inline enum rsp_span_kind rsp_span_last_kind(const struct rsp_thread *t)
{
	return rsp_span_last(t)->kind;
}

/* Returns NULL if memory runs out. */
struct rsp_span *rsp_span_begin(struct rsp_thread *t, enum rsp_span_kind kind, __u64 ts_ns,
				const struct rsp_ev_switch *out);
int rsp_span_begin_run(struct rsp_thread *t, __u64 ts_ns, __u32 cpu);
/* A record contradicts the last span. */
void rsp_span_contradict(const struct rsp_model *m, struct rsp_thread *t);
/* A new life of tid begins at ts_ns. ptid 0: the parent is unknown. */
int rsp_thread_begin(struct rsp_model *m, __u32 tid, __u32 ptid, __u64 ts_ns, __u32 *ret);

/* --- cpus.c ---------------------------------------------------------------------------------- */

/* Returns NULL if memory runs out. */
struct rsp_cpu *rsp_cpu_get(struct rsp_model *m, __u16 cpu);
/* The present turn. NULL: neither a switch nor a task was seen on this CPU yet. */
struct rsp_turn *rsp_turn_last(const struct rsp_cpu *cpu);
int rsp_turn_begin(struct rsp_cpu *cpu, __u32 thread, __u64 ts_ns);
/* The thread was seen elsewhere, so the record of when it left its CPU is missing. */
void rsp_cpu_lose_track(struct rsp_model *m, const struct rsp_thread *t);
/*
 * The last record of the thread says that it blocked, and no wakeup was recorded. Returns whether
 * it has slept until ts_ns: if nothing was lost, a run in between would have been recorded.
 */
bool rsp_span_lasted(const struct rsp_model *m, const struct rsp_span *blocked, __u64 ts_ns);
/*
 * For a thread whose first record is at ts_ns: returns the earliest time at which the state before
 * this record may have begun.
 */
__u64 rsp_thread_lead_ns(struct rsp_model *m, const struct rsp_thread *t, __u64 ts_ns);
/*
 * tid runs on cpu at ts_ns; 0 is idle. If it was not known to run there, the record of a switch is
 * missing.
 */
int rsp_cpu_seen_running(struct rsp_model *m, __u16 cpu, __u32 tid, __u64 ts_ns);

/* --- pauses.c -------------------------------------------------------------------------------- */

/* The pauses of the host of a thread, of a CPU. */
struct rsp_pausing *rsp_pausing_of_tid(struct rsp_model *m, __u32 tid);
struct rsp_pausing *rsp_pausing_of_cpu(struct rsp_model *m, size_t cpu);
/*
 * Must be called before the record of time ts_ns is handled. Each pause that has ended by then
 * makes the states of all threads and CPUs of its host unknown.
 */
int rsp_model_pass_pauses(struct rsp_model *m, __u64 ts_ns);
/* Returns whether the next record lies within a pause of its host. */
bool rsp_model_is_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr);
/*
 * Handles a record within a pause. Only SEED and WAKING records of long waits that end there
 * matter.
 */
int rsp_model_wait_paused(struct rsp_model *m, const struct rsp_ev_hdr *hdr);
/*
 * Called when a wakeup ends the last span of the thread, a wait. If a pause ended where that span
 * begins, the wait really began earlier, within the pause: the wakeup record contains its length.
 * Moves the beginning of the span back to that time.
 */
void rsp_wait_extend(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev);
/* Sets the state of a thread from the SEED record that is written for it after a pause. */
int rsp_model_seed_again(struct rsp_model *m, const struct rsp_ev_switch *ev);
/*
 * Returns whether neither the CPU nor the thread was seen since the last pause. If the thread is
 * now found running there, it has run since the end of the pause.
 */
bool rsp_cpu_is_fresh(struct rsp_model *m, const struct rsp_cpu *cpu, const struct rsp_thread *t);

/* --- switches.c, lives.c, gaps.c ------------------------------------------------------------ */

int rsp_model_switch(struct rsp_model *m, const struct rsp_ev_switch *ev);
int rsp_model_seed(struct rsp_model *m, const struct rsp_ev_switch *ev);
int rsp_model_waking(struct rsp_model *m, const struct rsp_ev_waking *ev);
int rsp_model_task(struct rsp_model *m, const struct rsp_ev_task *ev);
int rsp_model_exit(struct rsp_model *m, const struct rsp_ev_exit *ev);
/*
 * Creates the threads of a wakeup that do not exist yet. Must be called before a pointer to a
 * thread is taken, because the array of threads may move.
 */
int rsp_model_waking_threads(struct rsp_model *m, const struct rsp_ev_waking *ev, __u32 *ret_wakee);
/* Notes that the wakeup ends the last span of the thread, a BLOCKED one, and finds the cause. */
int rsp_wait_end(struct rsp_model *m, struct rsp_thread *t, const struct rsp_ev_waking *ev);
int rsp_model_find_gaps(struct rsp_model *m);

/* Whether only the birth of the thread is known. */
bool rsp_thread_is_newborn(const struct rsp_thread *t);
/* The new thread waits for a CPU. */
int rsp_thread_begin_life(struct rsp_thread *t, __u64 ts_ns);

/* --- ends.c, request.c ------------------------------------------------------------------------ */

/* For rsp_model_keep_requests(). */
int rsp_model_ends_new(const struct rsp_model *m, struct rsp_model_ends **ret);
struct rsp_model_ends *rsp_model_ends_free(struct rsp_model_ends *e);

/*
 * Notes the requests that the request of interest sends as a client within the span, and their
 * answers. Only for the model's request_tid.
 */
int rsp_request_net(struct rsp_model *m, const struct rsp_ev_net *ev);

/*
 * Called when all trips are noted: keeps only those of the request. The request ended with what the
 * thread did right after the last answer, without sleeping again. The thread had asked for that
 * answer right after the previous answer, and so on.
 */
void rsp_request_find(struct rsp_model *m);

#endif
