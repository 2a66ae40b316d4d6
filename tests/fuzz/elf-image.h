/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes an ELF image from the fuzzer's bytes. Only the lengths and contents of sections come from
 * these bytes.
 */
#ifndef RSP_TESTS_FUZZ_ELF_IMAGE_H
#define RSP_TESTS_FUZZ_ELF_IMAGE_H

#include <elf.h>

#include "tests/fuzz/input.h"

#define ELF_IMAGE_BYTES_MAX    (32 << 10)
#define ELF_IMAGE_SECTIONS_MAX 12
#define ELF_IMAGE_VADDR	       0x400000
#define ELF_IMAGE_CODE_BYTES   0x1000

struct elf_image_section {
	const char *name;
	__u32 type, link;
	__u64 entry_bytes;
};

struct elf_image {
	size_t len;
	char bytes[ELF_IMAGE_BYTES_MAX] __attribute__((aligned(16)));
};

static inline __u64 elf_image_put(struct elf_image *image, const void *bytes, size_t len)
{
	size_t off = (image->len + 7) / 8 * 8;

	must(off + len <= sizeof(image->bytes));
	memcpy(image->bytes + off, bytes, len);
	image->len = off + len;
	return off;
}

static inline void elf_image_put_header(struct elf_image *image, size_t section_cnt, __u64 shoff)
{
	const Elf64_Ehdr ehdr = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shoff = shoff,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (__u16)section_cnt,
		.e_shstrndx = (__u16)(section_cnt - 1),
	};
	const Elf64_Phdr phdr = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_vaddr = ELF_IMAGE_VADDR,
		.p_filesz = ELF_IMAGE_CODE_BYTES,
		.p_memsz = ELF_IMAGE_CODE_BYTES,
		.p_align = 0x1000,
	};

	memcpy(image->bytes, &ehdr, sizeof(ehdr));
	memcpy(image->bytes + sizeof(ehdr), &phdr, sizeof(phdr));
}

/*
 * Section 1 is the code. The lengths and contents of the given sections come from the input. The
 * last section is the string table.
 */
static inline void elf_image_take(struct input *in, const struct elf_image_section *sections,
				  size_t cnt, struct elf_image *ret)
{
	static char bytes[2048];
	Elf64_Shdr shdrs[ELF_IMAGE_SECTIONS_MAX + 3] = {0};
	char names[512] = "\0.text";
	size_t names_len = 7, shdr_cnt = 2;

	memset(ret->bytes, 0, sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr));
	ret->len = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
	shdrs[1] = (Elf64_Shdr){.sh_name = 1,
				.sh_type = SHT_NOBITS,
				.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				.sh_addr = ELF_IMAGE_VADDR,
				.sh_size = ELF_IMAGE_CODE_BYTES,
				.sh_addralign = 16};
	for (size_t i = 0; i < cnt; i++) {
		const struct elf_image_section *section = &sections[i];
		size_t len = take_u16(in) % sizeof(bytes);

		take(in, bytes, len);
		shdrs[shdr_cnt++] = (Elf64_Shdr){.sh_name = (__u32)names_len,
						 .sh_type = section->type,
						 .sh_offset = elf_image_put(ret, bytes, len),
						 .sh_size = len,
						 .sh_link = section->link,
						 .sh_entsize = section->entry_bytes,
						 .sh_addralign = 8};
		strcpy(names + names_len, section->name);
		names_len += strlen(section->name) + 1;
	}
	shdrs[shdr_cnt++] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
					 .sh_offset = elf_image_put(ret, names, names_len),
					 .sh_size = names_len,
					 .sh_addralign = 1};
	elf_image_put_header(ret, shdr_cnt, elf_image_put(ret, shdrs, shdr_cnt * sizeof(shdrs[0])));
}

#endif
