/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restricts this process to the minimum: no capabilities, the identity of nobody if possible, no
 * new files, processes or executable memory, and limits on memory and on the size of written files.
 * The process ends when its parent ends.
 *
 * A forbidden system call does nothing, fails with ENOSYS, and is reported. So a library whose next
 * release uses a new call still works.
 */
#ifndef RSP_LIB_SANDBOX_H
#define RSP_LIB_SANDBOX_H

#include <stddef.h>

/*
 * Called in a signal handler, for the first call of each forbidden number. May call only functions
 * that signal-safety(7) lists. nr: as in <sys/syscall.h>.
 */
typedef void rsp_sandbox_fn(int nr, void *userdata);

/* Numbers from this one on share one report. The kernel is far from assigning them. */
#define RSP_SANDBOX_NR_MAX 1024

/*
 * The first part of rsp_sandbox_enter(), for a process that has to open files or communicate. The
 * process gets the identity of nobody and no capabilities, and cannot gain any. 0 or -errno.
 */
int rsp_sandbox_become_nobody(void);

/*
 * Enters the sandbox. memory_bytes: limit of the address space; file_bytes: limit of a file that
 * the process writes; SIZE_MAX: no additional limit. forbidden: may be NULL. 0 or -errno.
 */
int rsp_sandbox_enter(size_t memory_bytes, size_t file_bytes, rsp_sandbox_fn *forbidden,
		      void *userdata);

/* Ends the process after this many more seconds of CPU time; 0: removes the limit. */
void rsp_sandbox_limit_cpu(unsigned int seconds);

#endif
