/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restricts this process: it loses all capabilities, and cannot open files or create processes or
 * executable memory. The process ends when its parent ends. A forbidden system call does nothing,
 * fails with ENOSYS, and is reported. So a library whose next release uses a new call still works.
 */
#ifndef RSP_LIB_SANDBOX_H
#define RSP_LIB_SANDBOX_H

#include <stddef.h>

/*
 * Called in a signal handler, at the first call of each forbidden system call. May call only
 * functions listed in signal-safety(7).
 */
typedef void rsp_sandbox_fn(int nr, void *userdata);

/*
 * System calls from this number on are reported only once together. The kernel has no such numbers
 * yet.
 */
#define RSP_SANDBOX_NR_MAX 1024

/*
 * A process that must open files or communicate calls only this function. It gets the identity of
 * nobody if possible, loses all capabilities, and cannot gain any. Returns 0 or -errno.
 */
int rsp_sandbox_become_nobody(void);

/*
 * memory_bytes: limit of the address space; file_bytes: limit of the size of a written file;
 * SIZE_MAX: no additional limit. forbidden may be NULL. Returns 0 or -errno.
 */
int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes, rsp_sandbox_fn *forbidden,
		      void *userdata);

/* Ends the process after this number of further seconds of CPU time; 0: no limit. */
void rsp_sandbox_limit_cpu(unsigned int seconds);

#endif
