/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the symbols of an ELF file, for the time when the file no longer exists. The copy is a
 * perf map (perfmap.h) of offsets in the file, compressed with zstd, with the best names of the
 * file itself (places.h), but no inlined functions. The file may be hostile: any bytes are safe.
 */
#ifndef RSP_LIB_SYMCOPY_H
#define RSP_LIB_SYMCOPY_H

#include <stddef.h>

#include "lib/symbols/symcopy-read.h"

/*
 * Makes a copy of the symbols of the file in fd, and closes fd. The caller frees *ret. Returns 0;
 * -ENODATA: the file has no symbols; -EBADMSG: it is not an ELF file; -EFBIG: the copy exceeds
 * RSP_SYMCOPY_MAP_BYTES_MAX or RSP_SYMCOPY_BYTES_MAX; -ENOMEM; -E2BIG.
 */
int rsp_symcopy_make(int fd, void **ret, size_t *ret_len);

#endif
