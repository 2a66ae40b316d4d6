/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions of an allocator (an ELF file with a function malloc()) that allocate and free
 * memory.
 */
#ifndef RSP_LIB_SYMBOLS_ALLOCATOR_H
#define RSP_LIB_SYMBOLS_ALLOCATOR_H

#include <linux/types.h>

#include "rsp/allocator.h"

/*
 * Sets ret[i] to the file offset of function i of enum rsp_allocator_function; 0: the file lacks
 * this function, or an earlier entry has the same offset (an alias). Returns 0; -ENOENT: the file
 * has no malloc(); -ENODATA: the file is also a static program; -EBADMSG; -errno.
 */
int rsp_allocator_find(int fd, __u64 ret[RSP_ALLOC_CNT]);

#endif
