/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads kernel events and passes records to a sink. */
#ifndef RSP_DAEMON_CAPTURE_H
#define RSP_DAEMON_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/capture/binaries.h"
#include "daemon/capture/capture-stats.h"
#include "daemon/capture/ladder.h"
#include "daemon/capture/sampler.h"
#include "daemon/capture/sink.h"
#include "daemon/capture/watch-request.h"

struct rsp_bpf;
struct rsp_capture;

struct rsp_capture_options {
	const char *btf_path;
	enum rsp_net_step net;
	size_t ring_bytes; /* per CPU, a power of two */
	struct rsp_sampler_options samples;
	struct rsp_binaries_options binaries;
	bool halted; /* begin with a halt (slices.h): attach only iterators */
	/*
	 * Do not load the programs for pauses. This saves a quarter of the instructions that the
	 * verifier checks.
	 */
	bool never_pauses;
};

/* Begins to record. Returns 0; or -errno, with the reason in *ret_why. */
int rsp_capture_new(sd_event *event, const struct rsp_capture_options *opt, rsp_sink_fn sink,
		    void *userdata, struct rsp_capture **ret, struct rsp_reason *ret_why);
struct rsp_capture *rsp_capture_free(struct rsp_capture *capture);

/* Returns a descriptor that becomes readable, for example, when a quarter of a ring is full. */
int rsp_capture_epoll_fd(const struct rsp_capture *capture);

/*
 * Passes the records in the rings to the sink, and LOST records for those that did not fit. Returns
 * 0 or -errno.
 */
int rsp_capture_drain(struct rsp_capture *capture);

/* Makes the BPF programs send every stack and object again. */
void rsp_capture_bump_epoch(struct rsp_capture *capture);

/*
 * Takes a census (census.h). If records of births are lost, later drains take the census again.
 * Returns 0, also if the kernel rejected the program; -errno.
 */
int rsp_capture_census(struct rsp_capture *capture);

/*
 * Makes numbers available for new binaries. Call it after drains. Returns whether the caller must
 * call rsp_window_drop_user_stacks(), because the numbers in the frames of old stacks will soon
 * refer to other binaries.
 */
bool rsp_capture_poll_numbers(struct rsp_capture *capture, __u64 window_oldest_ns);

/*
 * Requests the unwind tables of the files that process pid has mapped; 0: all processes. Returns
 * the result of rsp_capture_unprepared().
 */
unsigned int rsp_capture_prepare(struct rsp_capture *capture, pid_t pid);
/*
 * Returns the number of requested tables that are still to be built, plus 1 if probes of allocators
 * are still being attached.
 */
unsigned int rsp_capture_unprepared(struct rsp_capture *capture);

/* Writes a LOST record if the kernel has skipped runs of BPF programs. */
void rsp_capture_report_misses(struct rsp_capture *capture);
__u64 rsp_capture_miss_cnt(const struct rsp_capture *capture);

/*
 * Begins or ends a pause (slices.h). Returns 0; -errno: the pause cannot end and goes on. If a
 * pause cannot begin, recording goes on and the function returns 0.
 */
int rsp_capture_pause(struct rsp_capture *capture, bool pause);
/* Sets whether to record the ends of long waits during pauses. */
void rsp_capture_want_long_waits(struct rsp_capture *capture, bool wants);
/*
 * Call it before a snapshot. During a pause, writes the state of each thread (rsp_slices_note()).
 */
void rsp_capture_note_states(struct rsp_capture *capture);
bool rsp_capture_is_paused(const struct rsp_capture *capture);

/*
 * Begins or ends a halt (slices.h). The caller drains before it begins a halt. If the indispensable
 * programs cannot be attached again, the halt goes on and rsp_capture_end_halt() returns -errno.
 */
void rsp_capture_halt(struct rsp_capture *capture);
int rsp_capture_end_halt(struct rsp_capture *capture);
bool rsp_capture_is_halted(const struct rsp_capture *capture);

__u64 rsp_capture_paused_ns(const struct rsp_capture *capture);

/*
 * Watches of clients (capture/watch.h). Before rsp_capture_read_watch(), the caller drains the
 * rings, so that the records of threads that have exited precede the records of the watch.
 */
int rsp_capture_begin_watch(struct rsp_capture *capture, const struct rsp_watch_request *request);
void rsp_capture_read_watch(struct rsp_capture *capture);
void rsp_capture_end_watch(struct rsp_capture *capture, const struct rsp_watch_request *request);

struct rsp_sampler *rsp_capture_sampler(struct rsp_capture *capture);

const struct rsp_binaries *rsp_capture_binaries(const struct rsp_capture *capture);

void rsp_capture_get_stats(const struct rsp_capture *capture, struct rsp_capture_stats *ret);

const struct rsp_ladder *rsp_capture_ladder(const struct rsp_capture *capture);

struct rsp_bpf *rsp_capture_bpf(const struct rsp_capture *capture);

#endif
