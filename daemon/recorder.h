/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connects the modules of the recorder on one event loop: capture, the window, SLOs, the governor,
 * and snapshots.
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
	/* also contains the file that stores a pause (snapshots/pause-file.h) */
	const char *store_dir;
	bool is_check; /* the recorder only lists its abilities, and ignores a pause */
	/* the recorder records one command, and its processes have a process group of their own */
	bool is_private;
};

/*
 * Takes ownership of config, except on failure. opt must outlive the recorder. Returns 0 or
 * -ENOMEM.
 */
int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_config *config, struct rsp_recorder **ret);
int rsp_recorder_start(struct rsp_recorder *rec, struct rsp_reason *ret_why);
/* Call it once, after rsp_recorder_start(). */
int rsp_recorder_watch_slos(struct rsp_recorder *rec);
struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec);

/* Takes ownership of the new configuration, except on failure. */
int rsp_recorder_configure(struct rsp_recorder *rec, struct rsp_config *config);

/* guests must outlive the recorder. The CPU time of guests is not part of the cost of recording. */
void rsp_recorder_set_guests(struct rsp_recorder *rec, const struct rsp_guests *guests);

void rsp_recorder_set_bus(struct rsp_recorder *rec, struct rsp_bus *bus);

/* The ctx of these functions is the recorder. */
extern const struct rsp_recorder_ops rsp_recorder_ops;

#endif
