/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks any bytes as an unwind table. If a table passes the check, searching it must be safe. */
#include <stdlib.h>
#include <string.h>

#include "lib/unwind/table.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

/*
 * A row applies until the next row begins. So search() looks up the first address of each row, and
 * the address before it.
 */
static void search(const void *blocks, size_t len)
{
	const struct rsp_unwind_head *head = blocks;
	const struct rsp_unwind_row *rows = (const void *)((const char *)blocks +
							   (size_t)head->row_block *
								   RSP_UNWIND_BLOCK_BYTES);
	struct rsp_unwind_row row;

	for (__u32 i = 0; i < head->row_cnt; i++) {
		if (!rsp_unwind_find(blocks, len, rows[i].pc, &row) || row.pc != rows[i].pc)
			abort();
		if (i && (!rsp_unwind_find(blocks, len, rows[i].pc - 1, &row) ||
			  row.pc != rows[i - 1].pc))
			abort();
	}
	rsp_unwind_find(blocks, len, 0, &row);
	rsp_unwind_find(blocks, len, ~0ULL, &row);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	/* malloc() aligns the copy as the search needs it. */
	void *blocks = malloc(len + 1);

	if (!blocks)
		return 0;
	memcpy(blocks, data, len);
	if (rsp_unwind_table_check(blocks, len) == 0)
		search(blocks, len);
	free(blocks);
	return 0;
}
