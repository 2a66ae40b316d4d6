/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files as processes have them mapped, each in a process of its own, and sends them straight
 * to a worker: a file server that does not answer, or a file system that a user wrote, holds up
 * a process that opens, reads or closes its files, and may never let go of it, not even to die. The
 * event loop, which drains the rings, must not be that process, so it gets no descriptor, except of
 * a local file that it asked to keep.
 */
#ifndef RSP_DAEMON_OPENER_H
#define RSP_DAEMON_OPENER_H

#include <limits.h>
#include <stdbool.h>
#include <systemd/sd-event.h>

#include "rsp/unwind.h"

struct rsp_opener;

struct rsp_opened {
	__u32 number; /* of the request */
	int error;    /* 0 or -errno; -ESTALE: another file is mapped there by now */
	__u64 ino;
	__u32 dev;	     /* major << 20 | minor, as the process sees it */
	char path[PATH_MAX]; /* as the process sees it */
	int fd;		     /* if the request had keep set: the opener closes it; -1: none */
};

/* If there is no error the file lies in the inlet. opened is valid during the call. */
typedef void (*rsp_opener_fn)(const struct rsp_opened *opened, void *userdata);

/*
 * Forks: to be called early, while there is little to inherit. Should that process die the event
 * loop ends, with -EIO. SIGCHLD must be blocked. 0 or -errno.
 */
int rsp_opener_new(sd_event *event, struct rsp_opener **ret);
/* Answers nothing more. */
struct rsp_opener *rsp_opener_free(struct rsp_opener *o);

/* Who gets the answers; to be said before anything is submitted. */
void rsp_opener_set_receiver(struct rsp_opener *o, rsp_opener_fn done, void *userdata);

/*
 * Has the file opened, and sent to the inlet (worker-protocol.h) with this number. Each request has
 * one answer, once the file is closed again. That may never happen, so the caller limits the number
 * of requests in progress. keep: the answer contains a descriptor of the file. 0 or -errno.
 */
int rsp_opener_submit(struct rsp_opener *o, __u32 number, const struct rsp_binary_wanted *wanted,
		      int inlet, bool keep);

#endif
