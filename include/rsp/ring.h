/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defines a ring of records (rsp/event.h) in memory that the BPF programs and the daemon share. A
 * BPF program claims room, fills it and commits the record. The daemon reads committed records,
 * zeroes their memory and frees the room.
 *
 * BPF programs on one CPU interrupt each other, and a CPU that comes online late shares a ring with
 * another CPU. So BPF programs claim room by compare-and-swap.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_RING_H
#define RSP_RING_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/*
 * Maximum size of a record in bytes. The memory of a ring has as many bytes behind the end of the
 * ring, so a record that begins before the end is contiguous.
 */
#define RSP_RING_RECORD_MAX 2048

/*
 * Bit of rsp_ev_hdr.kind: the record is claimed but not yet committed. A claimed record with kind 0
 * is not committed either.
 */
#define RSP_RING_BUSY 0x8000

struct rsp_ring {
	/* number of bytes claimed so far; the next record begins at records[claimed % size] */
	__u64 claimed;
	__u32 rung; /* 1: a BPF program has woken the daemon. The daemon resets it at each drain. */
	__u32 pad[13];
	__u64 read; /* number of bytes that the daemon has read so far */
	__u64 more_pad[7];
	/* the ring itself, whose size is a power of two; behind it, room for a record */
	__u8 records[];
};

/*
 * Size of the memory of a ring. bytes: size of the ring itself. The verifier assumes that a record
 * is a header of 16 bytes followed by up to RSP_RING_RECORD_MAX bytes.
 */
#define RSP_RING_BYTES(bytes) (sizeof(struct rsp_ring) + (bytes) + 16 + RSP_RING_RECORD_MAX)

#endif
