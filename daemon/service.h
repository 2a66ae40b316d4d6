/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the service manager is told, and what it hands over: nothing, where there is none. */
#ifndef RSP_DAEMON_SERVICE_H
#define RSP_DAEMON_SERVICE_H

#include <linux/types.h>

#include "daemon/api/api.h"

struct rsp_service {
	__u64 watchdog_ns; /* how often it wants to hear of us; 0: never */
	__u64 fed_ns;	   /* when it last did */
	__u64 status_ns;
};

/* 1 and the listening socket that it made for us; 0: it made none; -EINVAL: it is no such thing. */
int rsp_service_socket(int *ret_fd);

void rsp_service_init(struct rsp_service *s);
void rsp_service_ready(void);
void rsp_service_stopping(void);
void rsp_service_reloading(void); /* until ready again */

/* Whether a status line is due. */
bool rsp_service_wants_status(const struct rsp_service *s, __u64 now_ns);
/* Loss, span, cost: `systemctl status` shows it. */
void rsp_service_tell_status(struct rsp_service *s, const struct rsp_status *status, __u64 now_ns);
/* By whoever has just seen that recording goes on. */
void rsp_service_feed_watchdog(struct rsp_service *s, __u64 now_ns);

#endif
