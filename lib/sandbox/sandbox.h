/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this process may do -> nearly nothing: no capabilities, nobody's identity where that is
 * possible, no new files, processes or executable memory, memory and files written bounded. It ends
 * with its parent.
 *
 * A forbidden system call does nothing and fails with ENOSYS: a library that its next release
 * taught a new call goes on without it, and the call is reported.
 */
#ifndef RSP_LIB_SANDBOX_H
#define RSP_LIB_SANDBOX_H

#include <stddef.h>

/*
 * Called for the first call of each forbidden number, in the context of a signal: only what
 * signal-safety(7) lists may be done here. nr: as in <sys/syscall.h>.
 */
typedef void rsp_sandbox_fn(int nr, void *userdata);

/* Numbers from here on are not told apart: the kernel is far from assigning them. */
#define RSP_SANDBOX_NR_MAX 1024

/*
 * The beginning of it, for what has to open files or speak with others: nobody's identity, no
 * capabilities, and none to be gained. 0 or -errno.
 */
int rsp_sandbox_become_nobody(void);

/*
 * memory_bytes: of address space; file_bytes: of a file that it writes; SIZE_MAX: no more than
 * there is. forbidden: may be NULL. 0 or -errno.
 */
int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes, rsp_sandbox_fn *forbidden,
		      void *userdata);

/* From now on for so many seconds of CPU time: then the process ends. 0: it does not. */
void rsp_sandbox_limit_cpu(unsigned int seconds);

#endif
