/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind tables, by which the BPF programs unwind user stacks. The daemon makes them from
 * .eh_frame and .gopclntab. For each place in a binary's code, a table contains the location of the
 * caller's frame (the CFA, DWARF 5, 6.4) and the way to get the caller's frame pointer. The return
 * address is at CFA - 8. All places are file offsets, because the kernel does not know the
 * addresses in the ELF file.
 *
 * A table is a sequence of blocks of 4096 bytes, which are values of a BPF array. The first block
 * begins with struct rsp_unwind_head. The index follows it and continues in the next blocks. For
 * each page of 4 KiB of the file, from first_page on, the index contains the number of the first
 * row at or after the page's start. One more entry marks the end of the index. The rows begin at
 * block row_block, sorted by pc. A row is valid from its pc to the pc of the next row.
 *
 * Included by BPF programs (after vmlinux.h) and by user space.
 */
#ifndef RSP_UNWIND_H
#define RSP_UNWIND_H

#ifndef __bpf__
#include <linux/types.h>
#endif

#include "rsp/numbers.h"

#define RSP_UNWIND_BLOCK_BYTES 4096
#define RSP_UNWIND_PAGE_SHIFT  12
#define RSP_UNWIND_BLOCK_MAX   (64 << 8) /* 64 MiB: the largest known programs need 20 MiB */
#define RSP_UNWIND_PAGE_MAX    (1 << 20) /* 4 GiB of the file */

enum rsp_unwind_cfa {
	RSP_CFA_NONE = 0, /* the table cannot unwind this code */
	RSP_CFA_SP,	  /* stack pointer + cfa */
	RSP_CFA_FP,	  /* frame pointer + cfa */
	RSP_CFA_PLT, /* stack pointer + 8; from byte 11 of each 16 bytes on: stack pointer + 16 */
	RSP_CFA_FP_DEREF,  /* value in memory at (frame pointer + cfa) */
	RSP_CFA_SP_DEREF8, /* value in memory at (stack pointer + cfa), plus 8; used by OpenSSL */
	RSP_CFA_SIGNAL,	   /* a signal frame of the kernel: all registers are on the stack */
	RSP_CFA_RA_RDI,	   /* stack pointer + cfa; the return address is in rdi (vfork) */
	RSP_CFA_OUTERMOST, /* the first function of a thread, which has no caller */
	RSP_CFA_BX, /* rbx + cfa (the code of ld.so that binds a function at its first call) */
};

enum rsp_unwind_fp {
	RSP_FP_SAME = 0,  /* the caller has the same frame pointer */
	RSP_FP_CFA,	  /* the caller's frame pointer is saved at CFA + fp */
	RSP_FP_FP,	  /* the caller's frame pointer is saved at frame pointer + fp */
	RSP_FP_UNDEFINED, /* lost */
};

/*
 * The way to get the caller's rbx. Only RSP_CFA_BX needs rbx, so a row has no separate offset for
 * rbx: the member fp must determine it.
 */
enum rsp_unwind_bx {
	RSP_BX_SAME = 0,
	RSP_BX_CFA,	  /* rbx is saved at CFA + fp; the frame pointer stays the same */
	RSP_BX_BELOW_FP,  /* rbx is saved 8 bytes below the saved frame pointer */
	RSP_BX_UNDEFINED, /* lost */
};

struct rsp_unwind_row {
	__u32 pc;   /* file offset */
	__s16 cfa;  /* in units of 8 bytes */
	__s8 fp;    /* in units of 8 bytes */
	__u8 rules; /* made by RSP_UNWIND_RULES() */
};

#define RSP_UNWIND_RULES(cfa, fp, bx) ((__u8)((cfa) | (fp) << 4 | (bx) << 6))
#define RSP_UNWIND_CFA(rules)	      ((rules)&15)
#define RSP_UNWIND_FP(rules)	      ((rules) >> 4 & 3)
#define RSP_UNWIND_BX(rules)	      ((rules) >> 6)

#define RSP_UNWIND_ROWS_PER_BLOCK  (RSP_UNWIND_BLOCK_BYTES / sizeof(struct rsp_unwind_row))
#define RSP_UNWIND_INDEX_PER_BLOCK (RSP_UNWIND_BLOCK_BYTES / sizeof(__u32))

struct rsp_unwind_head {
	__u32 first_page; /* first page of the file that has a row */
	__u32 page_cnt;	  /* the index has page_cnt + 1 entries */
	__u32 row_block;
	__u32 row_cnt;
};

#define RSP_UNWIND_INDEX_OFF                                                                       \
	(sizeof(struct rsp_unwind_head) / sizeof(__u32)) /* in words, in the first block */

/*
 * --- data that the BPF programs and the daemon exchange -----------------------------------------
 */

/*
 * Unwind tables lie one after the other in areas. An area is a BPF array in a map of maps. Whenever
 * an array is put into such a map, the kernel waits for a grace period of tens of milliseconds, so
 * a separate array per table would be slow. A table of more than RSP_AREA_BLOCKS blocks has an area
 * of its own.
 */
