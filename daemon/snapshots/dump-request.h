/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Specifies a snapshot: its span, its process, and its reader. */
#ifndef RSP_DAEMON_DUMP_REQUEST_H
#define RSP_DAEMON_DUMP_REQUEST_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "daemon/snapshots/store.h"
#include "lib/snapshot/container.h"
#include "lib/snapshot/snapshot.h"

struct rsp_containers;
struct rsp_freeze_memory;

/*
 * Selects the process if no PID is given (choose.h). If all fields are empty, selects the most
 * affected process (PSI).
 */
struct rsp_wanted {
	char *unit;   /* a systemd unit whose cgroup is not known yet (jobs.h); allocated */
	char *cgroup; /* path of the cgroup; allocated */
	/* the cgroup's ID at the time of the request; the cgroup may be gone later */
	__u64 cgroup_id;
	/*
	 * IDs of the cgroup and of the cgroups below it; set by the child that makes the snapshot
	 * (dump.h)
	 */
	__u64 *cgroup_ids;
	size_t cgroup_cnt;
	char container[RSP_CONTAINER_TEXT_BYTES]; /* see rsp_container_matches() */
	char comm[16];
	__u16 port;
	bool own; /* select a process of the request's uid */
};

struct rsp_dump_request {
	/*
	 * The metadata known so far. target_pid: a PID in the namespace pidns, or 0 if wanted
	 * selects the process.
	 */
	struct rsp_meta meta;
	__u32 pidns; /* inode number of a PID namespace */
	struct rsp_wanted wanted;
	/* time of the oldest records in the snapshot; at most meta.since_ns */
	__u64 events_since_ns;
	bool own_only; /* refuse a process of another user, and redact the snapshot for uid */
	uid_t uid;
	int broker_places; /* see struct rsp_analysis_request */
	const struct rsp_containers *containers;
	bool no_headline; /* make a headline only if the snapshot is stored */
	/* memfds with data for the next reading of the window (memory.h); NULL: no such memfds */
	const struct rsp_freeze_memory *memory;
	/* the snapshot contains the paths of cgroups outside of containers, too, up to the unit */
	bool all_cgroups;
	bool store;
	/* fd, size and id are set by the child that makes the snapshot (dump.h) */
	struct rsp_store_put put;
};

#endif
