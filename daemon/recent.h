/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a memfd with the newest records of the tap (tap.h), for a client that follows the machine.
 */
#ifndef RSP_DAEMON_RECENT_H
#define RSP_DAEMON_RECENT_H

#include "daemon/api/api.h"
#include "daemon/capture/binaries.h"
#include "daemon/tap.h"

/*
 * Puts the records since position into a sealed memfd. After them, adds a BINARY record for each
 * binary in the stacks of these records. now_ns: a time before the last drain. Returns 0 or -errno.
 */
int rsp_recent_make(struct rsp_tap *tap, const struct rsp_binaries *binaries, uint64_t position,
		    uint64_t now_ns, struct rsp_recent *ret);

#endif
