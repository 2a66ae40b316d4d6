/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes events of the recorder to the journal. */
#ifndef RSP_DAEMON_LOG_H
#define RSP_DAEMON_LOG_H

#include "daemon/api/api.h"
#include "daemon/snapshots/jobs.h"
#include "daemon/snapshots/pause-file.h"

/* skipped_cnt: the part of cnt that was lost because the kernel skipped BPF programs. */
void rsp_log_lost(uint64_t cnt, uint64_t skipped_cnt);
void rsp_log_shed(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats);

void rsp_log_breach(const struct rsp_slo_breach *breach);
void rsp_log_no_snapshot(const char *slo, int error);
void rsp_log_failed_request(const struct rsp_peer *peer, int error);

void rsp_log_problems(const struct rsp_job_result *result, const char *store);
void rsp_log_stored(const struct rsp_job_result *result);

void rsp_log_denied(const struct rsp_peer *peer);

/* unkept: the error that prevented storing the request in the file, or 0 if it was stored. */
void rsp_log_paused(const struct rsp_peer *peer, const struct rsp_pause *pause, int unkept);
void rsp_log_still_paused(const struct rsp_pause *pause);
/* peer: the client that ended the pause, or NULL if the requested duration was over. */
void rsp_log_resumed(const struct rsp_peer *peer);
void rsp_log_deleted(const struct rsp_peer *peer, const struct rsp_stored_name *snapshot);

#endif
