/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for the function at an offset of a file. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/symbols/elf.h"
#include "lib/symbols/elfsyms.h"

#define FUNC(bind)   ELF64_ST_INFO(bind, STT_FUNC)
#define LABEL(bind)  ELF64_ST_INFO(bind, STT_NOTYPE)
#define TEXT_VADDR   0x401000
#define TEXT_BYTES   0x800
#define TEXT_FILEOFF 0x1000

enum { SCN_NULL, SCN_TEXT, SCN_SYMS, SCN_STRINGS, SCN_DATA, SCN_NOTE, SCN_CNT };

struct sym {
	const char *name;
	__u64 offset; /* in .text */
	__u64 size;
	int info;
	int shndx;
};

static const struct sym syms[] = {
	{"imported", 0, 0, FUNC(STB_GLOBAL), SHN_UNDEF},
	{"first", 0x10, 0x20, FUNC(STB_GLOBAL), SCN_TEXT},
	{"__read@@LIB_1.0", 0x40, 0x10, FUNC(STB_GLOBAL), SCN_TEXT},
	{"read@LIB_1.0", 0x40, 0x10, FUNC(STB_WEAK), SCN_TEXT},
	{"__GI_read", 0x40, 0x10, FUNC(STB_LOCAL), SCN_TEXT},
	{"outer", 0x100, 0x100, FUNC(STB_LOCAL), SCN_TEXT},
	{"inner", 0x120, 0x10, FUNC(STB_LOCAL), SCN_TEXT},
	{"innermost", 0x128, 0x8, FUNC(STB_LOCAL), SCN_TEXT},
	{"label_in_outer", 0x180, 0, LABEL(STB_GLOBAL), SCN_TEXT},
	{"straddles", 0x1f8, 0x18, FUNC(STB_LOCAL), SCN_TEXT},
	{"unsized", 0x300, 0, FUNC(STB_GLOBAL), SCN_TEXT},
	{"resolver", 0x340, 0x10, ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC), SCN_TEXT},
	{".Llocal", 0x360, 0, LABEL(STB_LOCAL), SCN_TEXT},
	{"$x", 0x370, 0, LABEL(STB_LOCAL), SCN_TEXT},
	{"variable", 0x380, 0x10, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), SCN_TEXT},
	{"data_label", 0x390, 0, LABEL(STB_GLOBAL), SCN_DATA},
	{"absolute", 0x3a0, 0x10, FUNC(STB_GLOBAL), SHN_ABS},
	{"huge", 0x3b0, UINT64_MAX - 8, FUNC(STB_GLOBAL), SCN_TEXT},
	{"asm_entry", 0x400, 0, LABEL(STB_GLOBAL), SCN_TEXT},
	{"asm_last", 0x7f0, 0, LABEL(STB_GLOBAL), SCN_TEXT},
};

#define SYM_CNT (sizeof(syms) / sizeof(syms[0]))

static const struct {
	__u64 offset;
	const char *name;
} lookups[] = {
	{0x00, NULL},	      {0x10, "first"},	    {0x2f, "first"},	  {0x30, NULL},
	{0x40, "read"},	      {0x4f, "read"},	    {0x50, NULL},	  {0x100, "outer"},
	{0x11f, "outer"},     {0x120, "inner"},	    {0x127, "inner"},	  {0x128, "innermost"},
	{0x12f, "innermost"}, {0x130, "outer"},	    {0x180, "outer"},	  {0x1f7, "outer"},
	{0x1f8, "straddles"}, {0x200, "straddles"}, {0x20f, "straddles"}, {0x210, NULL},
	{0x300, "unsized"},   {0x33f, "unsized"},   {0x340, "resolver"},  {0x34f, "resolver"},
	{0x350, NULL},	      {0x370, NULL},	    {0x388, NULL},	  {0x390, NULL},
	{0x3a8, NULL},	      {0x3b8, NULL},	    {0x400, "asm_entry"}, {0x7ef, "asm_entry"},
	{0x7f0, "asm_last"},  {0x7ff, "asm_last"},  {0x800, NULL},
};

