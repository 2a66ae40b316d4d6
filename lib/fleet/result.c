/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See result.h. */
#include "lib/fleet/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define DEPTH_MAX 8

static bool is_row(struct json_object *row, size_t column_cnt)
{
	return json_object_is_type(row, json_type_array) &&
	       json_object_array_length(row) == column_cnt;
}

int rsp_fleet_result_parse(const char *text, size_t len, size_t column_cnt,
			   struct rsp_fleet_result *ret)
{
	_cleanup_json_ struct json_object *root = NULL;
	struct json_object *rows, *totals = NULL;
	int r = rsp_json_parse(text, len, DEPTH_MAX, &root);

	if (r < 0)
		return r;
	if (!json_object_object_get_ex(root, "data", &rows) ||
	    !json_object_is_type(rows, json_type_array))
		return -EBADMSG;
	for (size_t i = 0; i < json_object_array_length(rows); i++)
		if (!is_row(json_object_array_get_idx(rows, i), column_cnt))
			return -EBADMSG;
	if (json_object_object_get_ex(root, "totals", &totals) && !is_row(totals, column_cnt))
		return -EBADMSG;
	*ret = (struct rsp_fleet_result){
		.root = rsp_take_ptr(root),
		.rows = rows,
		.totals = totals,
		.row_cnt = json_object_array_length(rows),
	};
	return 0;
}

void rsp_fleet_result_done(struct rsp_fleet_result *r)
{
	json_object_put(r->root);
	*r = (struct rsp_fleet_result){0};
}

static struct json_object *cell(const struct rsp_fleet_result *r, long row, size_t column)
{
	struct json_object *o = row < 0 ? r->totals
					: json_object_array_get_idx(r->rows, (size_t)row);

	return o ? json_object_array_get_idx(o, column) : NULL;
}

const char *rsp_fleet_text(const struct rsp_fleet_result *r, long row, size_t column)
{
	struct json_object *o = cell(r, row, column);

	return json_object_is_type(o, json_type_string) ? json_object_get_string(o) : "";
}

/* Old versions of ClickHouse write 64-bit numbers as strings, recent versions as numbers. */
uint64_t rsp_fleet_number(const struct rsp_fleet_result *r, long row, size_t column)
{
	struct json_object *o = cell(r, row, column);

	if (json_object_is_type(o, json_type_string))
		return strtoull(json_object_get_string(o), NULL, 10);
	return json_object_is_type(o, json_type_int) ? json_object_get_uint64(o) : 0;
}

double rsp_fleet_real(const struct rsp_fleet_result *r, long row, size_t column)
{
	struct json_object *o = cell(r, row, column);
	double value = 0;

	if (json_object_is_type(o, json_type_string))
		value = strtod(json_object_get_string(o), NULL);
	else if (json_object_is_type(o, json_type_double) || json_object_is_type(o, json_type_int))
		value = json_object_get_double(o);
	return isfinite(value) ? value : 0;
}
