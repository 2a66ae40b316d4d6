/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: connects its parts on one event loop. Capture fills the window; breached SLOs, the
 * socket and the bus request snapshots of it; the governor limits the cost.
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
	const char *store_dir; /* also contains the file that stores a pause (pause-file.h) */
	bool is_check;	       /* ignore a pause: this recorder only lists its abilities */
	/* the recorder records one command; its processes have a process group of their own */
	bool is_private;
};

/* Takes ownership of config, except on failure. opt must outlive the recorder. 0 or -ENOMEM. */
int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_config *config, struct rsp_recorder **ret);
/* Begins to record. On failure, returns -errno and *ret_why as rsp_capture_new() does. */
int rsp_recorder_start(struct rsp_recorder *rec, struct rsp_reason *ret_why);
/* Begins to measure SLOs. Call it once, after rsp_recorder_start(). */
int rsp_recorder_watch_slos(struct rsp_recorder *rec);
struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec);

/*
 * Takes ownership of the new configuration, except on failure. Some keys take effect only after a
 * restart. -errno: nothing has changed.
 */
int rsp_recorder_configure(struct rsp_recorder *rec, struct rsp_config *config);

/*
 * Sets the guests, which must outlive the recorder. Their CPU time does not depend on how much is
 * recorded.
 */
void rsp_recorder_set_guests(struct rsp_recorder *rec, const struct rsp_guests *guests);

/* Sets the bus that announces snapshots. It must outlive the recorder. */
void rsp_recorder_set_bus(struct rsp_recorder *rec, struct rsp_bus *bus);

/* The functions of a started recorder for the socket and the bus. Their ctx is the recorder. */
extern const struct rsp_recorder_ops rsp_recorder_ops;

#endif
