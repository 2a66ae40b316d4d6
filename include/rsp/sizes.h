/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of the tables in which the BPF programs cache results, such as unwound stacks. If two
 * results share a slot, the later result replaces the earlier one. The daemon chooses the sizes by
 * the number of rings.
 *
 * Included by BPF programs and by user space.
 */
#ifndef RSP_SIZES_H
#define RSP_SIZES_H

/*
 * Number of slots of each table: minimum, maximum, and number per ring. All values are powers of
 * two.
 */
#define RSP_SLOTS_MIN	   (1U << 14)
#define RSP_SLOTS_MAX	   (1U << 18)
#define RSP_SLOTS_PER_RING (1U << 11)

/*
 * Number of slots of rsp_seen, the table of the ids already sent, for each slot of the other
 * tables.
 */
#define RSP_SEEN_PER_SLOT 2U

/*
 * Number of entries per ring in the LRU map of binaries. Each CPU reserves up to 128 free entries
 * of an LRU map for itself. The map must be so large that these reserves do not evict entries in
 * use.
 */
#define RSP_BINARIES_PER_RING 256U

#endif
