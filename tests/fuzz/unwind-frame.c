/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes an unwind table of an ELF image whose .eh_frame contains any bytes. */
#include <assert.h>
#include <stdlib.h>

#define assert_non_null(p) assert(p)

#include "lib/unwind/table.h"
#include "tests/unit/eh-frame.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct bytes eh_frame = {.v = (__u8 *)data, .len = len};
	struct bytes elf = make_elf(&eh_frame, true);
	struct rsp_unwind_table table = {0};
	int r = rsp_unwind_table_build_memory(elf.v, elf.len, &table);

	if (r == 0 ? rsp_unwind_table_check(table.blocks, table.len) < 0 : !!table.blocks)
		abort();
	rsp_unwind_table_done(&table);
	free(elf.v);
	return 0;
}
