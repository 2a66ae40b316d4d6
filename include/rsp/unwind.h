/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between who reads .eh_frame and the kernel programs that unwind by it: for each
 * place in a binary's code, where the caller's frame is (DWARF 5, 6.4: the CFA) and how to get its
 * frame pointer. The caller's return address lies at CFA - 8. Everything is in file offsets, as the
 * kernel knows of a mapping where in its file it begins, and no more.
 *
 * A table is an array of blocks of 4096 bytes, the values of a BPF array: a program looks up a
 * block and is free to search in it. The first block begins with struct rsp_unwind_head; behind
 * it, going on in the blocks that follow, lies the index: for each page of 4 KiB of the file from
 * first_page on the number of the first row at or beyond the page's start, and one more for the
 * end. The rows begin with block row_block, sorted by pc. A row holds from its pc to the next
 * row's.
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
#define RSP_UNWIND_BLOCK_MAX   (64 << 8) /* 64 MiB: the largest programs known have 20 */
#define RSP_UNWIND_PAGE_MAX    (1 << 20) /* 4 GiB of file */

enum rsp_unwind_cfa {
	RSP_CFA_NONE = 0,  /* nothing is known here: no unwinding by this table */
	RSP_CFA_SP,	   /* stack pointer + cfa */
	RSP_CFA_FP,	   /* frame pointer + cfa */
	RSP_CFA_PLT,	   /* stack pointer + 8, and 8 more from byte 11 of each 16 on */
	RSP_CFA_FP_DEREF,  /* what lies at frame pointer + cfa */
	RSP_CFA_SP_DEREF8, /* 8 more than what lies at stack pointer + cfa (OpenSSL) */
	RSP_CFA_SIGNAL,	   /* the kernel's signal frame: all registers lie on the stack */
	RSP_CFA_RA_RDI,	   /* stack pointer + cfa; the return address is in rdi (vfork) */
	RSP_CFA_OUTERMOST, /* the thread's first function: no caller */
	RSP_CFA_BX,	   /* rbx + cfa (ld.so, where it binds a function at its first call) */
};

enum rsp_unwind_fp {
	RSP_FP_SAME = 0,  /* the caller's frame pointer is this one's */
	RSP_FP_CFA,	  /* at CFA + fp */
	RSP_FP_FP,	  /* at frame pointer + fp */
	RSP_FP_UNDEFINED, /* lost */
};

/* rbx is followed for RSP_CFA_BX alone, and has no room of its own: what does not fit is lost. */
enum rsp_unwind_bx {
	RSP_BX_SAME = 0,
	RSP_BX_CFA,	  /* at CFA + fp, as the frame pointer is the same */
	RSP_BX_BELOW_FP,  /* 8 below the frame pointer's place */
	RSP_BX_UNDEFINED, /* lost */
};

struct rsp_unwind_row {
	__u32 pc;   /* file offset */
	__s16 cfa;  /* in units of 8 bytes */
	__s8 fp;    /* in units of 8 bytes */
	__u8 rules; /* enum rsp_unwind_cfa, << 4: enum rsp_unwind_fp, << 6: enum rsp_unwind_bx */
};

#define RSP_UNWIND_RULES(cfa, fp, bx) ((__u8)((cfa) | (fp) << 4 | (bx) << 6))
#define RSP_UNWIND_CFA(rules)	      ((rules)&15)
#define RSP_UNWIND_FP(rules)	      ((rules) >> 4 & 3)
#define RSP_UNWIND_BX(rules)	      ((rules) >> 6)

#define RSP_UNWIND_ROWS_PER_BLOCK  (RSP_UNWIND_BLOCK_BYTES / sizeof(struct rsp_unwind_row))
#define RSP_UNWIND_INDEX_PER_BLOCK (RSP_UNWIND_BLOCK_BYTES / sizeof(__u32))

struct rsp_unwind_head {
	__u32 first_page; /* of the file, that has a row */
	__u32 page_cnt;	  /* the index has one entry more */
	__u32 row_block;
	__u32 row_cnt;
};

#define RSP_UNWIND_INDEX_OFF                                                                       \
	(sizeof(struct rsp_unwind_head) / sizeof(__u32)) /* in the first block */

