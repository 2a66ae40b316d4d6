/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files -> their unwind tables, in a process that may do nothing else: other people's files are
 * never parsed by the recorder itself. The process is started at once, as there is something to do
 * soon, and ended when there was nothing for a while; one that crashes or hangs on a file costs
 * that file its table, and the next file gets a new process, after a while that grows with each
 * crash.
 *
 * The files come over the process's inlet (worker-protocol.h), from where they were opened. One
 * that nobody can kill, as a file system does not let go of it, is left behind.
 *
 * Answers come from the event loop, one for each submission, in their order.
 */
#ifndef RSP_DAEMON_WORKER_H
#define RSP_DAEMON_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "rsp/event.h"

/* Files that wait, at most. */
#define RSP_WORKER_QUEUE_MAX 256

struct rsp_worker;

/* Valid during the call. */
struct rsp_worker_answer {
	const void *table; /* rsp/unwind.h, has passed rsp_unwind_table_check(); NULL on error */
	size_t len;	   /* a multiple of RSP_UNWIND_BLOCK_BYTES */
	uint32_t build_id_len; /* 0: unknown; may be known on error */
	uint8_t build_id[RSP_BUILD_ID_MAX];
};

/*
 * error: 0, or why there is no table: as of rsp_unwind_table_build(), or -EIO: the worker died of
 * this file, took too long, or its answer was not one; -EAGAIN: it died of another, and this one is
 * to be opened anew. answer is never NULL. May submit; must not free the worker.
 */
typedef void (*rsp_worker_fn)(uint32_t number, int error, const struct rsp_worker_answer *answer,
			      void *userdata);

/* error: 0: there is an inlet now; else the -errno with which no process could be started. */
typedef void (*rsp_worker_ready_fn)(int error, void *userdata);

/* Processes that were killed and have not ended, at most; with as many no other is started. */
#define RSP_WORKER_LEFT_MAX 4

struct rsp_worker_options {
	uint64_t patience_us;  /* for one file */
	unsigned int left_max; /* at most RSP_WORKER_LEFT_MAX */
	rsp_worker_ready_fn ready;
	rsp_worker_fn done;
	void *userdata;
};

/* SIGCHLD must be blocked, as sd_event_add_child() wants it. 0 or -errno. */
int rsp_worker_new(sd_event *event, const struct rsp_worker_options *options,
		   struct rsp_worker **ret);
/* Ends the process, answers nothing more. */
struct rsp_worker *rsp_worker_free(struct rsp_worker *w);

/*
 * The inlet of the process, to which files are sent with their numbers; the worker's. -EAGAIN:
 * there is no process: ready will be called. ret_process: the process's number, which no other one
 * gets.
 */
int rsp_worker_inlet(struct rsp_worker *w, uint32_t *ret_process);

/*
 * The file has been sent to that process. -EBUSY: the queue is full; -EAGAIN: the process is gone,
 * and the file with it.
 */
int rsp_worker_submit(struct rsp_worker *w, uint32_t number, uint32_t process);

/* A file system holds on to processes that were killed, and none can be started. */
bool rsp_worker_hangs(const struct rsp_worker *w);

#endif
