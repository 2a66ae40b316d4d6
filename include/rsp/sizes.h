/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of the programs' tables of what tasks did before. They are direct-mapped: what collides is
 * done again. The daemon sets them by the number of rings, which is that of the CPUs.
 *
 * Included by BPF programs and by user space.
 */
#ifndef RSP_SIZES_H
#define RSP_SIZES_H

/* Slots of each table; powers of two. */
#define RSP_SLOTS_MIN	   (1U << 14)
#define RSP_SLOTS_MAX	   (1U << 18)
#define RSP_SLOTS_PER_RING (1U << 11)

/* The table of ids that were sent has so many times as many. */
#define RSP_SEEN_PER_SLOT 2U

/* Each CPU keeps 128 free entries of an LRU map for itself, taken from those in use. */
#define RSP_BINARIES_PER_RING 256U

#endif
