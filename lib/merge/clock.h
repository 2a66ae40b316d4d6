/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of another host, estimated from messages in both directions. A message that arrives at
 * the reference host bounds the other clock on one side, a message that leaves it on the other
 * side. The clock is a straight line over time: offset and drift. All lines between both sets of
 * bounds are possible (A. Duda et al., "Estimating global time in distributed systems", 1987: the
 * convex hulls of the bounds). The chosen line lies in the middle of the possible ones, at the
 * begin and at the end of the span, so no message arrives before it was sent.
 */
#ifndef RSP_LIB_MERGE_CLOCK_H
#define RSP_LIB_MERGE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "rsp/event.h"

/*
 * Two clocks differ by no more than this: NTP may change the rate of CLOCK_MONOTONIC by 500 ppm
 * (adjtimex()), on both hosts.
 */
#define RSP_CLOCK_DRIFT_MAX_PPB 1000000

/* A message between the hosts, with the time of each end by the clock of that end's host. */
struct rsp_crossing {
	__u64 here_ns, there_ns; /* on the reference host, on the other one */
	bool arrives_here;
};

struct rsp_clock_map {
	__u64 base_ns; /* a time of the other clock; the offset is that of this time */
	__s64 offset_ns;
	double fraction_ns; /* belongs to offset_ns */
	double drift;	    /* by which the reference runs faster: 1e-6 is 1 ppm */
	double drift_error; /* maximum error of drift */
	/* maximum error within the span, if the drift is constant */
	__u64 uncertainty_ns;
	size_t here_cnt, there_cnt; /* messages that arrived on the reference host, on the other */
};

/*
 * Estimates the clock. from_ns, to_ns: the span of the other clock for which the uncertainty is
 * wanted. -ENODATA: no message; -ENOTCONN: messages in one direction only, the clock has no bound
 * on one side, and *ret contains only the counts; -ERANGE: no straight line fits, or times are
 * absurd; -ENOMEM.
 */
int rsp_clock_fit(const struct rsp_crossing *v, size_t cnt, __u64 from_ns, __u64 to_ns,
		  struct rsp_clock_map *ret);

/*
 * The time of the reference clock at the time ts_ns of the other one. A time before the boot of the
 * reference host becomes 1; 0 stays 0, since it means that a time is unknown.
 */
__u64 rsp_clock_map(const struct rsp_clock_map *map, __u64 ts_ns);
/* The inverse, to within a nanosecond. */
__u64 rsp_clock_unmap(const struct rsp_clock_map *map, __u64 ts_ns);

#endif
