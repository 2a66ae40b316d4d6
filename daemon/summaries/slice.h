/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one summary in a child process of the recorder, which has the window as it was at the
 * fork(). The child writes the newest part of the window (the slice) to a snapshot, and rsp-worker
 * summarizes the snapshot.
 */
#ifndef RSP_DAEMON_SLICE_H
#define RSP_DAEMON_SLICE_H

#include <linux/types.h>
#include <systemd/sd-event.h>

struct rsp_binaries;
struct rsp_freeze_memory;
struct rsp_slice;
struct rsp_window;

struct rsp_slice_request {
	struct rsp_window *window;
	const struct rsp_binaries *binaries;
	const struct rsp_containers *containers;
	__u64 since_ns, until_ns;
	__u64 cpu_ns; /* CPU time of the previous summary */
	unsigned int sample_hz;
	const struct rsp_freeze_memory *memory; /* see snapshots/memory.h; shared by all slices */
};

struct rsp_slice_result {
	const char *text; /* unchecked; valid during the call; not NUL-terminated */
	size_t len;
	__u64 cpu_ns; /* CPU time of the child and the worker, and of the fork() */
};

/*
 * Called once, unless the slice is cancelled. error: 0; -ETIMEDOUT; -EIO: a process died or
 * violated the protocol; -errno. result->text is NULL on error.
 */
typedef void (*rsp_slice_fn)(int error, const struct rsp_slice_result *result, void *userdata);

/* The request is needed only during the call. Returns 0 or -errno. */
int rsp_slice_start(sd_event *event, const struct rsp_slice_request *request, rsp_slice_fn done,
		    void *userdata, struct rsp_slice **ret);
/* Ends the child, and done will not be called. Accepts NULL. */
struct rsp_slice *rsp_slice_cancel(struct rsp_slice *slice);

#endif
