/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates the clock of another host from messages in both directions. A message to the reference
 * host bounds the other clock on one side, and a message from the reference host bounds it on the
 * other side. The clock is a straight line over time. All lines between both sets of bounds are
 * possible (A. Duda et al., "Estimating global time in distributed systems", 1987: the convex hulls
 * of the bounds). At the beginning and at the end of the span, the chosen line lies in the middle
 * of the possible lines. So no message arrives before it was sent.
 */
#ifndef RSP_LIB_MERGE_CLOCK_H
#define RSP_LIB_MERGE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

/* On each of the two hosts, NTP may change the rate of CLOCK_MONOTONIC by 500 ppm (adjtimex()). */
#define RSP_CLOCK_DRIFT_MAX_PPB 1000000

/* Each end of a message has the time of its host's clock. */
struct rsp_crossing {
	__u64 here_ns, there_ns; /* time on the reference host, and time on the other host */
	bool arrives_here;
};

struct rsp_clock_map {
	__u64 base_ns; /* a time of the other clock, for which offset_ns is valid */
	__s64 offset_ns;
	double fraction_ns; /* belongs to offset_ns */
	double drift;	    /* how much faster the reference clock runs; 1e-6 is 1 ppm */
	double drift_error; /* maximum error of drift */
	/* maximum error within the span, provided that the drift is constant */
	__u64 uncertainty_ns;
	/* number of messages that arrived on the reference host, and on the other host */
	size_t here_cnt, there_cnt;
};

/*
 * from_ns, to_ns: the span for which uncertainty_ns holds, on the other clock. Returns 0 or
 * -ENOMEM; -ENODATA: there is no message; -ENOTCONN: all messages go in one direction, and *ret
 * contains only the counts; -ERANGE: no straight line fits, or times are absurd.
 */
int rsp_clock_fit(const struct rsp_crossing *v, size_t cnt, __u64 from_ns, __u64 to_ns,
		  struct rsp_clock_map *ret);

/*
 * Converts a time of the other clock to the reference clock. 0 means an unknown time, and stays 0.
 */
__u64 rsp_clock_map(const struct rsp_clock_map *map, __u64 ts_ns);
/* Converts a time of the reference clock to the other clock. */
__u64 rsp_clock_unmap(const struct rsp_clock_map *map, __u64 ts_ns);

#endif
