/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two spans of a fleet (before and after), and finds the units and chains whose time
 * changed. A quantity is the time of a unit or a chain on a host, per second that the host
 * recorded. The change is significant if the number of hosts on which the quantity grew and the
 * number on which it shrank differ by more than chance explains (two-sided sign test, with
 * Bonferroni's correction for the number of quantities).
 */
#ifndef RSP_LIB_FLEET_CHANGES_H
#define RSP_LIB_FLEET_CHANGES_H

#include "lib/fleet/result.h"
#include "lib/fleet/source.h"

#define RSP_FLEET_CHANGE_P     0.05
/* A significant change is at least this share of the larger value (before or after). */
#define RSP_FLEET_CHANGE_SHARE 0.05

struct rsp_fleet_change {
	/* borrowed from the result; category "": the row is a whole unit, not a chain */
	const char *unit, *category;
	uint64_t chain_id; /* 0: all of a unit */
	uint64_t host_cnt, grown_cnt, shrunk_cnt;
	double before, after; /* means over the hosts, in nanoseconds per second of recording */
	/*
	 * the host whose value changed most, and its part in the sum of all hosts' changes, without
	 * sign
	 */
	const char *most_host;
	double most_share;
	double p; /* with Bonferroni's correction; at most 1 */
	bool is_significant;
};

/* Writes a query for the changes, largest first. Only hosts that recorded in both spans count. */
#define RSP_FLEET_CHANGE_COLUMNS 11
void rsp_fleet_put_changes(FILE *out, enum rsp_fleet_table t, const struct rsp_fleet_filter *before,
			   const struct rsp_fleet_filter *after, size_t limit);
/* The numbers of compared quantities and hosts, also beyond the limit of the query. */
uint64_t rsp_fleet_quantity_cnt(const struct rsp_fleet_result *r);
uint64_t rsp_fleet_changed_host_cnt(const struct rsp_fleet_result *r);
void rsp_fleet_get_change(const struct rsp_fleet_result *r, long row, uint64_t quantity_cnt,
			  struct rsp_fleet_change *ret);

/*
 * Returns the probability that chance alone divides the hosts at least as unequally, in either
 * direction.
 */
double rsp_fleet_sign_test(uint64_t grown, uint64_t shrunk);

#endif
