/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the requests of guests (callers on the bus, and connections of untrusted users) on an event
 * loop of their own, with a limited share of a CPU. So a flood of requests delays only guests.
 */
#ifndef RSP_DAEMON_GUESTS_H
#define RSP_DAEMON_GUESTS_H

#include <linux/types.h>
#include <systemd/sd-event.h>

struct rsp_guests;

/* Makes the event loop run the guests' loop from now on. Returns 0 or -errno. */
int rsp_guests_new(sd_event *event, struct rsp_guests **ret);
/* Also frees event sources that are still attached to the guests' loop. */
struct rsp_guests *rsp_guests_free(struct rsp_guests *g);

/* Returns the guests' loop, to attach event sources. */
sd_event *rsp_guests_event(const struct rsp_guests *g);

__u64 rsp_guests_cpu_ns(const struct rsp_guests *g);

#endif
