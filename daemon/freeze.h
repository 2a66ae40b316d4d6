/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window, as it is this instant -> a snapshot in a sealed memfd, while recording goes on.
 * fork() does the freezing: the child keeps the window's memory as it was and compresses it at
 * leisure.
 */
#ifndef RSP_DAEMON_FREEZE_H
#define RSP_DAEMON_FREEZE_H

#include <systemd/sd-event.h>

#include "binaries.h"
#include "lib/snapshot/snapshot.h"
#include "lib/snapshot/window.h"

/*
 * Told once, when the snapshot is done: 0 and a sealed memfd that is the callee's, or -errno
 * (-ESRCH: the target occurs nowhere in the window).
 */
typedef void (*rsp_freeze_fn)(int error, int fd, size_t size, void *userdata);

/*
 * meta: what is known already; the target's start is filled in, and its pid, which is looked for as
 * the pid namespace with the inode number pidns counts, made that of the initial one. 0, and done
 * will be called from the event loop; or -errno, and it will not.
 */
int rsp_freeze(sd_event *event, const struct rsp_window *win, const struct rsp_binaries *binaries,
	       const struct rsp_meta *meta, __u32 pidns, rsp_freeze_fn done, void *userdata);

#endif
