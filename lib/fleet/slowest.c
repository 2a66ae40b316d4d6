/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slowest.h. */
#include "lib/fleet/slowest.h"

#include <string.h>

#include "lib/fleet/sql.h"

/* Maximum length in seconds of a slice, the time that a summary covers. */
#define SLICE_S 10

/* --- requests --------------------------------------------------------------------------------- */

void rsp_fleet_put_bound(FILE *out, const struct rsp_fleet_filter *f, size_t limit)
{
	fputs("SELECT min(x), count() FROM (SELECT max_ns AS x FROM ", out);
	rsp_fleet_put_source(out, RSP_FLEET_REQUESTS, f);
	fprintf(out, " WHERE answered > 0 ORDER BY x DESC LIMIT %zu)", limit);
}

uint64_t rsp_fleet_get_bound(const struct rsp_fleet_result *r)
{
	return r->row_cnt && rsp_fleet_number(r, 0, 1) ? rsp_fleet_number(r, 0, 0) : 0;
}

void rsp_fleet_put_request_sum(FILE *out, const struct rsp_fleet_filter *f)
{
	fputs("SELECT sum(answered), uniqExact(machine) FROM ", out);
	rsp_fleet_put_source(out, RSP_FLEET_REQUESTS, f);
}

void rsp_fleet_put_slowest(FILE *out, const struct rsp_fleet_filter *f, size_t limit)
{
	fputs("SELECT host, machine, unit, comm, port, toUInt32(at), answered, p50_ns, max_ns, text "
	      "FROM ",
	      out);
	rsp_fleet_put_source(out, RSP_FLEET_REQUESTS, f);
	fprintf(out, " WHERE answered > 0 ORDER BY max_ns DESC, machine, at LIMIT %zu", limit);
}

void rsp_fleet_get_request(const struct rsp_fleet_result *r, long row,
			   struct rsp_fleet_request *ret)
{
	*ret = (struct rsp_fleet_request){
		.host = rsp_fleet_text(r, row, 0),
		.machine = rsp_fleet_text(r, row, 1),
		.unit = rsp_fleet_text(r, row, 2),
		.comm = rsp_fleet_text(r, row, 3),
		.port = rsp_fleet_number(r, row, 4),
		.at = (int64_t)rsp_fleet_number(r, row, 5),
		.answered = rsp_fleet_number(r, row, 6),
		.p50_ns = rsp_fleet_number(r, row, 7),
		.max_ns = rsp_fleet_number(r, row, 8),
		.text = rsp_fleet_text(r, row, 9),
	};
}

/* --- snapshots -------------------------------------------------------------------------------- */

void rsp_fleet_put_snapshots(FILE *out, const struct rsp_fleet_filter *f, const char *id,
			     size_t limit)
{
	fputs("SELECT id, host, machine, boot, unit, comm, slo, headline, key, toUInt32(since), "
	      "toUInt32(until), pid, value_ns, threshold_ns, bytes FROM rsp_snapshot WHERE 1",
	      out);
	if (f->span.until) {
		fputs(" AND until >= ", out);
		rsp_sql_put_time(out, f->span.since);
		fputs(" AND since < ", out);
		rsp_sql_put_time(out, f->span.until);
	}
	if (f->unit_cnt) {
		fputs(" AND unit = ", out);
		rsp_sql_put_string(out, f->units[0]);
	}
	if (f->host) {
		fputs(" AND host = ", out);
		rsp_sql_put_string(out, f->host);
	}
	if (id) {
		fprintf(out, " AND substring(id, 1, %zu) = ", strlen(id));
		rsp_sql_put_string(out, id);
	}
	/* A snapshot is inserted a second time after its file was sent. The newer row has a key. */
	fprintf(out, " ORDER BY until DESC, key = '', id LIMIT 1 BY machine, id LIMIT %zu", limit);
}

void rsp_fleet_get_snapshot(const struct rsp_fleet_result *r, long row,
			    struct rsp_fleet_snapshot *ret)
{
	*ret = (struct rsp_fleet_snapshot){
		.id = rsp_fleet_text(r, row, 0),
		.host = rsp_fleet_text(r, row, 1),
		.machine = rsp_fleet_text(r, row, 2),
		.boot = rsp_fleet_text(r, row, 3),
		.unit = rsp_fleet_text(r, row, 4),
		.comm = rsp_fleet_text(r, row, 5),
		.slo = rsp_fleet_text(r, row, 6),
		.headline = rsp_fleet_text(r, row, 7),
		.key = rsp_fleet_text(r, row, 8),
		.since = (int64_t)rsp_fleet_number(r, row, 9),
		.until = (int64_t)rsp_fleet_number(r, row, 10),
		.pid = rsp_fleet_number(r, row, 11),
		.value_ns = rsp_fleet_number(r, row, 12),
		.threshold_ns = rsp_fleet_number(r, row, 13),
		.bytes = rsp_fleet_number(r, row, 14),
	};
}

long rsp_fleet_snapshot_of(const struct rsp_fleet_result *snapshots,
			   const struct rsp_fleet_request *request)
{
	for (size_t i = 0; i < snapshots->row_cnt; i++) {
		struct rsp_fleet_snapshot s;

		rsp_fleet_get_snapshot(snapshots, (long)i, &s);
		if (!strcmp(s.machine, request->machine) &&
		    (!s.unit[0] || !strcmp(s.unit, request->unit)) && s.since <= request->at &&
		    s.until >= request->at - SLICE_S)
			return (long)i;
	}
	return -1;
}
