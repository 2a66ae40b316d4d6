/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends messages to the service manager, and takes the socket that it passes. */
#ifndef RSP_DAEMON_SERVICE_H
#define RSP_DAEMON_SERVICE_H

#include <linux/types.h>

#include "daemon/api/api.h"

struct rsp_service {
	/* interval at which rspd feeds the watchdog; 0: there is no watchdog */
	__u64 watchdog_ns;
	__u64 fed_ns;
	__u64 status_ns;
};

/*
 * Returns 1, with the listening socket that the service manager passed in *ret_fd; 0: it passed no
 * socket; -EINVAL: it passed something else.
 */
int rsp_service_socket(int *ret_fd);

void rsp_service_init(struct rsp_service *s);
void rsp_service_ready(void);
void rsp_service_stopping(void);
void rsp_service_reloading(void); /* until rsp_service_ready() */

bool rsp_service_wants_status(const struct rsp_service *s, __u64 now_ns);
/* Sends the line that `systemctl status` shows. */
void rsp_service_notify_status(struct rsp_service *s, const struct rsp_status *status,
			       __u64 now_ns);
/* Call it only if recording continues, or is paused by request. */
void rsp_service_feed_watchdog(struct rsp_service *s, __u64 now_ns);

#endif
