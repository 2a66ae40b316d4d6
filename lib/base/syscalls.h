/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts numbers of x86-64 system calls to names, and back. */
#ifndef RSP_LIB_SYSCALLS_H
#define RSP_LIB_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the name of system call nr, such as "read", or NULL if the number is unknown. */
const char *rsp_syscall_name(int nr);

/*
 * Like rsp_syscall_name(), but for an unknown number, writes a text like "number 512" to buf, of
 * len bytes, and returns buf.
 */
const char *rsp_syscall_label(int nr, char *buf, size_t len);

/* Returns the number of the call with this name, or -ENOENT if there is no such call. */
int rsp_syscall_number(const char *name);

/*
 * Returns whether the call waits for any of several files: poll, select, epoll_wait and similar
 * calls.
 */
bool rsp_syscall_polls(int nr);

/* Returns whether the call waits on a futex: futex, futex_wait, futex_waitv. */
bool rsp_syscall_is_futex(int nr);

/* Returns whether the call writes to a file or socket: write, sendmsg and similar calls. */
bool rsp_syscall_writes(int nr);

/* Returns whether the call reads from a file or socket: read, recvmsg and similar calls. */
bool rsp_syscall_reads(int nr);

/* Returns whether the call waits for a client's connection: accept, accept4. */
bool rsp_syscall_accepts(int nr);

/* Returns whether the call waits for a child process: wait4, waitid. */
bool rsp_syscall_awaits_child(int nr);

/* Returns whether the call waits only for a signal: pause, rt_sigsuspend, rt_sigtimedwait. */
bool rsp_syscall_awaits_signal(int nr);

#endif
