/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects on a connection to the bus, and the state that their methods need. */
#ifndef RSP_DAEMON_BUS_OBJECTS_H
#define RSP_DAEMON_BUS_OBJECTS_H

#include <systemd/sd-bus.h>

#include "daemon/bus/bus-request.h"

#define RSP_BUS_NAME "io.rsp.Recorder1"
#define RSP_BUS_PATH "/io/rsp/Recorder1"

/* Values of the properties. */
struct rsp_bus_figures {
	uint64_t uptime_usec, window_usec, window_bytes, events, lost, snapshots, store_bytes;
	uint32_t cost_ppm, budget_ppm, store_files;
	const char *shed;
};

/* Maximum size of a string in a call, including the NUL: enough for a path. */
#define RSP_BUS_STRING_MAX 4096

struct rsp_bus_context {
	const struct rsp_recorder_ops *ops;
	void *ctx; /* of ops */
	const char *store_dir;
	struct rsp_bus_requests requests;
	struct rsp_bus_figures figures;
	uint64_t figures_ns; /* time of the last read; 0: never read */
};

/*
 * Each of these functions adds its object to the bus until the connection ends. c must outlive the
 * connection. Returns 0 or -errno.
 */
int rsp_bus_add_recorder(sd_bus *bus, struct rsp_bus_context *c);
int rsp_bus_add_log_control(sd_bus *bus, struct rsp_bus_context *c);

/* Appends the answer to ListSnapshots, without opening the snapshots. Returns 0 or -errno. */
int rsp_bus_append_snapshots(sd_bus_message *reply, const char *store_dir);

#endif