/*
 * An ELF file of headers, symbols and strings. The section .text would follow, but the image leaves
 * out its bytes.
 */
struct image {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdr;
	Elf64_Shdr shdrs[SCN_CNT];
	Elf64_Sym syms[SYM_CNT];
	Elf64_Nhdr note;
	char note_name[4];
	__u8 build_id[20];
	char strings[512];
};

static void add_symbols(struct image *image)
{
	size_t used = 1;

	for (size_t i = 0; i < SYM_CNT; i++) {
		image->syms[i] = (Elf64_Sym){
			.st_name = (Elf64_Word)used,
			.st_info = (unsigned char)syms[i].info,
			.st_shndx = (Elf64_Section)syms[i].shndx,
			.st_value = TEXT_VADDR + syms[i].offset,
			.st_size = syms[i].size,
		};
		strcpy(image->strings + used, syms[i].name);
		used += strlen(syms[i].name) + 1;
		assert_true(used < sizeof(image->strings));
	}
}

static struct image make_image(int table_type)
{
	struct image image = {
		.ehdr =
			{
				.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					    ELFDATA2LSB, EV_CURRENT},
				.e_type = ET_EXEC,
				.e_machine = EM_X86_64,
				.e_version = EV_CURRENT,
				.e_phoff = offsetof(struct image, phdr),
				.e_shoff = offsetof(struct image, shdrs),
				.e_ehsize = sizeof(Elf64_Ehdr),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_phnum = 1,
				.e_shentsize = sizeof(Elf64_Shdr),
				.e_shnum = SCN_CNT,
				.e_shstrndx = SCN_STRINGS,
			},
		.phdr = {.p_type = PT_LOAD,
			 .p_flags = PF_R | PF_X,
			 .p_offset = TEXT_FILEOFF,
			 .p_vaddr = TEXT_VADDR,
			 .p_filesz = TEXT_BYTES + 0x100,
			 .p_memsz = TEXT_BYTES + 0x100,
			 .p_align = 0x1000},
		.shdrs =
			{
				[SCN_TEXT] = {.sh_type = SHT_NOBITS,
					      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					      .sh_addr = TEXT_VADDR,
					      .sh_size = TEXT_BYTES},
				[SCN_SYMS] = {.sh_type = (Elf64_Word)table_type,
					      .sh_offset = offsetof(struct image, syms),
					      .sh_size = sizeof(Elf64_Sym) * SYM_CNT,
					      .sh_link = SCN_STRINGS,
					      .sh_entsize = sizeof(Elf64_Sym)},
				[SCN_STRINGS] = {.sh_type = SHT_STRTAB,
						 .sh_offset = offsetof(struct image, strings),
						 .sh_size = sizeof(image.strings)},
				[SCN_NOTE] = {.sh_type = SHT_NOTE,
					      .sh_flags = SHF_ALLOC,
					      .sh_offset = offsetof(struct image, note),
					      .sh_size = sizeof(Elf64_Nhdr) + 24,
					      .sh_addralign = 4},
				[SCN_DATA] = {.sh_type = SHT_NOBITS,
					      .sh_flags = SHF_ALLOC | SHF_WRITE,
					      .sh_addr = TEXT_VADDR,
					      .sh_size = TEXT_BYTES},
			},
		.note = {.n_namesz = 4, .n_descsz = 20, .n_type = NT_GNU_BUILD_ID},
		.note_name = "GNU",
		.build_id = {1, 2, 3, [19] = 20},
	};

	add_symbols(&image);
	return image;
}

static int make_file(const void *data, size_t len)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	return fd;
}

struct loaded {
	Elf *elf;
	struct rsp_elf_code code;
	struct rsp_elfsyms *syms;
};

