/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this process may do -> nearly nothing: no capabilities, nobody's identity where that is
 * possible, no new files, processes or executable memory, memory and files written bounded. It ends
 * with its parent.
 */
#ifndef RSP_LIB_SANDBOX_H
#define RSP_LIB_SANDBOX_H

#include <stddef.h>

/*
 * memory_bytes: of address space; file_bytes: of a file that it writes; SIZE_MAX: no more than
 * there is. 0 or -errno.
 */
int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes);

/* From now on for so many seconds of CPU time: then the process ends. 0: it does not. */
void rsp_sandbox_limit_cpu(unsigned int seconds);

#endif
