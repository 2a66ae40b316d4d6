/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the broker (broker.h) in a process of its own. If a file server does not answer, the broker
 * hangs, but the process that makes the snapshot goes on.
 */
#ifndef RSP_DAEMON_FILE_REQUESTS_H
#define RSP_DAEMON_FILE_REQUESTS_H

#include "daemon/snapshots/broker.h"

#define RSP_FILE_REQUESTS_HUNG_MAX 4

struct rsp_file_requests {
	const struct rsp_broker *broker;
	int inlet;  /* inlet of the worker (worker/worker-protocol.h) */
	int places; /* descriptor for rsp_places_take(), to limit the brokers; -1: no limit */
	int socket;
	pid_t pid;    /* 0: no broker runs */
	__u32 number; /* number of the last request */
	uid_t hung_uids[RSP_FILE_REQUESTS_HUNG_MAX];
	unsigned int hung_cnt;
	unsigned int left_out_cnt; /* see struct rsp_analysis */
};

/*
 * Like rsp_broker_open(), but the broker sends the file to the inlet, with *ret_number. So this
 * process never has a descriptor of the file. Returns 0; -ETIME: no answer came before until_ns
 * (CLOCK_MONOTONIC), or brokers hang; -errno.
 */
int rsp_file_requests_grant(struct rsp_file_requests *w, const struct rsp_file_request *file,
			    __u64 until_ns, __u32 *ret_number);
void rsp_file_requests_done(struct rsp_file_requests *w);

#endif
