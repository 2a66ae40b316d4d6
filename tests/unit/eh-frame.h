/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes .eh_frame sections, and ELF images with these or other sections. */
#ifndef RSP_TESTS_EH_FRAME_H
#define RSP_TESTS_EH_FRAME_H

#include <dwarf.h>
#include <elf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CODE_VADDR   0x401000
#define CODE_FILEOFF 0x1000
#define CODE_BYTES   0x4000
#define EH_VADDR     0x500000

struct bytes {
	__u8 *v;
	size_t len, cap;
};

static inline void put(struct bytes *b, const void *data, size_t len)
{
	if (b->len + len > b->cap) {
		b->cap = 2 * (b->len + len);
		b->v = realloc(b->v, b->cap);
		assert_non_null(b->v);
	}
	if (len)
		memcpy(b->v + b->len, data, len);
	b->len += len;
}

static inline void put_u8(struct bytes *b, __u8 value)
{
	put(b, &value, 1);
}

static inline void put_u32(struct bytes *b, __u32 value)
{
	put(b, &value, 4);
}

static inline void end_entry(struct bytes *b, size_t off)
{
	__u32 len = (__u32)(b->len - off - 4);

	memcpy(b->v + off, &len, 4);
}

/* Adds a CIE with the rules CFA = rsp + 8, and return address at CFA - 8. */
static inline size_t put_cie(struct bytes *b, const char *augmentation)
{
	static const __u8 program[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};
	size_t off = b->len;

	put_u32(b, 0);
	put_u32(b, 0);
	put_u8(b, 1);
	put(b, augmentation, strlen(augmentation) + 1);
	put_u8(b, 1);	 /* code alignment */
	put_u8(b, 0x78); /* data alignment: -8 */
	put_u8(b, 16);	 /* return address */
	if (*augmentation == 'z') {
		put_u8(b, 1);
		put_u8(b, DW_EH_PE_udata4);
	}
	put(b, program, sizeof(program));
	end_entry(b, off);
	return off;
}

static inline void put_fde(struct bytes *b, size_t cie, __u32 vaddr, __u32 len, const __u8 *program,
			   size_t program_len)
{
	size_t off = b->len;

	put_u32(b, 0);
	put_u32(b, (__u32)(off + 4 - cie));
	put_u32(b, vaddr);
	put_u32(b, len);
	put_u8(b, 0); /* augmentation data */
	put(b, program, program_len);
	end_entry(b, off);
}

static const struct {
	Elf64_Nhdr header;
	char name[4];
	__u8 id[20];
} eh_build_id = {{4, 20, NT_GNU_BUILD_ID}, "GNU", {1, 2, 3, [19] = 20}};

#define HDR_VADDR 0x600000

static inline void put_eh_frame_hdr(struct bytes *b)
{
	put_u8(b, 1);
	put_u8(b, DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	put_u8(b, DW_EH_PE_omit);
	put_u8(b, DW_EH_PE_omit);
	put_u32(b, EH_VADDR - (HDR_VADDR + 4));
}

/*
 * The caller frees the image. If `sections` is true, the section headers lead to the section;
 * otherwise, a program header leads to .eh_frame_hdr.
 */
static inline struct bytes make_elf_with(const char *name, const struct bytes *section,
					 bool sections)
{
	char names[32] = "";
	__u32 eh_off = CODE_FILEOFF + CODE_BYTES, names_off = eh_off + (__u32)section->len;
	__u32 header_off = names_off + sizeof(names), shdrs_off = header_off + 8;
	Elf64_Ehdr ehdr = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				       EV_CURRENT},
			   .e_type = ET_EXEC,
			   .e_machine = EM_X86_64,
			   .e_phoff = sizeof(ehdr),
			   .e_phentsize = sizeof(Elf64_Phdr),
			   .e_phnum = 4,
			   .e_shoff = sections ? shdrs_off : 0,
			   .e_shentsize = sizeof(Elf64_Shdr),
			   .e_shnum = sections ? 3 : 0,
			   .e_shstrndx = sections ? 1 : 0};
	Elf64_Phdr phdrs[4] = {
		{.p_type = PT_LOAD,
		 .p_flags = PF_R | PF_X,
		 .p_offset = CODE_FILEOFF,
		 .p_vaddr = CODE_VADDR,
		 .p_filesz = CODE_BYTES},
		{.p_type = PT_LOAD,
		 .p_flags = PF_R,
		 .p_offset = eh_off,
		 .p_vaddr = EH_VADDR,
		 .p_filesz = section->len},
		{.p_type = sections ? PT_NULL : PT_GNU_EH_FRAME,
		 .p_offset = header_off,
		 .p_vaddr = HDR_VADDR,
		 .p_filesz = 8},
		{.p_type = PT_NOTE,
		 .p_offset = sizeof(ehdr) + sizeof(phdrs),
		 .p_filesz = sizeof(eh_build_id)},
	};
	Elf64_Shdr shdrs[] = {
		{0},
		{.sh_type = SHT_STRTAB, .sh_offset = names_off, .sh_size = sizeof(names)},
		{.sh_name = 1,
		 .sh_type = SHT_PROGBITS,
		 .sh_flags = SHF_ALLOC,
		 .sh_addr = EH_VADDR,
		 .sh_offset = eh_off,
		 .sh_size = section->len},
	};
	static const __u8 code[CODE_FILEOFF + CODE_BYTES];
	struct bytes b = {0};

	strncpy(names + 1, name, sizeof(names) - 2);
	put(&b, &ehdr, sizeof(ehdr));
	put(&b, phdrs, sizeof(phdrs));
	put(&b, &eh_build_id, sizeof(eh_build_id));
	put(&b, code, eh_off - b.len);
	put(&b, section->v, section->len);
	put(&b, names, sizeof(names));
	put_eh_frame_hdr(&b);
	put(&b, shdrs, sizeof(shdrs));
	return b;
}

static inline struct bytes make_elf(const struct bytes *eh_frame, bool sections)
{
	return make_elf_with(".eh_frame", eh_frame, sections);
}

struct section {
	const char *name;
	const void *data;
	size_t len;
};

static inline void add_sections(struct bytes *elf, const struct section *sections, size_t cnt)
{
	Elf64_Ehdr *ehdr = (Elf64_Ehdr *)elf->v;
	size_t first = elf->len;
	Elf64_Shdr names;

	memcpy(&names, elf->v + ehdr->e_shoff + sizeof(names), sizeof(names));
	ehdr->e_shnum += cnt;
	for (size_t i = 0; i < cnt; i++)
		put(elf, &(Elf64_Shdr){.sh_type = SHT_PROGBITS}, sizeof(Elf64_Shdr));
	for (size_t i = 0; i < cnt; i++) {
		Elf64_Shdr shdr = {.sh_type = SHT_PROGBITS, .sh_size = sections[i].len};

		shdr.sh_name = (Elf64_Word)(elf->len - names.sh_offset);
		put(elf, sections[i].name, strlen(sections[i].name) + 1);
		shdr.sh_offset = elf->len;
		put(elf, sections[i].data, sections[i].len);
		memcpy(elf->v + first + i * sizeof(shdr), &shdr, sizeof(shdr));
	}
}

#endif
