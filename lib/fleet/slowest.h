/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries for the slowest requests of a fleet, and for the snapshots that hosts stored. */
#ifndef RSP_LIB_FLEET_SLOWEST_H
#define RSP_LIB_FLEET_SLOWEST_H

#include "lib/fleet/result.h"
#include "lib/fleet/source.h"

struct rsp_fleet_request {
	const char *host, *machine, *unit, *comm, *text; /* borrowed from the result */
	uint64_t port;
	int64_t at; /* end of the slice, in seconds since 1970 */
	uint64_t answered, p50_ns, max_ns;
};

/*
 * Writes a query for the bound: the max_ns of row number `limit`, if the rows of all servers and
 * slices are sorted by max_ns, slowest first. With this bound in f->slower_ns, the query of
 * rsp_fleet_put_slowest() reads fewer rows.
 */
#define RSP_FLEET_BOUND_COLUMNS 2
void rsp_fleet_put_bound(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
/* Returns 0 if no request was answered. */
uint64_t rsp_fleet_get_bound(const struct rsp_fleet_result *r);

/* Writes a query for the numbers of requests and hosts that match the filter. */
#define RSP_FLEET_REQUEST_SUM_COLUMNS 2
void rsp_fleet_put_request_sum(FILE *out, const struct rsp_fleet_filter *f);

/* Writes a query for the slowest request of each server and slice, slowest first. */
#define RSP_FLEET_REQUEST_COLUMNS 10
void rsp_fleet_put_slowest(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
void rsp_fleet_get_request(const struct rsp_fleet_result *r, long row,
			   struct rsp_fleet_request *ret);

struct rsp_fleet_snapshot {
	const char *id, *host, *machine, *boot, *unit, *comm, *slo, *headline, *key; /* borrowed */
	int64_t since, until; /* seconds since 1970 */
	uint64_t pid, value_ns, threshold_ns, bytes;
};

/*
 * Writes a query for snapshots, newest first. id: the first digits of the ID, or NULL for any ID.
 * If span.until is 0, snapshots of any time match.
 */
#define RSP_FLEET_SNAPSHOT_COLUMNS 15
void rsp_fleet_put_snapshots(FILE *out, const struct rsp_fleet_filter *f, const char *id,
			     size_t limit);
void rsp_fleet_get_snapshot(const struct rsp_fleet_result *r, long row,
			    struct rsp_fleet_snapshot *ret);
/*
 * Finds a snapshot of the request's machine and unit (or without a unit) whose span touches the
 * slice of the request. Returns the row, or -1.
 */
long rsp_fleet_snapshot_of(const struct rsp_fleet_result *snapshots,
			   const struct rsp_fleet_request *request);

#endif
