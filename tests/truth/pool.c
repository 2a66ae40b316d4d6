// SPDX-License-Identifier: GPL-2.0-or-later
/* See pool.h. */
#include "pool.h"

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

/* With the mutex held; who is to be signalled once it is not. */
static void note_wake(struct pool *p, unsigned int task, unsigned int who)
{
	p->wakes[task] = (struct pool_wake){
		.at_ns = clock_ns(), .who = (uint16_t)who, .woken = true};
}

/* With the mutex held, which it gives up meanwhile. */
static void wait_here(struct pool *p, unsigned int task, pool_log_fn *log, void *data)
{
	p->wakes[task].woken = false;
	log(data, NULL);
	while (!p->wakes[task].woken)
		pthread_cond_wait(&p->conds[task], &p->mutex);
	log(data, &p->wakes[task]);
}

void pool_submit(struct pool *p, unsigned int task, uint32_t us, bool is_cause)
{
	int worker = -1;

	pthread_mutex_lock(&p->mutex);
	p->items[p->submitted_cnt++] = (struct pool_item){
		.us = us, .from = (uint16_t)task, .is_cause = is_cause};
	p->pending[task]++;
	if (p->idle_cnt > 0) {
		worker = p->idle[0];
		p->idle_cnt--;
		memmove(&p->idle[0], &p->idle[1], p->idle_cnt * sizeof(p->idle[0]));
		note_wake(p, (unsigned int)worker, task);
	}
	pthread_mutex_unlock(&p->mutex);
	if (worker >= 0)
		pthread_cond_signal(&p->conds[worker]);
}

void pool_collect(struct pool *p, unsigned int task, pool_log_fn *log, void *data)
{
	pthread_mutex_lock(&p->mutex);
	if (p->pending[task] > 0)
		wait_here(p, task, log, data);
	pthread_mutex_unlock(&p->mutex);
}

/* Whoever took the last item sends the others home. */
static void send_home(struct pool *p, unsigned int task)
{
	uint16_t idle[PLAN_TASKS_MAX];
	unsigned int cnt;

	pthread_mutex_lock(&p->mutex);
	cnt = p->idle_cnt;
	memcpy(idle, p->idle, cnt * sizeof(idle[0]));
	p->idle_cnt = 0;
	for (unsigned int i = 0; i < cnt; i++)
		note_wake(p, idle[i], task);
	pthread_mutex_unlock(&p->mutex);
	for (unsigned int i = 0; i < cnt; i++)
		pthread_cond_signal(&p->conds[idle[i]]);
}

bool pool_take(struct pool *p, unsigned int task, struct pool_item *ret, pool_log_fn *log,
	       void *data)
{
	bool taken, last = false;

	pthread_mutex_lock(&p->mutex);
	/* Another one may have been faster than who was woken for it. */
	while (p->taken_cnt == p->submitted_cnt && p->taken_cnt < p->expected_cnt) {
		p->idle[p->idle_cnt++] = (uint16_t)task;
		wait_here(p, task, log, data);
	}
	taken = p->taken_cnt < p->submitted_cnt;
	if (taken) {
		*ret = p->items[p->taken_cnt++];
		last = p->taken_cnt == p->expected_cnt;
	}
	pthread_mutex_unlock(&p->mutex);
	if (last)
		send_home(p, task);
	return taken;
}

void pool_done(struct pool *p, unsigned int task, const struct pool_item *item)
{
	bool all;

	pthread_mutex_lock(&p->mutex);
	all = --p->pending[item->from] == 0;
	if (all)
		note_wake(p, item->from, task);
	pthread_mutex_unlock(&p->mutex);
	if (all)
		pthread_cond_signal(&p->conds[item->from]);
}
