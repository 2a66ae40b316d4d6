/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns ClickHouse's answer, in format JSONCompact, into rows. The server is not trusted: an answer
 * of another form is rejected.
 */
#ifndef RSP_LIB_FLEET_RESULT_H
#define RSP_LIB_FLEET_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/json.h"

struct rsp_fleet_result {
	struct json_object *root, *rows, *totals; /* totals: NULL if the query has no totals */
	size_t row_cnt;
};

/*
 * Each row must have column_cnt cells. Returns 0, -ENOMEM, or -EBADMSG. The caller calls
 * rsp_fleet_result_done().
 */
int rsp_fleet_result_parse(const char *text, size_t len, size_t column_cnt,
			   struct rsp_fleet_result *ret);
void rsp_fleet_result_done(struct rsp_fleet_result *r);

/* Row -1 contains the totals. A cell of another type is returned as "" or 0. */
const char *rsp_fleet_text(const struct rsp_fleet_result *r, long row, size_t column);
uint64_t rsp_fleet_number(const struct rsp_fleet_result *r, long row, size_t column);
double rsp_fleet_real(const struct rsp_fleet_result *r, long row, size_t column);

#endif
