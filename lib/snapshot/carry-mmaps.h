/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mappings each process has now, after a history of MMAP records, forks and exits. A part of
 * the carry (carry.h); the caller feeds the history in order of time.
 */
#ifndef RSP_LIB_CARRY_MMAPS_H
#define RSP_LIB_CARRY_MMAPS_H

#include <stddef.h>
#include <sys/queue.h>

#include "lib/base/idmap.h"
#include "rsp/event.h"

struct rsp_process;

/* Embedded: _init before use. */
struct rsp_mmaps {
	struct rsp_idmap by_tgid; /* -> struct rsp_process */
	TAILQ_HEAD(rsp_process_list, rsp_process)
	list; /* those with mappings, longest unchanged first */
	__u64 added_cnt;
	size_t bytes; /* everything but the map */
};

void rsp_mmaps_init(struct rsp_mmaps *m);
void rsp_mmaps_done(struct rsp_mmaps *m);

/* A thread of tgid appears or is gone; with its last thread a process loses its mappings. */
int rsp_mmaps_join(struct rsp_mmaps *m, __u32 tgid);
void rsp_mmaps_leave(struct rsp_mmaps *m, __u32 tgid);

/* Replaces older mappings that lie within it; len 0 drops all older ones (an exec). 0, -ENOMEM. */
int rsp_mmaps_add(struct rsp_mmaps *m, const struct rsp_ev_mmap *rec);
/* The new process tgid begins with parent's mappings, whatever a tgid of that number had before. */
int rsp_mmaps_fork(struct rsp_mmaps *m, __u32 parent_tgid, __u32 tgid, __u64 ts_ns);

/* Gives up the mappings of one process to save memory. Returns how many, 0: none are left. */
size_t rsp_mmaps_drop(struct rsp_mmaps *m);

/*
 * Calls fn for each mapping: that of rec, except that it belongs to tgid since ts_ns. Those of one
 * process come in order of age, so that of two at an address the later call is right; the first has
 * len 0 if the process dropped what it inherited. Stops at a
 * negative return of fn and returns it; -ENOMEM.
 */
typedef int (*rsp_mmaps_fn)(const struct rsp_ev_mmap *rec, __u32 tgid, __u64 ts_ns, void *userdata);
int rsp_mmaps_foreach(const struct rsp_mmaps *m, rsp_mmaps_fn fn, void *userdata);

#endif
