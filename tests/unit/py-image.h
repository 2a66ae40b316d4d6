/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes ELF images with functions and data like those of Python's interpreter and its modules. */
#ifndef RSP_TESTS_PY_IMAGE_H
#define RSP_TESTS_PY_IMAGE_H

#include "tests/unit/eh-frame.h"

#define PY_DATA_VADDR	  0x700000
#define PY_FUNCTION_BYTES 0x40
#define PY_FUNCTION_CNT	  16
#define PY_FUNCTION(i)	  (CODE_VADDR + (i) * (__u64)PY_FUNCTION_BYTES)

static inline struct bytes make_python(const struct bytes *data)
{
	struct bytes frame = {0}, b;
	size_t cie = put_cie(&frame, "zR");
	Elf64_Phdr phdr = {.p_type = PT_LOAD,
			   .p_flags = PF_R | PF_W,
			   .p_vaddr = PY_DATA_VADDR,
			   .p_filesz = data->len};

	for (__u32 i = 0; i < PY_FUNCTION_CNT; i++)
		put_fde(&frame, cie, (__u32)PY_FUNCTION(i), PY_FUNCTION_BYTES, NULL, 0);
	b = make_elf(&frame, true);
	free(frame.v);
	while (b.len % 8)
		put_u8(&b, 0);
	phdr.p_offset = b.len;
	memcpy(b.v + sizeof(Elf64_Ehdr) + 2 * sizeof(phdr), &phdr, sizeof(phdr));
	put(&b, data->v, data->len);
	return b;
}

#endif
