/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A breach -> what its snapshot is to be of. */
#ifndef RSP_DAEMON_BREACH_H
#define RSP_DAEMON_BREACH_H

#include "daemon/snapshots/jobs.h"
#include "slo.h"

/*
 * The very request or wait, with what is before and after it; where nobody's was measured, whom the
 * SLO is about. The store is the caller's affair. 0 or -errno.
 */
int rsp_breach_specify(const struct rsp_slo_breach *breach, struct rsp_job_spec *ret);

#endif
