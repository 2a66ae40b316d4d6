/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts records, as they arrive, to a view of the present. Keeps sums and the present state of
 * each thread, but no history.
 */
#ifndef RSP_LIB_LIVE_H
#define RSP_LIB_LIVE_H

#include "lib/live/view.h"
#include "rsp/event.h"

struct rsp_live;

#define RSP_LIVE_KERNEL (1ULL << 62) /* already set in kernel addresses */

/*
 * Returns a frame of a STACK record. If the frame is a kernel address, bit 62 of the result is set
 * and bit 63 is clear. In the result for any other frame, these bits have other values.
 */
static inline __u64 rsp_live_frame(const struct rsp_ev_stack *stack, __u32 i)
{
	bool is_kernel = stack->hdr.flags & RSP_STACK_KERNEL;

	if (!is_kernel)
		return stack->frames[i];
	return (stack->frames[i] & ~RSP_FRAME_IN_BINARY) | RSP_LIVE_KERNEL;
}

/* Finds the names of frames. A frame has the form that rsp_live_frame() returns. */
struct rsp_live_namer {
	void (*name)(__u64 frame, char *name, size_t name_len, char *module, size_t module_len,
		     void *userdata);
	/*
	 * Takes a BINARY record. Returns whether names that name() has returned may have changed.
	 */
	bool (*binary)(const struct rsp_ev_binary *binary, void *userdata);
	void *userdata;
};

/* Makes a state without records. Copies namer. Returns 0 or -ENOMEM. */
int rsp_live_new(const struct rsp_live_namer *namer, struct rsp_live **ret);
struct rsp_live *rsp_live_free(struct rsp_live *live);

/* Sets the beginning of the first interval to since_ns. */
void rsp_live_begin(struct rsp_live *live, __u64 since_ns);
/*
 * Takes a batch of concatenated records. They are not trusted: a bad record ends the batch. Skips
 * events before since_ns, because the previous batch contained them. Returns 0 or -ENOMEM.
 */
int rsp_live_feed(struct rsp_live *live, const void *records, size_t len, __u64 since_ns);

/* The choices of the user of rspctl top. */
struct rsp_live_how {
	__u64 now_ns;		      /* CLOCK_MONOTONIC */
	__u32 pid;		      /* show only this process; 0: all */
	char comm[RSP_TASK_COMM_LEN]; /* show only processes with this name; "": all */
	bool own_only;		      /* show only processes that this user may see */
	bool by_process;	      /* functions of different processes are different rows */
	bool by_cgroup;		      /* show times by cgroup instead of by process */
	bool with_idle;		      /* also show threads that only wait for work */
	__u32 row_max;		      /* maximum number of rows per list, at most RSP_LIVE_ROWS */
};

/*
 * Writes a view to ret: the interval since the last call. Begins the next interval. ret is large,
 * so it belongs on the heap or in shared memory.
 */
void rsp_live_look(struct rsp_live *live, const struct rsp_live_how *how,
		   struct rsp_live_view *ret);

/* Sets the total numbers of samples to those of the current interval. */
void rsp_live_reset(struct rsp_live *live);

#endif
