/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reading end of one ring (rsp/ring.h). Knows no kernel: programs fill it, or a test does. */
#ifndef RSP_DAEMON_RING_DRAIN_H
#define RSP_DAEMON_RING_DRAIN_H

#include <stddef.h>

#include "rsp/ring.h"

/* The record is valid during the call only. */
typedef void (*rsp_ring_fn)(const void *rec, size_t len, void *userdata);

/*
 * Passes on the records that were claimed before the call, in the order of their claims, up to the
 * first that is not committed. mask: the ring's size in bytes, less one.
 */
void rsp_ring_drain(struct rsp_ring *ring, __u64 mask, rsp_ring_fn fn, void *userdata);

#endif
