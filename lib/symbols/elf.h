/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens ELF files, and reads their build-id and the location of their code. The files may be
 * hostile: any bytes are safe.
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
 * fd is a regular file, which must stay open as long as *ret. Returns 0; -EBADMSG: not an ELF file;
 * -EFBIG: larger than RSP_ELF_BYTES_MAX; -errno of fstat().
 */
int rsp_elf_open(int fd, Elf **ret);
/* Like rsp_elf_open(), for a file in memory. bytes must outlive *ret. */
int rsp_elf_open_memory(void *bytes, size_t len, Elf **ret);

static inline void rsp_elf_close(Elf **elf)
{
	elf_end(*elf);
}
#define _cleanup_elf_ _cleanup_(rsp_elf_close)

/*
 * Returns the first section called name or, if name is NULL, the first section of that type; NULL:
 * there is none.
 */
Elf_Scn *rsp_elf_section(Elf *elf, const char *name, GElf_Word type, GElf_Shdr *ret);

/*
 * Returns 0; -ENODATA: there is no GNU build-id, or it is longer than RSP_BUILD_ID_MAX; -EBADMSG.
 */
int rsp_elf_build_id(Elf *elf, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len);
/* Like rsp_elf_build_id(), for the file in fd. Also returns the errors of rsp_elf_open(). */
int rsp_elf_read_build_id(int fd, __u8 ret[RSP_BUILD_ID_MAX], size_t *ret_len);

/* Maximum number of executable segments. Linkers make one or two. */
#define RSP_ELF_SEGMENTS_MAX 64

struct rsp_elf_code {
	struct {
		__u64 file_off, len, vaddr;
	} v[RSP_ELF_SEGMENTS_MAX];
	size_t cnt;
};

/*
 * Reads the executable segments, at their offsets in the original program, even if elf is its debug
 * file. objcopy removes these offsets from a debug file. The function infers them: linkers put each
 * segment at the first offset that is congruent to its address.
 */
int rsp_elf_code_read(Elf *elf, struct rsp_elf_code *ret); /* Returns 0 or -EBADMSG. */
bool rsp_elf_code_vaddr(const struct rsp_elf_code *code, __u64 file_off, __u64 *ret_vaddr);
/* The inverse of rsp_elf_code_vaddr(). */
bool rsp_elf_code_off(const struct rsp_elf_code *code, __u64 vaddr, __u64 *ret_file_off);

#endif
