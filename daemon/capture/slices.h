/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses and resumes the recording. A pause detaches the BPF programs that run most often, since an
 * attached program costs its dispatch even if it returns at once. LOST records with RSP_LOST_PAUSED
 * mark the pauses. After a pause, SEED records contain the state of each thread.
 *
 * A halt is a pause at the request of a user: all programs are detached except iterators, which
 * cost nothing. LOST records with RSP_LOST_REQUESTED mark the halt. Such records are written only
 * for snapshots and at the end of the halt: a halt may last for weeks, and periodic records would
 * push older records out of the window.
 */
#ifndef RSP_DAEMON_SLICES_H
#define RSP_DAEMON_SLICES_H

#include <linux/types.h>
#include <stdbool.h>

#include "daemon/capture/ladder.h"
#include "daemon/capture/sink.h"

#define RSP_SLICED_MAX 32

struct rsp_bpf;

struct rsp_slices {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	/*
	 * pauses are possible: their programs are loaded, and the kernel lets rspd attach programs
	 */
	bool is_able;
	bool is_tried; /* rspd has tested whether the kernel lets it attach programs */
	bool can_watch;
	bool wants_long_waits;
	bool is_paused; /* true during a halt, too */
	bool is_halted;
	__u64 paused_ns;   /* beginning of the current or the last pause */
	__u64 recorded_ns; /* end of the last LOST record */
	__u64 sum_ns;	   /* total length of the pauses that have ended */
	/* The programs that the pause has detached, in the order in which rspd will attach them. */
	const char *detached[RSP_SLICED_MAX];
	unsigned int detached_cnt;
};

/* halted: only iterators are attached, and a halt begins now. */
void rsp_slices_init(struct rsp_slices *slices, struct rsp_bpf *bpf, bool halted, rsp_sink_fn sink,
		     void *userdata);

/* Does nothing during a pause, or if pauses are not possible (is_able). */
void rsp_slices_pause(struct rsp_slices *slices);

/*
 * If a program cannot be attached, the pause goes on. Does nothing during a halt. Returns 0 or
 * -errno.
 */
int rsp_slices_resume(struct rsp_slices *slices);

/* May be called during a pause. */
void rsp_slices_halt(struct rsp_slices *slices);
/*
 * In ladder, rejects each feature whose programs cannot be attached again. Returns 0; -errno: an
 * indispensable program cannot be attached, and the halt goes on.
 */
int rsp_slices_end_halt(struct rsp_slices *slices, struct rsp_ladder *ladder);

/* Initially true. */
void rsp_slices_want_long_waits(struct rsp_slices *slices, bool wants);

/* During a pause, passes a LOST record for the time up to now to the sink. */
void rsp_slices_record_loss(struct rsp_slices *slices, __u64 now_ns);

/*
 * During a pause, passes a LOST record and the state of each thread to the sink. During a halt,
 * passes only a LOST record.
 */
void rsp_slices_note(struct rsp_slices *slices);

__u64 rsp_slices_paused_ns(const struct rsp_slices *slices, __u64 now_ns);

#endif
