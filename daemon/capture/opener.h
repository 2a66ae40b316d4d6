/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens files as processes have them mapped, each in a process of its own: a file server that does
 * not answer, or a file system that a user wrote, holds up whoever opens its files, and may never
 * let go of him, not even to die. The event loop, which drains the rings, must not be that one.
 */
#ifndef RSP_DAEMON_OPENER_H
#define RSP_DAEMON_OPENER_H

#include <limits.h>
#include <sys/stat.h>
#include <systemd/sd-event.h>

#include "rsp/unwind.h"

struct rsp_opener;

struct rsp_opened {
	struct rsp_binary_wanted wanted;
	int error; /* 0 or -errno; -ESTALE: another file is mapped there by now */
	struct stat st;
	char path[PATH_MAX]; /* as the process sees it */
};

/* fd: for reading, the receiver's; -1 if there is an error. opened is valid during the call. */
typedef void (*rsp_opener_fn)(const struct rsp_opened *opened, int fd, void *userdata);

/*
 * Forks: to be called early, while there is little to inherit. Should that process die the event
 * loop ends, with -EIO. SIGCHLD must be blocked. 0 or -errno.
 */
int rsp_opener_new(sd_event *event, struct rsp_opener **ret);
/* Answers nothing more. */
struct rsp_opener *rsp_opener_free(struct rsp_opener *o);

/* Who gets the answers; to be said before anything is submitted. */
void rsp_opener_set_receiver(struct rsp_opener *o, rsp_opener_fn done, void *userdata);

/* -EBUSY: too many wait already; -ETIME: and nothing has been opened lately: all hang. */
int rsp_opener_submit(struct rsp_opener *o, const struct rsp_binary_wanted *wanted);

#endif
