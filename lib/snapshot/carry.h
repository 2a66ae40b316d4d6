/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the state that results from the records that the window evicts: the identity of each live
 * task and, for each sleeping task, the switch at the beginning of its sleep, with the names to
 * which this switch refers.
 */
#ifndef RSP_LIB_CARRY_H
#define RSP_LIB_CARRY_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_carry;

int rsp_carry_new(struct rsp_carry **ret);
struct rsp_carry *rsp_carry_free(struct rsp_carry *c);

/*
 * Applies valid records to the state, except names. TASK and EXIT records take effect later, in
 * rsp_carry_drop_older() or rsp_carry_trim(). When memory runs out, an entry is dropped and
 * counted.
 */
void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len);
/* Copies the missing names of sleeping tasks from the records. */
void rsp_carry_learn(struct rsp_carry *c, const void *records, size_t len);
/*
 * Applies the TASK and EXIT records from before oldest_ns, in order of time. Must be called only if
 * no record older than oldest_ns can arrive any more. (Rings are drained one after the other, so
 * the last switches of a task may arrive after its exit.)
 */
void rsp_carry_drop_older(struct rsp_carry *c, __u64 oldest_ns);
/*
 * If the carry uses more than max_bytes, applies all TASK and EXIT records, and drops the oldest
 * entries until at most max_bytes are used: first names, then tasks.
 */
void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes);

/*
 * Removes the user stacks of sleeping tasks, before other binaries get the numbers of the binaries
 * in these stacks.
 */
void rsp_carry_drop_user_stacks(struct rsp_carry *c);

size_t rsp_carry_bytes(const struct rsp_carry *c);
__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c);

/* Returns 0 or -ENOMEM. */
int rsp_carry_copy(const struct rsp_carry *c, struct rsp_carry **ret);

/*
 * Passes the state to cb as chunks of records. If cb returns a negative value, stops and returns
 * this value. Otherwise returns 0 or -ENOMEM.
 */
typedef int (*rsp_carry_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);
/*
 * Like rsp_carry_foreach(), with a made-up WAKING record for each awake task. An empty carry
 * becomes a copy if rsp_carry_fold() and rsp_carry_learn() apply all chunks to it. No other reader
 * may get these chunks.
 */
int rsp_carry_save(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);

#endif
