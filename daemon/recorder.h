/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: capture feeds the window; the socket asks for status and snapshots. Ties the parts
 * together on one event loop.
 */
#ifndef RSP_DAEMON_RECORDER_H
#define RSP_DAEMON_RECORDER_H

#include <systemd/sd-event.h>

#include "capture.h"

struct rsp_recorder;

struct rsp_recorder_options {
	struct rsp_capture_options capture;
	size_t window_bytes;
};

/* opt must outlive it. 0 or -ENOMEM. */
int rsp_recorder_new(sd_event *event, const struct rsp_recorder_options *opt,
		     struct rsp_recorder **ret);
/* Recording begins. -errno and *ret_why as rsp_capture_new. */
int rsp_recorder_start(struct rsp_recorder *rec, const char **ret_why);
struct rsp_recorder *rsp_recorder_free(struct rsp_recorder *rec);

/* What the socket may ask of a started recorder, which is their ctx. */
extern const struct rsp_recorder_ops rsp_recorder_ops;

#endif
