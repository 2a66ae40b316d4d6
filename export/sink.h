/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A place to which batches of summaries are sent: ClickHouse, a collector of OpenTelemetry, or an
 * object store. A sink encodes a batch once. The bytes are spooled on disk, and sent until the
 * place has accepted them. All functions run in rsp-export's process, on its thread.
 */
#ifndef RSP_EXPORT_SINK_H
#define RSP_EXPORT_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buffer.h"
#include "lib/base/json.h"
#include "lib/http/http.h"

/* The host whose recorder made the summaries. */
struct rsp_export_host {
	char name[65];	  /* host name */
	char machine[33]; /* ID of the machine, hashed for this application, 32 hex digits */
	char boot[33];	  /* ID of this start of the recorder, 32 hex digits */
};

/*
 * The description of a stored snapshot. Strings are without control characters, and redacted. A
 * missing value is "".
 */
struct rsp_export_snapshot {
	const char *id; /* 32 hex digits */
	const char *unit, *cgroup, *container, *comm;
	const char *slo, *headline;
	uint32_t pid;
	uint64_t value_ns, threshold_ns;
	uint64_t since_ns, until_ns; /* nanoseconds since 1970 */
	uint64_t bytes;		     /* of the file */
	const char *key;	     /* key in the object store; "": not stored there */
};

struct rsp_batch {
	/*
	 * Unique: "<machine>-<boot>-<first>-<last>", or "<machine>-snapshot-<id>" for a batch of
	 * one snapshot and no summaries
	 */
	const char *token;
	const struct rsp_export_host *host;
	/*
	 * as in docs/json-summary.md, already redacted, and with the recorder's number of the
	 * summary as "number"
	 */
	struct json_object *const *summaries;
	size_t summary_cnt;
	const struct rsp_export_snapshot *snapshots;
	size_t snapshot_cnt;
};

struct rsp_sink_result {
	/*
	 * 0: the place has accepted the batch. -EAGAIN: the place is down, slow or busy; try again
	 * later. -EACCES: the place refused the credentials, or has no such table, bucket or path;
	 * log this for the administrator, and try again. -EBADMSG: the place will never accept the
	 * batch; drop and count it. -ECANCELED: rsp-export stops. Other errors come from this
	 * machine; try again.
	 */
	int error;
	/*
	 * The reason, or "". If error is 0, the text names a part of the batch that was not
	 * accepted.
	 */
	char why[RSP_HTTP_WHY_BYTES];
	unsigned int retry_after_s; /* 0: the place sent no value */
};

struct rsp_sink_ops {
	const char *name;
	/*
	 * *ret gets the bytes to spool. It stays empty if the batch contains no data for this sink.
	 * Returns 0 or -errno.
	 */
	int (*encode)(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret);
	void (*send)(const void *config, struct rsp_http *http, const char *token,
		     const void *bytes, size_t len, struct rsp_sink_result *ret);
	/* Called when an encoded batch is dropped before the place has accepted it. May be NULL. */
	void (*dropped)(const void *config);
};

/* config: struct rsp_clickhouse_config, clickhouse.h */
extern const struct rsp_sink_ops rsp_sink_clickhouse;
extern const struct rsp_sink_ops rsp_sink_otlp; /* config: struct rsp_otlp_config, otlp-sink.h */
extern const struct rsp_sink_ops rsp_sink_s3;	/* config: struct rsp_s3_config, s3-sink.h */

#endif
