/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The STACK, OBJECT and SOCKET records that a window must not lose with the segment they came in. A
 * part of the carry (carry.h). There are two reasons to keep one:
 *
 * - It was evicted only lately. The recorder has things sent anew in each segment, but what waited
 *   in a ring at that moment refers to things sent before. So all such records of the last segments
 *   are kept, whole segments' worth.
 * - A task sleeps, perhaps for hours, and the switch that began it is carried: it retains its
 * names.
 */
#ifndef RSP_LIB_CARRY_NAMES_H
#define RSP_LIB_CARRY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "lib/base/idmap.h"
#include "rsp/event.h"

/*
 * Of how many evicted segments the names are kept: what rings hold can fill several small segments.
 * At a third of a segment each they cost some 2 % of a window of 64 segments.
 */
#define RSP_NAMES_REMNANTS 4

struct rsp_name;
struct rsp_remnant;

/* Embedded: _init before use. */
struct rsp_carry_names {
	struct rsp_idmap stacks;		   /* -> struct rsp_name */
	struct rsp_idmap things;		   /* objects and sockets */
	TAILQ_HEAD(rsp_name_list, rsp_name) known; /* those whose record is kept, oldest first */
	struct rsp_remnant *remnants[RSP_NAMES_REMNANTS]; /* a ring, oldest at next */
	unsigned int next;
	size_t bytes; /* everything but the maps */
};

void rsp_carry_names_init(struct rsp_carry_names *n);
void rsp_carry_names_done(struct rsp_carry_names *n);

/* Keeps what sw refers to, wherever it turns up, until released. All or nothing; 0, -ENOMEM. */
int rsp_carry_names_retain(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);
void rsp_carry_names_release(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);

/* Takes the names of an evicted segment. -ENOMEM: they are lost. */
int rsp_carry_names_take_segment(struct rsp_carry_names *n, const void *records, size_t len);

/* Gives up the oldest retained record to save memory. False: there is none. */
bool rsp_carry_names_drop(struct rsp_carry_names *n);

/* Gives up the records of all user stacks; how many. */
size_t rsp_carry_names_drop_user_stacks(struct rsp_carry_names *n);

/* Position of an iteration; zeroes to begin. */
struct rsp_carry_names_pos {
	const struct rsp_name *name;
	unsigned int remnant;
	bool names_done;
};

/* The next chunk of records: first the retained ones, one by one. False at the end. */
bool rsp_carry_names_next(const struct rsp_carry_names *n, struct rsp_carry_names_pos *pos,
			  const void **ret_records, size_t *ret_len);

#endif
