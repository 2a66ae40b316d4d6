/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind tables -> where the kernel programs find them: a BPF array each, in slots of a map of
 * maps. Knows nothing of the binaries that they are for. Bounded: who wants to put one where memory
 * is used up takes out others first, longest unused ones.
 */
#ifndef RSP_DAEMON_TABLES_H
#define RSP_DAEMON_TABLES_H

#include <linux/types.h>
#include <stddef.h>

struct rsp_tables;

/* map_fd: rsp_tables of the programs; used: their rsp_table_used. Both must outlive it. */
int rsp_tables_new(int map_fd, __u8 *used, size_t budget_bytes, struct rsp_tables **ret);
struct rsp_tables *rsp_tables_free(struct rsp_tables *t);

/*
 * Copies a checked table into a slot that is free. 0; -ENOSPC: first take one out; -E2BIG: more
 * than all the memory there is for tables; -errno.
 */
int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_slot);

/* The slot that was not used for longest, 0: there is none. */
__u32 rsp_tables_idlest(struct rsp_tables *t);

/*
 * Frees a slot. Programs that began before may still look into it; the kernel keeps the memory
 * until they are done.
 */
void rsp_tables_remove(struct rsp_tables *t, __u32 slot);

size_t rsp_tables_bytes(const struct rsp_tables *t);
unsigned int rsp_tables_cnt(const struct rsp_tables *t);

#endif
