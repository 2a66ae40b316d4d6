/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread pool: a queue of work items under a mutex. A task that waits learns which task ended its
 * wait.
 *
 * Each task has its own condition variable. With a shared one, the signalling task would sometimes
 * wait for a task that was signalled before, and no log would show this.
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

struct pool_wake {
	uint64_t at_ns;
	uint16_t who;
	bool woken;
};

struct pool {
	pthread_mutex_t mutex;
	struct pool_wake released;
	pthread_cond_t conds[PLAN_TASKS_MAX];
	struct pool_wake wakes[PLAN_TASKS_MAX];
	struct pool_item items[POOL_ITEMS_MAX];
	unsigned int submitted_cnt, taken_cnt, expected_cnt;
	unsigned int pending[PLAN_TASKS_MAX]; /* unfinished items of each task */
	uint16_t idle[PLAN_TASKS_MAX];	      /* waiting workers, first come first served */
	unsigned int idle_cnt;
};

/*
 * The pool calls wait() before each wait with how == NULL, and after the wait with the end of the
 * wait.
 */
struct pool_log {
	void (*wait)(void *data, const struct pool_wake *how);
	void *data;
};

void pool_init(struct pool *p, unsigned int item_cnt);
void pool_submit(struct pool *p, unsigned int task, uint32_t us, bool is_cause,
		 const struct pool_log *log);
void pool_collect(struct pool *p, unsigned int task, const struct pool_log *log);
/*
 * Takes an item for the worker `task`, and waits for one if necessary. Returns false if all items
 * of the plan are taken. The caller does the item and then calls pool_done().
 */
bool pool_take(struct pool *p, unsigned int task, struct pool_item *ret,
	       const struct pool_log *log);
void pool_done(struct pool *p, unsigned int task, const struct pool_item *item,
	       const struct pool_log *log);

#endif
