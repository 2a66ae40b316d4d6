/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See recorder.h. */
#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>

#include "api.h"
#include "clock.h"
#include "freeze.h"

/* Ten drains a second: a 4 MiB ring then holds some 400 k events/s per CPU, idle costs next to
 * nothing. */
#define DRAIN_INTERVAL_US 100000

/* Each holds a copy-on-write image of the window. */
#define SNAPSHOTS_AT_ONCE 4

struct rsp_recorder {
	sd_event *event;
	const struct rsp_recorder_options *opt;
	struct rsp_capture *capture;
	struct rsp_window *window;
	sd_event_source *timer;
	sd_event_source *fill;
	unsigned int snapshot_cnt; /* in the making */
	uint64_t started_ns;
};

/* --- kernel to window ---------------------------------------------------------------------------
 */

/* A record that makes no sense is counted by the window. */
static void sink(const void *record, size_t len, void *userdata)
{
	struct rsp_recorder *rec = userdata;

	if (rsp_window_append(rec->window, record, len) > 0 && rec->capture)
		rsp_capture_bump_epoch(rec->capture);
}

static int on_fill(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct rsp_recorder *rec = userdata;

	return rsp_capture_drain(rec->capture);
}

static int on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct rsp_recorder *rec = userdata;
	int r = rsp_capture_drain(rec->capture);

	if (r < 0)
		return r;
	return sd_event_source_set_time_relative(source, DRAIN_INTERVAL_US);
}

/* --- the socket's questions ---------------------------------------------------------------------
 */

static void get_status(void *ctx, struct rsp_status *ret)
{
	struct rsp_recorder *rec = ctx;
	const struct rsp_ladder *ladder = rsp_capture_ladder(rec->capture);

	rsp_capture_drain(rec->capture);
	rsp_capture_report_misses(rec->capture);
	ret->uptime_ns = rsp_now_ns() - rec->started_ns;
	ret->abilities = ladder->v;
	ret->ability_cnt = ladder->cnt;
	rsp_window_get_stats(rec->window, &ret->window);
	rsp_capture_get_stats(rec->capture, &ret->capture);
}

static int random_id(char *ret, size_t len)
{
	uint8_t bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return -EIO;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, len - 2 * i, "%02x", bytes[i]);
	return 0;
}

static int describe(const struct rsp_recorder *rec, const struct rsp_snapshot_request *req,
		    struct rsp_meta *ret)
{
	uint64_t mono_ns = rsp_now_ns();
	struct rsp_window_stats stats;
	struct utsname uts;

	rsp_window_get_stats(rec->window, &stats);
	uname(&uts);
	*ret = (struct rsp_meta){
		.cpu_cnt = (uint32_t)get_nprocs(),
		.target_pid = (uint32_t)req->pid,
		.since_ns = req->since_ns ? req->since_ns : stats.oldest_ns,
		.until_ns = req->until_ns < mono_ns ? req->until_ns : mono_ns,
		.realtime_offset_ns = (int64_t)(rsp_clock_ns(CLOCK_REALTIME) - mono_ns),
		.sample_hz = rec->opt->capture.sample_hz,
		.exit_status = req->exit_status,
	};
	ret->window_oldest_ns = rsp_window_oldest(rec->window, ret->since_ns);
	snprintf(ret->host, sizeof(ret->host), "%s", uts.nodename);
	snprintf(ret->kernel, sizeof(ret->kernel), "%.64s", uts.release);
	snprintf(ret->arch, sizeof(ret->arch), "%.15s", uts.machine);
	snprintf(ret->version, sizeof(ret->version), "%s", RSP_VERSION);
	snprintf(ret->command, sizeof(ret->command), "%s", req->command);
	return random_id(ret->id, sizeof(ret->id));
}

/* In which namespace the asker counts processes; the last resort is ours. */
static __u32 pidns_of(pid_t peer)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)peer);
	if (stat(path, &st) < 0 && stat("/proc/self/ns/pid", &st) < 0)
		return 0;
	return (__u32)st.st_ino;
}

struct pending {
	struct rsp_recorder *rec;
	struct rsp_call *call;
	char id[40];
};

static void on_frozen(int error, int fd, size_t size, void *userdata)
{
	struct pending *pending = userdata;

	pending->rec->snapshot_cnt--;
	if (error < 0)
		rsp_snapshot_fail(pending->call, error);
	else
		rsp_snapshot_reply(pending->call, pending->id, size, fd);
	free(pending);
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *req, struct rsp_call *call)
{
	struct rsp_recorder *rec = ctx;
	struct pending *pending;
	struct rsp_meta meta;
	int r;

	if (rec->snapshot_cnt >= SNAPSHOTS_AT_ONCE)
		return -EBUSY;
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		return -ENOMEM;
	r = rsp_capture_drain(rec->capture);
	if (r == 0) {
		rsp_capture_report_misses(rec->capture);
		r = describe(rec, req, &meta);
	}
	if (r == 0) {
		*pending = (struct pending){.rec = rec, .call = call};
		memcpy(pending->id, meta.id, sizeof(pending->id));
		r = rsp_freeze(rec->event, rec->window, rsp_capture_binaries(rec->capture), &meta,
			       pidns_of(req->peer.pid), on_frozen, pending);
	}
	if (r < 0)
		free(pending);
	else
		rec->snapshot_cnt++;
	return r;
}

const struct rsp_recorder_ops rsp_recorder_ops = {
	.get_status = get_status,
	.snapshot = snapshot,
};

/* --- life ----------------------------------------------------------------------------------------
 */

/*
 * Edge-triggered: a ring is readable as soon as one record lies in it, which under load is always.
 * Only the wakeup that it has filled up is to be heard.
 */
static int watch(struct rsp_recorder *rec)
{
	int r = sd_event_add_io(rec->event, &rec->fill, rsp_capture_epoll_fd(rec->capture),
				EPOLLIN | EPOLLET, on_fill, rec);

	if (r >= 0)
		r = sd_event_add_time_relative(rec->event, &rec->timer, CLOCK_MONOTONIC,
					       DRAIN_INTERVAL_US, DRAIN_INTERVAL_US / 10, on_timer,
					       rec);
	if (r >= 0)
		r = sd_event_source_set_enabled(rec->timer, SD_EVENT_ON);
	return r < 0 ? r : 0;
}

int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_recorder **ret)
{
	struct rsp_recorder *rec = calloc(1, sizeof(*rec));
	int r;

	if (!rec)
		return -ENOMEM;
	rec->event = sd_event_ref(event);
	rec->opt = opt;
	r = rsp_window_new(opt->window_bytes, &rec->window);
	if (r < 0) {
		rsp_recorder_free(rec);
		return r;
	}
	*ret = rec;
	return 0;
}

int rsp_recorder_start(struct rsp_recorder *rec, const char **ret_why)
{
	int r;

	rec->started_ns = rsp_now_ns();
	r = rsp_capture_new(rec->event, &rec->opt->capture, sink, rec, &rec->capture, ret_why);
	if (r < 0)
		return r;
	*ret_why = "the tasks that run already cannot be listed";
	r = rsp_capture_census(rec->capture);
	return r < 0 ? r : watch(rec);
}

struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec)
{
	if (!rec)
		return NULL;
	sd_event_source_unref(rec->timer);
	sd_event_source_unref(rec->fill);
	rsp_capture_free(rec->capture);
	rsp_window_free(rec->window);
	sd_event_unref(rec->event);
	free(rec);
	return NULL;
}
