/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watches of clients (capture/watch.h), each with its time limit. */
#ifndef RSP_DAEMON_WATCHES_H
#define RSP_DAEMON_WATCHES_H

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "daemon/capture/capture.h"

#define RSP_WATCHES_MAX 16

struct rsp_watches;

/* Called with true after the first watch has begun, and with false when the last watch ends. */
typedef void (*rsp_watched_fn)(bool is_watched, void *userdata);

/* capture must outlive the watches. Returns 0 or -ENOMEM. */
int rsp_watches_new(sd_event *event, struct rsp_capture *capture, rsp_watched_fn on_watched,
		    void *userdata, struct rsp_watches **ret);
/* Does not end the watches, because rsp_capture_free() ends them. */
struct rsp_watches *rsp_watches_free(struct rsp_watches *watches);

/*
 * Begins a watch, which lasts limit_ns at most. *ret_number counts from 1. Returns 0; -EBUSY: there
 * are RSP_WATCHES_MAX watches already; errors of rsp_watch_begin().
 */
int rsp_watches_begin(struct rsp_watches *watches, const struct rsp_watch_request *request,
		      uint64_t limit_ns, unsigned int *ret_number);
/* Ends the watch with that number, unless it has ended already. */
void rsp_watches_end(struct rsp_watches *watches, unsigned int number);
void rsp_watches_end_all(struct rsp_watches *watches);

#endif
