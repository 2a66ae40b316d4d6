/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a client's selection of a process to the identifiers in records (dump-request.h): PIDs
 * with their namespace, units and cgroups as IDs. These functions run in the process that drains
 * the rings, so they open only one directory and walk none.
 */
#ifndef RSP_DAEMON_TARGET_H
#define RSP_DAEMON_TARGET_H

#include "daemon/config/values.h"
#include "daemon/snapshots/dump-request.h"
#include "daemon/snapshots/request.h"

/*
 * peer: the client, whose PID namespace applies to a selected PID. A unit whose cgroup is not at
 * the default path stays in wanted.unit, since only systemd can find it. The caller frees wanted
 * with rsp_wanted_done(). Returns 0; -ENOENT: no such cgroup; -EINVAL; -errno.
 */
int rsp_target_resolve(const struct rsp_target *target, pid_t peer, struct rsp_dump_request *req);

/*
 * Like rsp_target_resolve(), for the processes that an SLO selects. If the SLO is about all
 * processes, wanted stays empty.
 */
int rsp_target_of_slo(const struct rsp_slo_config *slo, struct rsp_dump_request *req);

int rsp_target_set_cgroup(const char *path, struct rsp_wanted *wanted);

void rsp_wanted_done(struct rsp_wanted *wanted);

#endif
