/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sink for ClickHouse, by its HTTP interface. A batch becomes one INSERT for each table and
 * day: an INSERT is atomic only within a partition, and partitions are days (export/schema).
 *
 * A batch is inserted only once, even if an answer is lost. If the result of an attempt is unknown,
 * the sink first asks the server whether the rows are in the table. Batches are sent in order, so
 * the question is only about the next batch. Bodies must be compressed. If a connection breaks
 * between two rows, ClickHouse 18.16 inserts the complete rows of an uncompressed body, but none of
 * a compressed body.
 */
#ifndef RSP_EXPORT_CLICKHOUSE_H
#define RSP_EXPORT_CLICKHOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/sink.h"

/* Texts of chains are sent once a day, and again after a restart. */
#define RSP_CLICKHOUSE_TEXT_MAX 4096

struct rsp_clickhouse_state {
	bool is_certain;			 /* the last attempt was accepted */
	uint32_t date;				 /* day of the texts below */
	uint64_t texts[RSP_CLICKHOUSE_TEXT_MAX]; /* ids of chains, 0: none */
	size_t text_cnt;
};

struct rsp_clickhouse_config {
	const char *url;			/* without '/' at the end */
	const char *database, *user, *password; /* "": none */
	bool is_readable;			/* bodies are sent uncompressed, for a dry run */
	struct rsp_clickhouse_state *state;
};

/*
 * The rows of one INSERT, compressed. The spool contains an INSERT as a line with these fields,
 * followed by the bytes.
 */
struct rsp_clickhouse_insert {
	char table[32];
	uint64_t row_cnt;
	uint64_t first_s, last_s; /* values of the column "at" of the rows, all of one day */
	const char *bytes;
	size_t len;
};

/* Appends an INSERT to spooled bytes. Returns 0 or -ENOMEM. */
int rsp_clickhouse_put(struct rsp_buffer *buffer, const struct rsp_clickhouse_insert *insert);
/* Takes the next INSERT from *bytes. Returns 1, 0 at the end, or -EBADMSG. */
int rsp_clickhouse_next(const char **bytes, size_t *len, struct rsp_clickhouse_insert *ret);

/* clickhouse-rows.c: see struct rsp_sink_ops. */
int rsp_clickhouse_encode(const void *config, const struct rsp_batch *batch,
			  struct rsp_buffer *ret);

/* clickhouse-gzip.c. Both return 0 or -ENOMEM; rsp_gunzip() also returns -EBADMSG. */
int rsp_gzip(const void *bytes, size_t len, struct rsp_buffer *ret);
int rsp_gunzip(const void *bytes, size_t len, struct rsp_buffer *ret);

#endif
