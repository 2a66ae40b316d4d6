/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes events of the recorder to the journal. */
#ifndef RSP_DAEMON_LOG_H
#define RSP_DAEMON_LOG_H

#include "daemon/api/api.h"
#include "daemon/snapshots/jobs.h"
#include "daemon/snapshots/pause-file.h"

/* skipped_cnt: part of cnt that was never made. */
void rsp_log_lost(uint64_t cnt, uint64_t skipped_cnt);
void rsp_log_shed(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats);

void rsp_log_breach(const struct rsp_slo_breach *breach);
/* Logs the snapshot of a breach. */
void rsp_log_no_snapshot(const char *slo, int error);
/* Logs a snapshot that a client requested. */
void rsp_log_failed_request(const struct rsp_peer *peer, int error);

/* Reports if the snapshot was not stored or lacks data. */
void rsp_log_problems(const struct rsp_job_result *result, const char *store);
void rsp_log_stored(const struct rsp_job_result *result);

void rsp_log_denied(const struct rsp_peer *peer);

/* unkept: error that kept the request from being stored; 0: it is stored. */
void rsp_log_paused(const struct rsp_peer *peer, const struct rsp_pause *pause, int unkept);
/* At the start of rspd. */
void rsp_log_still_paused(const struct rsp_pause *pause);
/* peer: NULL: the time of the pause is over. */
void rsp_log_resumed(const struct rsp_peer *peer);
void rsp_log_deleted(const struct rsp_peer *peer, const struct rsp_stored_name *snapshot);

#endif
