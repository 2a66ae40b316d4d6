/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads an ELF file of x86-64, or an image of such a file in memory: its code, its sections, and
 * its build-id. The bytes may be hostile. Files are not mapped, because truncating a mapped file
 * would kill this process with SIGBUS.
 */
#ifndef RSP_LIB_UNWIND_ELF64_H
#define RSP_LIB_UNWIND_ELF64_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

/* Linkers make about a dozen program headers. */
#define RSP_ELF64_SEGMENT_MAX 64

/* An executable segment, limited to the bytes that exist in the file and that lie before 4 GiB. */
struct rsp_elf64_segment {
	__u64 file_off, len, vaddr;
};

struct rsp_elf64 {
	int fd;		   /* -1: the image is in memory */
	const __u8 *image; /* the image, if fd is -1 */
	__u64 len;
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdrs[RSP_ELF64_SEGMENT_MAX];
	size_t phdr_cnt;
	struct rsp_elf64_segment code[RSP_ELF64_SEGMENT_MAX];
	size_t code_cnt;
};

struct rsp_elf64_section {
	__u8 *data; /* the caller frees it */
	size_t len;
	__u64 vaddr;
};

/*
 * Both functions initialize *ret, which needs no cleanup. The file or image must outlive *ret. They
 * return 0; -EBADMSG: not an ELF file, or damaged; -ENOTSUP: for another machine; -errno of fstat()
 * and pread().
 */
int rsp_elf64_open(struct rsp_elf64 *ret, int fd);
int rsp_elf64_open_memory(struct rsp_elf64 *ret, const void *image, size_t len);

/*
 * Finds the file offsets of the code at [vaddr, vaddr + len), up to the end of the code in the
 * file. Returns false if the file has no code there.
 */
bool rsp_elf64_find_code(const struct rsp_elf64 *elf, __u64 vaddr, __u64 len, __u32 *ret_start,
			 __u32 *ret_end);

/* Returns 0; -EBADMSG: the file is too short; -errno of pread(). */
int rsp_elf64_read(const struct rsp_elf64 *elf, __u64 off, void *buf, size_t len);
/*
 * Like rsp_elf64_read(), for a section with address vaddr. Also returns -E2BIG: the section has
 * more than len_max bytes; -ENOMEM.
 */
int rsp_elf64_read_section(const struct rsp_elf64 *elf, __u64 off, __u64 len, __u64 vaddr,
			   size_t len_max, struct rsp_elf64_section *ret);

#define RSP_ELF64_NAME_MAX 32

/* Returns whether the file has section headers with names; some tools remove them. */
bool rsp_elf64_has_sections(const struct rsp_elf64 *elf);

/*
 * name is shorter than RSP_ELF64_NAME_MAX. Returns 0; -ENODATA: the file has no such section;
 * -E2BIG: the section has more than len_max bytes; -EBADMSG; -ENOMEM; -errno of pread().
 */
int rsp_elf64_section(const struct rsp_elf64 *elf, const char *name, size_t len_max,
		      struct rsp_elf64_section *ret);

/*
 * If the file has no section headers, the length is an upper bound. Returns 0; -ENODATA: the file
 * has no .eh_frame; -E2BIG; -EBADMSG; -ENOMEM; -errno of pread().
 */
int rsp_elf64_eh_frame(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret);

/* Returns the length of the build-id; 0: the file has none that the kernel would read. */
size_t rsp_elf64_build_id(const struct rsp_elf64 *elf, __u8 ret[RSP_BUILD_ID_MAX]);

#endif
