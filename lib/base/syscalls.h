/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts numbers of x86-64 system calls to names, and back. */
#ifndef RSP_LIB_SYSCALLS_H
#define RSP_LIB_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns NULL if the number is unknown. */
const char *rsp_syscall_name(int nr);

/* For an unknown number, writes a text like "number 512" to buf, of len bytes, and returns buf. */
const char *rsp_syscall_label(int nr, char *buf, size_t len);

/* Returns -ENOENT if there is no such call. */
int rsp_syscall_number(const char *name);

/* Returns whether the call waits for any of several files. */
bool rsp_syscall_polls(int nr);

bool rsp_syscall_is_futex(int nr);

/* write, sendmsg and similar calls */
bool rsp_syscall_writes(int nr);

/* read, recvmsg and similar calls */
bool rsp_syscall_reads(int nr);

bool rsp_syscall_accepts(int nr);

bool rsp_syscall_awaits_child(int nr);

bool rsp_syscall_awaits_signal(int nr);

#endif