/* --- between the kernel programs and the daemon --------------------------------------------- */

/*
 * Tables lie one behind the other in areas, BPF arrays in a map of maps: the kernel waits for a
 * grace period, tens of milliseconds, whenever one is put there. A table is known by its area and
 * its first block in it; one of more blocks than this has an area of its own.
 */
#define RSP_AREA_BLOCKS 256
#define RSP_AREA_MAX	4096 /* none has the number 0 */

#define RSP_TABLE(area, block) ((area)*RSP_AREA_BLOCKS + (block))
#define RSP_TABLE_AREA(table)  ((table) / RSP_AREA_BLOCKS)
#define RSP_TABLE_BLOCK(table) ((table) % RSP_AREA_BLOCKS)

/* What a binary has before its table is there. */
enum {
	RSP_TABLE_PENDING = 0, /* not known yet: a stack ends here, partial */
	RSP_TABLE_NONE = 1,    /* there is none: by frame pointers */
	RSP_TABLE_FIRST = RSP_TABLE(1, 0),
};

/* What tells files apart in the kernel, whatever they are called. Of the vdso all is 0. */
struct rsp_binary_key {
	__u64 ino;
	__u64 size;
	__s64 mtime_s;
	__u32 mtime_ns;
	__u32 dev; /* major << 20 | minor, of the file system below any overlay */
};

struct rsp_binary_value {
	__u32 number;
	__u32 table;
};

/* The file system that holds a file, and whom its answers depend on. */
struct rsp_binary_origin {
	__u64 magic;	 /* of the file system below any overlay */
	__u64 top_magic; /* of the one through which it is opened: the same, or an overlay's */
	__u32 mnt_id;	 /* of the mount through which it is opened */
	__u32 foreign;	 /* one of the two file systems was mounted in a user namespace */
	__u32 uid; /* of the maker of that user namespace, or of the thread's; else the thread's */
	__u32 unused;
};

/* A program met code of a binary whose table it lacks: sent once per number, until asked anew. */
struct rsp_binary_wanted {
	struct rsp_binary_key key;
	struct rsp_binary_origin origin;
	__u64 start, end; /* of the mapping: /proc/TGID/map_files/start-end is the file */
	__u32 number;
	__u32 tgid;
};

/* Where the programs remember what they met, by number modulo this. */
#define RSP_BINARY_MET_MAX (1 << 14)

struct rsp_binary_met {
	struct rsp_binary_key key;
	__u32 number;
	__u32 asked;	/* for its table: by programs to 1, by the daemon to 0 */
	__u32 vain_cnt; /* requests that failed; counted by the daemon */
	__u32 again_s;	/* no request before this second of CLOCK_MONOTONIC; set by the daemon */
};

/* How user stacks ended. */
enum rsp_unwind_end {
	RSP_END_COMPLETE,   /* at the thread's first function */
	RSP_END_PENDING,    /* in a binary whose table is not there yet */
	RSP_END_NO_MAPPING, /* at an address that is in no executable mapping */
	RSP_END_NO_RULE,    /* in code without unwind information or frame pointers */
	RSP_END_FAULT,	    /* the stack's memory is not resident */
	RSP_END_BACKWARDS,  /* the caller's frame would lie below: a damaged stack */
	RSP_END_TRUNCATED,  /* deeper than RSP_STACK_FRAMES_MAX */
	RSP_END_FOREIGN,    /* a 32-bit program */
	RSP_END_CNT,
};

/* Per CPU, since load. */
struct rsp_stack_stats {
	__u64 user_cnt[RSP_END_CNT];
	__u64 user_repeated_cnt; /* of the complete: taken over from the task's last at that place
				  */
	__u64 user_checked_cnt;	 /* could have been, and unwound to see whether that is the same */
	__u64 user_wrong_cnt;	 /* it was not */
	__u64 kernel_walked_cnt; /* by learned distances */
	__u64 kernel_unwound_cnt;
	__u64 kernel_checked_cnt; /* walked, and unwound to see whether that is the same */
	__u64 kernel_wrong_cnt;	  /* it was not */
};

_Static_assert(sizeof(struct rsp_unwind_row) == 8, "layout");
_Static_assert(sizeof(struct rsp_unwind_head) == 16, "layout");

#endif
