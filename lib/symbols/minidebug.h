/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads .gnu_debugdata: a small ELF file, compressed with xz, in a section of stripped binaries.
 * Distributions add it so that the functions have names.
 */
#ifndef RSP_LIB_MINIDEBUG_H
#define RSP_LIB_MINIDEBUG_H

#include <gelf.h>

/* Maximum size of the small ELF file. The largest known one has 30 MiB. */
#define RSP_MINIDEBUG_BYTES_MAX (256U << 20)

/*
 * Reads the small ELF file into *ret, which the caller frees. Returns 0; -ENODATA if there is none;
 * -EBADMSG if it is damaged; -EFBIG if it would be larger than RSP_MINIDEBUG_BYTES_MAX; -ENOMEM.
 */
int rsp_minidebug_read(Elf *elf, void **ret, size_t *ret_len);

#endif
