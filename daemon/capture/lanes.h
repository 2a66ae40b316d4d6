/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the unwind tables of mapped files: the opener opens the files, a worker reads them. Two
 * lanes (queues of files) keep slow file systems from delaying other file systems. The lane `local`
 * is for file systems that always answer, no matter what a user does. The lane `slow` is for all
 * other file systems.
 *
 * A lane opens only a few files at a time, including files on which a process hangs. Files of one
 * user, unless the user is root, can take at most half of the lane.
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
	/*
	 * If true, opened() gets a descriptor of each local file, and no symbols are copied from
	 * local files.
	 */
	bool keeps_files;
	/* Called when the file is open and will be read. */
	void (*opened)(const struct rsp_binary_wanted *wanted, const struct rsp_opened *opened,
		       void *userdata);
	/*
	 * Called once for each file, unless opening the file hangs forever. If rspd did not read
	 * the file, answer is NULL and error is the reason; -EAGAIN: opening hung, or the worker
	 * died. Otherwise the arguments are those of rsp_worker_fn. Must not call
	 * rsp_lanes_submit().
	 */
	void (*done)(const struct rsp_binary_wanted *wanted, int error,
		     const struct rsp_worker_answer *answer, void *userdata);
	void *userdata;
};

/* opener must outlive *ret. Returns 0 or -errno. */
int rsp_lanes_new(sd_event *event, struct rsp_opener *opener, const struct rsp_lanes_ops *ops,
		  struct rsp_lanes **ret);
struct rsp_lanes *rsp_lanes_free(struct rsp_lanes *lanes);

/*
 * Requests the table of a file. Returns 0; -EBUSY: too many files wait, or memory runs out; -ETIME:
 * too many files wait, and some of them hang.
 */
int rsp_lanes_submit(struct rsp_lanes *lanes, const struct rsp_binary_wanted *wanted);

/* Returns whether the file belongs to the lane `local`: no user controls its file system. */
bool rsp_lanes_is_local(const struct rsp_binary_origin *origin);

/*
 * Returns the number of files that are queued, being opened or being read, without files that hang.
 */
unsigned int rsp_lanes_busy_cnt(const struct rsp_lanes *lanes);

/* Returns the number of files that hang. */
unsigned int rsp_lanes_hung_cnt(const struct rsp_lanes *lanes);

#endif
