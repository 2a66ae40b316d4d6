/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as the data section of a program, and searches them for Python's method tables.
 */
#include <assert.h>
#include <stdlib.h>

#define assert_non_null(p) assert(p)

#include "lib/symbols/pymethods.h"
#include "tests/unit/py-image.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len);

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct bytes section = {.v = (__u8 *)data, .len = len};
	struct bytes image = make_python(&section);
	struct rsp_elfsyms *syms;
	struct rsp_elf64 elf;

	if (rsp_elfsyms_new(&syms) < 0 || rsp_elf64_open_memory(&elf, image.v, image.len) < 0)
		abort();
	rsp_pymethods_add(syms, &elf);
	if (rsp_elfsyms_finish(syms) < 0)
		abort();
	for (__u64 off = 0; off < CODE_BYTES; off += 0x11) {
		const char *name = rsp_elfsyms_lookup(syms, CODE_VADDR + off);

		if (name && strlen(name) >= 256)
			abort();
	}
	rsp_elfsyms_free(syms);
	free(image.v);
	return 0;
}
