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

#include "lib/symbols/symcopy-read.h"

/*
 * Makes a copy of the symbols of the file in fd, which it closes. *ret: the bytes (free). -ENODATA:
 * the file has no symbols; -EBADMSG: not an ELF file; -EFBIG: above one of the limits; -ENOMEM,
 * -E2BIG.
 */
int rsp_symcopy_make(int fd, void **ret, size_t *ret_len);

#endif
