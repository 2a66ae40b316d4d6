/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of records (rsp/event.h), in memory that the kernel programs and the daemon share.
 * Programs claim room, fill it, and commit it; the daemon reads what is committed, makes it zero
 * again and gives it back. Programs of one CPU interrupt one another, and a CPU that came online
 * late shares a ring with another; so room is claimed by compare-and-swap. The kernel's own ring
 * buffer does the same with a lock and two calls of a helper, which cost more than all else that a
 * record takes.
 *
 * Included by BPF programs (after vmlinux.h) and by user space (after <linux/types.h>).
 */
#ifndef RSP_RING_H
#define RSP_RING_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* No record is larger. As much room lies behind the end: a record that begins before it is whole.
 */
#define RSP_RING_RECORD_MAX 2048

/* Bit of rsp_ev_hdr.kind: the record is claimed and not yet committed; so is one of kind 0. */
#define RSP_RING_BUSY 0x8000

struct rsp_ring {
	__u64 claimed; /* bytes, by programs, ever; in the ring at this number modulo its size */
	__u32 rung; /* by programs to 1: the daemon was woken. By the daemon to 0 when it comes */
	__u32 pad[13];
	__u64 read; /* bytes, by the daemon, ever */
	__u64 more_pad[7];
	__u8 records[]; /* a power of two, and room behind the end */
};

/*
 * All that a ring of so many bytes takes. The verifier allows for a header and as much as
 * RSP_RING_RECORD_MAX behind it.
 */
#define RSP_RING_BYTES(bytes) (sizeof(struct rsp_ring) + (bytes) + 16 + RSP_RING_RECORD_MAX)

#endif
