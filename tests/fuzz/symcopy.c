/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads any bytes as a copy of symbols (lib/symbols/symcopy.h), or makes such a copy from an ELF
 * file. The first byte is 0 for a copy, 1 for a whole ELF file, and another value for the contents
 * of the file's sections.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "lib/symbols/perfmap.h"
#include "lib/symbols/symcopy.h"
#include "tests/fuzz/elf-image.h"

static const struct elf_image_section sections[] = {
	{".symtab", SHT_SYMTAB, 3, sizeof(Elf64_Sym)}, {".strtab", SHT_STRTAB, 0, 0},
	{".dynsym", SHT_DYNSYM, 5, sizeof(Elf64_Sym)}, {".dynstr", SHT_STRTAB, 0, 0},
	{".note.gnu.build-id", SHT_NOTE, 0, 0},
};

static int put(const void *bytes, size_t len)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	must(fd >= 0 && pwrite(fd, bytes, len, 0) == (ssize_t)len);
	return fd;
}

static int read_copy(const void *bytes, size_t len)
{
	struct rsp_perfmap *map;
	int fd = put(bytes, len);
	int r = rsp_symcopy_read(fd, &map);

	close(fd);
	if (r < 0)
		return r;
	for (__u64 off = 0; off < ELF_IMAGE_CODE_BYTES; off += 0x61)
		(void)rsp_perfmap_lookup(map, off);
	rsp_perfmap_free(map);
	return 0;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	static struct elf_image image;
	struct input in = {data, len};
	__u8 how = take_u8(&in);
	size_t copy_len;
	void *copy;

	if (how == 0) {
		(void)read_copy(in.bytes, in.len);
		return 0;
	}
	if (how == 1) {
		image.len = in.len < sizeof(image.bytes) ? in.len : sizeof(image.bytes);
		memcpy(image.bytes, in.bytes, image.len);
	} else {
		elf_image_take(&in, sections, sizeof(sections) / sizeof(sections[0]), &image);
	}
	if (rsp_symcopy_make(put(image.bytes, image.len), &copy, &copy_len) < 0)
		return 0;
	must(read_copy(copy, copy_len) == 0);
	free(copy);
	return 0;
}
