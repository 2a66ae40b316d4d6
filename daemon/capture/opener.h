/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens the files that processes have mapped, each file in a separate process, and sends them
 * directly to a worker. An unresponsive file server can block a process that opens, reads or closes
 * a file forever, even after the process was killed. So the event loop gets no descriptor of a
 * file, except of local files that it asked to keep.
 */
#ifndef RSP_DAEMON_OPENER_H
#define RSP_DAEMON_OPENER_H

#include <limits.h>
#include <stdbool.h>
#include <systemd/sd-event.h>

#include "rsp/unwind.h"

struct rsp_opener;

struct rsp_opened {
	__u32 number; /* number of the request */
	int error;    /* -ESTALE: the process has another file mapped now */
	__u64 ino;
	__u32 dev; /* major << 20 | minor, as the process sees it */
	__u32 mode, uid;
	char path[PATH_MAX]; /* as the process sees it */
	/* Descriptor of the file, if the request asked to keep it, or -1. */
	int fd;
};

/* If error is 0, the file was sent to the inlet of the request. opened is valid during the call. */
typedef void (*rsp_opener_fn)(const struct rsp_opened *opened, void *userdata);

/*
 * The opener forks, so call it early, while rspd has little memory and few descriptors to inherit.
 * If the process dies, the event loop ends with -EIO. SIGCHLD must be blocked. Returns 0 or -errno.
 */
int rsp_opener_new(sd_event *event, struct rsp_opener **ret);
/* Ends the process. Afterwards, the receiver is not called. Accepts NULL. */
struct rsp_opener *rsp_opener_free(struct rsp_opener *o);

/* Call it before the first request. */
void rsp_opener_set_receiver(struct rsp_opener *o, rsp_opener_fn done, void *userdata);

/*
 * Sends the file with this number to the inlet (daemon/worker/worker-protocol.h). Each request gets
 * one answer, unless opening or closing the file hangs, so the caller must limit the number of
 * requests in progress. keep: the answer contains a descriptor of the file. Returns 0 or -errno.
 */
int rsp_opener_submit(struct rsp_opener *o, __u32 number, const struct rsp_binary_wanted *wanted,
		      int inlet, bool keep);

#endif
