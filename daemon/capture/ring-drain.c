/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See ring-drain.h. */
#include "daemon/capture/ring-drain.h"

#include <stdlib.h>
#include <string.h>

#include "rsp/event.h"

/*
 * Size of the parts in which a drain frees room, so that BPF programs find room during a long
 * drain.
 */
#define GIVE_BACK_BYTES (64U << 10)

static void give_back(struct rsp_ring *ring, __u64 read)
{
	__atomic_store_n(&ring->read, read, __ATOMIC_RELEASE);
}

static struct rsp_ev_hdr *committed_at(struct rsp_ring *ring, __u64 at, __u64 mask)
{
	struct rsp_ev_hdr *hdr = (void *)&ring->records[at & mask];
	__u16 kind = __atomic_load_n(&hdr->kind, __ATOMIC_ACQUIRE);

	if (!kind || kind & RSP_RING_BUSY)
		return NULL;
	/* Only RSP's own BPF programs write to the ring, so a wrong size is a bug. */
	if (hdr->size < sizeof(*hdr) || hdr->size > RSP_RING_RECORD_MAX)
		abort();
	return hdr;
}

/*
 * Ignores records that are claimed during the drain, so that a busy ring does not delay other
 * rings.
 */
void rsp_ring_drain(struct rsp_ring *ring, __u64 mask, rsp_ring_fn fn, void *userdata)
{
	__u64 at = ring->read, given_back = at, until;
	struct rsp_ev_hdr *hdr;
	size_t size;

	__atomic_store_n(&ring->rung, 0, __ATOMIC_SEQ_CST);
	until = __atomic_load_n(&ring->claimed, __ATOMIC_SEQ_CST);
	while (at != until && (hdr = committed_at(ring, at, mask))) {
		size = hdr->size;
		fn(hdr, size, userdata);
		memset(hdr, 0, size);
		at += size;
		if (at - given_back >= GIVE_BACK_BYTES) {
			give_back(ring, at);
			given_back = at;
		}
	}
	give_back(ring, at);
}
