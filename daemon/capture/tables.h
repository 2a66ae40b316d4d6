/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores unwind tables for the BPF programs, one after the other, in areas (rsp/unwind.h). The
 * memory is limited: if it is used up, the caller must remove an area that has been unused for
 * long.
 */
#ifndef RSP_DAEMON_TABLES_H
#define RSP_DAEMON_TABLES_H

#include <linux/types.h>
#include <stddef.h>

struct rsp_tables;

/*
 * map_fd: the BPF map rsp_areas. used: the BPF programs' array rsp_area_used. Both must outlive
 * *ret.
 */
int rsp_tables_new(int map_fd, __u8 *used, size_t budget_bytes, struct rsp_tables **ret);
struct rsp_tables *rsp_tables_free(struct rsp_tables *t);

/*
 * Copies a checked table into an area with room, or into a new area. Returns 0; -ENOSPC: remove an
 * area first; -E2BIG: the table is larger than all memory for tables; -errno.
 */
int rsp_tables_put(struct rsp_tables *t, const void *blocks, size_t len, __u32 *ret_table);

/*
 * Returns an area that has been unused for long; 0: no area can be removed. Never returns the first
 * area, which contains the table of the vdso.
 */
__u32 rsp_tables_idlest(struct rsp_tables *t);

/*
 * BPF programs that run now may still read the area; the kernel keeps the memory until they have
 * ended.
 */
void rsp_tables_remove(struct rsp_tables *t, __u32 area);

size_t rsp_tables_bytes(const struct rsp_tables *t);
unsigned int rsp_tables_cnt(const struct rsp_tables *t);

#endif
