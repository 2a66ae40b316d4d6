/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the daemon tells the programs that count system calls. They are attached only while somebody
 * asks for the counts, which is called a watch here.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_WATCH_H
#define RSP_WATCH_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* What the iterator over tasks does. */
enum rsp_watch_step {
	RSP_WATCH_BEGIN = 1, /* writes the accounts of all threads */
	RSP_WATCH_READ = 2,  /* writes accounts and counts */
	RSP_WATCH_END = 3,   /* frees the memory of the counts */
};

struct rsp_watch_knobs {
	__u64 from_ns; /* calls are counted since then */
	__u32 number;  /* of the watch, from 1 */
	__u32 step;    /* enum rsp_watch_step */
	__u32 is_counting;
	__u32 pad;
};

#endif
