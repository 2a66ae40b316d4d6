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
};

enum rsp_unwind_fp {
	RSP_FP_SAME = 0,  /* the caller's frame pointer is this one's */
	RSP_FP_CFA,	  /* at CFA + fp */
	RSP_FP_FP,	  /* at frame pointer + fp */
	RSP_FP_UNDEFINED, /* lost */
};

struct rsp_unwind_row {
	__u32 pc;   /* file offset */
	__s16 cfa;  /* in units of 8 bytes */
	__s8 fp;    /* in units of 8 bytes */
	__u8 rules; /* enum rsp_unwind_cfa, << 4: enum rsp_unwind_fp */
};

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

_Static_assert(sizeof(struct rsp_unwind_row) == 8, "layout");
_Static_assert(sizeof(struct rsp_unwind_head) == 16, "layout");

#endif
