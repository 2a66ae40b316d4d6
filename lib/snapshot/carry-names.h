/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The STACK, OBJECT and SOCKET records that a window must not lose with their generation: a task
 * sleeps, perhaps for hours, and the switch that began it is carried. It retains its names. A part
 * of the carry (carry.h).
 */
#ifndef RSP_LIB_CARRY_NAMES_H
#define RSP_LIB_CARRY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "lib/base/idmap.h"
#include "rsp/event.h"

struct rsp_name;

/* Embedded: _init before use. */
struct rsp_carry_names {
	struct rsp_idmap stacks;		   /* -> struct rsp_name */
	struct rsp_idmap things;		   /* objects and sockets */
	TAILQ_HEAD(rsp_name_list, rsp_name) known; /* those whose record is kept, oldest first */
	size_t bytes;				   /* everything but the maps */
};

void rsp_carry_names_init(struct rsp_carry_names *n);
void rsp_carry_names_done(struct rsp_carry_names *n);

/* Keeps what sw refers to, wherever it turns up, until released. All or nothing; 0, -ENOMEM. */
int rsp_carry_names_retain(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);
void rsp_carry_names_release(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);
void rsp_carry_names_release_stack(struct rsp_carry_names *n, __u64 id);

/*
 * Keeps those of the records that are retained and whose record it has not got yet. Returns how
 * many there was no memory for.
 */
size_t rsp_carry_names_learn(struct rsp_carry_names *n, const void *records, size_t len);

/* Gives up the oldest retained record to save memory. False: there is none. */
bool rsp_carry_names_drop(struct rsp_carry_names *n);

/* The next record that is kept; *pos is NULL at first. NULL at the end. */
const struct rsp_ev_hdr *rsp_carry_names_next(const struct rsp_carry_names *n,
					      struct rsp_name **pos);

#endif
