/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A collector of OpenTelemetry as a sink, by OTLP/HTTP. Summaries become metrics, breaches of SLOs
 * become log records, and if the administrator wants it, their snapshots become spans.
 * docs/exports.md lists all names.
 */
#ifndef RSP_EXPORT_OTLP_SINK_H
#define RSP_EXPORT_OTLP_SINK_H

#include <stdbool.h>

#include "export/sink.h"

/*
 * OTLP cannot detect that a request was sent before. So after a failure, the sink continues with
 * the first request that was not accepted. The struct starts zeroed; a restart loses it.
 */
struct rsp_otlp_progress {
	char token[160];    /* token of the last batch */
	unsigned int parts; /* number of its requests that are done */
	bool never;	    /* the collector will never accept one of them */
	uint64_t rejected;  /* data points, log records and spans, since the start */
};

struct rsp_otlp_config {
	const char *url; /* without /v1/metrics */
	const char *token;
	bool no_metrics, no_logs; /* for collectors that accept only one of them */
	/*
	 * Path of rsp-spans; NULL: no spans are sent. Spans contain paths, addresses and names as
	 * the snapshot does: redaction does not change them.
	 */
	const char *spans_program;
	/* Only needed for spans: as in struct rsp_s3_config, and as in rsp_otlp_spans(). */
	int (*open_snapshot)(void *userdata, const char *id);
	bool (*stop)(void *userdata);
	void *userdata;
	struct rsp_otlp_progress *progress;
};

#endif
