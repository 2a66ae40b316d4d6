/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the STACK, OBJECT and SOCKET records ("names") that the carry (carry.h) needs for sleeping
 * tasks. A task may sleep for hours, so these names must outlive their generation (window-parts.h).
 */
#ifndef RSP_LIB_CARRY_NAMES_H
#define RSP_LIB_CARRY_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "lib/base/idmap.h"
#include "rsp/event.h"

struct rsp_name;

struct rsp_carry_names {
	struct rsp_idmap stacks; /* values: struct rsp_name */
	struct rsp_idmap things; /* names of objects and sockets; values: struct rsp_name */
	TAILQ_HEAD(rsp_name_list, rsp_name)
	known;	      /* names whose record is copied, oldest copy first */
	size_t bytes; /* memory of the records and of struct rsp_name, without the maps */
};

void rsp_carry_names_init(struct rsp_carry_names *n);
void rsp_carry_names_done(struct rsp_carry_names *n);

/*
 * Retains the names to which sw refers. rsp_carry_names_learn() adds their records. Returns 0, or
 * -ENOMEM; no name is then retained.
 */
int rsp_carry_names_retain(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);
void rsp_carry_names_release(struct rsp_carry_names *n, const struct rsp_ev_switch *sw);
void rsp_carry_names_release_stack(struct rsp_carry_names *n, __u64 id);

/*
 * Copies the records that define retained names without a record. Returns the number of records for
 * which there was no memory.
 */
size_t rsp_carry_names_learn(struct rsp_carry_names *n, const void *records, size_t len);

/* Drops the oldest copied record. Returns false if there is no record. */
bool rsp_carry_names_drop(struct rsp_carry_names *n);

/* Iterates over the copied records. *pos is NULL at first. Returns NULL at the end. */
const struct rsp_ev_hdr *rsp_carry_names_next(const struct rsp_carry_names *n,
					      struct rsp_name **pos);

#endif
