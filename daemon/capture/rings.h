/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates and drains the rings (rsp/ring.h) that the BPF programs fill: one for each online CPU. */
#ifndef RSP_DAEMON_RINGS_H
#define RSP_DAEMON_RINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/capture/ring-drain.h"

struct rsp_bpf;
struct rsp_rings;

/*
 * Must be called before the BPF programs are loaded. bytes: size of each ring, a power of two.
 * Returns 0 or -errno.
 */
int rsp_rings_prepare(struct rsp_bpf *bpf, unsigned int cnt, size_t bytes);

unsigned int rsp_rings_wanted(int cpu_cnt);

/*
 * Call it after the BPF programs are loaded and before they run. A CPU that comes online later
 * shares a ring with another CPU. Returns 0 or -errno.
 */
int rsp_rings_new(struct rsp_bpf *bpf, int cpu_cnt, size_t bytes, struct rsp_rings **ret);
struct rsp_rings *rsp_rings_free(struct rsp_rings *rings);

/* Returns whether the CPU has a ring of its own, that is, whether it was online at the start. */
bool rsp_rings_has(const struct rsp_rings *rings, int cpu);

void rsp_rings_drain(struct rsp_rings *rings, rsp_ring_fn fn, void *userdata);

#endif
