/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of connections, each to a task of its own, for tasks that are more. Who wants one when
 * there is none waits until another one gives one back, first come first served.
 */
#ifndef TESTS_TRUTH_LEASES_H
#define TESTS_TRUTH_LEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/truth/calls.h"
#include "tests/truth/plan.h"

/* Tickets that are called or waited for at once: no more than connections and tasks. */
#define LEASES_TICKETS (2 * PLAN_TASKS_MAX)

struct lease {
	uint32_t called;   /* last ticket that was called at this place, plus 1 */
	uint16_t number;   /* of the connection */
	struct answer how; /* who gave it back */
};

/* This lies in memory that all tasks share. */
struct leases {
	unsigned int cnt;     /* of connections */
	uint32_t next, given; /* tickets that were drawn; connections that were given back */
	struct lease places[LEASES_TICKETS];
	uint16_t held[PLAN_TASKS_MAX];			       /* by each task */
	int clients[PLAN_TASKS_MAX], backends[PLAN_TASKS_MAX]; /* the ends of each connection */
	unsigned int asked_cnt, expected_cnt;
};

void leases_open(struct leases *l, unsigned int cnt, unsigned int ask_cnt);
/* Tells who had it before, if anyone. Patience: see plan.h. */
struct answer leases_take(struct leases *l, unsigned int task, unsigned int patience_ms);
void leases_give(struct leases *l, unsigned int task);
/*
 * Asks over the connection that the task has. After the last question, all servers are told to end.
 */
void leases_send(struct leases *l, unsigned int task, struct call call);
struct answer leases_receive(struct leases *l, unsigned int task, unsigned int patience_ms);

#endif
