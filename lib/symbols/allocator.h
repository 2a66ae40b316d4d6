/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions in an ELF file that allocate and free memory, if the file is an allocator: a
 * file with a function malloc().
 */
#ifndef RSP_LIB_SYMBOLS_ALLOCATOR_H
#define RSP_LIB_SYMBOLS_ALLOCATOR_H

#include <linux/types.h>

#include "rsp/allocator.h"

/*
 * Sets ret[i] to the file offset of function i of enum rsp_allocator_function; 0: the file lacks
 * this function, or an earlier entry has the same offset (an alias). Returns 0; -ENOENT if the file
 * has no malloc(), so that it is not an allocator or has no symbols; -ENODATA if the file is also a
 * static program; -EBADMSG; -errno.
 */
int rsp_allocator_find(int fd, __u64 ret[RSP_ALLOC_CNT]);

#endif
