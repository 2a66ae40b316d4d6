/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel events -> records handed to a sink. Loads and attaches the programs, owns the rings,
 * counts what they lost. Knows nothing of windows and sockets.
 */
#ifndef RSP_DAEMON_CAPTURE_H
#define RSP_DAEMON_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "binaries.h"
#include "capture-stats.h"
#include "ladder.h"
#include "sampler.h"

struct rsp_bpf;
struct rsp_capture;

struct rsp_capture_options {
	const char *btf_path;
	enum rsp_net_step net;
	size_t ring_bytes; /* per CPU, a power of two */
	struct rsp_sampler_options samples;
	struct rsp_binaries_options binaries;
};

/* The record is valid only during the call. */
typedef void (*rsp_sink_fn)(const void *rec, size_t len, void *userdata);

/*
 * Recording begins. On failure -errno, and in *ret_why what is missing and what to do. The sink may
 * be called from here on, by _drain, _census and _report_misses.
 */
int rsp_capture_new(sd_event *event, const struct rsp_capture_options *opt, rsp_sink_fn sink,
		    void *userdata, struct rsp_capture **ret, struct rsp_reason *ret_why);
struct rsp_capture *rsp_capture_free(struct rsp_capture *capture);

/* Readable when a ring fills up between two drains. */
int rsp_capture_epoll_fd(const struct rsp_capture *capture);

/* Passes on all that lies in the rings, and LOST records for what did not fit. 0 or -errno. */
int rsp_capture_drain(struct rsp_capture *capture);

/* From now on every stack and object counts as not yet sent. */
void rsp_capture_bump_epoch(struct rsp_capture *capture);

/*
 * One TASK record per living thread, a seed SWITCH for each blocked one. 0 or -errno. Does nothing
 * if the kernel rejected the program; the ability "census" says so. Later drains take it again
 * after records of births were lost.
 */
int rsp_capture_census(struct rsp_capture *capture);

/*
 * Keeps numbers for binaries ready; after drains. True: user stacks that the window carries are to
 * be dropped, as the numbers in them are about to be used again.
 */
bool rsp_capture_poll_numbers(struct rsp_capture *capture, __u64 window_oldest_ns);

/*
 * Has the tables made by which the stacks of what the process has mapped are unwound (pid 0: of
 * whatever is mapped anywhere), before any of it is met. Returns how many are not made yet.
 */
unsigned int rsp_capture_prepare(struct rsp_capture *capture, pid_t pid);
/* The same for the binaries of the earlier request. */
unsigned int rsp_capture_unprepared(const struct rsp_capture *capture);

/* A LOST record for the runs of programs that the kernel skipped; _drain does it each second. */
void rsp_capture_report_misses(struct rsp_capture *capture);
/* How many those were since the start. */
__u64 rsp_capture_miss_cnt(const struct rsp_capture *capture);

/*
 * Begins or ends a pause (slices.h). The caller drains first, so that records from before the pause
 * precede those from the pause. If a pause cannot end, it goes on and the function returns -errno.
 * If a pause cannot begin, recording goes on and the function returns 0.
 */
int rsp_capture_pause(struct rsp_capture *capture, bool pause);
/* Sets whether the ends of long waits are recorded during pauses. */
void rsp_capture_watch(struct rsp_capture *capture, bool watches);
bool rsp_capture_is_paused(const struct rsp_capture *capture);
/* Returns the total length of all pauses since the start. */
__u64 rsp_capture_paused_ns(const struct rsp_capture *capture);

/*
 * Begin, read and end a watch (watch.h). The caller drains before it reads, so that the records of
 * threads that have exited precede those of the reading.
 */
int rsp_capture_begin_watch(struct rsp_capture *capture, bool calls);
void rsp_capture_read_watch(struct rsp_capture *capture);
void rsp_capture_end_watch(struct rsp_capture *capture);

/* The clocks of samples. */
struct rsp_sampler *rsp_capture_sampler(struct rsp_capture *capture);

/* What user frames' numbers mean. */
const struct rsp_binaries *rsp_capture_binaries(const struct rsp_capture *capture);

void rsp_capture_get_stats(const struct rsp_capture *capture, struct rsp_capture_stats *ret);

const struct rsp_ladder *rsp_capture_ladder(const struct rsp_capture *capture);

/* The programs, for who has knobs and maps of his own there. */
struct rsp_bpf *rsp_capture_bpf(const struct rsp_capture *capture);

#endif