#define RSP_AREA_BLOCKS 256
#define RSP_AREA_MAX	4096 /* number of areas; area 0 is not used */

#define RSP_TABLE(area, block) ((area)*RSP_AREA_BLOCKS + (block))
#define RSP_TABLE_AREA(table)  ((table) / RSP_AREA_BLOCKS)
#define RSP_TABLE_BLOCK(table) ((table) % RSP_AREA_BLOCKS)

/* The states of a binary that has no table. */
enum {
	RSP_TABLE_PENDING = 0, /* the table is not loaded yet: the stack ends here and is partial */
	RSP_TABLE_NONE = 1,    /* the binary has no table: unwind by frame pointers */
	RSP_TABLE_FIRST = RSP_TABLE(1, 0),
};

/* Identifies a file independently of its name. All members are 0 for the vDSO. */
struct rsp_binary_key {
	__u64 ino;
	__u64 size;
	__s64 mtime_s;
	__u32 mtime_ns;
	__u32 dev; /* major << 20 | minor; of the lowest file system, below any overlay */
};

struct rsp_binary_value {
	__u32 number;
	__u32 table;
};

/* The file system that contains a file, and the user who controls this file system. */
struct rsp_binary_origin {
	__u64 magic; /* magic of the lowest file system, below any overlay */
	/*
	 * magic of the file system through which the file was opened: an overlay, or the lowest
	 * file system itself
	 */
	__u64 top_magic;
	__u32 mnt_id; /* ID of the mount through which the file is opened */
	/*
	 * 1: the lowest file system or the overlay was mounted in a user namespace below the
	 * initial one
	 */
	__u32 foreign;
	/*
	 * If foreign is 1: user ID of the owner of this user namespace. If foreign is 0: owner of
	 * the thread's user namespace, or, in the initial user namespace, the thread's user.
	 */
	__u32 uid;
	__u32 unused;
};

/*
 * A request for an unwind table: a BPF program found code of a binary without a table. Sent once
 * per number of a binary, until the daemon resets rsp_binary_met.asked.
 */
struct rsp_binary_wanted {
	struct rsp_binary_key key;
	struct rsp_binary_origin origin;
	/* address range of the mapping; the file is /proc/TGID/map_files/START-END */
	__u64 start, end;
	__u32 number;
	__u32 tgid;
};

/*
 * Number of slots for the binaries that BPF programs have seen. The slot of a binary is its number
 * modulo RSP_BINARY_MET_MAX.
 */
#define RSP_BINARY_MET_MAX (1 << 14)

struct rsp_binary_met {
	struct rsp_binary_key key;
	__u32 number;
	__u32 asked;	/* 1: its table was requested. BPF programs set it to 1, the daemon to 0. */
	__u32 vain_cnt; /* number of failed requests, counted by the daemon */
	__u32 again_s; /* no new request before this second of CLOCK_MONOTONIC; set by the daemon */
};

/* The end of an unwound user stack, or the reason why unwinding failed. */
enum rsp_unwind_end {
	RSP_END_COMPLETE,   /* at the thread's first function */
	RSP_END_PENDING,    /* in a binary whose unwind table is not loaded yet */
	RSP_END_NO_MAPPING, /* at an address that is in no executable mapping */
	RSP_END_NO_RULE,    /* in code without unwind information or frame pointers */
	RSP_END_FAULT,	    /* at memory that cannot be read, for example not resident */
	RSP_END_BACKWARDS,  /* the caller's frame would be below this one: a damaged stack */
	RSP_END_TRUNCATED,  /* after RSP_STACK_FRAMES_MAX frames */
	RSP_END_FOREIGN,    /* a 32-bit program */
	RSP_END_CNT,
};

/* Counters of the stacks taken on one CPU since the programs were loaded. */
struct rsp_stack_stats {
	__u64 user_cnt[RSP_END_CNT];
	/*
	 * part of user_cnt[RSP_END_COMPLETE]: stacks that were not unwound, because an earlier
	 * stack was reused
	 */
	__u64 user_repeated_cnt;
	/* number of stacks that were compared with a reused stack, as a check */
	__u64 user_checked_cnt;
	__u64 user_wrong_cnt; /* part of user_checked_cnt: the results differed */
	/* kernel stacks that were walked instead of unwound (bpf/walk.bpf.h) */
	__u64 kernel_walked_cnt;
	__u64 kernel_unwound_cnt;
	__u64 kernel_checked_cnt; /* walked kernel stacks that were also unwound, as a check */
	__u64 kernel_wrong_cnt;	  /* part of kernel_checked_cnt: the results differed */
};

_Static_assert(sizeof(struct rsp_unwind_row) == 8, "layout");
_Static_assert(sizeof(struct rsp_unwind_head) == 16, "layout");

#endif
