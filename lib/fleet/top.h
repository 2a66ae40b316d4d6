/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queries for the units of a fleet, sorted by busy time, and for the chains of their waits. */
#ifndef RSP_LIB_FLEET_TOP_H
#define RSP_LIB_FLEET_TOP_H

#include "lib/fleet/result.h"
#include "lib/fleet/source.h"

struct rsp_fleet_unit {
	const char *name; /* borrowed from the result */
	uint64_t host_cnt;
	uint64_t busy_ns; /* time in which threads were not idle */
	uint64_t cat_ns[RSP_CAT_MAX];
};

/* Writes a query for units by busy time, longest first, and for the totals of all units. */
#define RSP_FLEET_TOP_COLUMNS (3 + RSP_CAT_MAX)
void rsp_fleet_put_top(FILE *out, const struct rsp_fleet_filter *f, size_t limit);
/* row: index of the unit, or -1 for the totals of all units. */
void rsp_fleet_get_unit(const struct rsp_fleet_result *r, long row, struct rsp_fleet_unit *ret);

/* Returns the category, other than running and idle, that took most of the unit's time. */
enum rsp_category rsp_fleet_main_wait(const struct rsp_fleet_unit *u);
uint64_t rsp_fleet_running_ns(const struct rsp_fleet_unit *u);

struct rsp_fleet_slices {
	uint64_t host_cnt, recorded_ns, lost;
};

#define RSP_FLEET_SLICES_COLUMNS 3
void rsp_fleet_put_totals(FILE *out, const struct rsp_fleet_filter *f);
void rsp_fleet_get_totals(const struct rsp_fleet_result *r, struct rsp_fleet_slices *ret);

struct rsp_fleet_chain {
	const char *unit, *category; /* borrowed from the result */
	uint64_t id, host_cnt, ns, cnt;
};

/* Writes a query for the heaviest chains of waits of each unit, longest first. */
#define RSP_FLEET_CHAIN_COLUMNS 6
void rsp_fleet_put_chains(FILE *out, const struct rsp_fleet_filter *f, size_t per_unit);
void rsp_fleet_get_chain(const struct rsp_fleet_result *r, long row, struct rsp_fleet_chain *ret);

#define RSP_FLEET_TEXT_COLUMNS 2
void rsp_fleet_put_texts(FILE *out, const uint64_t *ids, size_t cnt);
/* Returns the frames of a chain, outermost first, joined by ';', or "". */
const char *rsp_fleet_find_text(const struct rsp_fleet_result *r, uint64_t id);
/*
 * Shortens a chain to less than len bytes of clean text: the first frame, "…", and as many of the
 * last frames as fit.
 */
char *rsp_fleet_short_chain(const char *folded, char *buf, size_t len);

#endif
