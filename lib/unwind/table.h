/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the table by which kernel programs unwind (rsp/unwind.h) from an ELF file of x86-64: from
 * its .eh_frame and, for Go code, its .gopclntab. The file may be hostile: any bytes are safe, and
 * take time and memory in proportion to their number. If a row cannot express the rules for some
 * code, the table has no rule for this code. Reads neither .debug_frame nor files for other
 * machines.
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
	/* bytes of code that entries cover, by the reason why there is no rule */
	__u64 code_bytes[RSP_GAP_CNT];
	__u32 build_id_len; /* 0: none */
	__u8 build_id[RSP_BUILD_ID_MAX];
};

/*
 * Builds the table of a file. fd: a regular file, needed only during the call. If its headers
 * cannot be read, ret is untouched: -EBADMSG: not an ELF file, or damaged; -ENOTSUP: for another
 * machine; -errno of fstat and pread. A file with a build-id but no table is still useful. So after
 * any other failure the build-id is set and blocks is NULL: -ENODATA: the file has neither section,
 * or no entries for its code; -EBADMSG: a damaged .eh_frame; -E2BIG: more than a table holds;
 * -ENOMEM; -errno of pread.
 */
int rsp_unwind_table_build(int fd, struct rsp_unwind_table *ret);
/* Like rsp_unwind_table_build(), for an ELF image in memory, such as the vDSO. */
int rsp_unwind_table_build_memory(const void *image, size_t len, struct rsp_unwind_table *ret);
void rsp_unwind_table_done(struct rsp_unwind_table *table);

/*
 * Checks whether an untrusted table is safe to search. Returns 0 or -EBADMSG. The table may still
 * be wrong for the binary that it claims to be for.
 */
int rsp_unwind_table_check(const void *blocks, size_t len);

/*
 * Finds the row for a file offset in a checked table. Returns false if there is none. The row may
 * have no rule.
 */
bool rsp_unwind_find(const void *blocks, size_t len, __u64 file_off, struct rsp_unwind_row *ret);

#endif
