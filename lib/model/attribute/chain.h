/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chain of waits. Each hop waits for the next hop; the last hop shows what its thread did. */
#ifndef RSP_LIB_CHAIN_H
#define RSP_LIB_CHAIN_H

#include <linux/types.h>
#include <stddef.h>

#include "lib/model/attribute/category.h"

struct rsp_frame;

enum rsp_hop_kind {
	RSP_HOP_BLOCKED, /* waits for the next hop */
	RSP_HOP_LEAF,	 /* the last hop; the category shows what the thread did */
};

enum rsp_hop_flags {
	/*
	 * In a run, the stack is not from that time: it is the stack of the switch that ended the
	 * run or, with ESTIMATED, the stack of a sample of another run. In a wait, the cause is
	 * inferred.
	 */
	RSP_HOP_INFERRED = 1 << 0,
	/* the wait is longer than recorded: an edge of the span or of the recording cuts it */
	RSP_HOP_AT_LEAST = 1 << 1,
	RSP_HOP_KTHREAD = 1 << 2,
	/* too many chains: the hop has no stack, and hops before it may be left out */
	RSP_HOP_SHORTENED = 1 << 3,
	/*
	 * RUNQUEUE: the CPU quota of the cgroup was used up; object: the cgroup. DISK_QUEUED
	 * without why: the I/O limit of a cgroup held the request back; behind: the cgroup. Other
	 * categories: see enum rsp_why.
	 */
	RSP_HOP_THROTTLED = 1 << 4,
	/* the stack is from a sample of another run of the thread or process */
	RSP_HOP_ESTIMATED = 1 << 5,
	/*
	 * BLOCKED: the thread polled for the next hop in a loop of sleeps with a timeout; inferred
	 */
	RSP_HOP_POLLS = 1 << 6,
};

struct rsp_hop {
	enum rsp_hop_kind kind;
	enum rsp_category category; /* of a LEAF */
	enum rsp_why why;
	unsigned int flags; /* enum rsp_hop_flags */
	__u32 tgid, tid;    /* of the thread with the most time in this hop */
	__u32 task_cnt;
	const char *comm; /* like all strings of a hop, owned by the explanation */
	/* the thread's container, as rsp_container_print() writes it; "": no container is known */
	const char *container;
	/*
	 * the cause of the wait, such as a file, host:port, an interrupt handler or the program
	 * that has the CPU; in a run of a kernel worker, the function of the work item; or ""
	 */
	const char *object;
	/*
	 * A second name. See also enum rsp_why. DISK_QUEUED: the program whose request was ahead in
	 * the queue, or the cgroup with the limit. TIMEOUT, SLEEP: the program that the thread
	 * polled for, although this program had finished (inferred). "": no second name, or
	 * unknown.
	 */
	const char *behind;
	const char *syscall;	  /* "read", "page fault", "" */
	struct rsp_frame *frames; /* leaf first */
	size_t frame_cnt;
};

static inline bool rsp_hop_is_sampled(const struct rsp_hop *hop)
{
	return hop->category == RSP_CAT_RUNNING_SAMPLED ||
	       (hop->category == RSP_CAT_RUNNING_UNSAMPLED && hop->flags & RSP_HOP_ESTIMATED);
}

struct rsp_chain {
	__u64 ns;
	__u64 count; /* number of occurrences */
	struct rsp_hop *hops;
	size_t hop_cnt; /* at least 1 */
	struct {
		__u64 from_ns, ns;
		__u32 tid; /* the explained thread */
	} longest;	   /* the longest occurrence */
	/* if the chain ends in a run: the numbers of the samples whose stack it has, in order */
	const __u32 *samples;
	size_t sample_cnt;
};

#endif
