/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Specifies the snapshot for a breach. */
#ifndef RSP_DAEMON_BREACH_H
#define RSP_DAEMON_BREACH_H

#include "daemon/slo/slo.h"
#include "daemon/snapshots/jobs.h"

/*
 * If the breach names no process, the snapshot is about a process that the SLO selects. The caller
 * fills in the store.
 */
int rsp_breach_specify(const struct rsp_slo_breach *breach, struct rsp_job_spec *ret);

#endif
