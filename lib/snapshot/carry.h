/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the records that the window evicts, and keeps the state that results from them. This state
 * is the identity of each live task, and for each sleeping task the switch that began its sleep,
 * with the names that this switch refers to. Returns that state as records. Drops everything else.
 */
#ifndef RSP_LIB_CARRY_H
#define RSP_LIB_CARRY_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_carry;

int rsp_carry_new(struct rsp_carry **ret);
struct rsp_carry *rsp_carry_free(struct rsp_carry *c);

/*
 * Takes evicted records, which must be valid, and skips names. The time of a call is proportional
 * to the number of records, and independent of the size of the carry. Identities stay pending until
 * rsp_carry_drop_older(). When memory runs out, an entry is dropped and counted.
 */
void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len);
/* Takes from the records the names that sleeping tasks need and that are not carried yet. */
void rsp_carry_learn(struct rsp_carry *c, const void *records, size_t len);
/*
 * Applies the pending changes from before oldest_ns, in order of time. Called when no record older
 * than oldest_ns will follow. (Rings are drained one after the other, so a task's last switches may
 * arrive after its exit.)
 */
void rsp_carry_drop_older(struct rsp_carry *c, __u64 oldest_ns);
/*
 * Drops entries until at most max_bytes are used: first the names that sleeping tasks refer to,
 * then tasks. Within each group, the oldest entries are dropped first.
 */
void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes);

/*
 * Removes the user stacks of sleeping tasks. Called when the numbers of binaries in these stacks
 * begin to be used for other binaries.
 */
void rsp_carry_drop_user_stacks(struct rsp_carry *c);

size_t rsp_carry_bytes(const struct rsp_carry *c);
__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c); /* entries dropped */

/* Makes a copy, in which all identities are pending. 0 or -ENOMEM. */
int rsp_carry_copy(const struct rsp_carry *c, struct rsp_carry **ret);

/*
 * Passes the state to cb as chunks of records: tasks, pending identities, names. If cb returns a
 * negative value, stops and returns this value. Otherwise returns 0 or -ENOMEM.
 */
typedef int (*rsp_carry_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);
/*
 * Like rsp_carry_foreach(), with an additional WAKING record for each task that is known to be
 * awake. So rsp_carry_fold() and rsp_carry_learn() of the chunks make a copy. These records are
 * made up: no other reader may get them.
 */
int rsp_carry_save(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);

#endif
