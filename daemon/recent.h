/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the memfd with the newest records of a tap for a client that follows the machine. */
#ifndef RSP_DAEMON_RECENT_H
#define RSP_DAEMON_RECENT_H

#include "daemon/api/api.h"
#include "daemon/capture/binaries.h"
#include "daemon/tap.h"

/*
 * Puts the records since position into a sealed memfd. After them, adds a BINARY record for each
 * binary in their stacks. now_ns: a time before the last drain, so that all events up to it have
 * been drained. 0 or -errno.
 */
int rsp_recent_make(struct rsp_tap *tap, const struct rsp_binaries *binaries, uint64_t position,
		    uint64_t now_ns, struct rsp_recent *ret);

#endif
