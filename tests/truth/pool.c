// SPDX-License-Identifier: GPL-2.0-or-later
/* See pool.h. */
#include "tests/truth/pool.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t clock_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts))
		err(1, "clock_gettime");
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void pool_init(struct pool *p, unsigned int item_cnt)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;

	memset(p, 0, sizeof(*p));
	if (item_cnt > POOL_ITEMS_MAX)
		abort();
	p->expected_cnt = item_cnt;
	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	if (pthread_mutex_init(&p->mutex, &ma))
		errx(1, "no mutexes between processes");
	for (size_t i = 0; i < PLAN_TASKS_MAX; i++)
		if (pthread_cond_init(&p->conds[i], &ca))
			errx(1, "no condition variables between processes");
}

static struct pool_wake wake_by(unsigned int who)
{
	return (struct pool_wake){.at_ns = clock_ns(), .who = (uint16_t)who, .woken = true};
}

/* A holder of the mutex may lose the CPU; the caller then has to wait, and logs this wait. */
static void lock(struct pool *p, const struct pool_log *log)
{
	if (pthread_mutex_trylock(&p->mutex) == 0)
		return;
	log->wait(log->data, NULL);
	pthread_mutex_lock(&p->mutex);
	log->wait(log->data, &p->released);
}

static void unlock(struct pool *p, unsigned int task)
{
	p->released = wake_by(task);
	pthread_mutex_unlock(&p->mutex);
}

/*
 * Waits until another task wakes this task. The caller holds the mutex, which is released during
 * the wait.
 */
static void wait_here(struct pool *p, unsigned int task, const struct pool_log *log)
{
	p->wakes[task].woken = false;
	log->wait(log->data, NULL);
	p->released = wake_by(task);
	while (!p->wakes[task].woken)
		pthread_cond_wait(&p->conds[task], &p->mutex);
	log->wait(log->data, &p->wakes[task]);
}

void pool_submit(struct pool *p, unsigned int task, uint32_t us, bool is_cause,
		 const struct pool_log *log)
{
	int worker = -1;

	lock(p, log);
	p->items[p->submitted_cnt++] = (struct pool_item){
		.us = us, .from = (uint16_t)task, .is_cause = is_cause};
	p->pending[task]++;
	if (p->idle_cnt > 0) {
		worker = p->idle[0];
		p->idle_cnt--;
		memmove(&p->idle[0], &p->idle[1], p->idle_cnt * sizeof(p->idle[0]));
		p->wakes[worker] = wake_by(task);
	}
	unlock(p, task);
	if (worker >= 0)
		pthread_cond_signal(&p->conds[worker]);
}

void pool_collect(struct pool *p, unsigned int task, const struct pool_log *log)
{
	lock(p, log);
	if (p->pending[task] > 0)
		wait_here(p, task, log);
	unlock(p, task);
}

/* Wakes all waiting workers, so that they end. Called by the worker that took the last item. */
static void send_home(struct pool *p, unsigned int task, const struct pool_log *log)
{
	uint16_t idle[PLAN_TASKS_MAX];
	unsigned int cnt;

	lock(p, log);
	cnt = p->idle_cnt;
	memcpy(idle, p->idle, cnt * sizeof(idle[0]));
	p->idle_cnt = 0;
	for (unsigned int i = 0; i < cnt; i++)
		p->wakes[idle[i]] = wake_by(task);
	unlock(p, task);
	for (unsigned int i = 0; i < cnt; i++)
		pthread_cond_signal(&p->conds[idle[i]]);
}

bool pool_take(struct pool *p, unsigned int task, struct pool_item *ret, const struct pool_log *log)
{
	bool taken, last = false;

	lock(p, log);
	/* Loops, because another worker may take the item before the woken worker runs. */
	while (p->taken_cnt == p->submitted_cnt && p->taken_cnt < p->expected_cnt) {
		p->idle[p->idle_cnt++] = (uint16_t)task;
		wait_here(p, task, log);
	}
	taken = p->taken_cnt < p->submitted_cnt;
	if (taken) {
		*ret = p->items[p->taken_cnt++];
		last = p->taken_cnt == p->expected_cnt;
	}
	unlock(p, task);
	if (last)
		send_home(p, task, log);
	return taken;
}

void pool_done(struct pool *p, unsigned int task, const struct pool_item *item,
	       const struct pool_log *log)
{
	bool all;

	lock(p, log);
	all = --p->pending[item->from] == 0;
	if (all)
		p->wakes[item->from] = wake_by(task);
	unlock(p, task);
	if (all)
		pthread_cond_signal(&p->conds[item->from]);
}
