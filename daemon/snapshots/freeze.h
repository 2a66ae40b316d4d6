/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window -> a snapshot file: the process of interest found, the stacks' binaries listed and the
 * kernel's functions named. For a child of the recorder, which has the window's memory as it was at
 * its fork().
 */
#ifndef RSP_DAEMON_FREEZE_H
#define RSP_DAEMON_FREEZE_H

#include "daemon/capture/binaries.h"
#include "dump.h"
#include "lib/snapshot/window.h"

/*
 * Writes it to fd, and to naming_fd a small snapshot: the same without the records that are not
 * needed to name functions (RSP_SYMBOLS_KINDS). *ret_meta: the request's, with what was found out.
 * 0; -ESRCH: the process occurs nowhere in the window; -EACCES: it is not req->uid's, and own_only
 * is set; -errno.
 */
int rsp_freeze(const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_dump_request *req, int fd, int naming_fd,
	       struct rsp_meta *ret_meta);

#endif
