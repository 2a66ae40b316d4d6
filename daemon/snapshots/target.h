/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom somebody means, in their words -> in the words of records (dump.h): pids with their
 * namespace, units and cgroups as ids.
 */
#ifndef RSP_DAEMON_TARGET_H
#define RSP_DAEMON_TARGET_H

#include "daemon/api/api.h"
#include "dump.h"

/* peer: who asks, and so how pids count. 0; -ENOENT: no such unit or cgroup; -EINVAL; -errno. */
int rsp_target_resolve(const struct rsp_target *target, pid_t peer, struct rsp_dump_request *req);

/* Whom an SLO is about; all of it empty if that is anybody. The same. */
int rsp_target_of_slo(const struct rsp_slo_config *slo, struct rsp_dump_request *req);

#endif
