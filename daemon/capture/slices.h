/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses of the recording. A pause detaches the programs that run most often: an attached program
 * costs its dispatch even if it returns at once. LOST records with RSP_LOST_PAUSED tell the pauses;
 * after a pause SEED records tell the state of each thread. One program that is cheap stays during
 * a pause: it records the ends of long waits (RSP_WK_PAUSED).
 */
#ifndef RSP_DAEMON_SLICES_H
#define RSP_DAEMON_SLICES_H

#include <linux/types.h>
#include <stdbool.h>

#include "capture.h"

#define RSP_SLICED_MAX 32

struct rsp_slices {
	struct rsp_bpf *bpf;
	rsp_sink_fn sink;
	void *userdata;
	bool is_able;	/* as far as is known, the kernel lets rspd attach programs */
	bool is_tried;	/* it is known */
	bool can_watch; /* the kernel lets rspd record long waits in pauses */
	bool watches;	/* that is wanted */
	bool is_paused;
	__u64 paused_ns; /* since when; or of the last pause */
	__u64 told_ns;	 /* up to when records tell of the pause */
	__u64 sum_ns;	 /* of all pauses that have ended */
	/* Programs that the pause has detached, in the order in which they are attached. */
	const char *detached[RSP_SLICED_MAX];
	unsigned int detached_cnt;
};

/* The programs are loaded and attached. */
void rsp_slices_init(struct rsp_slices *slices, struct rsp_bpf *bpf, rsp_sink_fn sink,
		     void *userdata);

/* Does nothing during a pause, or where the kernel does not let rspd attach programs. */
void rsp_slices_pause(struct rsp_slices *slices);

/*
 * Ends a pause. If a program cannot be attached the pause goes on, and the caller may try again.
 * 0 or -errno.
 */
int rsp_slices_resume(struct rsp_slices *slices);

/* Whether long waits are recorded in pauses, from now on; at first they are. */
void rsp_slices_watch(struct rsp_slices *slices, bool watches);

/* Puts a record of the pause up to now, if there is one. */
void rsp_slices_tell(struct rsp_slices *slices, __u64 now_ns);

/* The sum of all pauses so far. */
__u64 rsp_slices_paused_ns(const struct rsp_slices *slices, __u64 now_ns);

#endif
