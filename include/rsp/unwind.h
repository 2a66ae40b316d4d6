/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contract between the daemon, which reads .eh_frame, and the kernel programs, which unwind
 * with it. For each place in a binary's code, a table contains the location of the caller's frame
 * (the CFA, DWARF 5, 6.4) and the way to get the caller's frame pointer. The return address is at
 * CFA - 8. All places are file offsets, because the kernel knows at which offset of its file a
 * mapping begins, and nothing else about it.
 *
 * A table is an array of blocks of 4096 bytes, the values of a BPF array: a program looks up a
 * block and can search in it freely. The first block begins with struct rsp_unwind_head. The index
 * follows it and continues in the next blocks. For each page of 4 KiB of the file, from first_page
 * on, the index contains the number of the first row at or after the page's start. One more entry
 * marks the end. The rows begin at block row_block, sorted by pc. A row is valid from its pc to the
 * pc of the next row.
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
#define RSP_UNWIND_PAGE_MAX    (1 << 20) /* 4 GiB of file */

enum rsp_unwind_cfa {
	RSP_CFA_NONE = 0,  /* no information here: this table cannot unwind */
	RSP_CFA_SP,	   /* stack pointer + cfa */
	RSP_CFA_FP,	   /* frame pointer + cfa */
	RSP_CFA_PLT,	   /* stack pointer + 8; + 16 from byte 11 of each 16 bytes on */
	RSP_CFA_FP_DEREF,  /* value in memory at (frame pointer + cfa) */
	RSP_CFA_SP_DEREF8, /* value in memory at (stack pointer + cfa), plus 8 (OpenSSL) */
	RSP_CFA_SIGNAL,	   /* the kernel's signal frame: all registers are on the stack */
	RSP_CFA_RA_RDI,	   /* stack pointer + cfa; the return address is in rdi (vfork) */
	RSP_CFA_OUTERMOST, /* the thread's first function: no caller */
	RSP_CFA_BX,	   /* rbx + cfa (ld.so, where it binds a function at its first call) */
};

enum rsp_unwind_fp {
	RSP_FP_SAME = 0,  /* the caller has the same frame pointer */
	RSP_FP_CFA,	  /* at CFA + fp */
	RSP_FP_FP,	  /* at frame pointer + fp */
	RSP_FP_UNDEFINED, /* lost */
};

/*
 * Only RSP_CFA_BX needs rbx, so a row has no separate offset for rbx. If the offset of the frame
 * pointer does not fit, rbx is lost.
 */
enum rsp_unwind_bx {
	RSP_BX_SAME = 0,
	RSP_BX_CFA,	  /* at CFA + fp; the frame pointer stays the same */
	RSP_BX_BELOW_FP,  /* 8 bytes below the saved frame pointer */
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
	__u32 first_page; /* first page of the file that has a row */
	__u32 page_cnt;	  /* the index has page_cnt + 1 entries */
	__u32 row_block;
	__u32 row_cnt;
};

#define RSP_UNWIND_INDEX_OFF                                                                       \
	(sizeof(struct rsp_unwind_head) / sizeof(__u32)) /* in the first block */

/* --- between the kernel programs and the daemon --------------------------------------------- */

/*
 * Tables lie one after the other in areas. An area is a BPF array in a map of maps. Whenever an
 * array is put into such a map, the kernel waits for a grace period of tens of milliseconds. So
 * there is no array per table. A table is identified by its area and by its first block in that
 * area. A table of more than RSP_AREA_BLOCKS blocks has an area of its own.
 */
#define RSP_AREA_BLOCKS 256
#define RSP_AREA_MAX	4096 /* area 0 is not used */

#define RSP_TABLE(area, block) ((area)*RSP_AREA_BLOCKS + (block))
#define RSP_TABLE_AREA(table)  ((table) / RSP_AREA_BLOCKS)
#define RSP_TABLE_BLOCK(table) ((table) % RSP_AREA_BLOCKS)

/* The states of a binary that has no table. */
enum {
	RSP_TABLE_PENDING = 0, /* not known yet: the stack ends here and is partial */
	RSP_TABLE_NONE = 1,    /* there is no table: unwind by frame pointers */
	RSP_TABLE_FIRST = RSP_TABLE(1, 0),
};

/* Identifies a file in the kernel, whatever its name is. All fields are 0 for the vdso. */
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

/* The file system that holds a file, and the user that controls it. */
struct rsp_binary_origin {
	__u64 magic;	 /* magic of the lowest file system, below any overlay */
	__u64 top_magic; /* magic of the file system that was opened: the same one, or an overlay */
	__u32 mnt_id;	 /* ID of the mount through which the file is opened */
	__u32 foreign;	 /* one of the two file systems was mounted in a user namespace */
	__u32 uid;	 /* owner of that user namespace, or of the thread's; else its user */
	__u32 unused;
};

/*
 * A request for a table: a program found code of a binary that has none. Sent once per number,
 * until the daemon resets asked.
 */
struct rsp_binary_wanted {
	struct rsp_binary_key key;
	struct rsp_binary_origin origin;
	__u64 start, end; /* range of the mapping: the file is /proc/TGID/map_files/start-end */
	__u32 number;
	__u32 tgid;
};

/* Size of the table of binaries that the programs met; the index is the number modulo this. */
#define RSP_BINARY_MET_MAX (1 << 14)

struct rsp_binary_met {
	struct rsp_binary_key key;
	__u32 number;
	__u32 asked;	/* its table was requested: programs set it to 1, the daemon to 0 */
	__u32 vain_cnt; /* requests that failed; counted by the daemon */
	__u32 again_s;	/* no request before this second of CLOCK_MONOTONIC; set by the daemon */
};

/* The place where the unwinding of a user stack ended, or the reason. */
enum rsp_unwind_end {
	RSP_END_COMPLETE,   /* at the thread's first function */
	RSP_END_PENDING,    /* in a binary whose table is not built yet */
	RSP_END_NO_MAPPING, /* at an address that is in no executable mapping */
	RSP_END_NO_RULE,    /* in code without unwind information or frame pointers */
	RSP_END_FAULT,	    /* the stack's memory is not resident */
	RSP_END_BACKWARDS,  /* the caller's frame would be below this one: a damaged stack */
	RSP_END_TRUNCATED,  /* deeper than RSP_STACK_FRAMES_MAX */
	RSP_END_FOREIGN,    /* a 32-bit program */
	RSP_END_CNT,
};

/* Counters per CPU, since load. */
struct rsp_stack_stats {
	__u64 user_cnt[RSP_END_CNT];
	__u64 user_repeated_cnt; /* part of COMPLETE: copied from the last stack there */
	__u64 user_checked_cnt;	 /* could be copied, but were unwound to check the copy */
	__u64 user_wrong_cnt;	 /* part of user_checked_cnt: the copy was wrong */
	__u64 kernel_walked_cnt; /* kernel stacks walked with learned distances */
	__u64 kernel_unwound_cnt;
	__u64 kernel_checked_cnt; /* walked stacks that were also unwound, to check the result */
	__u64 kernel_wrong_cnt;	  /* part of kernel_checked_cnt: the result was wrong */
};

_Static_assert(sizeof(struct rsp_unwind_row) == 8, "layout");
_Static_assert(sizeof(struct rsp_unwind_head) == 16, "layout");

#endif
