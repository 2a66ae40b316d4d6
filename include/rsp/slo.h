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

enum rsp_slo_measure {
	RSP_SLO_REQUEST = 1, /* accepted TCP connection: first unanswered data to first byte sent */
	RSP_SLO_WAIT,	     /* one sleep of a thread, but not one for something to do */
	RSP_SLO_RUNQUEUE,    /* runnable until it runs */
	RSP_SLO_DISK,	     /* request handed to the block layer until complete */
	RSP_SLO_FUNCTION,    /* entry to return */
	RSP_SLO_PSI,	     /* stall of a resource within a span (pressure stall information) */
	RSP_SLO_MEASURE_CNT,
};

enum rsp_slo_resource { RSP_SLO_CPU = 1, RSP_SLO_MEMORY, RSP_SLO_IO };

/*
 * Histogram buckets: four to an octave from 1 µs on. Bucket i counts latencies up to
 * rsp_slo_bucket_limit_ns(i) and above that of i - 1; the last one those above all limits.
 */
#define RSP_SLO_BUCKET_CNT 128

#endif
