/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See service.h. */
#include "daemon/service.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include "daemon/base/clock.h"
#include "lib/base/format.h"

#define STATUS_INTERVAL_NS 10000000000ULL

/* rspd feeds the watchdog each time 1 / WATCHDOG_SHARE of the watchdog's timeout has passed. */
#define WATCHDOG_SHARE 4

int rsp_service_socket(int *ret_fd)
{
	int cnt = sd_listen_fds(1);

	if (cnt <= 0)
		return cnt;
	if (cnt > 1 || sd_is_socket_unix(SD_LISTEN_FDS_START, SOCK_STREAM, 1, NULL, 0) <= 0)
		return -EINVAL;
	*ret_fd = SD_LISTEN_FDS_START;
	return 1;
}

void rsp_service_init(struct rsp_service *s)
{
	uint64_t usec = 0;

	*s = (struct rsp_service){0};
	if (sd_watchdog_enabled(1, &usec) > 0)
		s->watchdog_ns = usec * 1000 / WATCHDOG_SHARE;
}

void rsp_service_ready(void)
{
	sd_notify(0, "READY=1");
}

void rsp_service_stopping(void)
{
	sd_notify(0, "STOPPING=1\nSTATUS=");
}

void rsp_service_reloading(void)
{
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu", rsp_now_ns() / 1000);
}

bool rsp_service_wants_status(const struct rsp_service *s, __u64 now_ns)
{
	return !s->status_ns || now_ns - s->status_ns >= STATUS_INTERVAL_NS;
}

void rsp_service_notify_status(struct rsp_service *s, const struct rsp_status *status, __u64 now_ns)
{
	char span[RSP_FORMAT_MAX];

	s->status_ns = now_ns;
	if (status->pause) {
		sd_notifyf(0, "STATUS=Paused by user %u%s%s", (unsigned int)status->pause->uid,
			   status->pause->reason[0] ? ": " : "", status->pause->reason);
		return;
	}
	sd_notifyf(0,
		   "STATUS=Recording: the last %s in memory, %" PRIu64 " records, %" PRIu64
		   " lost, cost %.2f %%%s%s",
		   rsp_format_ns(status->window.newest_ns - status->window.oldest_ns, span,
				 sizeof(span)),
		   (uint64_t)status->window.events, (uint64_t)status->window.lost_cnt,
		   status->cost.cost_ppm / 1e4,
		   status->cost.shed ? ", over its budget: without " : "",
		   status->cost.shed ? rsp_shed_name(status->cost.shed) : "");
}

void rsp_service_feed_watchdog(struct rsp_service *s, __u64 now_ns)
{
	if (!s->watchdog_ns || (s->fed_ns && now_ns - s->fed_ns < s->watchdog_ns))
		return;
	s->fed_ns = now_ns;
	sd_notify(0, "WATCHDOG=1");
}
