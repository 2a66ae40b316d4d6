/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks systemd for the cgroup of a unit. Never blocks. */
#ifndef RSP_DAEMON_BUS_UNIT_H
#define RSP_DAEMON_BUS_UNIT_H

#include <systemd/sd-bus.h>

struct rsp_bus_connection {
	/* the connection, valid until the event loop runs again; NULL: not connected */
	sd_bus *bus;
};

/*
 * error: 0, or -ENOENT if the unit does not run or systemd does not answer. cgroup: a path that
 * begins with '/'; valid only if error is 0.
 */
typedef void (*rsp_unit_fn)(int error, const char *cgroup, void *userdata);

/*
 * Sends a query, and returns 0. The event loop then calls answered once, unless the caller
 * unreferences *ret or the connection ends first. Errors: -ENOENT: there is no connection, or units
 * of this kind have no cgroup; -errno.
 */
int rsp_unit_query(const struct rsp_bus_connection *connection, const char *unit,
		   rsp_unit_fn answered, void *userdata, sd_bus_slot **ret);

#endif
