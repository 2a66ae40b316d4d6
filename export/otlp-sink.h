/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A collector of OpenTelemetry as a sink, by OTLP/HTTP. Summaries become metrics, and breaches of
 * SLOs become log records. On request, the snapshots of breaches become spans. docs/exports.md
 * lists all names.
 */
#ifndef RSP_EXPORT_OTLP_SINK_H
#define RSP_EXPORT_OTLP_SINK_H

#include <stdbool.h>

#include "export/sink.h"

/*
 * The progress of the current batch. An OTLP server cannot detect a repeated request. So after a
 * failure, the sink continues with the first request that the server did not accept. The caller
 * zeroes the struct. A restart of rsp-export loses the progress.
 */
struct rsp_otlp_progress {
	char token[160];    /* token of the last batch */
	unsigned int parts; /* number of its finished requests */
	bool never;	    /* one request will never be accepted */
	uint64_t rejected;  /* data points, log records and spans since the start */
};

struct rsp_otlp_config {
	const char *url; /* without /v1/metrics */
	const char *token;
	bool no_metrics, no_logs; /* for collectors that accept only logs or only metrics */
	/*
	 * Path of rsp-spans, or NULL to send no spans. Spans contain the paths, addresses and names
	 * of the snapshot without redaction.
	 */
	const char *spans_program;
	/*
	 * Only needed for spans. open_snapshot: see struct rsp_s3_config. stop: see
	 * rsp_otlp_spans().
	 */
	int (*open_snapshot)(void *userdata, const char *id);
	bool (*stop)(void *userdata);
	void *userdata;
	struct rsp_otlp_progress *progress;
};

#endif
