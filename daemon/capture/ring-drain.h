/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the records of one ring (rsp/ring.h). */
#ifndef RSP_DAEMON_RING_DRAIN_H
#define RSP_DAEMON_RING_DRAIN_H

#include <stddef.h>

#include "rsp/ring.h"

/* The record is valid only during the call. */
typedef void (*rsp_ring_fn)(const void *rec, size_t len, void *userdata);

/*
 * Calls fn for each record that was claimed before the call, in the order of the claims, up to the
 * first uncommitted record. mask: size of the ring in bytes, minus one.
 */
void rsp_ring_drain(struct rsp_ring *ring, __u64 mask, rsp_ring_fn fn, void *userdata);

#endif
