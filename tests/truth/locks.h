/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two kinds of locks between processes. A plain lock is a mutex of the C library. A third task may
 * take it before the woken task runs. Then no log can show whether the woken task waited for the
 * lock or for a CPU. So only two tasks use the plain lock. A fair lock goes to the waiting tasks in
 * turn, and any number of tasks may use it.
 */
#ifndef TESTS_TRUTH_LOCKS_H
#define TESTS_TRUTH_LOCKS_H

#include <pthread.h>
#include <stdint.h>

#include "tests/truth/plan.h"

/* Lies in memory that all tasks share. */
struct fair_lock {
	uint32_t next;			 /* ticket to be drawn */
	uint32_t held;			 /* ticket of the holder */
	uint32_t called[PLAN_TASKS_MAX]; /* last ticket that was called at this slot, plus 1 */
};

void plain_lock_init(pthread_mutex_t *mutex);
void fair_lock_init(struct fair_lock *lock);
void fair_lock_take(struct fair_lock *lock);
void fair_lock_release(struct fair_lock *lock);

#endif
