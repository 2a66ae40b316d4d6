/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds hosts whose profile of a unit differs from the profiles of the other hosts. A host differs
 * if its distance from the median of all hosts is more than RSP_FLEET_OUTLIER_SCORE times the
 * spread, and large enough to matter. The spread is estimated from the median of the distances: a
 * few deviating hosts do not change this median.
 *
 * See B. Iglewicz and D. Hoaglin, "How to Detect and Handle Outliers" (1993). They use a score of
 * 3.5 for one sample. The score here is higher, because a fleet has thousands of hosts and units.
 */
#ifndef RSP_LIB_FLEET_OUTLIERS_H
#define RSP_LIB_FLEET_OUTLIERS_H

#include "lib/fleet/result.h"
#include "lib/fleet/source.h"

#define RSP_FLEET_OUTLIER_HOSTS_MIN 3
#define RSP_FLEET_OUTLIER_SCORE	    6
/* Minimum difference of shares, and minimum ratio of request times. */
#define RSP_FLEET_OUTLIER_SHARE	    0.05
#define RSP_FLEET_OUTLIER_FACTOR    1.5
/* With less busy time or fewer requests, the profile of a host depends too much on chance. */
#define RSP_FLEET_OUTLIER_BUSY_NS   100000000
#define RSP_FLEET_OUTLIER_REQUESTS  100

struct rsp_fleet_outlier {
	const char *unit, *host, *machine; /* borrowed from the result */
	/* what differs: the key of a category, "running", "unknown", or "p99" of a server */
	const char *aspect;
	const char *comm; /* program of the server, or "" if aspect is not "p99" */
	uint64_t port;
	uint64_t host_cnt;    /* number of hosts that were compared */
	double value, median; /* a share, or nanoseconds */
	double score;	      /* distance from the median, divided by the spread */
};

#define RSP_FLEET_OUTLIER_COLUMNS 10
void rsp_fleet_put_outliers(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
void rsp_fleet_put_slow_hosts(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
void rsp_fleet_get_outlier(const struct rsp_fleet_result *r, long row,
			   struct rsp_fleet_outlier *ret);

#endif
