/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What outlives its segment: evicted records in, the state they leave behind out, again as records.
 * Who each live task is, for each sleeping task the switch that began its sleep, and the names that
 * needs. Everything else is forgotten.
 */
#ifndef RSP_LIB_CARRY_H
#define RSP_LIB_CARRY_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_carry;

int rsp_carry_new(struct rsp_carry **ret);
struct rsp_carry *rsp_carry_free(struct rsp_carry *c);

/*
 * Takes evicted (valid) records but for names, in time proportional to them, however much is
 * carried. Identities are left pending until settled. When memory runs out, an entry is dropped and
 * counted.
 */
void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len);
/* Takes those names among the records that sleeping tasks need and that it has not got yet. */
void rsp_carry_learn(struct rsp_carry *c, const void *records, size_t len);
/*
 * No record older than oldest_ns will follow: applies what is pending from before, in order of
 * time. (Rings are drained one after the other: a task's last switches may arrive after its exit.)
 */
void rsp_carry_settle(struct rsp_carry *c, __u64 oldest_ns);
/*
 * Forgets until it takes no more than max_bytes: first the names of what tasks sleep on, then
 * tasks; of each the oldest first.
 */
void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes);

/* Sleeping tasks lose their user stacks, since the numbers in these get another meaning. */
void rsp_carry_drop_user_stacks(struct rsp_carry *c);

size_t rsp_carry_bytes(const struct rsp_carry *c);
__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c); /* things forgotten for lack of memory */

/* A copy, whose identities are all pending. 0, -ENOMEM. */
int rsp_carry_copy(const struct rsp_carry *c, struct rsp_carry **ret);

/*
 * Hands out the state as chunks of records: tasks, what is pending, names. Stops at a negative
 * return of cb and returns it; -ENOMEM.
 */
typedef int (*rsp_carry_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);

#endif