static int load(int fd, int type, struct loaded *ret)
{
	struct loaded l = {0};
	int r;

	r = rsp_elf_open(fd, &l.elf);
	if (r < 0)
		return r;
	assert_int_equal(rsp_elfsyms_new(&l.syms), 0);
	if (rsp_elf_code_read(l.elf, &l.code) == 0)
		rsp_elfsyms_add(l.syms, l.elf, (GElf_Word)type);
	assert_int_equal(rsp_elfsyms_finish(l.syms), 0);
	*ret = l;
	return 0;
}

static void unload(struct loaded *l)
{
	rsp_elfsyms_free(l->syms);
	rsp_elf_close(&l->elf);
}

static const char *look_up(const struct loaded *l, __u64 file_off)
{
	__u64 vaddr;

	return rsp_elf_code_vaddr(&l->code, file_off, &vaddr) ? rsp_elfsyms_lookup(l->syms, vaddr)
							      : NULL;
}

static void test_lookup(void **state)
{
	static const int types[] = {SHT_SYMTAB, SHT_DYNSYM};

	for (size_t t = 0; t < 2; t++) {
		struct image image = make_image(types[t]);
		int fd = make_file(&image, sizeof(image));
		struct loaded l;

		assert_int_equal(load(fd, types[t], &l), 0);
		for (size_t i = 0; i < sizeof(lookups) / sizeof(lookups[0]); i++) {
			const char *name = look_up(&l, TEXT_FILEOFF + lookups[i].offset);
			const char *want = lookups[i].name;

			if (!name != !want || (want && strcmp(name, want) != 0))
				fail_msg("offset %#llx: %s, not %s", lookups[i].offset,
					 name ? name : "no name", want ? want : "no name");
		}
		assert_null(look_up(&l, 0));
		assert_null(look_up(&l, TEXT_FILEOFF - 1));
		assert_null(look_up(&l, UINT64_MAX));
		unload(&l);
		close(fd);
	}
}

static void test_two_tables(void **state)
{
	struct image images[] = {make_image(SHT_SYMTAB), make_image(SHT_DYNSYM)};
	struct rsp_elfsyms *e = NULL;

	strcpy(images[1].strings + images[1].syms[1].st_name, "FIRST");
	for (size_t i = 0; i < SYM_CNT; i++)
		images[1].syms[i].st_value += 0x10000;
	assert_int_equal(rsp_elfsyms_new(&e), 0);
	for (size_t i = 0; i < 2; i++) {
		Elf *elf = NULL;
		int added;

		assert_int_equal(rsp_elf_open_memory(&images[i], sizeof(images[i]), &elf), 0);
		added = rsp_elfsyms_add(e, elf, i ? SHT_DYNSYM : SHT_SYMTAB);
		assert_true(added >= 1 && (size_t)added <= SYM_CNT);
		assert_int_equal(rsp_elfsyms_add(e, elf, i ? SHT_SYMTAB : SHT_DYNSYM), 0);
		rsp_elf_close(&elf);
	}
	assert_int_equal(rsp_elfsyms_finish(e), 0);
	assert_string_equal(rsp_elfsyms_lookup(e, TEXT_VADDR + 0x10), "first");
	assert_string_equal(rsp_elfsyms_lookup(e, TEXT_VADDR + 0x10010), "FIRST");
	assert_string_equal(rsp_elfsyms_lookup(e, TEXT_VADDR + 0x10040), "read");
	rsp_elfsyms_free(e);
}

/*
 * The debug files of objcopy --only-keep-debug have other program headers than the files of a
 * linker.
 */
