/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that sends to a collector of OpenTelemetry with OTLP/HTTP. Summaries become metrics, and
 * breaches of SLOs become log records. If the setting Spans= is on, the snapshots of breaches
 * become spans. docs/exports.md lists all names.
 */
#ifndef RSP_EXPORT_OTLP_SINK_H
#define RSP_EXPORT_OTLP_SINK_H

#include <stdbool.h>

#include "export/sink.h"

/*
 * The progress of the batch that is being sent. An OTLP server cannot detect a repeated request.
 * Therefore, after a failure, the sink continues with the first request that is not finished. The
 * caller zeroes the struct. After a restart of rsp-export, the progress is lost.
 */
struct rsp_otlp_progress {
	char token[160];    /* token of the batch; "": none */
	unsigned int parts; /* number of requests of this batch that are finished */
	bool never;	    /* the server will never accept one of the requests */
	/* number of rejected data points, log records and spans since the start */
	uint64_t rejected;
};

struct rsp_otlp_config {
	const char *url; /* without /v1/metrics */
	const char *token;
	/* send no metrics, or no logs, because the collector does not accept them */
	bool no_metrics, no_logs;
	/*
	 * Path of rsp-spans, or NULL to send no spans. Spans contain paths, addresses and names of
	 * the snapshot without redaction.
	 */
	const char *spans_program;
	/*
	 * Needed only for spans. open_snapshot: as in struct rsp_s3_config. stop: as in
	 * rsp_otlp_spans().
	 */
	int (*open_snapshot)(void *userdata, const char *id);
	bool (*stop)(void *userdata);
	void *userdata;
	struct rsp_otlp_progress *progress;
};

#endif
