/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top.h. */
#include "lib/fleet/top.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/fleet/sql.h"

/* --- units ------------------------------------------------------------------------------------ */

void rsp_fleet_put_top(FILE *out, const struct rsp_fleet_filter *f, size_t limit)
{
	fputs("SELECT unit, uniqExact(machine), sum(", out);
	rsp_fleet_put_busy(out);
	fputs(") AS busy", out);
	for (int i = 0; i < RSP_CAT_MAX; i++)
		fprintf(out, ", sum(cat_%s)", rsp_category_key((enum rsp_category)i));
	fputs(" FROM ", out);
	rsp_fleet_put_source(out, RSP_FLEET_UNITS, f);
	fprintf(out, " GROUP BY unit WITH TOTALS ORDER BY busy DESC, unit LIMIT %zu", limit);
}

void rsp_fleet_get_unit(const struct rsp_fleet_result *r, long row, struct rsp_fleet_unit *ret)
{
	*ret = (struct rsp_fleet_unit){
		.name = rsp_fleet_text(r, row, 0),
		.host_cnt = rsp_fleet_number(r, row, 1),
		.busy_ns = rsp_fleet_number(r, row, 2),
	};
	for (size_t i = 0; i < RSP_CAT_MAX; i++)
		ret->cat_ns[i] = rsp_fleet_number(r, row, 3 + i);
}

enum rsp_category rsp_fleet_main_wait(const struct rsp_fleet_unit *u)
{
	enum rsp_category main = RSP_CAT_DISK_ACTIVE;

	for (int i = 0; i < RSP_CAT_MAX; i++)
		if (i != RSP_CAT_RUNNING_SAMPLED && i != RSP_CAT_RUNNING_UNSAMPLED &&
		    i != RSP_CAT_IDLE && u->cat_ns[i] > u->cat_ns[main])
			main = (enum rsp_category)i;
	return main;
}

uint64_t rsp_fleet_running_ns(const struct rsp_fleet_unit *u)
{
	return u->cat_ns[RSP_CAT_RUNNING_SAMPLED] + u->cat_ns[RSP_CAT_RUNNING_UNSAMPLED];
}

void rsp_fleet_put_totals(FILE *out, const struct rsp_fleet_filter *f)
{
	fputs("SELECT uniqExact(machine), sum(recorded_ns), sum(lost) FROM ", out);
	rsp_fleet_put_slices(out, f);
}

void rsp_fleet_get_totals(const struct rsp_fleet_result *r, struct rsp_fleet_slices *ret)
{
	*ret = (struct rsp_fleet_slices){0};
	if (r->row_cnt)
		*ret = (struct rsp_fleet_slices){
			.host_cnt = rsp_fleet_number(r, 0, 0),
			.recorded_ns = rsp_fleet_number(r, 0, 1),
			.lost = rsp_fleet_number(r, 0, 2),
		};
}

/* --- chains ----------------------------------------------------------------------------------- */

void rsp_fleet_put_chains(FILE *out, const struct rsp_fleet_filter *f, size_t per_unit)
{
	fputs("SELECT unit, chain_id, category, uniqExact(machine), sum(ns) AS time, sum(cnt) FROM ",
	      out);
	rsp_fleet_put_source(out, RSP_FLEET_CHAINS, f);
	fprintf(out,
		" WHERE category NOT IN ('%s', '%s', '%s') GROUP BY unit, chain_id, category "
		"ORDER BY time DESC, unit, chain_id LIMIT %zu BY unit LIMIT 1000",
		rsp_category_key(RSP_CAT_RUNNING_SAMPLED),
		rsp_category_key(RSP_CAT_RUNNING_UNSAMPLED), rsp_category_key(RSP_CAT_IDLE),
		per_unit);
}

void rsp_fleet_get_chain(const struct rsp_fleet_result *r, long row, struct rsp_fleet_chain *ret)
{
	*ret = (struct rsp_fleet_chain){
		.unit = rsp_fleet_text(r, row, 0),
		.id = rsp_fleet_number(r, row, 1),
		.category = rsp_fleet_text(r, row, 2),
		.host_cnt = rsp_fleet_number(r, row, 3),
		.ns = rsp_fleet_number(r, row, 4),
		.cnt = rsp_fleet_number(r, row, 5),
	};
}

void rsp_fleet_put_texts(FILE *out, const uint64_t *ids, size_t cnt)
{
	fputs("SELECT chain_id, any(folded) FROM rsp_chain_text WHERE chain_id IN (0", out);
	for (size_t i = 0; i < cnt; i++)
		fprintf(out, ", %" PRIu64, ids[i]);
	fputs(") GROUP BY chain_id", out);
}

const char *rsp_fleet_find_text(const struct rsp_fleet_result *r, uint64_t id)
{
	for (size_t i = 0; i < r->row_cnt; i++)
		if (rsp_fleet_number(r, (long)i, 0) == id)
			return rsp_fleet_text(r, (long)i, 1);
	return "";
}

char *rsp_fleet_short_chain(const char *folded, char *buf, size_t len)
{
	static const char gap[] = ";…;";
	size_t all = strlen(folded), first = strcspn(folded, ";");
	const char *tail = folded + all;

	if (all < len || first + sizeof(gap) + 1 >= len) {
		snprintf(buf, len, "%s", folded);
	} else {
		/* Find the longest tail of whole frames that fits. */
		for (const char *c = folded + all; c > folded + first; c--)
			if (*c == ';' && first + sizeof(gap) + (size_t)(folded + all - c) < len)
				tail = c + 1;
		snprintf(buf, len, "%.*s%s%s", (int)first, folded, gap, tail);
	}
	rsp_text_clean(buf);
	return buf;
}
