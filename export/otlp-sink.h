/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that sends to a collector of OpenTelemetry with OTLP/HTTP. Summaries become metrics, and
 * breaches of SLOs become log records and, with Spans=, spans. docs/exports.md lists all names.
 */
#ifndef RSP_EXPORT_OTLP_SINK_H
#define RSP_EXPORT_OTLP_SINK_H

#include <stdbool.h>

#include "export/sink.h"

/*
 * An OTLP server cannot detect a repeated request. Therefore, after a failure, the sink continues
 * with the first request that is not finished. The caller zeroes the struct.
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
	/* the collector does not accept metrics, or logs */
	bool no_metrics, no_logs;
	/* path of rsp-spans; NULL: send no spans */
	const char *spans_program;
	/* Needed only for spans: see struct rsp_s3_config and rsp_otlp_spans(). */
	int (*open_snapshot)(void *userdata, const char *id);
	bool (*stop)(void *userdata);
	void *userdata;
	struct rsp_otlp_progress *progress;
};

#endif
