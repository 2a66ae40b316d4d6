/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the window to a snapshot file: finds the process of interest, lists the binaries in
 * stacks, and names the kernel's functions. It runs in a child of the recorder, which has the
 * window's memory as it was at the fork().
 */
#ifndef RSP_DAEMON_FREEZE_H
#define RSP_DAEMON_FREEZE_H

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/dump-request.h"
#include "lib/snapshot/window.h"

/*
 * Writes the snapshot to fd. Writes a small snapshot to naming_fd, without the records that are not
 * needed to name functions (RSP_SYMBOLS_KINDS); -1: does not. *ret_meta: the request's, completed.
 * 0; -ESRCH: the window does not contain the process; -EACCES: it is not req->uid's, and own_only
 * is set; -ENOTUNIQ: it is in one of ret_candidates; -errno.
 */
int rsp_freeze(const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_dump_request *req, int fd, int naming_fd, struct rsp_meta *ret_meta,
	       char ret_candidates[static RSP_CANDIDATES_BYTES]);

#endif
