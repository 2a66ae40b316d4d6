/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the names of containers, also after the containers have ended, up to a maximum number.
 * Another process finds the names (finder.h).
 */
#ifndef RSP_DAEMON_CONTAINERS_H
#define RSP_DAEMON_CONTAINERS_H

#include <systemd/sd-event.h>

#include "rsp/event.h"

struct rsp_containers;

struct rsp_containers_stats {
	unsigned int cnt;  /* containers with names */
	__u64 unnamed_cnt; /* containers whose names were not found */
	/* containers or cgroups that were ignored because of the limits in finder.c */
	__u64 left_out_cnt;
	__u64 dropped_cnt;
};

/*
 * The finder forks, so call it early, while rspd has little memory and few descriptors to inherit.
 * If the finder dies, containers that start later have no names. SIGCHLD must be blocked. Returns 0
 * or -errno.
 */
int rsp_containers_new(sd_event *event, struct rsp_containers **ret);
struct rsp_containers *rsp_containers_free(struct rsp_containers *c);

/*
 * Returns the names of the container whose cgroup has this path (from rsp_container_of_path()), or
 * NULL if the container is unknown. If the path begins with "...", its first components are
 * missing. The result is valid until the event loop runs.
 */
const struct rsp_ev_container *rsp_containers_find(const struct rsp_containers *c, const char *path,
						   size_t len);

void rsp_containers_get_stats(const struct rsp_containers *c, struct rsp_containers_stats *ret);

#endif
