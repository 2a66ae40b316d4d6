/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a snapshot of the window at this instant, with names and a headline. A child of the
 * recorder does the work, while recording continues: it freezes the window (freeze.h), lets
 * rsp-worker analyse the snapshot (analysis.h), and stores it (store.h). So the recorder never
 * waits for disks or for users' file systems.
 */
#ifndef RSP_DAEMON_DUMP_H
#define RSP_DAEMON_DUMP_H

#include <systemd/sd-event.h>

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/dump-request.h"
#include "daemon/worker/worker-protocol.h"
#include "lib/snapshot/window.h"

struct rsp_dump;

struct rsp_dump_result {
	int fd; /* a sealed memfd, or with own_only the read end of a pipe; valid during the call */
	size_t size;
	char headline[RSP_HEADLINE_MAX];
	char path[512];		   /* "": not stored */
	int store_error;	   /* -errno of storing; 0: stored, or not to be stored */
	int analysis_error;	   /* -errno: there are no names, since the worker failed */
	unsigned int left_out_cnt; /* see struct rsp_analysis */
	unsigned int deleted_cnt;  /* snapshots that were deleted to make room */
	__u32 target_pid;
	char candidates[RSP_CANDIDATES_BYTES]; /* on -ENOTUNIQ: see rsp_choice_candidates() */
};

/*
 * Called once, unless the dump is cancelled. error: 0 or -errno, as for rsp_snapshot_done_fn
 * (snapshots/request.h). result: NULL on error, except on -ENOTUNIQ.
 */
typedef void (*rsp_dump_fn)(int error, const struct rsp_dump_result *result, void *userdata);

/*
 * Time limit in seconds for a client to read its snapshot from a pipe. With own_only, the snapshot
 * is in a pipe, because a memfd would count as the recorder's memory until the client closes it.
 */
#define RSP_HANDOVER_S 30

/*
 * The request is needed only during the call; the caller keeps the window.
 *
 * ended is called when the child holds no memory any more: before done is called, or long after it.
 * From then on, *ret is invalid. ended is also called after a cancellation, but not if this
 * function fails. ended may be NULL.
 */
int rsp_dump_start(sd_event *event, struct rsp_window *win, const struct rsp_binaries *binaries,
		   const struct rsp_dump_request *req, rsp_dump_fn done, void *userdata,
		   void (*ended)(void *userdata), void *ended_userdata, struct rsp_dump **ret);
void rsp_dump_cancel(struct rsp_dump *dump);

const char *rsp_dump_error_text(int error);

#endif
