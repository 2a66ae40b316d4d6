/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files -> their unwind tables, in a process that may do nothing else: other people's files are
 * never parsed by the recorder itself. The process is started at once, as there is something to do
 * soon, and ended when there was nothing for a while; one that crashes or hangs on a file costs
 * that file its table, and the next file gets a new process, after a while that grows with each
 * crash.
 *
 * Answers come from the event loop, one for each submission, in their order but that large files
 * let others go first.
 */
#ifndef RSP_DAEMON_WORKER_H
#define RSP_DAEMON_WORKER_H

#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "rsp/event.h"

/* Files that wait, at most: each is an open descriptor. */
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
 * this file, took too long, or its answer was not one; or the -errno with which no worker could be
 * started. answer is never NULL. May submit; must not free the worker.
 */
typedef void (*rsp_worker_fn)(uint32_t number, int error, const struct rsp_worker_answer *answer,
			      void *userdata);

/* SIGCHLD must be blocked, as sd_event_add_child() wants it. 0 or -errno. */
int rsp_worker_new(sd_event *event, rsp_worker_fn done, void *userdata, struct rsp_worker **ret);
/* Ends the process, closes what waits, answers nothing more. */
struct rsp_worker *rsp_worker_free(struct rsp_worker *w);

/*
 * fd: open for reading, of a file of so many bytes; the worker's from now on, whatever is returned.
 * -EBUSY: the queue is full.
 */
int rsp_worker_submit(struct rsp_worker *w, uint32_t number, int fd, off_t bytes);

#endif
