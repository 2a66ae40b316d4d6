/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of connections that a larger number of tasks share. Each connection leads to a separate
 * server task. Waiting tasks get connections first come, first served: a task draws a ticket and
 * waits for its turn.
 */
#ifndef TESTS_TRUTH_LEASES_H
#define TESTS_TRUTH_LEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/truth/calls.h"
#include "tests/truth/plan.h"

/*
 * The maximum number of tickets in use: one for each returned connection that no task has taken
 * yet, and one for each waiting task.
 */
#define LEASES_TICKETS (2 * PLAN_TASKS_MAX)

/* The slot of a ticket is places[ticket % LEASES_TICKETS]. */
struct lease {
	uint32_t called;   /* 1 + the last ticket of this slot whose turn has come */
	uint16_t number;   /* the connection for this ticket */
	struct answer how; /* the task that returned this connection, and the time */
};

struct leases {
	unsigned int cnt;     /* number of connections */
	uint32_t next, given; /* numbers of tickets drawn, and of connections returned */
	struct lease places[LEASES_TICKETS];
	uint16_t held[PLAN_TASKS_MAX];			       /* the connection of each task */
	int clients[PLAN_TASKS_MAX], backends[PLAN_TASKS_MAX]; /* the ends of each connection */
	unsigned int asked_cnt, expected_cnt;
};

void leases_open(struct leases *l, unsigned int cnt, unsigned int ask_cnt);
/*
 * Takes a connection for the task, and waits for one if necessary. Returns the task that returned
 * this connection last, and the time of this return. patience_ms: see struct plan (plan.h).
 */
struct answer leases_take(struct leases *l, unsigned int task, unsigned int patience_ms);
void leases_give(struct leases *l, unsigned int task);
/*
 * Sends a question over the task's connection. After the last question of the plan, also tells all
 * servers to end.
 */
void leases_send(struct leases *l, unsigned int task, struct call call);
struct answer leases_receive(struct leases *l, unsigned int task, unsigned int patience_ms);

#endif
