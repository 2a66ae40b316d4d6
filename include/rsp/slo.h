/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies that have a limit (service level objectives): what the recorder tells the kernel
 * programs to measure, and what they tell it when a limit was passed. Times as in event.h.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_SLO_H
#define RSP_SLO_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* Rules at once: each costs every event that it may be about some nanoseconds. */
#define RSP_SLO_MAX 16

/*
 * What is measured, from when to when. Threads of the kernel count where a rule names their process
 * or command, and for DISK where it selects nobody.
 *
 * REQUEST: an accepted TCP connection, from the arrival of the first data that was not answered to
 * the first byte sent back, by whoever sends it; if the client closes and then the server, without
 * an answer, to that. What is never answered while the client waits is not measured yet. A client
 * that bound a port of the kernel's choice before it connected looks like a server.
 *
 * WAIT: one sleep of a thread, from when it leaves the CPU to when it is woken: in one of the calls
 * named, or, if none is, in any call or page fault except where it usually waits for something to
 * do: poll, select, epoll_wait, accept, sleeps, waits for signals, children and messages. And
 * futex: a lock that is taken and a pool with nothing to do look alike. Not of stopped threads, nor
 * in 32-bit calls.
 *
 * RUNQUEUE: from a wakeup, or from losing the CPU to another, until it runs.
 *
 * DISK: from handing a request to the block layer (or to the disk, where there is no queue) until
 * it is complete; that of whoever handed it over. What kernel threads write later, on behalf of
 * nobody in particular, is theirs.
 *
 * FUNCTION: from its entry to its return; of a recursion, the outermost call.
 *
 * PSI: for how long within a span tasks were stalled.
 */
enum rsp_slo_measure {
	RSP_SLO_REQUEST = 1,
	RSP_SLO_WAIT,
	RSP_SLO_RUNQUEUE,
	RSP_SLO_DISK,
	RSP_SLO_FUNCTION,
	RSP_SLO_PSI,
	RSP_SLO_MEASURE_CNT,
};

enum rsp_slo_resource { RSP_SLO_CPU = 1, RSP_SLO_MEMORY, RSP_SLO_IO };

/*
 * Histogram buckets: four to an octave from 1 µs on. Bucket i counts latencies up to
 * rsp_slo_bucket_limit_ns(i) and above that of i - 1; the last one those above all limits.
 */
#define RSP_SLO_BUCKET_CNT 128

#define RSP_SLO_SYSCALL_CNT 512

enum rsp_slo_flags {
	RSP_SLO_KERNEL_THREADS = 1 << 0, /* they count, too */
	RSP_SLO_FAULTS = 1 << 1,	 /* WAIT: outside of calls, too */
};

/* Whose latency, and what is too much. A selector that is 0 selects all. */
struct rsp_slo_rule {
	__u64 since_ns; /* what began earlier is not its; also names the rule, which slots do not */
	__u64 threshold_ns;
	__u64 cgroup_id; /* of the task or, for groups above it, of an ancestor */
	__u64 comm[2];	 /* of the thread or the main thread, as far as */
	__u64 comm_mask[2];
	__u32 tgid;
	__u16 cgroup_level; /* the root's is 0 */
	__u16 port;	    /* REQUEST: local */
	__u32 flags;	    /* enum rsp_slo_flags */
	__u32 bit;	    /* of struct rsp_slo_active: 1 << the rule's number */
	__u64 syscalls[RSP_SLO_SYSCALL_CNT / 64]; /* WAIT: a bit for each that counts */
};

/* Bit i: rule i measures this. All that a hook looks at where nothing is to be measured. */
struct rsp_slo_active {
	__u32 request, wait, runqueue, disk, function;
	__u32 threads; /* wait and runqueue */
};

/* What one CPU found for one rule. */
struct rsp_slo_counts {
	__u64 since_ns; /* of the rule it is about; of another: as if all were 0 */
	__u64 over_cnt;
	__u64 lost_cnt;	      /* of them not told, since there was no room */
	__u64 unmeasured_cnt; /* no room for the beginning */
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
};

/*
 * Passed the limit. Of those that end in the same tenth of a second, by the clock, one is told if
 * it is worse than all told before.
 */
#define RSP_SLO_TENTH_NS 100000000ULL

struct rsp_slo_event {
	__u64 since_ns; /* of the rule */
	__u64 start_ns, end_ns;
	__u32 rule;
	__u32 tgid, tid;
	__u32 pad;
};

static inline __u32 rsp_slo_bucket_of(__u64 latency_ns)
{
	/* Limits are multiples of 250 ns: (4 + i % 4) << (i / 4). The first of them above this: */
	__u64 quarters = latency_ns ? (latency_ns - 1) / 250 : 0, rest = quarters;
	__u32 octave = 0, bucket;

	if (quarters < 4)
		return 0;
	for (__u32 step = 32; step; step /= 2) {
		if (rest >> step >= 4) {
			rest >>= step;
			octave += step;
		}
	}
	bucket = octave * 4 + (__u32)rest - 4 + 1;
	return bucket < RSP_SLO_BUCKET_CNT ? bucket : RSP_SLO_BUCKET_CNT - 1;
}

#endif
