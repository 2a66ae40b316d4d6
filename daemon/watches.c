/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See watches.h. */
#include "daemon/watches.h"

#include <errno.h>
#include <stdlib.h>

struct watch {
	struct rsp_watches *of;
	struct rsp_watch_request request;
	sd_event_source *limit;
	unsigned int number; /* 0: this entry is free */
};

struct rsp_watches {
	sd_event *event;
	struct rsp_capture *capture;
	rsp_watched_fn on_watched;
	void *userdata;
	struct watch v[RSP_WATCHES_MAX];
	unsigned int cnt;
	unsigned int last_number;
};

int rsp_watches_new(sd_event *event, struct rsp_capture *capture, rsp_watched_fn on_watched,
		    void *userdata, struct rsp_watches **ret)
{
	struct rsp_watches *watches = calloc(1, sizeof(*watches));

	if (!watches)
		return -ENOMEM;
	watches->event = event;
	watches->capture = capture;
	watches->on_watched = on_watched;
	watches->userdata = userdata;
	*ret = watches;
	return 0;
}

struct rsp_watches *rsp_watches_free(struct rsp_watches *watches)
{
	for (size_t i = 0; watches && i < RSP_WATCHES_MAX; i++)
		sd_event_source_disable_unref(watches->v[i].limit);
	free(watches);
	return NULL;
}

/* Returns the watch with that number, or a free entry if number is 0. */
static struct watch *find(struct rsp_watches *watches, unsigned int number)
{
	for (size_t i = 0; i < RSP_WATCHES_MAX; i++)
		if (watches->v[i].number == number)
			return &watches->v[i];
	return NULL;
}

/* Reads the counts before the watch ends, so that a later snapshot contains them. */
static void end(struct watch *watch)
{
	struct rsp_watches *watches = watch->of;

	watch->limit = sd_event_source_disable_unref(watch->limit);
	watch->number = 0;
	rsp_capture_drain(watches->capture);
	if (--watches->cnt == 0)
		watches->on_watched(false, watches->userdata);
	rsp_capture_read_watch(watches->capture);
	rsp_capture_end_watch(watches->capture, &watch->request);
}

static int on_limit(sd_event_source *source, uint64_t usec, void *userdata)
{
	end(userdata);
	return 0;
}

int rsp_watches_begin(struct rsp_watches *watches, const struct rsp_watch_request *request,
		      uint64_t limit_ns, unsigned int *ret_number)
{
	struct watch *watch = find(watches, 0);
	int r = watch ? rsp_capture_begin_watch(watches->capture, request) : -EBUSY;

	if (r < 0)
		return r;
	r = sd_event_add_time_relative(watches->event, &watch->limit, CLOCK_MONOTONIC,
				       limit_ns / 1000, 0, on_limit, watch);
	if (r < 0) {
		rsp_capture_end_watch(watches->capture, request);
		return r;
	}
	watch->of = watches;
	watch->request = *request;
	watch->number = *ret_number = ++watches->last_number;
	if (watches->cnt++ == 0)
		watches->on_watched(true, watches->userdata);
	return 0;
}

void rsp_watches_end(struct rsp_watches *watches, unsigned int number)
{
	struct watch *watch = number ? find(watches, number) : NULL;

	if (watch)
		end(watch);
}

void rsp_watches_end_all(struct rsp_watches *watches)
{
	for (size_t i = 0; i < RSP_WATCHES_MAX; i++)
		if (watches->v[i].number)
			end(&watches->v[i]);
}
