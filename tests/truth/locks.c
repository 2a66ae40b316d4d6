// SPDX-License-Identifier: GPL-2.0-or-later
/* See locks.h. */
#include "tests/truth/locks.h"

#include <err.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void plain_lock_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	if (pthread_mutex_init(mutex, &attr))
		errx(1, "no mutexes between processes");
}

void fair_lock_init(struct fair_lock *lock)
{
	memset(lock, 0, sizeof(*lock));
	lock->called[0] = 1;
}

/* A task waits for one ticket at a time, so no two tasks wait at the same slot. */
void fair_lock_take(struct fair_lock *lock)
{
	uint32_t ticket = __atomic_fetch_add(&lock->next, 1, __ATOMIC_SEQ_CST);
	uint32_t *slot = &lock->called[ticket % PLAN_TASKS_MAX], called;

	while ((called = __atomic_load_n(slot, __ATOMIC_SEQ_CST)) != ticket + 1)
		syscall(SYS_futex, slot, FUTEX_WAIT, called, NULL, NULL, 0);
	lock->held = ticket;
}

void fair_lock_release(struct fair_lock *lock)
{
	uint32_t ticket = lock->held + 1;
	uint32_t *slot = &lock->called[ticket % PLAN_TASKS_MAX];

	__atomic_store_n(slot, ticket + 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, slot, FUTEX_WAKE, 1, NULL, NULL, 0);
}
