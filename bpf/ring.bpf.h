/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes records to the daemon through the ring of the CPU. If the ring has no room for a record,
 * the record is dropped and counted. x86 does not reorder stores, so a compiler barrier before the
 * commit is sufficient.
 */
#ifndef RSP_RING_BPF_H
#define RSP_RING_BPF_H

#include "rsp/event-layout.h"
#include "rsp/event.h"
#include "rsp/ring.h"

extern const volatile __u32 rsp_ring_mask; /* size of a ring in bytes, minus one */
/* number of unread bytes in a ring at which a program wakes the daemon early */
extern const volatile __u32 rsp_wake_bytes;

/* The largest CONFIG_NR_CPUS on x86; a power of two, so that it can be a mask for the verifier. */
#define RSP_CPU_MAX 8192

extern struct rsp_loss rsp_losses[RSP_CPU_MAX];
extern struct rsp_loss rsp_control_loss;

extern __u32
	rsp_ring_of[RSP_CPU_MAX]; /* [CPU]: index of its ring in rsp_rings; set by the daemon */

/*
 * The daemon sets the number of rings and their size before it loads the programs, so the map has
 * no value type.
 */
extern struct rsp_rings_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, RSP_RING_BYTES(4096));
} rsp_rings SEC(".maps");

/* The daemon polls this ring buffer. A program writes to it to wake the daemon. */
extern struct rsp_bell_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} rsp_bell SEC(".maps");

#define RSP_CONTROL_BYTES (1 << 20)

/*
 * The control ring contains births, execs and deaths of threads. These records are rare and needed
 * for a long time, so a flood of other records must not crowd them out.
 */
extern struct rsp_control_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RSP_CONTROL_BYTES);
} rsp_control SEC(".maps");

/* --- losses ---------------------------------------------------------------------------------- */

static __always_inline void count_loss_in(struct rsp_loss *loss, __u32 kind)
{
	loss->until_ns = bpf_ktime_get_ns();
	if (!loss->from_ns)
		loss->from_ns = loss->until_ns;
	__sync_fetch_and_or(&loss->kinds, 1ULL << (kind & 63));
	__sync_fetch_and_add(&loss->cnt, 1);
}

static __always_inline void count_loss(__u32 kind)
{
	count_loss_in(&rsp_losses[bpf_get_smp_processor_id() & (RSP_CPU_MAX - 1)], kind);
}

/* --- records --------------------------------------------------------------------------------- */

static __always_inline void fill_header(struct rsp_ev_hdr *hdr, __u16 kind, __u32 size, __u16 flags,
					__u64 ts_ns)
{
	hdr->ts_ns = ts_ns;
	hdr->kind = kind;
	hdr->size = size;
	hdr->cpu = bpf_get_smp_processor_id();
	hdr->flags = flags;
}

static __always_inline struct rsp_ring *this_ring(void)
{
	__u32 i = rsp_ring_of[bpf_get_smp_processor_id() & (RSP_CPU_MAX - 1)];

	return bpf_map_lookup_elem(&rsp_rings, &i);
}

/* An attempt fails only if another program claimed room at the same time. */
#define CLAIM_TRIES 8

static __always_inline void ring_bell(struct rsp_ring *ring)
{
	__u64 nothing = 0;

	if (ring->rung)
		return;
	ring->rung = 1;
	bpf_ringbuf_output(&rsp_bell, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/*
 * Claims room for a record. Returns NULL if the ring is full or CLAIM_TRIES attempts fail. size: a
 * multiple of 8, at most RSP_RING_RECORD_MAX.
 */
static __always_inline void *claim(struct rsp_ring *ring, __u32 size)
{
	for (int i = 0; i < CLAIM_TRIES; i++) {
		__u64 at = *(volatile __u64 *)&ring->claimed;
		__u64 filled = at + size - *(volatile __u64 *)&ring->read;

		if (filled > (__u64)rsp_ring_mask + 1)
			return NULL;
		if (__sync_val_compare_and_swap(&ring->claimed, at, at + size) != at)
			continue;
		if (filled >= rsp_wake_bytes)
			ring_bell(ring);
		return ring->records + (at & rsp_ring_mask);
	}
	return NULL;
}

/*
 * Reserves a record of the given struct in this CPU's ring and fills its header. The caller fills
 * the other members and commits the record with rsp_submit(). Without room, the result is NULL and
 * the loss is counted.
 */
#define rsp_reserve_at(type, kind_, flags_, ts_ns_)                                                \
	({                                                                                         \
		struct rsp_ring *ring_ = this_ring();                                              \
		struct type *rec_ = ring_ ? claim(ring_, sizeof(*rec_)) : NULL;                    \
		if (rec_)                                                                          \
			fill_header(&rec_->hdr, (kind_) | RSP_RING_BUSY, sizeof(*rec_), flags_,    \
				    ts_ns_);                                                       \
		else                                                                               \
			count_loss(kind_);                                                         \
		rec_;                                                                              \
	})

#define rsp_reserve(type, kind, flags) rsp_reserve_at(type, kind, flags, bpf_ktime_get_ns())

static __always_inline void commit(struct rsp_ev_hdr *hdr)
{
	barrier();
	*(volatile __u16 *)&hdr->kind &= ~RSP_RING_BUSY;
}

#define rsp_submit(rec) commit(&(rec)->hdr)

/* Returns false if the ring has no room; the caller counts the loss. */
static __always_inline bool rsp_output(const struct rsp_ev_hdr *rec, __u64 size)
{
	struct rsp_ring *ring = this_ring();
	__u64 len = size - sizeof(*rec);
	struct rsp_ev_hdr *copy;

	if (!ring || size < sizeof(*rec) || size > RSP_RING_RECORD_MAX)
		return false;
	/* This mask does not change len, but older verifiers have lost the bounds of len here. */
	asm volatile("%0 &= %1" : "+r"(len) : "i"(RSP_RING_RECORD_MAX - 1));
	copy = claim(ring, size);
	if (!copy)
		return false;
	fill_header(copy, rec->kind | RSP_RING_BUSY, rec->size, rec->flags, rec->ts_ns);
	bpf_probe_read_kernel(copy + 1, len, rec + 1);
	commit(copy);
	return true;
}

/* --- births and deaths ----------------------------------------------------------------------- */

/* At this number of unread bytes, a program wakes the daemon early. */
#define RSP_CONTROL_WAKE_BYTES (RSP_CONTROL_BYTES / 4)

static __always_inline __u64 control_wakeup_flags(void)
{
	return bpf_ringbuf_query(&rsp_control, BPF_RB_AVAIL_DATA) >= RSP_CONTROL_WAKE_BYTES
		       ? BPF_RB_FORCE_WAKEUP
		       : BPF_RB_NO_WAKEUP;
}

/*
 * Reserves a record in the control ring, without filling any member. If the ring is full, the
 * result is NULL and the loss is counted.
 */
#define rsp_reserve_control(type, kind)                                                            \
	({                                                                                         \
		struct type *rec_ = bpf_ringbuf_reserve(&rsp_control, sizeof(*rec_), 0);           \
		if (!rec_)                                                                         \
			count_loss_in(&rsp_control_loss, kind);                                    \
		rec_;                                                                              \
	})

#define rsp_submit_control(rec) bpf_ringbuf_submit(rec, control_wakeup_flags())

#endif
