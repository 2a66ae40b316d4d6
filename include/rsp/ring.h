/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines a ring of records (rsp/event.h) in memory that the kernel programs and the daemon share.
 * A program claims room, fills it and commits the record. The daemon reads committed records,
 * zeroes their memory and frees the room.
 *
 * Programs on one CPU interrupt each other, and a CPU that comes online late shares a ring with
 * another CPU. So programs claim room by compare-and-swap. The kernel's own ring buffer needs a
 * lock and two helper calls, which cost more than all the rest of writing a record.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_RING_H
#define RSP_RING_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/*
 * Largest size of a record. The memory of a ring continues for this many bytes behind its end, so a
 * record that begins before the end is contiguous.
 */
#define RSP_RING_RECORD_MAX 2048

/*
 * Bit of rsp_ev_hdr.kind: the record is claimed but not yet committed. A claimed record with kind 0
 * is not committed either.
 */
#define RSP_RING_BUSY 0x8000

struct rsp_ring {
	__u64 claimed; /* bytes claimed so far; the next record begins at claimed % size */
	__u32 rung;    /* 1: a program has woken the daemon; each drain resets it */
	__u32 pad[13];
	__u64 read; /* bytes read by the daemon so far */
	__u64 more_pad[7];
	__u8 records[]; /* the ring itself; its size is a power of two; room for a record follows */
};

/*
 * Memory that a ring of the given size takes. The verifier assumes that a record is a header of 16
 * bytes followed by up to RSP_RING_RECORD_MAX bytes.
 */
#define RSP_RING_BYTES(bytes) (sizeof(struct rsp_ring) + (bytes) + 16 + RSP_RING_RECORD_MAX)

#endif
