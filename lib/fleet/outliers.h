/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts whose profile of a unit differs from that of the other hosts. The profile are the shares of
 * the categories in the time that is not idle, and the time that all but the slowest 1 % of the
 * requests took. A host differs if it is further from the median of all hosts than
 * RSP_FLEET_OUTLIER_SCORE times their spread (the median of the distances, which some strange hosts
 * do not change), and by an amount that matters.
 *
 * See B. Iglewicz and D. Hoaglin, "How to Detect and Handle Outliers" (1993), who use 3.5 for one
 * sample. A fleet has thousands of hosts and units, and their values have heavier tails than a
 * normal distribution.
 */
#ifndef RSP_LIB_FLEET_OUTLIERS_H
#define RSP_LIB_FLEET_OUTLIERS_H

#include "lib/fleet/result.h"
#include "lib/fleet/source.h"

#define RSP_FLEET_OUTLIER_HOSTS_MIN 3
#define RSP_FLEET_OUTLIER_SCORE	    6
/* Smaller differences do not matter: of shares, and as a factor between times of requests. */
#define RSP_FLEET_OUTLIER_SHARE	    0.05
#define RSP_FLEET_OUTLIER_FACTOR    1.5
/* The profile of less time is chance, and so is the percentile of fewer requests. */
#define RSP_FLEET_OUTLIER_BUSY_NS   100000000
#define RSP_FLEET_OUTLIER_REQUESTS  100

struct rsp_fleet_outlier {
	const char *unit, *host, *machine; /* borrowed from the result */
	const char *aspect; /* key of a category, "running", "unknown", or "p99" of a server */
	const char *comm;   /* of the server; "" */
	uint64_t port;
	uint64_t host_cnt;    /* that were compared */
	double value, median; /* a share, or nanoseconds */
	double score;	      /* distance in units of the spread */
};

#define RSP_FLEET_OUTLIER_COLUMNS 10
void rsp_fleet_put_outliers(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
void rsp_fleet_put_slow_hosts(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
void rsp_fleet_get_outlier(const struct rsp_fleet_result *r, long row,
			   struct rsp_fleet_outlier *ret);

#endif
