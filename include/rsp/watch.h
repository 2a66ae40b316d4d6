/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings that the daemon writes for the programs that count system calls, and for the iterator
 * that reads their counts. The programs are attached only during a watch, which a client asks for.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_WATCH_H
#define RSP_WATCH_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* Steps of a watch, each of which is a run of the iterator over all threads. */
enum rsp_watch_step {
	RSP_WATCH_BEGIN = 1, /* write the CPU times of all threads */
	RSP_WATCH_READ = 2,  /* write CPU times, and counts if is_counting */
	RSP_WATCH_END = 3,   /* free the memory of the counts */
};

struct rsp_watch_knobs {
	__u64 from_ns; /* begin of the watch */
	__u32 number;  /* number of the watch, from 1 */
	__u32 step;    /* enum rsp_watch_step */
	__u32 is_counting;
	__u32 pad;
};

#endif