static void test_code_of_debug_files(void **state)
{
	static const struct {
		const char *linker;
		__u64 before_vaddr, before_bytes;
		__u64 vaddr, align;
		__u64 off; /* where it lay in the program */
		__u64 kept_off, kept_bytes;
	} cases[] = {
		{"bfd", 0, 0x618, 0x1000, 0x1000, 0x1000},
		{"bfd, fixed address", 0x400000, 0x518, 0x401000, 0x1000, 0x1000},
		{"bfd, large", 0, 0x23456, 0x24000, 0x1000, 0x24000},
		{"lld", 0, 0x614, 0x1620, 0x1000, 0x620},
		{"lld, fixed address", 0x200000, 0x13f4, 0x202400, 0x1000, 0x1400},
		{"bfd, 2 MiB pages", 0x400000, 0x500, 0x600000, 0x200000, 0x200000},
		{"gold: headers are kept", 0, 0, 0, 0x1000, 0, 0, 0x20},
		{"a program with a gap", 0, 0x10, 0x5000, 0x1000, 0x3000, 0x3000, 0x50},
		{"a program with .bss behind its code", 0, 0x10, 0x5000, 0x1000, 0x3000, 0x3000,
		 0x30},
		{"no alignment", 0, 0x10, 0x5000, 0, 0x10},
	};
	struct {
		Elf64_Ehdr ehdr;
		Elf64_Phdr phdrs[2];
	} file;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_elf_code code;
		Elf *elf = NULL;
		__u64 vaddr = 0;

		file.ehdr = make_image(SHT_SYMTAB).ehdr;
		file.ehdr.e_phoff = sizeof(file.ehdr);
		file.ehdr.e_phnum = 2;
		file.ehdr.e_shnum = 0;
		file.ehdr.e_shoff = 0;
		file.ehdr.e_shstrndx = 0;
		file.phdrs[0] = (Elf64_Phdr){.p_type = PT_LOAD,
					     .p_vaddr = cases[i].before_vaddr,
					     .p_memsz = cases[i].before_bytes,
					     .p_filesz = 0x100,
					     .p_align = cases[i].align};
		file.phdrs[1] = (Elf64_Phdr){.p_type = PT_LOAD,
					     .p_flags = PF_X,
					     .p_vaddr = cases[i].vaddr,
					     .p_memsz = 0x50,
					     .p_offset = cases[i].kept_off,
					     .p_filesz = cases[i].kept_bytes,
					     .p_align = cases[i].align};
		assert_int_equal(rsp_elf_open_memory(&file, sizeof(file), &elf), 0);
		assert_int_equal(rsp_elf_code_read(elf, &code), 0);
		rsp_elf_close(&elf);
		if (!rsp_elf_code_vaddr(&code, cases[i].off + 0x4f, &vaddr) ||
		    vaddr != cases[i].vaddr + 0x4f ||
		    rsp_elf_code_vaddr(&code, cases[i].off + 0x50, &vaddr))
			fail_msg("%s: at %#llx", cases[i].linker, code.v[0].file_off);
	}
}

static void test_build_id(void **state)
{
	struct image image = make_image(SHT_SYMTAB);
	__u8 id[RSP_BUILD_ID_MAX] = {0};
	size_t len = 0;
	int fd = make_file(&image, sizeof(image));

	assert_int_equal(rsp_elf_read_build_id(fd, id, &len), 0);
	assert_int_equal(len, 20);
	assert_memory_equal(id, image.build_id, 20);
	close(fd);

	image.note.n_type = NT_GNU_ABI_TAG;
	fd = make_file(&image, sizeof(image));
	assert_int_equal(rsp_elf_read_build_id(fd, id, &len), -ENODATA);
	close(fd);
}

static void test_no_symbols_names_nothing(void **state)
{
	struct image image = make_image(SHT_PROGBITS);
	int fd = make_file(&image, sizeof(image));
	struct loaded l;

	assert_int_equal(load(fd, SHT_SYMTAB, &l), 0);
	assert_null(look_up(&l, TEXT_FILEOFF + 0x10));
	unload(&l);
	close(fd);
}

