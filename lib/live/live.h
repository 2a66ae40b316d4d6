/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as they come -> what happens now: which functions are sampled, who waits for whom, which
 * requests are in flight, where the time of each process goes. Keeps the present state of each
 * thread and sums, no history: a record costs some tens of nanoseconds, once. What happened, in all
 * detail, is for the model (lib/model).
 */
#ifndef RSP_LIB_LIVE_H
#define RSP_LIB_LIVE_H

#include "view.h"
#include "rsp/event.h"

struct rsp_live;

#define RSP_LIVE_KERNEL (1ULL << 62) /* of each address of the kernel, too */

/*
 * A frame of a STACK record, such that places in binaries, addresses of the kernel and other
 * addresses are told apart: the kernel's have bit 62 set and bit 63 clear.
 */
static inline __u64 rsp_live_frame(const struct rsp_ev_stack *stack, __u32 i)
{
	bool is_kernel = stack->hdr.flags & RSP_STACK_KERNEL;

	if (!is_kernel)
		return stack->frames[i];
	return (stack->frames[i] & ~RSP_FRAME_IN_BINARY) | RSP_LIVE_KERNEL;
}

/* Frames, as rsp_live_frame() returns them, -> names. */
struct rsp_live_namer {
	/* Puts the name of the function into name and that of its module into module. */
	void (*name)(__u64 frame, char *name, size_t name_len, char *module, size_t module_len,
		     void *userdata);
	/* A BINARY record. Returns whether frames that have been named have other names now. */
	bool (*binary)(const struct rsp_ev_binary *binary, void *userdata);
	void *userdata;
};

/* namer is copied. 0 or -ENOMEM. */
int rsp_live_new(const struct rsp_live_namer *namer, struct rsp_live **ret);
struct rsp_live *rsp_live_free(struct rsp_live *live);

/* The first interval begins at since_ns, not with the first record. */
void rsp_live_begin(struct rsp_live *live, __u64 since_ns);
/*
 * Takes concatenated records, which may be anyone's bytes: a bad record ends the batch. Events
 * before since_ns are left out, as the batch before this one contained them. 0 or -ENOMEM.
 */
int rsp_live_feed(struct rsp_live *live, const void *records, size_t len, __u64 since_ns);

/* The choices for a view. */
struct rsp_live_how {
	__u64 now_ns;		      /* CLOCK_MONOTONIC */
	__u32 pid;		      /* only this process; 0: all */
	char comm[RSP_TASK_COMM_LEN]; /* only processes of this name; "": all */
	bool by_process;	      /* functions of different processes are different rows */
	bool by_cgroup;		      /* times by cgroup instead of process */
	bool with_idle;		      /* waits of threads that only wait for work, too */
	__u32 row_max;		      /* of each list, at most RSP_LIVE_ROWS */
};

/*
 * Puts what happened since the last look into ret, and begins the next interval. ret is
 * large: it belongs into shared memory or on the heap.
 */
void rsp_live_look(struct rsp_live *live, const struct rsp_live_how *how,
		   struct rsp_live_view *ret);

/* Forgets the counts of samples since the start. */
void rsp_live_reset(struct rsp_live *live);

#endif
