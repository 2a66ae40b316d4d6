/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings (rsp/ring.h) that the kernel programs fill, one for each CPU that is online. */
#ifndef RSP_DAEMON_RINGS_H
#define RSP_DAEMON_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "ring-drain.h"

struct rsp_bpf;
struct rsp_rings;

/*
 * Before the programs are loaded: how many rings there are to be (rsp_rings_wanted()), and of how
 * many bytes each, a power of two. 0 or -errno.
 */
int rsp_rings_prepare(struct rsp_bpf *bpf, unsigned int cnt, size_t bytes);

/* How many of so many possible CPUs are online. */
unsigned int rsp_rings_wanted(int cpu_cnt);

/*
 * After the programs are loaded and before they run. A CPU that comes online later shares a ring
 * with another. 0 or -errno.
 */
int rsp_rings_new(struct rsp_bpf *bpf, int cpu_cnt, size_t bytes, struct rsp_rings **ret);
struct rsp_rings *rsp_rings_free(struct rsp_rings *rings);

/* Whether the CPU has a ring of its own: it was online at the start. */
bool rsp_rings_has(const struct rsp_rings *rings, int cpu);

/* Passes on what was committed before the call, ring by ring, each in the order of its claims. */
void rsp_rings_drain(struct rsp_rings *rings, rsp_ring_fn fn, void *userdata);

#endif
