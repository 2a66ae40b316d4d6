/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chain of waits: each hop waits for the next one, and the last one did something. */
#ifndef RSP_LIB_CHAIN_H
#define RSP_LIB_CHAIN_H

#include <linux/types.h>
#include <stddef.h>

#include "lib/model/attribute/category.h"

struct rsp_frame;

enum rsp_hop_kind {
	RSP_HOP_BLOCKED, /* waits for the next hop */
	RSP_HOP_LEAF,	 /* the last hop; its category says what the thread did */
};

enum rsp_hop_flags {
	/*
	 * The stack is not from that time: it is the stack of the switch that ended the run or,
	 * with ESTIMATED, that of a sample of another run.
	 */
	RSP_HOP_INFERRED = 1 << 0,
	RSP_HOP_AT_LEAST = 1 << 1, /* an edge of the window cuts it */
	RSP_HOP_KTHREAD = 1 << 2,
	/* too many chains: the hops before it and its stack are left out */
	RSP_HOP_SHORTENED = 1 << 3,
	/* RUNQUEUE: its cgroup's CPU quota was used up; object: cgroup. DISK_QUEUED without why: a
	 * cgroup's I/O limit held its request back; behind: cgroup. Else see why. */
	RSP_HOP_THROTTLED = 1 << 4,
	RSP_HOP_ESTIMATED = 1 << 5, /* from samples of other runs of the thread or process */
	/* BLOCKED: it waited for the next hop in a loop of timeouts; inferred */
	RSP_HOP_POLLS = 1 << 6,
};

struct rsp_hop {
	enum rsp_hop_kind kind;
	enum rsp_category category; /* of a LEAF */
	enum rsp_why why;
	unsigned int flags; /* enum rsp_hop_flags */
	__u32 tgid, tid;    /* of the heaviest instance */
	__u32 task_cnt;	    /* distinct threads merged into this hop */
	const char *comm;   /* all strings: owned by the explanation */
	/* its container, as rsp_container_print() writes it; "": none is known */
	const char *container;
	/* the thing it blocks on, file, host:port, handler, program on the CPU; or "" */
	const char *object;
	/*
	 * The meaning depends on the category, see also enum rsp_why. DISK_QUEUED: the program
	 * whose request was ahead in the queue, or the cgroup with the limit. TIMEOUT, SLEEP: the
	 * program for which the thread polled although it had finished (inferred). "": there is
	 * none, or it is unknown.
	 */
	const char *behind;
	const char *syscall;	  /* "read", "page fault", "" */
	struct rsp_frame *frames; /* leaf first */
	size_t frame_cnt;
};

/* Whether samples determined the function: those of the run, or those of other runs. */
static inline bool rsp_hop_is_sampled(const struct rsp_hop *hop)
{
	return hop->category == RSP_CAT_RUNNING_SAMPLED ||
	       (hop->category == RSP_CAT_RUNNING_UNSAMPLED && hop->flags & RSP_HOP_ESTIMATED);
}

struct rsp_chain {
	__u64 ns;
	__u64 count; /* how often it happened */
	struct rsp_hop *hops;
	size_t hop_cnt; /* at least 1 */
	struct {
		__u64 from_ns, ns;
		__u32 tid; /* the thread of the process of interest that it made wait */
	} longest;	   /* the longest occurrence */
	/* of computing: the numbers of the samples it is attributed to, in order */
	const __u32 *samples;
	size_t sample_cnt;
};

#endif
