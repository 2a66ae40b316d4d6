/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports systemd units that start, stop or fail, with the time, from signals of systemd on the
 * bus. Checks that a signal came from systemd's connection, since any user may send a signal that
 * looks alike.
 */
#ifndef RSP_DAEMON_BUS_UNITS_H
#define RSP_DAEMON_BUS_UNITS_H

#include <systemd/sd-bus.h>

#include "rsp/event.h"

/* at_ns: CLOCK_MONOTONIC of the change, shortly before now. type: STARTED, STOPPED or FAILED. */
typedef void (*rsp_unit_changed_fn)(void *ctx, enum rsp_mark_type type, const char *unit,
				    __u64 at_ns);

/*
 * Number of reported changes to remember. systemd sends all properties of a unit whenever a
 * property changes, so a signal may repeat an old change.
 */
#define RSP_UNITS_SEEN 256

struct rsp_bus_units {
	rsp_unit_changed_fn changed;
	void *ctx;
	char owner[64]; /* unique name of systemd's connection; "": systemd is not on the bus */
	struct rsp_unit_seen {
		__u64 hash; /* of unit and type */
		__u64 at_ns;
	} seen[RSP_UNITS_SEEN];
	size_t next_seen;
};

/* Watches units until the connection ends. u must outlive the connection. Returns 0 or -errno. */
int rsp_bus_watch_units(sd_bus *bus, struct rsp_bus_units *u);

#endif
