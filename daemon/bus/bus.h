/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder on the system bus: io.rsp.Recorder1 at /io/rsp/Recorder1, and LogControl1. polkit
 * says who may, where root and group rsp are not the ones who ask. Without a bus, or before there
 * is one, the recorder runs all the same; nothing here ever waits for the bus.
 */
#ifndef RSP_DAEMON_BUS_H
#define RSP_DAEMON_BUS_H

#include <systemd/sd-bus.h>
#include <systemd/sd-event.h>

#include "daemon/api/api.h"

struct rsp_bus;

/*
 * event: may be one of guests (guests.h): anybody may send messages. ops, ctx and store_dir, whose
 * snapshots it lists, must outlive it. 0, also where no bus is to be had yet; -ENOMEM.
 */
int rsp_bus_new(sd_event *event, const struct rsp_recorder_ops *ops, void *ctx,
		const char *store_dir, struct rsp_bus **ret);
/* Calls not yet ended die here, their jobs are cancelled. */
struct rsp_bus *rsp_bus_free(struct rsp_bus *bus);

/* To ask others on it; valid until the event loop runs again. NULL: none, or bus is NULL. */
sd_bus *rsp_bus_connection(const struct rsp_bus *bus);

/*
 * The signal of a new snapshot in the store, SnapshotTaken. slo: "" if somebody asked for it. bus:
 * NULL, or without connection: nobody hears of it.
 */
void rsp_bus_emit_snapshot(struct rsp_bus *bus, const char *id, const char *slo, pid_t pid,
			   const char *path, const char *headline);

#endif
