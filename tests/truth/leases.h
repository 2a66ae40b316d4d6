/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of connections for a larger number of tasks. Each connection leads to a separate server
 * task. If no connection is free, a task waits until another task returns one, first come first
 * served.
 */
#ifndef TESTS_TRUTH_LEASES_H
#define TESTS_TRUTH_LEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/truth/calls.h"
#include "tests/truth/plan.h"

/*
 * The maximum number of tickets that are in use at the same time: called ones, at most one for each
 * connection, and waiting ones, at most one for each task.
 */
#define LEASES_TICKETS (2 * PLAN_TASKS_MAX)

struct lease {
	uint32_t called;   /* last ticket that was called at this place, plus 1 */
	uint16_t number;   /* of the connection */
	struct answer how; /* the task that returned it */
};

/* Lies in memory that all tasks share. */
struct leases {
	unsigned int cnt;     /* of connections */
	uint32_t next, given; /* number of tickets that were drawn, and of connections that were
			       * returned */
	struct lease places[LEASES_TICKETS];
	uint16_t held[PLAN_TASKS_MAX];			       /* the connection of each task */
	int clients[PLAN_TASKS_MAX], backends[PLAN_TASKS_MAX]; /* the ends of each connection */
	unsigned int asked_cnt, expected_cnt;
};

void leases_open(struct leases *l, unsigned int cnt, unsigned int ask_cnt);
/*
 * Takes a connection. Returns the last user of the connection, and the time at which that task
 * returned it. patience_ms: see plan.h.
 */
struct answer leases_take(struct leases *l, unsigned int task, unsigned int patience_ms);
void leases_give(struct leases *l, unsigned int task);
/* Sends a question over the task's connection. With the last question, it also ends all servers. */
void leases_send(struct leases *l, unsigned int task, struct call call);
struct answer leases_receive(struct leases *l, unsigned int task, unsigned int patience_ms);

#endif
