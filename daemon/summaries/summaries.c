/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See summaries.h. slice.c makes the summaries. */
#include "daemon/summaries/summaries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "daemon/base/clock.h"
#include "daemon/base/journal.h"
#include "daemon/snapshots/memory.h"
#include "daemon/summaries/slice.h"
#include "lib/base/cleanup.h"

/* Successive failures probably have the same cause. */
#define LOG_INTERVAL_NS 3600000000000ULL

/* Time to wait after the slice, so that all its records are in the rings. */
#define SLACK_NS 1000000

struct rsp_summaries {
	struct rsp_summaries_env env;
	struct rsp_summary_stats stats;
	struct rsp_summary_ring ring;
	__u64 interval_ns; /* beginning of the interval to which the timer belongs */
	sd_event_source *timer;
	struct rsp_slice *slice; /* NULL: no summary is being made */
	__u64 last_cpu_ns, logged_ns;
	struct rsp_freeze_memory memory;
	unsigned int symbols_age; /* summaries since the last read of the kernel's symbols */
};

static int fill_random(void *ret, size_t len)
{
	return getrandom(ret, len, 0) == (ssize_t)len ? 0 : -EIO;
}

/* --- one summary ------------------------------------------------------------------------------ */

static void log_failure(struct rsp_summaries *s, int error)
{
	__u64 now_ns = rsp_now_ns();

	s->stats.failed_cnt++;
	if (s->logged_ns && now_ns - s->logged_ns < LOG_INTERVAL_NS)
		return;
	s->logged_ns = now_ns;
	rsp_journal(RSP_MSG_WORKER_FAILED, LOG_WARNING, NULL,
		    "a summary could not be made: %s; 'rspctl status' counts further ones",
		    error == -EIO ? "the process that makes it died" : strerror(-error));
}

static void on_done(int error, const struct rsp_slice_result *result, void *userdata)
{
	struct rsp_summaries *s = userdata;

	s->slice = NULL;
	s->last_cpu_ns = result->cpu_ns;
	s->stats.cpu_ns += result->cpu_ns;
	s->env.spent(result->cpu_ns, s->stats.every_ns, s->env.userdata);
	if (error == 0)
		error = rsp_summary_ring_put(&s->ring, result->text, result->len);
	if (error < 0)
		log_failure(s, error);
	else
		s->stats.made_cnt++;
}

/*
 * Number of summaries after which the kernel's symbols are read again: kernel modules come and go.
 */
#define SYMBOLS_AGE_MAX 60

static void age_symbols(struct rsp_summaries *s)
{
	if (++s->symbols_age < SYMBOLS_AGE_MAX)
		return;
	s->symbols_age = 0;
	(void)rsp_memory_store(s->memory.symbols, NULL, 0);
}

static bool has_records(const struct rsp_summaries *s, __u64 since_ns)
{
	struct rsp_window_stats stats;

	rsp_window_get_stats(s->env.window, &stats);
	return stats.oldest_ns && stats.newest_ns > since_ns;
}

static int make(struct rsp_summaries *s)
{
	struct rsp_slice_request request = {
		.window = s->env.window,
		.binaries = rsp_capture_binaries(s->env.capture),
		.containers = s->env.containers,
		.until_ns = rsp_now_ns() - SLACK_NS,
		.cpu_ns = s->last_cpu_ns,
		.memory = &s->memory,
		.sample_hz = rsp_sampler_hz(rsp_capture_sampler(s->env.capture)),
	};
	int r;

	request.since_ns = request.until_ns - s->stats.slice_ns;
	if (s->slice || rsp_capture_is_halted(s->env.capture))
		return -EBUSY;
	r = rsp_capture_drain(s->env.capture);
	if (r < 0)
		return r;
	rsp_capture_note_states(s->env.capture);
	if (!has_records(s, request.since_ns))
		return -EBUSY;
	age_symbols(s);
	return rsp_slice_start(s->env.event, &request, on_done, s, &s->slice);
}

