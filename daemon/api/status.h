/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recorder's status, for io.rsp.Recorder.GetStatus. */
#ifndef RSP_DAEMON_STATUS_H
#define RSP_DAEMON_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/base/ability.h"
#include "daemon/capture/capture-stats.h"
#include "daemon/containers/containers.h"
#include "daemon/governor/governor.h"
#include "daemon/slo/slo.h"
#include "daemon/snapshots/pause-file.h"
#include "daemon/snapshots/store.h"
#include "daemon/summaries/summaries.h"
#include "lib/snapshot/window.h"

struct rsp_snapshot_counts {
	/* snapshots taken since the start: for clients, and for breaches of SLOs */
	uint64_t asked, breached;
	uint64_t failed;
	uint64_t in_progress;
};

struct rsp_status {
	uint64_t uptime_ns;
	/* valid until the next get_status() of the recorder (api.h) */
	const struct rsp_ability *abilities;
	size_t ability_cnt;
	struct rsp_window_stats window;
	struct rsp_capture_stats capture;
	struct rsp_containers_stats containers;
	struct rsp_cost_stats cost;
	struct rsp_snapshot_counts snapshots;
	struct rsp_summary_stats summaries;
	const char *summary_boot; /* boot of struct rsp_summary_ring; NULL stands for "" */
	struct rsp_store_usage store;
	const struct rsp_slo_state *slos; /* valid as long as abilities */
	size_t slo_cnt;
	const struct rsp_pause *pause; /* NULL: recording is not paused */
};

#endif
