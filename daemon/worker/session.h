/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends requests to a new rsp-worker, one after another. These functions block: call them in a
 * child of rspd, never in its event loop.
 */
#ifndef RSP_DAEMON_SESSION_H
#define RSP_DAEMON_SESSION_H

#include "daemon/worker/worker-protocol.h"
#include "daemon/worker/worker-spawn.h"

/*
 * Answers the worker's request for a file. Returns 0 if it sent the file to the worker over the
 * inlet (worker-protocol.h); *ret_number is then the number of that file. Returns -errno if the
 * worker does not get the file.
 */
typedef int (*rsp_session_grant_fn)(const struct rsp_file_request *file, __u32 *ret_number,
				    void *userdata);

struct rsp_session {
	__u64 deadline_ns;
	rsp_session_grant_fn grant; /* NULL: a request for a file violates the protocol */
	void *userdata;
	struct rsp_worker_process process;
	__u32 number;		    /* number of the last request */
	unsigned int forbidden_cnt; /* reports of forbidden system calls */
};

size_t rsp_session_result_bytes(size_t snapshot_bytes);

/*
 * Starts a worker. snapshot_bytes: size of the snapshot, or 0 if the requests are not about a
 * snapshot. Returns 0 or -errno.
 */
int rsp_session_start(struct rsp_session *s, size_t snapshot_bytes);

/*
 * Sends the request, grants files, and waits for the reply. Returns 0; -EIO: the worker died or
 * violated the protocol; -ETIMEDOUT: the deadline has passed; or the -errno in the reply.
 */
int rsp_session_query(struct rsp_session *s, struct rsp_worker_request *request, const int *fds,
		      size_t fd_cnt, struct rsp_worker_message *ret);

/* Ends the worker, if it is running. */
void rsp_session_end(struct rsp_session *s);

#endif
