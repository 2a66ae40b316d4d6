/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads .gnu_debugdata: a small ELF file, compressed with xz, with the names of functions, in a
 * section of stripped binaries.
 */
#ifndef RSP_LIB_MINIDEBUG_H
#define RSP_LIB_MINIDEBUG_H

#include <gelf.h>

/* The largest known file has 30 MiB. */
#define RSP_MINIDEBUG_BYTES_MAX (256U << 20)

/*
 * Reads the small ELF file into *ret, which the caller frees. Returns 0; -ENODATA: there is none;
 * -EBADMSG: it is damaged; -EFBIG; -ENOMEM.
 */
int rsp_minidebug_read(Elf *elf, void **ret, size_t *ret_len);

#endif
