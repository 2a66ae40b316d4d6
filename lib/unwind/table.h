/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file of x86-64 -> the table that kernel programs unwind by (rsp/unwind.h), from its
 * .eh_frame and, of code in Go, its .gopclntab. The file may be anyone's: any bytes are safe, and
 * take time and memory bounded by their number. What a row cannot express is no row: code of which
 * nothing is known here. Reads neither .debug_frame nor other machines' files.
 */
#ifndef RSP_LIB_UNWIND_TABLE_H
#define RSP_LIB_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"
#include "rsp/unwind.h"

/* Why a row says nothing although an entry covers it. */
enum rsp_unwind_gap {
	RSP_GAP_NONE,	    /* it says something */
	RSP_GAP_CFA_REG,    /* the CFA is relative to a register other than sp and fp */
	RSP_GAP_CFA_EXPR,   /* the CFA is an expression of no known form */
	RSP_GAP_CFA_OFFSET, /* no multiple of 8, or too large for a row */
	RSP_GAP_RA,	    /* the return address is elsewhere than at CFA - 8 */
	RSP_GAP_SIGNAL,	    /* a signal frame, but not the kernel's */
	RSP_GAP_BAD,	    /* the entry's program ends here: damaged, or an unknown instruction */
	RSP_GAP_CNT,
};

struct rsp_unwind_table {
	void *blocks;
	size_t len;		       /* a multiple of RSP_UNWIND_BLOCK_BYTES; 0: no table */
	__u64 code_bytes[RSP_GAP_CNT]; /* that entries cover, by why there is no row */
	__u32 build_id_len;	       /* 0: none */
	__u8 build_id[RSP_BUILD_ID_MAX];
};

/*
 * fd: a regular file, needed only during the call. If its headers cannot be read, ret is untouched:
 * -EBADMSG: no ELF file, or damaged; -ENOTSUP: of another machine; -errno of fstat and pread. A
 * file with a build-id but no table is not useless: after any other failure the build-id is there
 * and blocks is NULL: -ENODATA: neither section, or none for its code; -EBADMSG: a damaged
 * .eh_frame; -E2BIG: more than a table holds; -ENOMEM; -errno of pread.
 */
int rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret);
/* The same of an ELF image as it lies in memory, as the vDSO does. */
int rsp_unwind_table_build_memory(const void *image, size_t len, struct rsp_unwind_table *ret);
void rsp_unwind_table_done(struct rsp_unwind_table *table);

/*
 * Whether a stranger's table is safe to search: 0, or -EBADMSG. It may still be wrong about the
 * binary that it is said to be of.
 */
int rsp_unwind_table_check(const void *blocks, size_t len);

/* The row for a file offset in a checked table. False: none; what it says may also be nothing. */
bool rsp_unwind_find(const void *blocks, size_t len, __u64 file_off, struct rsp_unwind_row *ret);

#endif
