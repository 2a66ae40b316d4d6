/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the table by which BPF programs unwind (rsp/unwind.h) from the .eh_frame and, for Go code,
 * the .gopclntab of an ELF file of x86-64. The file may be hostile; time and memory are
 * proportional to its size.
 */
#ifndef RSP_LIB_UNWIND_TABLE_H
#define RSP_LIB_UNWIND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/unwind/gap.h"
#include "rsp/event.h"
#include "rsp/unwind.h"

struct rsp_unwind_table {
	void *blocks;
	size_t len; /* a multiple of RSP_UNWIND_BLOCK_BYTES; 0: no table */
	/*
	 * [reason]: number of bytes of code that have an entry but no rule for this reason;
	 * RSP_GAP_NONE: with a rule
	 */
	__u64 code_bytes[RSP_GAP_CNT];
	__u32 build_id_len; /* 0: none */
	__u8 build_id[RSP_BUILD_ID_MAX];
};

/*
 * fd is a regular file, needed only during the call. Returns 0 or an error of one of two groups.
 *
 * If the headers of the file cannot be read, ret is unchanged: -EBADMSG: not an ELF file, or
 * damaged; -ENOTSUP: for another machine; -errno of fstat() and pread().
 *
 * After any other failure, ret contains the build-id, which is useful without a table, and blocks
 * is NULL: -ENODATA: the file has neither section, or no entries for its code; -EBADMSG: .eh_frame
 * is damaged; -E2BIG: the file exceeds a limit of the table; -ENOMEM; -errno of pread().
 */
int rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret);
/* Like rsp_unwind_table_build(), for an ELF image in memory, such as the vDSO. */
int rsp_unwind_table_build_memory(const void *image, size_t len, struct rsp_unwind_table *ret);
void rsp_unwind_table_done(struct rsp_unwind_table *table);

/*
 * Checks whether an untrusted table is safe to search. Returns 0 or -EBADMSG. A safe table may
 * still be the table of another binary.
 */
int rsp_unwind_table_check(const void *blocks, size_t len);

/*
 * The table must have passed rsp_unwind_table_check(). Returns false if no row covers the offset.
 * The row may contain no rule.
 */
bool rsp_unwind_find(const void *blocks, size_t len, __u64 file_off, struct rsp_unwind_row *ret);

#endif
