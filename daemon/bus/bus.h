/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder on the system bus: io.rsp.Recorder1 at /io/rsp/Recorder1, and LogControl1. The
 * recorder also runs without a bus. These functions never block on the bus.
 */
#ifndef RSP_DAEMON_BUS_H
#define RSP_DAEMON_BUS_H

#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "daemon/api/api.h"

struct rsp_bus;
struct rsp_bus_connection;

/*
 * event: may be the loop for guests (guests.h), since any user may send messages. ops, ctx and
 * store_dir must outlive *ret. Returns 0, also if there is no bus yet; -ENOMEM.
 */
int rsp_bus_new(sd_event *event, const struct rsp_recorder_ops *ops, void *ctx,
		const char *store_dir, struct rsp_bus **ret);
struct rsp_bus *rsp_bus_free(struct rsp_bus *bus);

/* Returns NULL if bus is NULL. The result is valid as long as bus. */
const struct rsp_bus_connection *rsp_bus_connection(const struct rsp_bus *bus);

/* slo: "" if a client requested the snapshot. Does nothing if bus is NULL or has no connection. */
void rsp_bus_emit_snapshot(struct rsp_bus *bus, const char *id, const char *slo, pid_t pid,
			   const char *path, const char *headline);

#endif
