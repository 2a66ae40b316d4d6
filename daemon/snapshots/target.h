/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom somebody means, in their words -> in the words of records (dump.h): pids with their
 * namespace, units and cgroups as ids. Called where the rings are drained: it opens one directory
 * and walks none.
 */
#ifndef RSP_DAEMON_TARGET_H
#define RSP_DAEMON_TARGET_H

#include "daemon/api/api.h"
#include "dump.h"

/*
 * peer: who asks, and so how pids count. A unit that does not lie where units do stays
 * wanted.unit: systemd knows. 0; -ENOENT: no such cgroup; -EINVAL; -errno. What wanted has
 * is freed by rsp_wanted_done(). */
int rsp_target_resolve(const struct rsp_target *target, pid_t peer, struct rsp_dump_request *req);

/* Whom an SLO is about; all of it empty if that is anybody. The same. */
int rsp_target_of_slo(const struct rsp_slo_config *slo, struct rsp_dump_request *req);

/* wanted.unit has turned out to have that cgroup. The same. */
int rsp_target_set_cgroup(const char *path, struct rsp_wanted *wanted);

void rsp_wanted_done(struct rsp_wanted *wanted);

#endif