/* --- intervals -------------------------------------------------------------------------------- */

/* The slice of a summary lies within the interval of the summary, so slices never overlap. */
static int set_timer(struct rsp_summaries *s)
{
	__u64 room_ns = s->stats.every_ns - s->stats.slice_ns, at_ns, random;
	int r = fill_random(&random, sizeof(random));

	if (r < 0)
		return r;
	at_ns = s->interval_ns + s->stats.slice_ns + (room_ns ? random % room_ns : 0) + SLACK_NS;
	r = sd_event_source_set_time(s->timer, at_ns / 1000);
	if (r >= 0)
		r = sd_event_source_set_enabled(s->timer, SD_EVENT_ONESHOT);
	return r < 0 ? r : 0;
}

/* If the machine was asleep, skips the intervals that have passed. */
static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	struct rsp_summaries *s = userdata;
	__u64 now_ns = rsp_now_ns();
	int r = make(s);

	if (r == -EBUSY)
		s->stats.skipped_cnt++;
	else if (r < 0)
		log_failure(s, r);
	do
		s->interval_ns += s->stats.every_ns;
	while (s->interval_ns + s->stats.every_ns <= now_ns);
	return set_timer(s);
}

int rsp_summaries_configure(struct rsp_summaries *s, __u64 every_ns, __u64 slice_ns)
{
	if (every_ns == s->stats.every_ns && slice_ns == s->stats.slice_ns)
		return 0;
	s->stats.every_ns = every_ns;
	s->stats.slice_ns = slice_ns;
	s->interval_ns = rsp_now_ns();
	return every_ns ? set_timer(s) : sd_event_source_set_enabled(s->timer, SD_EVENT_OFF);
}

/* --- start and end ---------------------------------------------------------------------------- */

static int name_ring(struct rsp_summary_ring *ring)
{
	uint8_t bytes[(RSP_SUMMARY_BOOT_BYTES - 1) / 2];
	int r = fill_random(bytes, sizeof(bytes));

	for (size_t i = 0; i < sizeof(bytes) && r == 0; i++)
		snprintf(ring->boot + 2 * i, sizeof(ring->boot) - 2 * i, "%02x", bytes[i]);
	return r;
}

/* An empty memfd takes no memory. */
static int make_memory(struct rsp_freeze_memory *ret)
{
	ret->trail = memfd_create("rsp-trail", MFD_CLOEXEC);
	ret->symbols = memfd_create("rsp-kernel-symbols", MFD_CLOEXEC);
	return ret->trail < 0 || ret->symbols < 0 ? -errno : 0;
}

int rsp_summaries_new(const struct rsp_summaries_env *env, struct rsp_summaries **ret)
{
	struct rsp_summaries *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->env = *env;
	r = make_memory(&s->memory);
	if (r == 0)
		r = name_ring(&s->ring);
	if (r == 0)
		r = sd_event_add_time(env->event, &s->timer, CLOCK_MONOTONIC, 0, 0, on_timer, s);
	if (r >= 0)
		r = sd_event_source_set_enabled(s->timer, SD_EVENT_OFF);
	if (r < 0) {
		rsp_summaries_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

struct rsp_summaries *rsp_summaries_free(struct rsp_summaries *s)
{
	if (!s)
		return NULL;
	rsp_slice_cancel(s->slice);
	sd_event_source_disable_unref(s->timer);
	rsp_summary_ring_done(&s->ring);
	rsp_cleanup_close(&s->memory.trail);
	rsp_cleanup_close(&s->memory.symbols);
	free(s);
	return NULL;
}

void rsp_summaries_get(const struct rsp_summaries *s, struct rsp_summary_stats *ret)
{
	*ret = s->stats;
}

const struct rsp_summary_ring *rsp_summaries_ring(const struct rsp_summaries *s)
{
	return &s->ring;
}
