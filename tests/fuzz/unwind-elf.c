/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an unwind table of any bytes as an ELF image. The result must be an error, or a table that
 * passes the check.
 */
#include <stdlib.h>

#include "lib/unwind/table.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct rsp_unwind_table table = {0};
	int r = rsp_unwind_table_build_memory(data, len, &table);

	if (r == 0 ? rsp_unwind_table_check(table.blocks, table.len) < 0 : !!table.blocks)
		abort();
	rsp_unwind_table_done(&table);
	return 0;
}
