/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker (broker.h) in a process of its own, so that a file server which does not answer holds
 * up that one, and not the snapshot: it is left behind then, and another takes its place.
 */
#ifndef RSP_DAEMON_WISHES_H
#define RSP_DAEMON_WISHES_H

#include "broker.h"

struct rsp_wishes {
	const struct rsp_broker *broker;
	int socket;
	pid_t pid; /* 0: none */
};

/*
 * As rsp_broker_open(); of a file system that is a process (FUSE) it is a copy. -ETIME: not before
 * until_ns (CLOCK_MONOTONIC), or no more is granted to one file.
 */
int rsp_wishes_open(struct rsp_wishes *w, const struct rsp_file_wish *wish, __u64 until_ns);
void rsp_wishes_done(struct rsp_wishes *w);

#endif
