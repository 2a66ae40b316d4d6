/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the unwind tables of mapped files: the opener opens the files, a worker reads them. Two
 * lanes keep slow file systems from delaying others. The lane `local` is for file systems that
 * always answer, no matter what a user does. The lane `slow` is for all others: FUSE, network file
 * systems, overlays mounted in a user namespace.
 *
 * A file that takes too long keeps its place in its lane while a process hangs on it. A lane has
 * only a few places, and no user but root can take more than half of them.
 */
#ifndef RSP_DAEMON_LANES_H
#define RSP_DAEMON_LANES_H

#include <stdbool.h>
#include <systemd/sd-event.h>

#include "daemon/capture/opener.h"
#include "daemon/worker/worker.h"
#include "rsp/unwind.h"

struct rsp_lanes;

struct rsp_lanes_ops {
	/* opened() gets a descriptor of each local file; no symbols are copied from these files */
	bool keeps_files;
	/* Called when the file is open and will be read. */
	void (*opened)(const struct rsp_binary_wanted *wanted, const struct rsp_opened *opened,
		       void *userdata);
	/*
	 * Called once for each file, unless the file hangs forever. If the file was not read,
	 * answer is NULL, and error is -EAGAIN if opening it hung or the worker died on another
	 * file, or else the reason why it cannot be opened. If the file was read, the arguments are
	 * those of rsp_worker_fn. Must not call rsp_lanes_submit().
	 */
	void (*done)(const struct rsp_binary_wanted *wanted, int error,
		     const struct rsp_worker_answer *answer, void *userdata);
	void *userdata;
};

/* The opener must outlive the lanes. 0 or -errno. */
int rsp_lanes_new(sd_event *event, struct rsp_opener *opener, const struct rsp_lanes_ops *ops,
		  struct rsp_lanes **ret);
struct rsp_lanes *rsp_lanes_free(struct rsp_lanes *lanes);

/*
 * Requests the table of a file. 0; -EBUSY: too many files wait already, or too many of one user;
 * -ETIME: the same, and some of these files hang.
 */
int rsp_lanes_submit(struct rsp_lanes *lanes, const struct rsp_binary_wanted *wanted);

/* Returns whether the file system is one that no user controls. */
bool rsp_lanes_is_local(const struct rsp_binary_origin *origin);

/* Number of files that are queued or being read. Files that hang do not count. */
unsigned int rsp_lanes_busy_cnt(const struct rsp_lanes *lanes);

/* Files on which a process hangs. */
unsigned int rsp_lanes_hung_cnt(const struct rsp_lanes *lanes);

#endif
