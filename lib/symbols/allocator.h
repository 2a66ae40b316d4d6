/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the places of the functions in an ELF file that allocate and free memory, if the file is an
 * allocator.
 */
#ifndef RSP_LIB_SYMBOLS_ALLOCATOR_H
#define RSP_LIB_SYMBOLS_ALLOCATOR_H

#include <linux/types.h>

#include "rsp/allocator.h"

/*
 * Writes the offset in the file of each function; 0: the file does not have the function, or the
 * list contains the same function under an earlier name. A file without malloc() is not an
 * allocator. 0; -ENOENT: the file is not an allocator, or has no symbols; -ENODATA: the same for a
 * static program; -EBADMSG; -errno.
 */
int rsp_allocator_find(int fd, __u64 ret[RSP_ALLOC_CNT]);

#endif
