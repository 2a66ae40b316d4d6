/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See target.h. */
#include "daemon/snapshots/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/base/cgroups.h"
#include "lib/base/cleanup.h"

/* If the namespace is unknown, returns the PID namespace of rspd. */
static __u32 pidns_of(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	if (stat(path, &st) < 0 && stat("/proc/self/ns/pid", &st) < 0)
		return 0;
	return (__u32)st.st_ino;
}

int rsp_target_set_cgroup(const char *path, struct rsp_wanted *wanted)
{
	_cleanup_close_ int fd = -1;
	unsigned int level;

	fd = rsp_cgroups_open(path, &wanted->cgroup_id, &level);
	if (fd < 0)
		return fd;
	wanted->cgroup = strdup(path);
	return wanted->cgroup ? 0 : -ENOMEM;
}

static int resolve_unit(const char *unit, struct rsp_wanted *wanted)
{
	char path[PATH_MAX];
	int r = rsp_cgroups_place_unit(unit, path, sizeof(path));

	if (r == 0)
		r = rsp_target_set_cgroup(path, wanted);
	if (r != -ENOENT)
		return r;
	wanted->unit = strdup(unit);
	return wanted->unit ? 0 : -ENOMEM;
}

void rsp_wanted_done(struct rsp_wanted *wanted)
{
	free(wanted->unit);
	free(wanted->cgroup);
	free(wanted->cgroup_ids);
}

int rsp_target_resolve(const struct rsp_target *target, pid_t peer, struct rsp_dump_request *req)
{
	if (target->pid) {
		req->meta.target_pid = (uint32_t)target->pid;
		req->pidns = pidns_of(peer);
		return 0;
	}
	if (target->unit)
		return resolve_unit(target->unit, &req->wanted);
	if (target->cgroup)
		return rsp_target_set_cgroup(target->cgroup, &req->wanted);
	if (target->container && strlen(target->container) >= sizeof(req->wanted.container))
		return -ENOENT;
	if (target->container)
		strcpy(req->wanted.container, target->container);
	if (target->comm)
		snprintf(req->wanted.comm, sizeof(req->wanted.comm), "%s", target->comm);
	req->wanted.port = target->port;
	req->wanted.own = target->own;
	return 0;
}

int rsp_target_of_slo(const struct rsp_slo_config *slo, struct rsp_dump_request *req)
{
	struct rsp_target target = {
		.pid = slo->pid,
		.unit = slo->unit[0] ? slo->unit : NULL,
		.cgroup = slo->cgroup[0] ? slo->cgroup : NULL,
		.comm = slo->comm[0] ? slo->comm : NULL,
		.port = slo->port,
	};

	return rsp_target_resolve(&target, 0, req);
}
