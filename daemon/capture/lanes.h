/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mapped files -> their unwind tables: the opener opens them, a worker reads them. There are two
 * lanes, so that what hangs in one holds up nothing in the other: `local` for files of file systems
 * that answer whatever a user does, `slow` for all others: FUSE, network file systems, overlays
 * mounted in a user namespace.
 *
 * A file that takes too long keeps its place in its lane for as long as a process hangs on it;
 * there are a few, and no user but root can take more than half of them.
 */
#ifndef RSP_DAEMON_LANES_H
#define RSP_DAEMON_LANES_H

#include <stdbool.h>
#include <systemd/sd-event.h>

#include "opener.h"
#include "daemon/worker.h"
#include "rsp/unwind.h"

struct rsp_lanes;

struct rsp_lanes_ops {
	bool keeps_files; /* opened() gets a descriptor of each local file */
	/* It has been opened, and will be read. */
	void (*opened)(const struct rsp_binary_wanted *wanted, const struct rsp_opened *opened,
		       void *userdata);
	/*
	 * Once for each file, unless it hangs for ever. answer is NULL if it was not read: -EAGAIN:
	 * it hung, or the worker died of another file; else why it cannot be opened. Else as to
	 * rsp_worker_fn. Must not submit.
	 */
	void (*done)(const struct rsp_binary_wanted *wanted, int error,
		     const struct rsp_worker_answer *answer, void *userdata);
	void *userdata;
};

/* The opener outlives it. 0 or -errno. */
int rsp_lanes_new(sd_event *event, struct rsp_opener *opener, const struct rsp_lanes_ops *ops,
		  struct rsp_lanes **ret);
struct rsp_lanes *rsp_lanes_free(struct rsp_lanes *lanes);

/* -EBUSY: too many wait already, or too many of one user; -ETIME: and some of them hang. */
int rsp_lanes_submit(struct rsp_lanes *lanes, const struct rsp_binary_wanted *wanted);

/* No file system of a user stands behind it. */
bool rsp_lanes_is_local(const struct rsp_binary_origin *origin);

/* Files that are queued or being read; files that hang do not count. */
unsigned int rsp_lanes_busy_cnt(const struct rsp_lanes *lanes);

/* Files on which a process hangs. */
unsigned int rsp_lanes_hung_cnt(const struct rsp_lanes *lanes);

#endif
