/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See usage.h. */
#include "daemon/snapshots/usage.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/base/clock.h"

#define PATIENCE_NS 20000000ULL

#define FRESH_NS 100000000ULL

struct rsp_usage {
	const char *dir;
	struct rsp_store_usage last;
	/* time of the last successful read; 0: no read yet, or the store has changed since */
	uint64_t last_ns;
	bool looking; /* the thread is not joined yet; it writes seen and error */
	pthread_t thread;
	struct rsp_store_usage seen;
	int error;
};

int rsp_usage_new(const char *dir, struct rsp_usage **ret)
{
	struct rsp_usage *u = calloc(1, sizeof(*u));

	if (!u)
		return -ENOMEM;
	u->dir = dir;
	*ret = u;
	return 0;
}

static void *look(void *userdata)
{
	struct rsp_usage *u = userdata;

	u->error = rsp_store_get_usage(u->dir, &u->seen);
	return NULL;
}

static void begin(struct rsp_usage *u)
{
	u->looking = pthread_create(&u->thread, NULL, look, u) == 0;
}

static void await(struct rsp_usage *u, uint64_t patience_ns)
{
	const uint64_t end_ns = rsp_now_ns() + patience_ns;
	const struct timespec end = {.tv_sec = (time_t)(end_ns / 1000000000),
				     .tv_nsec = (long)(end_ns % 1000000000)};

	if (!u->looking || pthread_clockjoin_np(u->thread, NULL, CLOCK_MONOTONIC, &end) != 0)
		return;
	u->looking = false;
	if (u->error < 0)
		return;
	u->last = u->seen;
	u->last_ns = rsp_now_ns();
}

void rsp_usage_get(struct rsp_usage *u, struct rsp_store_usage *ret)
{
	if (!u->last_ns || rsp_now_ns() - u->last_ns >= FRESH_NS) {
		await(u, 0); /* join a thread that took too long before; its result is outdated */
		if (!u->looking) {
			begin(u);
			await(u, PATIENCE_NS);
		}
	}
	*ret = u->last;
}

void rsp_usage_changed(struct rsp_usage *u)
{
	u->last_ns = 0;
}

struct rsp_usage *rsp_usage_free(struct rsp_usage *u)
{
	if (!u)
		return NULL;
	await(u, 0);
	if (!u->looking)
		free(u);
	return NULL;
}
