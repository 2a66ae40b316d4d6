/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as an ELF file. If the first byte is 0, the other bytes are a whole file.
 * Otherwise they are the contents of the sections of a valid file (elf-image.h).
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbols/elfsyms.h"
#include "lib/symbols/functions.h"
#include "tests/fuzz/elf-image.h"

static const struct elf_image_section sections[] = {
	{".symtab", SHT_SYMTAB, 3, sizeof(Elf64_Sym)}, {".strtab", SHT_STRTAB, 0, 0},
	{".dynsym", SHT_DYNSYM, 5, sizeof(Elf64_Sym)}, {".dynstr", SHT_STRTAB, 0, 0},
	{".note.gnu.build-id", SHT_NOTE, 0, 0},
};

static void look_up(struct rsp_elfsyms *syms, const struct rsp_elf_code *code)
{
	for (__u64 off = 0; off < ELF_IMAGE_CODE_BYTES; off += 0x61) {
		__u64 vaddr = ELF_IMAGE_VADDR + off;
		const char *name;

		if (off % 2)
			(void)rsp_elf_code_vaddr(code, off, &vaddr);
		name = rsp_elfsyms_lookup(syms, vaddr);
		must(!name || strlen(name) < sizeof(struct elf_image));
	}
}

static void read_elf(Elf *elf)
{
	struct rsp_elf_code code = {0};
	struct rsp_elfsyms *syms;
	__u8 id[RSP_BUILD_ID_MAX];
	size_t id_len = 0;

	must(rsp_elf_build_id(elf, id, &id_len) < 0 || (id_len > 0 && id_len <= sizeof(id)));
	(void)rsp_elf_code_read(elf, &code);
	must(code.cnt <= RSP_ELF_SEGMENTS_MAX);
	must(rsp_elfsyms_new(&syms) == 0);
	(void)rsp_elfsyms_add(syms, elf, SHT_SYMTAB);
	(void)rsp_elfsyms_add(syms, elf, SHT_DYNSYM);
	must(rsp_elfsyms_finish(syms) == 0);
	look_up(syms, &code);
	rsp_elfsyms_free(syms);
}

static void find_function(const void *bytes, size_t len)
{
	static int fd = -1;
	__u64 off;

	if (fd < 0)
		fd = memfd_create("program", MFD_CLOEXEC);
	must(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, len, 0) == (ssize_t)len);
	must(rsp_functions_find(fd, "main", &off) != -ENOMEM);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct elf_image image;
	struct input in = {data, len};
	__u8 how = take_u8(&in);
	Elf *elf;

	if (how) {
		elf_image_take(&in, sections, sizeof(sections) / sizeof(sections[0]), &image);
	} else {
		image.len = in.len < sizeof(image.bytes) ? in.len : sizeof(image.bytes);
		memcpy(image.bytes, in.bytes, image.len);
	}
	if (how & 2)
		find_function(image.bytes, image.len);
	if (rsp_elf_open_memory(image.bytes, image.len, &elf) == 0) {
		read_elf(elf);
		elf_end(elf);
	}
	return 0;
}
