/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as sections of DWARF. Reading must end, and each chain of inlined functions must
 * end, too.
 */
#include <errno.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/inlines.h"
#include "tests/fuzz/elf-image.h"

#define PC_CNT 16
#define EFFORT (64 << 10)

static const struct elf_image_section sections[] = {
	{".debug_info", SHT_PROGBITS, 0, 0},	   {".debug_abbrev", SHT_PROGBITS, 0, 0},
	{".debug_str", SHT_PROGBITS, 0, 0},	   {".debug_rnglists", SHT_PROGBITS, 0, 0},
	{".debug_ranges", SHT_PROGBITS, 0, 0},	   {".debug_addr", SHT_PROGBITS, 0, 0},
	{".debug_line_str", SHT_PROGBITS, 0, 0},   {".debug_str_offsets", SHT_PROGBITS, 0, 0},
	{".gnu_debugaltlink", SHT_PROGBITS, 0, 0},
};

static void find(struct rsp_inlines *inlines)
{
	struct rsp_inlines_pc pcs[PC_CNT];
	__u64 effort = EFFORT;

	for (size_t i = 0; i < PC_CNT; i++)
		pcs[i] = (struct rsp_inlines_pc){.vaddr = ELF_IMAGE_VADDR + i * 16};
	must(rsp_inlines_find(inlines, pcs, PC_CNT, &effort) == 0);
	must(effort <= EFFORT);
	for (size_t i = 0; i < PC_CNT; i++) {
		for (__u32 scope = pcs[i].scope; scope;) {
			const struct rsp_inlines_scope *s = rsp_inlines_at(inlines, scope);

			must(!s->name || strlen(s->name) < 8192);
			must(s->outer < scope);
			scope = s->outer;
		}
	}
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct elf_image image;
	struct input in = {data, len};
	struct rsp_inlines_alt alt;
	struct rsp_inlines *inlines;
	Elf *elf;

	elf_image_take(&in, sections, sizeof(sections) / sizeof(sections[0]), &image);
	must(rsp_elf_open_memory(image.bytes, image.len, &elf) == 0);
	if (rsp_inlines_open(elf, &inlines, &alt) == 0) {
		must(!alt.name || strlen(alt.name) < sizeof(image.bytes));
		find(inlines);
		rsp_inlines_free(inlines);
	}
	elf_end(elf);
	return 0;
}
