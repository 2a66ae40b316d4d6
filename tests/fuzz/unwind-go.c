/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as the .gopclntab section of an otherwise valid ELF image. Does this twice, first
 * without section headers, so that the section must be searched for.
 */
#include <assert.h>
#include <stdlib.h>

#define assert_non_null(p) assert(p)

#include "lib/symbols/gosyms.h"
#include "lib/unwind/table.h"
#include "tests/unit/eh-frame.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

static void build_table(const struct bytes *elf)
{
	struct rsp_unwind_table table = {0};
	int r = rsp_unwind_table_build_memory(elf->v, elf->len, &table);

	if (r == 0 ? rsp_unwind_table_check(table.blocks, table.len) < 0 : !!table.blocks)
		abort();
	rsp_unwind_table_done(&table);
}

static void name_functions(const struct bytes *image)
{
	struct rsp_elfsyms *syms;
	struct rsp_elf64 elf;

	if (rsp_elfsyms_new(&syms) < 0 || rsp_elf64_open_memory(&elf, image->v, image->len) < 0)
		abort();
	rsp_gosyms_add(syms, &elf);
	if (rsp_elfsyms_finish(syms) < 0)
		abort();
	for (__u64 off = 0; off < CODE_BYTES; off += 0x11) {
		const char *name = rsp_elfsyms_lookup(syms, CODE_VADDR + off);

		if (name && strlen(name) >= image->len)
			abort();
	}
	rsp_elfsyms_free(syms);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct bytes section = {.v = (__u8 *)data, .len = len};

	for (int sections = 0; sections < 2; sections++) {
		struct bytes elf = make_elf_with(".gopclntab", &section, sections);

		build_table(&elf);
		name_functions(&elf);
		free(elf.v);
	}
	return 0;
}
