/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the records that the window evicts, and keeps the state that results from them: the
 * identity of each live task and, for each sleeping task, the switch at the beginning of its sleep,
 * with the names to which this switch refers. Returns this state as records. All other data of the
 * records are dropped.
 */
#ifndef RSP_LIB_CARRY_H
#define RSP_LIB_CARRY_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_carry;

int rsp_carry_new(struct rsp_carry **ret);
struct rsp_carry *rsp_carry_free(struct rsp_carry *c);

/*
 * Applies evicted records to the state. The records must be valid; names among them are skipped.
 * Changes of identities (TASK and EXIT records) take effect only in rsp_carry_drop_older(). The
 * duration of a call is proportional to the number of records, and independent of the size of the
 * carry. When memory runs out, an entry is dropped and counted.
 */
void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len);
/*
 * Copies the names that sleeping tasks need, and that the carry does not contain yet, from the
 * records.
 */
void rsp_carry_learn(struct rsp_carry *c, const void *records, size_t len);
/*
 * Applies the TASK and EXIT records from before oldest_ns, in order of time. Must be called only if
 * no record older than oldest_ns can arrive any more. (Rings are drained one after the other, so
 * the last switches of a task may arrive after its exit.)
 */
void rsp_carry_drop_older(struct rsp_carry *c, __u64 oldest_ns);
/*
 * If the carry uses more than max_bytes, applies all TASK and EXIT records, and drops entries until
 * at most max_bytes are used: first the names that sleeping tasks need, then tasks. Within each
 * group, the oldest entries are dropped first.
 */
void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes);

/*
 * Removes the user stacks of sleeping tasks. Called when the numbers of binaries in these stacks
 * are about to be used for other binaries.
 */
void rsp_carry_drop_user_stacks(struct rsp_carry *c);

size_t rsp_carry_bytes(const struct rsp_carry *c);
__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c); /* Returns the number of dropped entries. */

/*
 * Makes a copy, which applies its TASK and EXIT records only in rsp_carry_drop_older(). Returns 0
 * or -ENOMEM.
 */
int rsp_carry_copy(const struct rsp_carry *c, struct rsp_carry **ret);

/*
 * Passes the state to cb as chunks of records: first the tasks, then the TASK and EXIT records that
 * are not applied yet, then the names. If cb returns a negative value, stops and returns this
 * value. Otherwise returns 0 or -ENOMEM.
 */
typedef int (*rsp_carry_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);
/*
 * Like rsp_carry_foreach(), but with an additional WAKING record for each task that is known to be
 * awake. If rsp_carry_fold() and rsp_carry_learn() apply all chunks to an empty carry, this carry
 * becomes a copy. The WAKING records are made up: no other reader may get them.
 */
int rsp_carry_save(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);

#endif
