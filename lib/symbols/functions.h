/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The name of a function -> where in its ELF file it begins, for a uprobe. Looks into .symtab,
 * .dynsym and .gnu_debugdata of the file itself; the file may be anyone's.
 */
#ifndef RSP_LIB_FUNCTIONS_H
#define RSP_LIB_FUNCTIONS_H

#include "rsp/event.h"

/*
 * name: as in the symbol table (mangled), without a version. fd: a regular file. 0; -ENOENT: it has
 * no such function; -EBADMSG: no ELF file, or damaged; -EFBIG; -ENOMEM.
 */
int rsp_functions_find(int fd, const char *name, __u64 *ret_file_off);

#endif
