/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the symbols of an ELF file, from which the names of its functions are found when the
 * file is gone. It is a perf map (perfmap.h) of offsets in the file, compressed with zstd. Contains
 * the names from all tables of the file itself, but nothing about inlined functions. Making a copy
 * and reading one are safe for any bytes.
 */
#ifndef RSP_LIB_SYMCOPY_H
#define RSP_LIB_SYMCOPY_H

#include <stddef.h>

/*
 * Limit of a map before compression, and after it. Among the largest known programs, most fit;
 * those that do not can usually be opened later.
 */
#define RSP_SYMCOPY_MAP_BYTES_MAX (16U << 20)
#define RSP_SYMCOPY_BYTES_MAX	  (2U << 20)

/*
 * Makes a copy of the symbols of the file in fd, which it closes. *ret: the bytes (free). -ENODATA:
 * the file has no symbols; -EBADMSG: not an ELF file; -EFBIG: above one of the limits; -ENOMEM,
 * -E2BIG.
 */
int rsp_symcopy_make(int fd, void **ret, size_t *ret_len);

struct rsp_perfmap;
/* -EBADMSG: not such a copy, or damaged; -EFBIG; -ENOMEM; -errno of fstat and pread. */
int rsp_symcopy_read(int fd, struct rsp_perfmap **ret);

#endif
