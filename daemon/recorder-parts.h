/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private header of recorder.c, which runs the recorder, and recorder-ops.c, which serves its
 * clients.
 */
#ifndef RSP_DAEMON_RECORDER_PARTS_H
#define RSP_DAEMON_RECORDER_PARTS_H

#include "daemon/machine/counters.h"
#include "daemon/machine/marks.h"
#include "daemon/recorder.h"
#include "daemon/service.h"
#include "daemon/snapshots/jobs.h"

struct rsp_recorder {
	sd_event *event;
	const struct rsp_recorder_options *opt;
	struct rsp_config *config;
	struct rsp_containers *containers;
	struct rsp_capture *capture;
	struct rsp_window *window;
	struct rsp_slos *slos;
	struct rsp_governor *governor;
	struct rsp_jobs *jobs;
	struct rsp_usage *usage; /* of the store */
	struct rsp_bus *bus;
	const struct rsp_guests *guests; /* NULL: none */
	struct rsp_tap *tap;		 /* NULL: no client follows the records */
	struct rsp_service service;
	sd_event_source *timer;
	sd_event_source *fill;
	struct rsp_snapshot_counts snapshots;
	struct rsp_slo_state slo_states[RSP_SLO_MAX]; /* of the last status */
	struct rsp_rate snapshot_rate;
	struct rsp_marks marks;
	struct rsp_counters counters;
	uint64_t started_ns;
	uint64_t logged_lost_cnt, logged_miss_cnt, logged_lost_ns;
	bool stuck; /* the last attempt to end a pause failed */
	struct rsp_watches *watches;
	struct rsp_summaries *summaries;
	struct rsp_kill_switch *kill_switch;
};

void rsp_recorder_fill_status(struct rsp_recorder *rec, struct rsp_status *ret);
bool rsp_recorder_is_halted(const struct rsp_recorder *rec);
void rsp_recorder_fill_put(const struct rsp_recorder *rec, const struct rsp_slo_config *slo,
			   struct rsp_dump_request *req);
void rsp_recorder_report_finished(struct rsp_recorder *rec, const struct rsp_job_result *result);
__u64 rsp_recorder_mark_time(__u64 at_ns, __u64 now_ns);

#endif
