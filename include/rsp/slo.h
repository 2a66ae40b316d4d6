/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency limits (service level objectives): the rules by which the BPF programs measure latencies,
 * and the events that they send to the daemon when a latency exceeds its limit. Times are
 * CLOCK_MONOTONIC in ns, as in event.h.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_SLO_H
#define RSP_SLO_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* Maximum number of rules. Each rule adds some nanoseconds to every event that it may apply to. */
#define RSP_SLO_MAX 16

/*
 * The measures. Each definition names the beginning and the end of the measured time. Kernel
 * threads count if a rule names their process or command, and for DISK if the rule has no selector.
 *
 * REQUEST: a request on an accepted TCP connection, from the arrival of the first unanswered data
 * to the first byte that any thread sends back. If the client and then the server close the
 * connection without an answer, the request ends there.
 *
 * WAIT: one sleep of a thread, from leaving the CPU to the wakeup. A sleep counts in the system
 * calls that the rule names. If the rule names none, a sleep counts in page faults and in all
 * system calls except those in which threads usually wait for something to do: poll, select,
 * epoll_wait, accept, sleeps, waits for signals, children and messages, and futex. Stopped threads
 * and system calls of 32-bit programs do not count.
 *
 * RUNQUEUE: from a wakeup or a preemption of a thread until the thread runs.
 *
 * DISK: a disk request, from its submission to the block layer (or to the disk, if there is no
 * queue) to its completion. It counts for the thread that submitted it. If kernel threads write
 * data back later, the requests count for these threads.
 *
 * FUNCTION: a call of a function, from the entry to the return; in a recursion, the outermost call.
 *
 * PSI: the time for which tasks were stalled, within a span of time.
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
 * Number of histogram buckets. There are four buckets per octave, from 1 µs on. Bucket i counts
 * latencies above the limit of bucket i - 1 and up to rsp_slo_bucket_limit_ns(i). The last bucket
 * also counts all longer latencies.
 */
#define RSP_SLO_BUCKET_CNT 128

#define RSP_SLO_SYSCALL_CNT 512

enum rsp_slo_flags {
	RSP_SLO_KERNEL_THREADS = 1 << 0, /* latencies of kernel threads count, too */
	RSP_SLO_FAULTS = 1 << 1,	 /* WAIT: sleeps outside of system calls count, too */
};

/* A rule: the latencies that count, and their limit. A selector that is 0 selects all tasks. */
struct rsp_slo_rule {
	/*
	 * time at which the rule was set: latencies that began earlier do not count; also
	 * distinguishes rules that use the same slot
	 */
	__u64 since_ns;
	__u64 threshold_ns;
	/* selector: cgroup of the task, or the ancestor of this cgroup at cgroup_level */
	__u64 cgroup_id;
	/* selector: comm of the thread or of its main thread, compared under comm_mask */
	__u64 comm[2];
	__u64 comm_mask[2];
	__u32 tgid;
	__u16 cgroup_level; /* level of cgroup_id; 0: the root cgroup */
	__u16 port;	    /* REQUEST: selector, local port of the connection */
	__u32 flags;	    /* enum rsp_slo_flags */
	__u32 bit;	    /* the rule's bit in struct rsp_slo_active: 1 << its number */
	/* WAIT: one bit for each system call; 1: a sleep in this call counts */
	__u64 syscalls[RSP_SLO_SYSCALL_CNT / 64];
};

/*
 * Bit i of a member is set if rule i has the measure of that name. If a member is 0, the programs
 * at the events of this measure read no other data.
 */
struct rsp_slo_active {
	__u32 request, wait, runqueue, disk, function;
	__u32 threads; /* union of wait and runqueue */
};

struct rsp_slo_counts {
	/*
	 * since_ns of the rule for which the counts are valid; for any other rule, all counts are 0
	 */
	__u64 since_ns;
	__u64 over_cnt;
	/* number of latencies in over_cnt without an event, because the ring was full */
	__u64 lost_cnt;
	/*
	 * number of latencies that were not measured, because there was no room to store their
	 * start
	 */
	__u64 unmeasured_cnt;
	__u64 sum_ns, max_ns;
	__u64 buckets[RSP_SLO_BUCKET_CNT];
};

/*
 * An event: a latency above its limit. If several latencies of a rule end in the same tenth of a
 * second, an event is sent only for a latency that exceeds all earlier latencies of this tenth.
 */
#define RSP_SLO_TENTH_NS 100000000ULL

struct rsp_slo_event {
	__u64 since_ns; /* since_ns of the rule */
	__u64 start_ns, end_ns;
	__u32 rule;
	__u32 tgid, tid;
	__u32 pad;
};

static inline __u32 rsp_slo_bucket_of(__u64 latency_ns)
{
	/*
	 * Limits are multiples of 250 ns: (4 + i % 4) << (i / 4). Find the lowest limit that is not
	 * below the latency.
	 */
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
