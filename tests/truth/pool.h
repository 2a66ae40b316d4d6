/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread pool: items of work in one queue under a mutex, each taken by the next free worker. A
 * waiting task learns which task ended its wait: a worker learns which task submitted the item; a
 * task that collects learns which worker did the last item.
 *
 * Each task waits in turn on its own condition variable. With a single one for all, the C library
 * sometimes makes the signalling task wait for a task that was signalled before, which no log would
 * show.
 */
#ifndef TESTS_TRUTH_POOL_H
#define TESTS_TRUTH_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/truth/plan.h"

#define POOL_ITEMS_MAX 1024

struct pool_item {
	uint32_t us;
	uint16_t from;
	bool is_cause;
};

/* The end of a task's wait: the task that ended it, and when. */
struct pool_wake {
	uint64_t at_ns;
	uint16_t who;
	bool woken;
};

/* Lies in memory that all tasks share. */
struct pool {
	pthread_mutex_t mutex;
	struct pool_wake released; /* the last release of the mutex */
	pthread_cond_t conds[PLAN_TASKS_MAX];
	struct pool_wake wakes[PLAN_TASKS_MAX];
	struct pool_item items[POOL_ITEMS_MAX];
	unsigned int submitted_cnt, taken_cnt, expected_cnt;
	unsigned int pending[PLAN_TASKS_MAX]; /* items of a task that are not done */
	uint16_t idle[PLAN_TASKS_MAX];	      /* workers that wait, first come first served */
	unsigned int idle_cnt;
};

/* Called before each wait of a task, with how NULL, and after the wait, with its end. */
struct pool_log {
	void (*wait)(void *data, const struct pool_wake *how);
	void *data;
};

void pool_init(struct pool *p, unsigned int item_cnt);
void pool_submit(struct pool *p, unsigned int task, uint32_t us, bool is_cause,
		 const struct pool_log *log);
/* Returns when all items that the task submitted are done. */
void pool_collect(struct pool *p, unsigned int task, const struct pool_log *log);
/* Returns false when the last item has been taken. The caller must report a taken item as done. */
bool pool_take(struct pool *p, unsigned int task, struct pool_item *ret,
	       const struct pool_log *log);
void pool_done(struct pool *p, unsigned int task, const struct pool_item *item,
	       const struct pool_log *log);

#endif
