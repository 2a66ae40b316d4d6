/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that the reports of several questions use. */
#ifndef RSP_FLEET_REPORT_H
#define RSP_FLEET_REPORT_H

#include "fleet/connection.h"
#include "lib/base/format.h"
#include "lib/base/json.h"
#include "lib/fleet/top.h"
#include "lib/http/http.h"

#define RSP_FLEET_UNIT_COLS  40
#define RSP_FLEET_CHAIN_COLS 110

/* Writes a text like "3 hosts" or "1,234 hosts" to buf. Returns buf. */
char *rsp_fleet_count(uint64_t cnt, const char *noun, char *buf, size_t len);
#define RSP_FLEET_COUNT_MAX 64

/* Makes a unit's name safe for a terminal; "(no unit)" if name is "". Returns buf. */
char *rsp_fleet_unit_name(const char *name, char buf[static RSP_FORMAT_NAME_BYTES(64)]);

/* Returns words such as "waiting for the disk". If the category is unknown, returns its key. */
const char *rsp_fleet_activity(const char *category);

/* The caller releases *ret. Reports errors. Returns an enum rsp_exit. */
int rsp_fleet_texts(struct rsp_fleet *fleet, const uint64_t *ids, size_t cnt,
		    struct rsp_fleet_result *ret);

/* Reports errors; it is an error if there are no data in the span. Returns an enum rsp_exit. */
int rsp_fleet_totals(struct rsp_fleet *fleet, const struct rsp_fleet_filter *f,
		     struct rsp_fleet_slices *ret);
/* The second line of a report contains the span and its totals. */
void rsp_fleet_print_span(const struct rsp_fleet_span *span, const struct rsp_fleet_slices *sum);

/* The object has version, headline and span. NULL: memory ran out. */
struct json_object *rsp_fleet_json(const char *headline, const struct rsp_fleet_span *span);

#endif
