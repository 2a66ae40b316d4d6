/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends messages to the service manager, and takes the socket that it passes. Without a service
 * manager, nothing happens.
 */
#ifndef RSP_DAEMON_SERVICE_H
#define RSP_DAEMON_SERVICE_H

#include <linux/types.h>

#include "daemon/api/api.h"

struct rsp_service {
	__u64 watchdog_ns; /* interval of the messages that the manager expects; 0: none */
	__u64 fed_ns;	   /* time of the last one */
	__u64 status_ns;
};

/*
 * Returns 1 and the listening socket that the service manager passed; 0: it passed none; -EINVAL:
 * it passed something else.
 */
int rsp_service_socket(int *ret_fd);

void rsp_service_init(struct rsp_service *s);
void rsp_service_ready(void);
void rsp_service_stopping(void);
void rsp_service_reloading(void); /* until rsp_service_ready() */

/* Returns whether a status line is due. */
bool rsp_service_wants_status(const struct rsp_service *s, __u64 now_ns);
/* Sends losses, span and cost, which `systemctl status` shows. */
void rsp_service_notify_status(struct rsp_service *s, const struct rsp_status *status,
			       __u64 now_ns);
/* Feeds the watchdog. Call it only after checking that recording continues. */
void rsp_service_feed_watchdog(struct rsp_service *s, __u64 now_ns);

#endif
