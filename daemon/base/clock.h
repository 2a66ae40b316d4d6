/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of all records: CLOCK_MONOTONIC, as in bpf_ktime_get_ns(). */
#ifndef RSP_DAEMON_CLOCK_H
#define RSP_DAEMON_CLOCK_H

#include <linux/types.h>
#include <time.h>

static inline __u64 rsp_clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (__u64)ts.tv_sec * 1000000000 + (__u64)ts.tv_nsec;
}

static inline __u64 rsp_now_ns(void)
{
	return rsp_clock_ns(CLOCK_MONOTONIC);
}

#endif
