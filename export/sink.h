/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink sends batches of summaries and snapshots to a place. The sink encodes a batch once. The
 * bytes are stored in a spool on disk, and sent until the place has accepted them.
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
	char machine[33]; /* ID of the machine, hashed for this application: 32 hex digits */
	/*
	 * 32 hex digits, or "" if unknown: the start of the recorder, or for a snapshot the boot ID
	 * of the kernel
	 */
	char boot[33];
};

/* The strings are redacted and contain no control characters. A missing value is "". */
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
	 * "<machine>-<boot>-<first>-<last>", or "<machine>-snapshot-<id>" if the batch contains one
	 * snapshot and no summaries
	 */
	const char *token;
	const struct rsp_export_host *host;
	/*
	 * The redacted summaries, as in docs/json-summary.md. "number" is the recorder's number of
	 * the summary.
	 */
	struct json_object *const *summaries;
	size_t summary_cnt;
	const struct rsp_export_snapshot *snapshots;
	size_t snapshot_cnt;
};

struct rsp_sink_result {
	/*
	 * 0: the place has accepted the batch. -EAGAIN: the place is down, slow or busy. -EACCES:
	 * the place refused the credentials, or has no such table, bucket or path; log this for the
	 * administrator. -EBADMSG: the place will never accept the batch; drop and count it.
	 * -ECANCELED: rsp-export stops. After -EAGAIN, -EACCES and any other error, send the batch
	 * again later.
	 */
	int error;
	/*
	 * The reason of the error, or "". If error is 0, the text describes a part of the batch
	 * that was not accepted.
	 */
	char why[RSP_HTTP_WHY_BYTES];
	unsigned int retry_after_s; /* 0: the place sent no value */
};

struct rsp_sink_ops {
	const char *name;
	/*
	 * *ret: the bytes to spool; empty if the batch contains no data for this sink. Returns 0 or
	 * -errno.
	 */
	int (*encode)(const void *config, const struct rsp_batch *batch, struct rsp_buffer *ret);
	void (*send)(const void *config, struct rsp_http *http, const char *token,
		     const void *bytes, size_t len, struct rsp_sink_result *ret);
	/* Called if an encoded batch is dropped without being accepted. May be NULL. */
	void (*dropped)(const void *config);
};

/* config: struct rsp_clickhouse_config, clickhouse.h */
extern const struct rsp_sink_ops rsp_sink_clickhouse;
extern const struct rsp_sink_ops rsp_sink_otlp; /* config: struct rsp_otlp_config, otlp-sink.h */
extern const struct rsp_sink_ops rsp_sink_s3;	/* config: struct rsp_s3_config, s3-sink.h */

#endif
