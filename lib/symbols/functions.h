/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the beginning of a function in its ELF file by name, for a uprobe. Searches .symtab,
 * .dynsym and .gnu_debugdata, but no separate debug file. The file may be hostile.
 */
#ifndef RSP_LIB_FUNCTIONS_H
#define RSP_LIB_FUNCTIONS_H

#include <stddef.h>

#include "rsp/event.h"

/*
 * name is as in the symbol table (mangled), without a version. fd is a regular file. Returns 0;
 * -ENOENT: the file has no such function; -EBADMSG: it is damaged or not an ELF file; -EFBIG;
 * -ENOMEM.
 */
int rsp_functions_find(int fd, const char *name, __u64 *ret_file_off);

#define RSP_FUNCTION_NONE (~0ULL)

/*
 * Like rsp_functions_find(), for cnt functions, in one pass over each table. The offset of a
 * missing function becomes RSP_FUNCTION_NONE; this is not an error.
 */
int rsp_functions_find_all(int fd, const char *const *names, size_t cnt, __u64 *ret_file_offs);

#endif
