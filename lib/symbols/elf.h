/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file that may be anyone's, opened so that any bytes are safe: what it is (build-id), where
 * its code lies. What reads more of it takes it from here.
 */
#ifndef RSP_LIB_ELF_H
#define RSP_LIB_ELF_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/base/cleanup.h"
#include "rsp/event.h"

#define RSP_ELF_BYTES_MAX (2ULL << 30)

/*
 * fd: a regular file, open for as long as *ret. -EBADMSG: not ELF; -EFBIG: larger than
 * RSP_ELF_BYTES_MAX; -errno of fstat.
 */
int rsp_elf_open(int fd, Elf **ret);
/* Of a file that lies in memory, and stays there for as long as *ret. */
int rsp_elf_open_memory(void *bytes, size_t len, Elf **ret);

static inline void rsp_elf_close(Elf **elf)
{
	elf_end(*elf);
}
#define _cleanup_elf_ _cleanup_(rsp_elf_close)

/* The first section of that name or, with a NULL name, of that type; NULL: there is none. */
Elf_Scn *rsp_elf_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *ret);

/* The GNU build-id. -ENODATA: none, or longer than the kernel would read; -EBADMSG. */
int rsp_elf_build_id(Elf *elf, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len);
/* Of the file in fd; also as rsp_elf_open(). */
int rsp_elf_read_build_id(int fd, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len);

/* Linkers make one executable segment or two. Each lookup goes through all of them. */
#define RSP_ELF_SEGMENTS_MAX 64

struct rsp_elf_code {
	struct {
		__u64 file_off, len, vaddr;
	} v[RSP_ELF_SEGMENTS_MAX];
	size_t cnt;
};

/*
 * The executable segments. Of a debug file they are those of the program that it is of: objcopy
 * empties them and forgets where they lay, but linkers put each at the first place that is
 * congruent to its address.
 */
int rsp_elf_code_read(Elf *elf, struct rsp_elf_code *ret); /* -EBADMSG */
bool rsp_elf_code_vaddr(const struct rsp_elf_code *code, __u64 file_off, __u64 *ret_vaddr);

#endif
