/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the window to a snapshot file: finds the selected process, lists the binaries in stacks,
 * and names the kernel's functions. Runs in a child of the recorder, which has the window's memory
 * as it was at the fork().
 */
#ifndef RSP_DAEMON_FREEZE_H
#define RSP_DAEMON_FREEZE_H

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/dump-request.h"
#include "lib/snapshot/window.h"

/*
 * Unless naming_fd is -1, also writes a small snapshot to naming_fd, with only the records that are
 * needed to name functions (RSP_SYMBOLS_KINDS). *ret_meta: the metadata of the request, completed.
 * Returns 0; -ESRCH: the window does not contain the process; -EACCES: own_only is set, and the
 * process is not req->uid's; -ENOTUNIQ: the process may be in any of the containers in
 * ret_candidates; -errno.
 */
int rsp_freeze(const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_dump_request *req, int fd, int naming_fd, struct rsp_meta *ret_meta,
	       char ret_candidates[static RSP_CANDIDATES_BYTES]);

#endif
