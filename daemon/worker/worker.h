/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes unwind tables of files, and copies of their symbols, in a separate process without rights:
 * rspd itself never parses untrusted files. If the process crashes or hangs on a file, that file
 * gets no table. The next file gets a new process, after a delay that grows with each crash.
 *
 * The process that opened a file sends it to the worker over the inlet (worker-protocol.h). The
 * event loop delivers one answer for each submitted file, in the order of submission.
 */
#ifndef RSP_DAEMON_WORKER_H
#define RSP_DAEMON_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "rsp/event.h"

/* Maximum number of waiting files. */
#define RSP_WORKER_QUEUE_MAX 256

struct rsp_worker;

/* Valid during the call of rsp_worker_fn. */
struct rsp_worker_answer {
	const void *table; /* rsp/unwind.h, checked with rsp_unwind_table_check(); NULL on error */
	size_t len;	   /* a multiple of RSP_UNWIND_BLOCK_BYTES */
	uint32_t build_id_len; /* 0: unknown; set even on error, if known */
	uint8_t build_id[RSP_BUILD_ID_MAX];
	const void *symbols; /* a copy (lib/symbols/symcopy.h), unchecked; NULL: no symbols */
	size_t symbols_len;
};

/*
 * error: 0, or the reason why there is no table: an error of rsp_unwind_table_build(); -EIO: the
 * worker died on this file, took too long, or sent an invalid answer; -EAGAIN: the worker died on
 * another file, and this file must be opened again. answer is never NULL. The function may call
 * rsp_worker_submit(), but not rsp_worker_free().
 */
typedef void (*rsp_worker_fn)(uint32_t number, int error, const struct rsp_worker_answer *answer,
			      void *userdata);

/*
 * Called after rsp_worker_inlet() has returned -EAGAIN. If error is 0, a process has started, and
 * rsp_worker_inlet() returns its inlet. Otherwise error is the -errno of starting a process.
 */
typedef void (*rsp_worker_ready_fn)(int error, void *userdata);

/* Maximum number of processes that rspd has killed and that have not ended. */
#define RSP_WORKER_LEFT_MAX 4

struct rsp_worker_options {
	uint64_t patience_us;  /* time limit for one file */
	unsigned int left_max; /* at most RSP_WORKER_LEFT_MAX */
	bool copies_symbols;
	rsp_worker_ready_fn ready;
	rsp_worker_fn done;
	void *userdata;
};

/* SIGCHLD must be blocked, as sd_event_add_child() requires. Returns 0 or -errno. */
int rsp_worker_new(sd_event *event, const struct rsp_worker_options *options,
		   struct rsp_worker **ret);
/* Ends the process. Afterwards, done is not called. */
struct rsp_worker *rsp_worker_free(struct rsp_worker *w);

/*
 * The caller sends each file to the inlet with its number, and must not close the inlet.
 * *ret_process: the number of the process, which is never reused. -EAGAIN: there is no process;
 * ready will be called.
 */
int rsp_worker_inlet(struct rsp_worker *w, uint32_t *ret_process);

/*
 * Submits a file that was sent to the inlet of this process. Returns 0; -EBUSY: the queue is full;
 * -EAGAIN: the process has ended, so the file is lost.
 */
int rsp_worker_submit(struct rsp_worker *w, uint32_t number, uint32_t process);

/* Returns whether rspd can start no process, because too many killed processes have not ended. */
bool rsp_worker_hangs(const struct rsp_worker *w);

#endif
