/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See guests.h. The inner loop's epoll descriptor does not show that a handler of the outer loop
 * changed a source of the inner loop. So the inner loop also runs after each handler of the outer
 * loop.
 */
#include "daemon/guests.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "daemon/base/clock.h"

/*
 * Guests get BUDGET_NS of CPU time, a tenth of a CPU, in each interval. The rings may fill up, so
 * guests run for only SLICE_NS without a break.
 */
#define INTERVAL_NS 100000000ULL
#define BUDGET_NS   10000000ULL
#define SLICE_NS    1000000ULL

/* This priority is lower than that of all other event sources. */
#define PRIORITY (SD_EVENT_PRIORITY_NORMAL + 10)

struct rsp_guests {
	sd_event *inner;
	sd_event_source *wakeup; /* watches the inner loop's descriptor */
	sd_event_source *after;
	sd_event_source *again; /* enabled if the inner loop has more events to handle */
	sd_event_source *pause;
	__u64 interval_ns; /* beginning of the current interval */
	__u64 interval_cpu_ns, cpu_ns;
};

static int set_running(struct rsp_guests *g, bool running)
{
	int mode = running ? SD_EVENT_ON : SD_EVENT_OFF;
	int r = sd_event_source_set_enabled(g->wakeup, mode);

	if (r >= 0)
		r = sd_event_source_set_enabled(g->after, mode);
	if (r >= 0)
		r = sd_event_source_set_enabled(g->again, running ? SD_EVENT_ONESHOT : mode);
	return r;
}

static int pause_until(struct rsp_guests *g, __u64 at_ns)
{
	int r = set_running(g, false);

	if (r >= 0)
		r = sd_event_source_set_time(g->pause, at_ns / 1000);
	return r < 0 ? r : sd_event_source_set_enabled(g->pause, SD_EVENT_ONESHOT);
}

/*
 * Returns whether the inner loop has more events to handle. Ignores errors, because they concern
 * only guests.
 */
static bool run_slice(struct rsp_guests *g)
{
	__u64 from_ns = rsp_clock_ns(CLOCK_THREAD_CPUTIME_ID), took_ns;
	int r;

	do {
		r = sd_event_run(g->inner, 0);
		took_ns = rsp_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from_ns;
	} while (r > 0 && took_ns < SLICE_NS);
	g->interval_cpu_ns += took_ns;
	g->cpu_ns += took_ns;
	return r > 0;
}

static int run(struct rsp_guests *g)
{
	__u64 now_ns = rsp_now_ns();
	bool more;

	if (now_ns - g->interval_ns >= INTERVAL_NS) {
		g->interval_ns = now_ns;
		g->interval_cpu_ns = 0;
	}
	more = run_slice(g);
	if (g->interval_cpu_ns >= BUDGET_NS)
		return pause_until(g, g->interval_ns + INTERVAL_NS);
	return more ? sd_event_source_set_enabled(g->again, SD_EVENT_ONESHOT) : 0;
}

static int on_wakeup(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	return run(userdata);
}

static int on_other(sd_event_source *source, void *userdata)
{
	return run(userdata);
}

static int on_pause_over(sd_event_source *source, uint64_t usec, void *userdata)
{
	return set_running(userdata, true);
}

static int attach(struct rsp_guests *g, sd_event *event)
{
	int r = sd_event_add_io(event, &g->wakeup, sd_event_get_fd(g->inner), EPOLLIN, on_wakeup,
				g);

	if (r >= 0)
		r = sd_event_source_set_priority(g->wakeup, PRIORITY);
	if (r >= 0)
		r = sd_event_add_post(event, &g->after, on_other, g);
	if (r >= 0)
		r = sd_event_source_set_priority(g->after, PRIORITY);
	if (r >= 0)
		r = sd_event_add_defer(event, &g->again, on_other, g);
	if (r >= 0)
		r = sd_event_source_set_priority(g->again, PRIORITY);
	if (r >= 0)
		r = sd_event_add_time(event, &g->pause, CLOCK_MONOTONIC, 0, 1000, on_pause_over, g);
	if (r >= 0)
		r = sd_event_source_set_enabled(g->pause, SD_EVENT_OFF);
	return r < 0 ? r : 0;
}

int rsp_guests_new(sd_event *event, struct rsp_guests **ret)
{
	struct rsp_guests *g = calloc(1, sizeof(*g));
	int r = g ? sd_event_new(&g->inner) : -ENOMEM;

	if (r >= 0)
		r = attach(g, event);
	if (r < 0) {
		rsp_guests_free(g);
		return r;
	}
	*ret = g;
	return 0;
}

struct rsp_guests *rsp_guests_free(struct rsp_guests *g)
{
	if (!g)
		return NULL;
	sd_event_source_disable_unref(g->wakeup);
	sd_event_source_disable_unref(g->after);
	sd_event_source_disable_unref(g->again);
	sd_event_source_disable_unref(g->pause);
	sd_event_unref(g->inner);
	free(g);
	return NULL;
}

sd_event *rsp_guests_event(const struct rsp_guests *g)
{
	return g->inner;
}

__u64 rsp_guests_cpu_ns(const struct rsp_guests *g)
{
	return g->cpu_ns;
}
