/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continuous summaries: in each interval, makes one summary of a short part of the time (a slice),
 * at a random moment. So slices of different hosts rarely coincide, and slices see all phases of a
 * load that repeats.
 */
#ifndef RSP_DAEMON_SUMMARIES_H
#define RSP_DAEMON_SUMMARIES_H

#include "daemon/capture/capture.h"
#include "daemon/summaries/ring.h"
#include "lib/snapshot/window.h"

struct rsp_summaries;

struct rsp_summary_stats {
	__u64 every_ns, slice_ns; /* as configured; every_ns 0: no summaries are made */
	__u64 made_cnt;
	__u64 failed_cnt;
	/*
	 * intervals without a summary: nothing was recorded, or the previous summary took too long
	 */
	__u64 skipped_cnt;
	__u64 cpu_ns; /* CPU time of all summaries; of a process without answer, only the fork() */
};

struct rsp_summaries_env {
	sd_event *event;
	struct rsp_window *window;
	struct rsp_capture *capture;
	const struct rsp_containers *containers;
	/* Called with the CPU time of each summary, which is part of the cost of recording. */
	void (*spent)(__u64 cpu_ns, __u64 every_ns, void *userdata);
	void *userdata;
};

/* The objects to which env points must outlive *ret. Returns 0 or -errno. */
int rsp_summaries_new(const struct rsp_summaries_env *env, struct rsp_summaries **ret);
struct rsp_summaries *rsp_summaries_free(struct rsp_summaries *s);
/* If every_ns is 0, makes no summaries. Returns 0 or -errno. */
int rsp_summaries_configure(struct rsp_summaries *s, __u64 every_ns, __u64 slice_ns);
void rsp_summaries_get(const struct rsp_summaries *s, struct rsp_summary_stats *ret);
const struct rsp_summary_ring *rsp_summaries_ring(const struct rsp_summaries *s);

#endif
