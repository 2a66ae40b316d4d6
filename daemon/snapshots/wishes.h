/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker (broker.h) in a process of its own, so that a file server which does not answer holds
 * up that one, and not the snapshot: it is left behind then, and another takes its place.
 */
#ifndef RSP_DAEMON_WISHES_H
#define RSP_DAEMON_WISHES_H

#include "broker.h"

/* Brokers that one snapshot leaves behind, at most. */
#define RSP_WISHES_HUNG_MAX 4

struct rsp_wishes {
	const struct rsp_broker *broker;
	int inlet;  /* of the worker that wishes (worker-protocol.h) */
	int places; /* of brokers (places.h); -1: they are not counted */
	int socket;
	pid_t pid;			      /* 0: none */
	__u32 number;			      /* of the last wish */
	uid_t hung_uids[RSP_WISHES_HUNG_MAX]; /* whose files a broker hangs on */
	unsigned int hung_cnt;
	unsigned int left_out_cnt; /* files that were not granted, for want of time or of places */
};

/*
 * As rsp_broker_open(), but the file goes to the inlet, with *ret_number: this process never has a
 * descriptor of it. 0; -ETIME: not before until_ns (CLOCK_MONOTONIC), or than is granted to one
 * file, or to one user on whose files a broker hangs already; -errno.
 */
int rsp_wishes_grant(struct rsp_wishes *w, const struct rsp_file_wish *wish, __u64 until_ns,
		     __u32 *ret_number);
void rsp_wishes_done(struct rsp_wishes *w);

#endif
