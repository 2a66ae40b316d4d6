/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads .gnu_debugdata: a small ELF file, compressed with xz, that distributions leave in stripped
 * binaries so that their functions have names.
 */
#ifndef RSP_LIB_MINIDEBUG_H
#define RSP_LIB_MINIDEBUG_H

#include <gelf.h>

/* The largest known one has 30 MiB. */
#define RSP_MINIDEBUG_BYTES_MAX (256U << 20)

/*
 * Reads the small ELF file into *ret (free). -ENODATA: there is none; -EBADMSG: damaged; -EFBIG: it
 * would be larger than RSP_MINIDEBUG_BYTES_MAX; -ENOMEM.
 */
int rsp_minidebug_read(Elf *elf, void **ret, size_t *ret_len);

#endif
