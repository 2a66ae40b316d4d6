/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind tables -> where the kernel programs find them: one behind the other in areas (see
 * rsp/unwind.h). Knows nothing of the binaries that they are for. Bounded: who wants to put one
 * where memory is used up takes out an area of others first, one that was not used for long.
 */
#ifndef RSP_DAEMON_TABLES_H
#define RSP_DAEMON_TABLES_H

#include <linux/types.h>
#include <stddef.h>

struct rsp_tables;

/* map_fd: rsp_areas of the programs; used: their rsp_area_used. Both must outlive it. */
int rsp_tables_new(int map_fd, __u8 *used, size_t budget_bytes, struct rsp_tables **ret);
struct rsp_tables *rsp_tables_free(struct rsp_tables *t);

/*
 * Copies a checked table into an area that has room, or a new one. For that it waits, some tens of
 * milliseconds as a rule, if it is larger than an area, and if the one made beforehand is not
 * ready. 0; -ENOSPC: first take one out; -E2BIG: more than all the memory there is for tables;
 * -errno.
 */
int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table);

/*
 * The area that was not used for longest, 0: there is none. Never the first: what all programs use
 * came first.
 */
__u32 rsp_tables_idlest(struct rsp_tables *t);

/*
 * Frees an area with all its tables. Programs that began before may still look into it; the kernel
 * keeps the memory until they are done.
 */
void rsp_tables_remove(struct rsp_tables *t, __u32 area);

size_t rsp_tables_bytes(const struct rsp_tables *t);
unsigned int rsp_tables_cnt(const struct rsp_tables *t);

#endif
