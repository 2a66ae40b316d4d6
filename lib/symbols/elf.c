/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See elf.h. */
#include "lib/symbols/elf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int check_kind(Elf *elf, Elf **ret)
{
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return -EBADMSG;
	}
	*ret = elf;
	return 0;
}

/* If somebody truncated a mapped file, SIGBUS would kill this process. So the file is read. */
int rsp_elf_open(int fd, Elf **ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EBADMSG;
	if ((__u64)st.st_size > RSP_ELF_BYTES_MAX)
		return -EFBIG;
	elf_version(EV_CURRENT);
	return check_kind(elf_begin(fd, ELF_C_READ, NULL), ret);
}

int rsp_elf_open_memory(void *bytes, size_t len, Elf **ret)
{
	elf_version(EV_CURRENT);
	return check_kind(elf_memory(bytes, len), ret);
}

Elf_Scn *rsp_elf_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) < 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *found;

		if (!gelf_getshdr(scn, ret))
			continue;
		if (!name && ret->sh_type == type)
			return scn;
		found = name ? elf_strptr(elf, strings, ret->sh_name) : NULL;
		if (found && strcmp(found, name) == 0)
			return scn;
	}
	return NULL;
}

int rsp_elf_build_id(Elf *elf, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	if (len < 0)
		return -EBADMSG;
	if (len == 0 || len > RSP_BUILD_ID_MAX)
		return -ENODATA;
	memcpy(ret, id, (size_t)len);
	*ret_len = (size_t)len;
	return 0;
}

int rsp_elf_read_build_id(int fd, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len)
{
	_cleanup_elf_ Elf *elf = NULL;
	int r = rsp_elf_open(fd, &elf);

	return r < 0 ? r : rsp_elf_build_id(elf, ret, ret_len);
}

/* --- the location of the code ---------------------------------------------------------------- */

/*
 * Returns the first offset at or after off that is congruent to the segment's address modulo its
 * alignment.
 */
static __u64 place_segment(__u64 off, const GElf_Phdr *phdr)
{
	__u64 mask = phdr->p_align ? phdr->p_align - 1 : 0;

	return off + ((phdr->p_vaddr - off) & mask);
}

int rsp_elf_code_read(Elf *elf, struct rsp_elf_code *ret)
{
	struct rsp_elf_code code = {0};
	__u64 end = 0; /* end of the previous segment in the original file */
	GElf_Phdr phdr;
	size_t cnt;

	if (elf_getphdrnum(elf, &cnt) < 0)
		return -EBADMSG;
	for (size_t i = 0; i < cnt; i++) {
		__u64 off;
		bool whole;

		if (!gelf_getphdr(elf, (int)i, &phdr))
			return -EBADMSG;
		if (phdr.p_type != PT_LOAD)
			continue;
		/*
		 * A debug file lacks the content of some segments, so the segments after these have
		 * smaller offsets than in the original file.
		 */
		whole = phdr.p_filesz >= phdr.p_memsz;
		off = place_segment(end, &phdr);
		if (whole || phdr.p_offset > off)
			off = phdr.p_offset;
		end = off + phdr.p_memsz;
		if (!(phdr.p_flags & PF_X))
			continue;
		if (code.cnt == RSP_ELF_SEGMENTS_MAX)
			return -EBADMSG;
		code.v[code.cnt].file_off = off;
		code.v[code.cnt].len = phdr.p_memsz;
		code.v[code.cnt++].vaddr = phdr.p_vaddr;
	}
	*ret = code;
	return 0;
}

bool rsp_elf_code_vaddr(const struct rsp_elf_code *code, __u64 file_off, __u64 *ret_vaddr)
{
	for (size_t i = 0; i < code->cnt; i++) {
		if (file_off < code->v[i].file_off ||
		    file_off - code->v[i].file_off >= code->v[i].len)
			continue;
		*ret_vaddr = file_off - code->v[i].file_off + code->v[i].vaddr;
		return true;
	}
	return false;
}

bool rsp_elf_code_off(const struct rsp_elf_code *code, __u64 vaddr, __u64 *ret_file_off)
{
	for (size_t i = 0; i < code->cnt; i++) {
		if (vaddr < code->v[i].vaddr || vaddr - code->v[i].vaddr >= code->v[i].len)
			continue;
		*ret_file_off = vaddr - code->v[i].vaddr + code->v[i].file_off;
		return true;
	}
	return false;
}
