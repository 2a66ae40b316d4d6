/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a watch: a time for which a client asks the daemon to record the CPU times of all
 * threads, and, if requested, to count system calls or to add up the memory use of a process.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_WATCH_H
#define RSP_WATCH_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* Steps of a watch, for the iterators over all threads. */
enum rsp_watch_step {
	RSP_WATCH_BEGIN = 1, /* write the CPU times of all threads */
	/* write the CPU times of all threads, and the counts if is_counting is set */
	RSP_WATCH_READ = 2,
	RSP_WATCH_END = 3, /* free the tables of all threads */
};

struct rsp_watch_knobs {
	__u64 from_ns; /* begin of the watch */
	__u32 number;  /* number of the watch, from 1 */
	__u32 step;    /* enum rsp_watch_step */
	__u32 is_counting;
	__u32 memory_kinds; /* set of enum rsp_memory_kind; 0: memory is not watched */
	__u32 memory_tgid;  /* the process whose memory is watched, together with its descendants */
	__u32 pad;
};

/*
 * A notice for the process that attaches probes to allocators: it reports a process whose memory is
 * watched, or a file that such a process has mapped. The BPF programs send at most one notice for
 * each file.
 */
struct rsp_memory_notice {
	__u64 ts_ns;
	/* address range of the new executable mapping; 0: look at all mappings of the process */
	__u64 start, end;
	__u64 key; /* key of the file in the table of files; 0: none */
	__u32 tgid;
	__u32 is_child; /* the process was created during the watch */
};

/*
 * The tables of a watch of memory: hash tables with keys of 8 bytes, and a ring buffer. The tables
 * exist only during the watch.
 */
enum rsp_memory_table {
	/* key: hash of the stacks, thread and kind; value: struct rsp_memory_sum */
	RSP_MEMORY_SUMS = 0,
	RSP_MEMORY_BLOCKS =
		1,	      /* key: hash of process and address; value: struct rsp_memory_block */
	RSP_MEMORY_FILES = 2, /* key: hash of a mapped file; value: 4 unused bytes */
	RSP_MEMORY_NOTICES = 3, /* ring buffer of struct rsp_memory_notice */
	RSP_MEMORY_TABLE_CNT,
};

#define RSP_MEMORY_SUM_MAX	(1U << 14)
#define RSP_MEMORY_BLOCK_MAX	(1U << 19)
#define RSP_MEMORY_FILE_MAX	(1U << 12)
/* Size of the ring of notices, in bytes; sufficient for a notice about each file. */
#define RSP_MEMORY_NOTICE_BYTES (1U << 18)

struct rsp_memory_sum {
	__u64 kstack, ustack;
	__u32 tid, tgid;
	__u32 kind; /* enum rsp_memory_kind */
	__u32 pad;
	__u64 cnt, bytes, live_cnt, live_bytes; /* as the members of struct rsp_ev_memory */
};

/* An allocated block of memory that is not freed yet. */
struct rsp_memory_block {
	__u64 sum; /* key in the table of sums; 0: the table was full */
	__u64 bytes;
};

#endif
