/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See elf64.h. */
#include "lib/unwind/elf64.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/unwind/bytes.h"

/* Maximum file offset of the end of the code: the rows of a table have 32-bit offsets. */
#define CODE_END_MAX UINT32_MAX

/* Maximum size of .eh_frame, equal to the size of the largest table. Browsers have half as much. */
#define EH_FRAME_BYTES_MAX (64U << 20)

/* Notes of programs have a few hundred bytes. */
#define NOTES_BYTES_MAX 65536

/* --- reading ---------------------------------------------------------------------------------- */

static bool in_file(const struct rsp_elf64 *elf, __u64 off, __u64 len)
{
	return off <= elf->len && len <= elf->len - off;
}

static int read_at(const struct rsp_elf64 *elf, __u64 off, void *buf, size_t len)
{
	size_t done = 0;

	if (!in_file(elf, off, len))
		return -EBADMSG;
	if (elf->fd < 0) {
		memcpy(buf, elf->image + off, len);
		return 0;
	}
	while (done < len) {
		ssize_t n = pread(elf->fd, (char *)buf + done, len - done, (off_t)(off + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EBADMSG; /* the file was truncated meanwhile */
		done += (size_t)n;
	}
	return 0;
}

int rsp_elf64_read(const struct rsp_elf64 *elf, __u64 off, void *buf, size_t len)
{
	return read_at(elf, off, buf, len);
}

int rsp_elf64_read_section(const struct rsp_elf64 *elf, __u64 off, __u64 len, __u64 vaddr,
			   size_t len_max, struct rsp_elf64_section *ret)
{
	_cleanup_free_ __u8 *data = NULL;
	int r;

	if (!in_file(elf, off, len))
		return -EBADMSG;
	if (len > len_max)
		return -E2BIG;
	data = malloc(len ? len : 1);
	if (!data)
		return -ENOMEM;
	r = read_at(elf, off, data, len);
	if (r < 0)
		return r;
	*ret = (struct rsp_elf64_section){rsp_take_ptr(data), len, vaddr};
	return 0;
}

/* --- headers ---------------------------------------------------------------------------------- */

static int read_ehdr(struct rsp_elf64 *elf)
{
	const unsigned char *ident = elf->ehdr.e_ident;
	int r;

	if (elf->len < sizeof(elf->ehdr))
		return -EBADMSG;
	r = read_at(elf, 0, &elf->ehdr, sizeof(elf->ehdr));
	if (r < 0)
		return r;
	if (memcmp(ident, ELFMAG, SELFMAG) != 0)
		return -EBADMSG;
	if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB ||
	    elf->ehdr.e_machine != EM_X86_64)
		return -ENOTSUP;
	return 0;
}

static void add_code(struct rsp_elf64 *elf, const Elf64_Phdr *phdr)
{
	__u64 end = elf->len < CODE_END_MAX ? elf->len : CODE_END_MAX, len = phdr->p_filesz;

	if (phdr->p_type != PT_LOAD || !(phdr->p_flags & PF_X) || phdr->p_offset >= end)
		return;
	if (len > end - phdr->p_offset)
		len = end - phdr->p_offset;
	if (len > 0 - phdr->p_vaddr && phdr->p_vaddr)
		return; /* the segment exceeds the address space */
	elf->code[elf->code_cnt++] = (struct rsp_elf64_segment){phdr->p_offset, len, phdr->p_vaddr};
}

static int read_headers(struct rsp_elf64 *elf)
{
	int r = read_ehdr(elf);

	if (r < 0)
		return r;
	if (elf->ehdr.e_phnum > RSP_ELF64_SEGMENT_MAX ||
	    (elf->ehdr.e_phnum && elf->ehdr.e_phentsize != sizeof(Elf64_Phdr)))
		return -EBADMSG;
	elf->phdr_cnt = elf->ehdr.e_phnum;
	r = read_at(elf, elf->ehdr.e_phoff, elf->phdrs, elf->phdr_cnt * sizeof(Elf64_Phdr));
	if (r < 0)
		return r;
	for (size_t i = 0; i < elf->phdr_cnt; i++)
		add_code(elf, &elf->phdrs[i]);
	return 0;
}

int rsp_elf64_open(struct rsp_elf64 *ret, int fd)
{
	struct rsp_elf64 elf = {.fd = fd};
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	elf.len = (__u64)st.st_size;
	r = read_headers(&elf);
	if (r < 0)
		return r;
	*ret = elf;
	return 0;
}

int rsp_elf64_open_memory(struct rsp_elf64 *ret, const void *image, size_t len)
{
	struct rsp_elf64 elf = {.fd = -1, .image = image, .len = len};
	int r = read_headers(&elf);

	if (r < 0)
		return r;
	*ret = elf;
	return 0;
}

bool rsp_elf64_find_code(const struct rsp_elf64 *elf, __u64 vaddr, __u64 len, __u32 *ret_start,
			 __u32 *ret_end)
{
	for (size_t i = 0; i < elf->code_cnt; i++) {
		const struct rsp_elf64_segment *code = &elf->code[i];
		__u64 skip = vaddr - code->vaddr;

		if (vaddr < code->vaddr || skip >= code->len)
			continue;
		if (len > code->len - skip)
			len = code->len - skip;
		*ret_start = (__u32)(code->file_off + skip);
		*ret_end = (__u32)(code->file_off + skip + len);
		return len > 0;
	}
	return false;
}

/* --- sections --------------------------------------------------------------------------------- */

static bool is_section(const struct rsp_elf64 *elf, const Elf64_Shdr *shdr, const Elf64_Shdr *names,
		       const char *wanted)
{
	size_t len = strlen(wanted) + 1;
	char name[RSP_ELF64_NAME_MAX];

	if (shdr->sh_type != SHT_PROGBITS && shdr->sh_type != SHT_X86_64_UNWIND)
		return false;
	return names->sh_offset <= elf->len &&
	       read_at(elf, names->sh_offset + shdr->sh_name, name, len) == 0 &&
	       memcmp(name, wanted, len) == 0;
}

static int read_shdr(const struct rsp_elf64 *elf, size_t i, Elf64_Shdr *ret)
{
	__u64 off;

	if (__builtin_add_overflow(elf->ehdr.e_shoff, i * sizeof(*ret), &off))
		return -EBADMSG;
	return read_at(elf, off, ret, sizeof(*ret));
}

bool rsp_elf64_has_sections(const struct rsp_elf64 *elf)
{
	Elf64_Shdr names;

	return elf->ehdr.e_shentsize == sizeof(Elf64_Shdr) &&
	       elf->ehdr.e_shstrndx < elf->ehdr.e_shnum &&
	       read_shdr(elf, elf->ehdr.e_shstrndx, &names) == 0 && names.sh_type == SHT_STRTAB;
}

int rsp_elf64_section(const struct rsp_elf64 *elf, const char *name, size_t len_max,
		      struct rsp_elf64_section *ret)
{
	Elf64_Shdr names, shdr;

	if (elf->ehdr.e_shentsize != sizeof(Elf64_Shdr) ||
	    elf->ehdr.e_shstrndx >= elf->ehdr.e_shnum ||
	    read_shdr(elf, elf->ehdr.e_shstrndx, &names) < 0)
		return -ENODATA;
	for (size_t i = 0; i < elf->ehdr.e_shnum; i++) {
		if (read_shdr(elf, i, &shdr) < 0)
			return -ENODATA;
		if (is_section(elf, &shdr, &names, name))
			return rsp_elf64_read_section(elf, shdr.sh_offset, shdr.sh_size,
						      shdr.sh_addr, len_max, ret);
	}
	return -ENODATA;
}

/* --- .eh_frame -------------------------------------------------------------------------------- */

/* Reads from vaddr to the end of its segment. */
static int from_vaddr(const struct rsp_elf64 *elf, __u64 vaddr, struct rsp_elf64_section *ret)
{
	for (size_t i = 0; i < elf->phdr_cnt; i++) {
		const Elf64_Phdr *phdr = &elf->phdrs[i];
		__u64 skip = vaddr - phdr->p_vaddr, len;

		if (phdr->p_type != PT_LOAD || vaddr < phdr->p_vaddr || skip >= phdr->p_filesz)
			continue;
		if (!in_file(elf, phdr->p_offset, phdr->p_filesz))
			return -EBADMSG;
		len = phdr->p_filesz - skip;
		return rsp_elf64_read_section(elf, phdr->p_offset + skip,
					      len < EH_FRAME_BYTES_MAX ? len : EH_FRAME_BYTES_MAX,
					      vaddr, EH_FRAME_BYTES_MAX, ret);
	}
	return -EBADMSG;
}

/* .eh_frame_hdr has a segment of its own, and begins with a pointer to .eh_frame. */
static int from_header(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret)
{
	__u8 header[12] = {0}; /* version, three encodings, pointer */
	struct rsp_bytes b = {header + 4, header + sizeof(header), false};
	size_t i = 0;
	__u64 vaddr;

	while (i < elf->phdr_cnt && elf->phdrs[i].p_type != PT_GNU_EH_FRAME)
		i++;
	if (i == elf->phdr_cnt)
		return -ENODATA;
	if (read_at(elf, elf->phdrs[i].p_offset, header, sizeof(header)) < 0 || header[0] != 1)
		return -EBADMSG;
	vaddr = rsp_bytes_pointer(&b, header[1], elf->phdrs[i].p_vaddr + 4);
	if (b.bad)
		return -EBADMSG;
	return from_vaddr(elf, vaddr, ret);
}

int rsp_elf64_eh_frame(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret)
{
	int r = rsp_elf64_section(elf, ".eh_frame", EH_FRAME_BYTES_MAX, ret);

	return r == -ENODATA ? from_header(elf, ret) : r;
}

/* --- build-id --------------------------------------------------------------------------------- */

static void skip_padding(struct rsp_bytes *b, __u32 len, unsigned int align)
{
	__u64 padding = (align - len % align) % align;

	rsp_bytes_take(b, padding < rsp_bytes_left(b) ? padding : rsp_bytes_left(b));
}

static size_t find_build_id(struct rsp_bytes b, unsigned int align, __u8 ret[RSP_BUILD_ID_MAX])
{
	while (rsp_bytes_left(&b)) {
		__u32 name_len = (__u32)rsp_bytes_uint(&b, 4);
		__u32 id_len = (__u32)rsp_bytes_uint(&b, 4);
		__u32 type = (__u32)rsp_bytes_uint(&b, 4);
		const __u8 *name, *id;

		name = rsp_bytes_take(&b, name_len);
		skip_padding(&b, name_len, align);
		id = rsp_bytes_take(&b, id_len);
		skip_padding(&b, id_len, align);
		if (b.bad)
			return 0;
		if (type != NT_GNU_BUILD_ID || name_len != sizeof(ELF_NOTE_GNU) ||
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 ||
		    id_len > RSP_BUILD_ID_MAX)
			continue;
		memcpy(ret, id, id_len);
		return id_len;
	}
	return 0;
}

size_t rsp_elf64_build_id(const struct rsp_elf64 *elf, __u8 ret[RSP_BUILD_ID_MAX])
{
	size_t len = 0;

	for (size_t i = 0; i < elf->phdr_cnt && !len; i++) {
		const Elf64_Phdr *phdr = &elf->phdrs[i];
		_cleanup_free_ __u8 *notes = NULL;

		if (phdr->p_type != PT_NOTE || phdr->p_filesz > NOTES_BYTES_MAX)
			continue;
		notes = malloc(phdr->p_filesz + 1);
		if (!notes || read_at(elf, phdr->p_offset, notes, phdr->p_filesz) < 0)
			continue;
		len = find_build_id((struct rsp_bytes){notes, notes + phdr->p_filesz, false},
				    phdr->p_align == 8 ? 8 : 4, ret);
	}
	return len;
}
