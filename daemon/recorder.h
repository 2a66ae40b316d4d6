/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: capture feeds the window; SLOs that are breached, the socket and the bus want
 * snapshots of it; the governor keeps its cost within bounds. Ties the parts together on one event
 * loop.
 */
#ifndef RSP_DAEMON_RECORDER_H
#define RSP_DAEMON_RECORDER_H

#include <systemd/sd-event.h>

#include "daemon/api/api.h"
#include "daemon/capture/capture.h"
#include "daemon/config/config.h"

struct rsp_bus;
struct rsp_guests;
struct rsp_recorder;

struct rsp_recorder_options {
	struct rsp_capture_options capture;
	size_t window_bytes;
	const char *store_dir;
	bool is_private; /* records for one command: its processes are a group of their own */
};

/* opt must outlive it; config is taken. 0 or -ENOMEM, and then config is the caller's. */
int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_config *config, struct rsp_recorder **ret);
/* Recording begins. -errno and *ret_why as rsp_capture_new. */
int rsp_recorder_start(struct rsp_recorder *rec, struct rsp_reason *ret_why);
/* SLOs are measured from here on; once, after rsp_recorder_start(). */
int rsp_recorder_watch_slos(struct rsp_recorder *rec);
struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec);

/* Takes the new configuration, of which only some counts before a restart. -errno: it does not. */
int rsp_recorder_configure(struct rsp_recorder *rec, struct rsp_config *config);

/* Whose CPU time recording less would not lower; must outlive it. */
void rsp_recorder_set_guests(struct rsp_recorder *rec, const struct rsp_guests *guests);

/* Told of snapshots; must outlive it. */
void rsp_recorder_set_bus(struct rsp_recorder *rec, struct rsp_bus *bus);

/* What socket and bus may ask of a started recorder, which is their ctx. */
extern const struct rsp_recorder_ops rsp_recorder_ops;

#endif
