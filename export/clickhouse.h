/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sink for ClickHouse, over its HTTP interface. A batch becomes one INSERT for each table and
 * day: an INSERT is atomic only within a partition, and a partition is a day (export/schema).
 *
 * The rows of a batch, except texts of chains, are inserted only once: if the result of an attempt
 * is unknown, the sink first asks the server whether the rows are in the table. Bodies must be
 * compressed. If a connection breaks between two rows, ClickHouse 18.16 inserts the complete rows
 * of an uncompressed body, but no rows of a compressed body.
 */
#ifndef RSP_EXPORT_CLICKHOUSE_H
#define RSP_EXPORT_CLICKHOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/sink.h"

/* Number of slots in the table of chains whose text has been sent today. */
#define RSP_CLICKHOUSE_TEXT_MAX 4096

struct rsp_clickhouse_state {
	bool is_certain; /* the result of the last attempt is known */
	uint32_t date;	 /* day on which texts were sent, as YYYYMMDD */
	/* hash table of the IDs of chains; 0: a free slot */
	uint64_t texts[RSP_CLICKHOUSE_TEXT_MAX];
	size_t text_cnt;
};

struct rsp_clickhouse_config {
	const char *url;			/* without '/' at the end */
	const char *database, *user, *password; /* "": none */
	bool is_readable;			/* bodies are sent uncompressed, for a dry run */
	struct rsp_clickhouse_state *state;
};

/*
 * In the spool, an INSERT is a line with table, row_cnt, first_s, last_s and len, followed by the
 * compressed rows.
 */
struct rsp_clickhouse_insert {
	char table[32];
	uint64_t row_cnt;
	uint64_t first_s, last_s; /* first and last value of the column "at", all of one day */
	const char *bytes;
	size_t len;
};

/* Returns 0 or -ENOMEM. */
int rsp_clickhouse_put(struct rsp_buffer *buffer, const struct rsp_clickhouse_insert *insert);
/* Moves *bytes to the next INSERT. Returns 1; 0 at the end; -EBADMSG. */
int rsp_clickhouse_next(const char **bytes, size_t *len, struct rsp_clickhouse_insert *ret);

/* rsp_sink_ops.encode of this sink */
int rsp_clickhouse_encode(const void *config, const struct rsp_batch *batch,
			  struct rsp_buffer *ret);

/*
 * Both functions append the result to ret, and return 0 or -ENOMEM. rsp_gunzip() also returns
 * -EBADMSG.
 */
int rsp_gzip(const void *bytes, size_t len, struct rsp_buffer *ret);
int rsp_gunzip(const void *bytes, size_t len, struct rsp_buffer *ret);

#endif
