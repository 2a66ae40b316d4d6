/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that one child of the recorder leaves for the next child, in memfds that the recorder holds
 * and never reads. If a child dies while it writes the data, the next child finds no data.
 */
#ifndef RSP_DAEMON_MEMORY_H
#define RSP_DAEMON_MEMORY_H

#include <stddef.h>

struct rsp_freeze_memory {
	/* memfd with the trail of the last reading of the window (lib/snapshot/trail.h) */
	int trail;
	int symbols; /* memfd with the names of the kernel's functions (lib/ksyms) */
};

/* The caller frees *ret. Returns 0; -ENODATA: the memfd contains no data; -ENOMEM; -errno. */
int rsp_memory_load(int fd, void **ret, size_t *ret_len);
/* On failure the memfd contains no data. Returns 0 or -errno. */
int rsp_memory_store(int fd, const void *bytes, size_t len);

#endif
