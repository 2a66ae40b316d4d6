/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the symbols of an ELF file. RSP finds the names of functions in it if the file no
 * longer exists. The copy is a perf map (perfmap.h) of offsets in the file, compressed with zstd.
 * It contains the names from .symtab of the file itself or, if these are missing, from the tables
 * that strip leaves (places.h), but no inlined functions. Making a copy and reading it are safe for
 * any bytes.
 */
#ifndef RSP_LIB_SYMCOPY_H
#define RSP_LIB_SYMCOPY_H

#include <stddef.h>

#include "lib/symbols/symcopy-read.h"

/*
 * Makes a copy of the symbols of the file in fd, and closes fd. *ret: the bytes of the copy, which
 * the caller frees. Returns 0; -ENODATA if the file has no symbols; -EBADMSG if it is not an ELF
 * file; -EFBIG if the copy exceeds RSP_SYMCOPY_MAP_BYTES_MAX or RSP_SYMCOPY_BYTES_MAX; -ENOMEM;
 * -E2BIG.
 */
int rsp_symcopy_make(int fd, void **ret, size_t *ret_len);

#endif
