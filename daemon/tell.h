/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens in the recorder, in words -> the journal. */
#ifndef RSP_DAEMON_TELL_H
#define RSP_DAEMON_TELL_H

#include "daemon/api/api.h"
#include "daemon/snapshots/jobs.h"

/* skipped_cnt of the cnt were not made at all. */
void rsp_tell_lost(uint64_t cnt, uint64_t skipped_cnt);
void rsp_tell_shed(enum rsp_shed from, enum rsp_shed to, const struct rsp_cost_stats *stats);

void rsp_tell_breach(const struct rsp_slo_breach *breach);
/* Of a breach. */
void rsp_tell_no_snapshot(const char *slo, int error);
/* Of one that somebody asked for. */
void rsp_tell_failed(const struct rsp_peer *peer, int error);

/* A snapshot that is not where it should be, or has not what it should have; else nothing. */
void rsp_tell_troubles(const struct rsp_job_result *result, const char *store);
void rsp_tell_stored(const struct rsp_job_result *result);

void rsp_tell_denied(const struct rsp_peer *peer);
void rsp_tell_deleted(const struct rsp_peer *peer, const struct rsp_stored_name *snapshot);

#endif
