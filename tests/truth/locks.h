/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two kinds of locks between processes.
 *
 * A plain lock is a mutex of the C library. Only two tasks may use it: a third task might take it
 * before the woken task runs, and no log could show why the woken task waits again.
 *
 * A fair lock goes to the waiting tasks in turn, and any number of tasks may use it.
 */
#ifndef TESTS_TRUTH_LOCKS_H
#define TESTS_TRUTH_LOCKS_H

#include <pthread.h>
#include <stdint.h>

#include "tests/truth/plan.h"

struct fair_lock {
	uint32_t next; /* ticket to be drawn */
	uint32_t held; /* ticket of the holder */
	/* called[ticket % PLAN_TASKS_MAX]: 1 + the last ticket of this slot whose turn has come */
	uint32_t called[PLAN_TASKS_MAX];
};

void plain_lock_init(pthread_mutex_t *mutex);
void fair_lock_init(struct fair_lock *lock);
void fair_lock_take(struct fair_lock *lock);
void fair_lock_release(struct fair_lock *lock);

#endif