static void test_what_is_no_elf_file(void **state)
{
	static const char *const texts[] = {"", "\177ELF", "#!/bin/sh\necho\n", "!<arch>\n"};
	Elf *elf = (void *)8;
	__u8 id[RSP_BUILD_ID_MAX];
	size_t len;
	int fds[2];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int fd = make_file(texts[i], strlen(texts[i]));

		assert_int_equal(rsp_elf_open(fd, &elf), -EBADMSG);
		assert_int_equal(rsp_elf_read_build_id(fd, id, &len), -EBADMSG);
		close(fd);
	}
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(rsp_elf_open(fds[0], &elf), -EBADMSG);
	assert_int_equal(rsp_elf_open(-1, &elf), -EBADF);
	assert_ptr_equal(elf, (void *)8);
	close(fds[0]);
	close(fds[1]);
}

static void test_too_large_is_refused(void **state)
{
	struct image image = make_image(SHT_SYMTAB);
	int fd = make_file(&image, sizeof(image));
	Elf *elf = NULL;

	assert_int_equal(ftruncate(fd, (off_t)RSP_ELF_BYTES_MAX + 1), 0);
	assert_int_equal(rsp_elf_open(fd, &elf), -EFBIG);
	close(fd);
}

/* Looks up all offsets in a file, which may be damaged. */
static void poke(int fd)
{
	struct loaded l = {0};
	__u8 id[RSP_BUILD_ID_MAX];
	size_t len, letters = 0;

	if (load(fd, SHT_SYMTAB, &l) == 0)
		for (size_t i = 0; i < 0x900; i += 8) {
			const char *name = look_up(&l, TEXT_FILEOFF + i);

			letters += name ? strlen(name) : 0;
		}
	unload(&l);
	rsp_elf_read_build_id(fd, id, &len);
	assert_true(letters < 0x900 * sizeof(struct image));
}

static void test_truncated_anywhere(void **state)
{
	struct image image = make_image(SHT_SYMTAB);
	int fd = make_file(&image, sizeof(image));

	for (size_t len = sizeof(image); len-- > 0;) {
		assert_int_equal(ftruncate(fd, (off_t)len), 0);
		poke(fd);
	}
	close(fd);
}

static void test_any_byte_damaged(void **state)
{
	static const __u8 values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	struct image image = make_image(SHT_SYMTAB);
	int fd = make_file(&image, sizeof(image));
	const __u8 *bytes = (const __u8 *)&image;

	for (size_t i = 0; i < offsetof(struct image, strings); i++) {
		for (size_t v = 0; v < sizeof(values); v++) {
			assert_int_equal(pwrite(fd, &values[v], 1, (off_t)i), 1);
			poke(fd);
		}
		assert_int_equal(pwrite(fd, &bytes[i], 1, (off_t)i), 1);
	}
	close(fd);
}

static int find_file_off(struct dl_phdr_info *info, size_t size, void *arg)
{
	__u64 *addr = arg;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *phdr = &info->dlpi_phdr[i];
		__u64 start = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type == PT_LOAD && *addr >= start && *addr - start < phdr->p_filesz) {
			*addr = *addr - start + phdr->p_offset;
			return 1;
		}
	}
	return 0;
}

static void test_this_program(void **state)
{
	__u64 off = (__u64)(uintptr_t)rsp_elfsyms_lookup;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct loaded l;

	assert_int_equal(dl_iterate_phdr(find_file_off, &off), 1);
	assert_int_equal(load(fd, SHT_SYMTAB, &l), 0);
	assert_string_equal(look_up(&l, off), "rsp_elfsyms_lookup");
	assert_string_equal(look_up(&l, off + 8), "rsp_elfsyms_lookup");
	unload(&l);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),
		cmocka_unit_test(test_two_tables),
		cmocka_unit_test(test_code_of_debug_files),
		cmocka_unit_test(test_build_id),
		cmocka_unit_test(test_no_symbols_names_nothing),
		cmocka_unit_test(test_what_is_no_elf_file),
		cmocka_unit_test(test_too_large_is_refused),
		cmocka_unit_test(test_truncated_anywhere),
		cmocka_unit_test(test_any_byte_damaged),
		cmocka_unit_test(test_this_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
