/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The categories of time and the reasons for delays, with their names. */
#ifndef RSP_LIB_CATEGORY_H
#define RSP_LIB_CATEGORY_H

/* The categories of time, in the order of reports. */
enum rsp_category {
	RSP_CAT_RUNNING_SAMPLED,
	RSP_CAT_RUNNING_UNSAMPLED,
	RSP_CAT_DISK_ACTIVE,
	RSP_CAT_DISK_QUEUED,
	RSP_CAT_NETWORK,
	RSP_CAT_RUNQUEUE,
	RSP_CAT_HARDWARE,
	RSP_CAT_PREEMPTED,
	RSP_CAT_KERNEL,
	RSP_CAT_SLEEP,
	RSP_CAT_TIMEOUT,
	RSP_CAT_STOPPED,
	RSP_CAT_IDLE,
	RSP_CAT_OTHER_PATH,
	RSP_CAT_LOST,
	RSP_CAT_UNRECORDED,
	RSP_CAT_EDGE,
	RSP_CAT_UNACCOUNTED,
	RSP_CAT_MAX,
};

const char *rsp_category_key(enum rsp_category cat);
const char *rsp_category_text(enum rsp_category cat);

/*
 * The reason for a delay in the kernel itself, or for an inference. Each comment begins with the
 * categories of the hops that have the reason, and with THROTTLED if they may have this flag
 * (chain.h).
 */
enum rsp_why {
	RSP_WHY_NONE,
	/*
	 * NETWORK: TCP of a sender on this host held the data back until the peer acknowledged the
	 * earlier data (Nagle's algorithm)
	 */
	RSP_WHY_NAGLE,
	RSP_WHY_RETRANSMIT, /* NETWORK: nothing acknowledged a segment, so TCP sent it again */
	/* NETWORK: nothing answered a SYN; behind: the program that owns the port */
	RSP_WHY_CONNECT,
	RSP_WHY_UNANSWERED, /* TIMEOUT: the peer had not answered when the time ran out */
	/* BLOCKED: the thread writes, and the thread of the next hop does not read */
	RSP_WHY_WINDOW,
	/*
	 * Any category except RUNQUEUE and PREEMPTED: the thread frees memory in order to allocate
	 * some. behind: the cgroup that is at its limit, or "".
	 */
	RSP_WHY_RECLAIM,
	/* DISK_QUEUED, THROTTLED: too many pages are dirty, that is, not on the disk yet */
	RSP_WHY_DIRTY_PAGES,
	/* DISK_QUEUED, THROTTLED: the thread's cgroup used up its share of the disk */
	RSP_WHY_IO_SHARE,
	RSP_WHY_MEMORY_HIGH, /* KERNEL, THROTTLED: the thread's cgroup uses more than memory.high */
	RSP_WHY_SWAP,	     /* DISK_ACTIVE, DISK_QUEUED, KERNEL: a page is read from swap */
	/* STOPPED: the thread's cgroup is frozen, or the whole machine is being suspended */
	RSP_WHY_FROZEN,
	/* TIMEOUT, inferred: the end of the wait was not recorded (unseen.h) */
	RSP_WHY_UNSEEN,
	RSP_WHY_RESTS, /* IDLE, inferred: the process did next to nothing (idle.h) */
	RSP_WHY_MAX,
};

/* These functions return "" for RSP_WHY_NONE. */
const char *rsp_why_key(enum rsp_why why);
const char *rsp_why_text(enum rsp_why why);

#endif
