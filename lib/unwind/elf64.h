/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file of x86-64, or an image of one in memory -> where its code lies, its sections that
 * tell how to unwind, and its build-id. Any bytes are safe. Files are read, never mapped: whoever
 * truncates one must not kill us with SIGBUS. Reads no more of a file than these, however large it
 * is.
 */
#ifndef RSP_LIB_UNWIND_ELF64_H
#define RSP_LIB_UNWIND_ELF64_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

/* Linkers make one or two executable ones, and a dozen in all. */
#define RSP_ELF64_SEGMENT_MAX 64

/* Of bytes that exist; ends before 4 GiB. */
struct rsp_elf64_segment {
	__u64 file_off, len, vaddr;
};

struct rsp_elf64 {
	int fd;		   /* -1: in memory */
	const __u8 *image; /* in memory */
	__u64 len;
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdrs[RSP_ELF64_SEGMENT_MAX];
	size_t phdr_cnt;
	struct rsp_elf64_segment code[RSP_ELF64_SEGMENT_MAX];
	size_t code_cnt;
};

struct rsp_elf64_section {
	__u8 *data; /* the caller's to free */
	size_t len;
	__u64 vaddr;
};

/*
 * Both are embedded and need no end; what they are of must outlive them. -EBADMSG: no ELF file, or
 * damaged; -ENOTSUP: of another machine; -errno of fstat and pread.
 */
int rsp_elf64_open(struct rsp_elf64 *ret, int fd);
int rsp_elf64_open_memory(struct rsp_elf64 *ret, const void *image, size_t len);

/*
 * Where in the file the code at an address is, as much of it as is there; false if none. What is
 * there ends before 4 GiB.
 */
bool rsp_elf64_find_code(const struct rsp_elf64 *elf, __u64 vaddr, __u64 len, __u32 *ret_start,
			 __u32 *ret_end);

/* All of the bytes from off on, or none. -EBADMSG: the file is shorter; -errno of pread. */
int rsp_elf64_read(const struct rsp_elf64 *elf, __u64 off, void *buf, size_t len);
/* The same as a section that lies at vaddr. -E2BIG: it has more than len_max bytes; -ENOMEM. */
int rsp_elf64_read_section(const struct rsp_elf64 *elf, __u64 off, __u64 len, __u64 vaddr,
			   size_t len_max, struct rsp_elf64_section *ret);

#define RSP_ELF64_NAME_MAX 32

/* Whether the file has section headers with names at all: some tools remove them. */
bool rsp_elf64_has_sections(const struct rsp_elf64 *elf);

/*
 * The section of that name, which is shorter than RSP_ELF64_NAME_MAX. -ENODATA: there is none;
 * -E2BIG: it has more than len_max bytes; -EBADMSG; -ENOMEM.
 */
int rsp_elf64_section(const struct rsp_elf64 *elf, const char *name, size_t len_max,
		      struct rsp_elf64_section *ret);

/*
 * -ENODATA: there is none; -E2BIG: one so large that no program has it; -EBADMSG; -ENOMEM. Where
 * section headers are missing, its length is the most that it can be.
 */
int rsp_elf64_eh_frame(const struct rsp_elf64 *elf, struct rsp_elf64_section *ret);

/* Its length; 0: none, or longer than the kernel would read. */
size_t rsp_elf64_build_id(const struct rsp_elf64 *elf, __u8 ret[RSP_BUILD_ID_MAX]);

#endif
