/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What anybody may make the recorder do (the bus, and the sockets of users it does not trust) runs
 * on an event loop of its own. The recorder's loop runs that one when there is nothing to drain, a
 * little at a time, and for a bounded share of a CPU: a flood makes those who flood wait.
 */
#ifndef RSP_DAEMON_GUESTS_H
#define RSP_DAEMON_GUESTS_H

#include <linux/types.h>
#include <systemd/sd-event.h>

struct rsp_guests;

/* Runs by event from now on. 0 or -errno. */
int rsp_guests_new(sd_event *event, struct rsp_guests **ret);
/* Frees what is still attached to its loop, too. */
struct rsp_guests *rsp_guests_free(struct rsp_guests *g);

/* The loop to attach to; it is never to be run by others, and never exits. */
sd_event *rsp_guests_event(const struct rsp_guests *g);

/* CPU time it has taken so far. */
__u64 rsp_guests_cpu_ns(const struct rsp_guests *g);

#endif
