/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What outlives its segment: evicted records in, the state they leave behind out, again as records.
 * Who each live task is, the mappings of each process, for each sleeping task the switch that began
 * its sleep, and the names these need. Everything else is forgotten.
 */
#ifndef RSP_LIB_CARRY_H
#define RSP_LIB_CARRY_H

#include <stddef.h>

#include "rsp/event.h"

struct rsp_carry;

int rsp_carry_new(struct rsp_carry **ret);
struct rsp_carry *rsp_carry_free(struct rsp_carry *c);

/*
 * Takes the (valid) records of an evicted segment. next is the segment after it, or NULL: rings are
 * drained one after the other, so a fork may lie in one segment and its parent's mapping, though
 * older, in the next. Where memory lacks something is forgotten and counted. Takes time in
 * proportion to both segments, however much is carried.
 */
void rsp_carry_fold(struct rsp_carry *c, const void *records, size_t len, const void *next,
		    size_t next_len);
/* Tasks that exited before oldest_ns (the oldest record still held) are forgotten. */
void rsp_carry_expire(struct rsp_carry *c, __u64 oldest_ns);
/*
 * Forgets until it takes no more than max_bytes: mappings first (frames lose their names), then the
 * names of what tasks sleep on, then tasks; of each the oldest first. The names of the last evicted
 * segments stay.
 */
void rsp_carry_trim(struct rsp_carry *c, size_t max_bytes);

size_t rsp_carry_bytes(const struct rsp_carry *c);
__u64 rsp_carry_dropped_cnt(const struct rsp_carry *c); /* things forgotten for lack of memory */

/*
 * Hands out the state as chunks of records: tasks, then mappings, then names. Folded into an empty
 * carry in this order they give the same state. Stops at a negative return of cb. -ENOMEM.
 */
typedef int (*rsp_carry_chunk_fn)(const void *records, size_t len, void *userdata);
int rsp_carry_foreach(const struct rsp_carry *c, rsp_carry_chunk_fn cb, void *userdata);

#endif
