/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts snapshots of breached SLOs to log records of OTLP. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "export/otlp-message.h"

typedef Rsp__Otlp__ExportLogsServiceRequest Request;
typedef Rsp__Otlp__ResourceLogs ResourceLogs;
typedef Rsp__Otlp__ScopeLogs ScopeLogs;
typedef Rsp__Otlp__LogRecord LogRecord;
typedef Rsp__Otlp__AnyValue AnyValue;

#define SEVERITY_WARN 13
#define TRACE_BYTES   16
/* the span of the process of interest (lib/export/otlp.h) */
#define ROOT_SPAN     1
#define SPAN_BYTES    8

static unsigned int digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned int)(c - '0')
					 : (unsigned int)(tolower(c) - 'a' + 10);
}

/*
 * The ID of the trace is the snapshot's ID. If this ID has another form, or consists of zeroes,
 * which OTLP forbids, sets no IDs.
 */
static void set_ids(struct rsp_otlp_message *m, LogRecord *record, const char *id)
{
	static const char root[SPAN_BYTES] = {[SPAN_BYTES - 1] = ROOT_SPAN};
	char trace[TRACE_BYTES];

	if (strlen(id) != 2 * TRACE_BYTES || strspn(id, "0123456789abcdef") != 2 * TRACE_BYTES ||
	    strspn(id, "0") == 2 * TRACE_BYTES)
		return;
	for (int i = 0; i < TRACE_BYTES; i++)
		trace[i] = (char)(digit(id[2 * i]) << 4 | digit(id[2 * i + 1]));
	record->trace_id.data = rsp_otlp_message_new(m, trace, sizeof(trace));
	record->trace_id.len = sizeof(trace);
	record->span_id.data = rsp_otlp_message_new(m, root, sizeof(root));
	record->span_id.len = sizeof(root);
}

static LogRecord *make_record(struct rsp_otlp_message *m, const struct rsp_export_snapshot *s)
{
	LogRecord *record = RSP_OTLP_NEW(m, LogRecord, RSP__OTLP__LOG_RECORD__INIT);
	AnyValue *body = RSP_OTLP_NEW(m, AnyValue, RSP__OTLP__ANY_VALUE__INIT);
	struct rsp_otlp_attributes a = rsp_otlp_attributes_new(m);

	body->value_case = RSP__OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	body->string_value = rsp_otlp_message_text(m, s->headline);
	record->time_unix_nano = s->until_ns;
	record->observed_time_unix_nano = s->until_ns;
	record->severity_number = SEVERITY_WARN;
	record->severity_text = (char *)"WARN";
	record->body = body;
	rsp_otlp_attributes_text(&a, "rsp.snapshot", s->id);
	rsp_otlp_attributes_text(&a, "rsp.slo", s->slo);
	rsp_otlp_attributes_text(&a, "rsp.key", s->key);
	rsp_otlp_attributes_text(&a, "rsp.comm", s->comm);
	rsp_otlp_attributes_number(&a, "process.pid", s->pid);
	rsp_otlp_attributes_number(&a, "rsp.value_ns", s->value_ns);
	rsp_otlp_attributes_number(&a, "rsp.threshold_ns", s->threshold_ns);
	rsp_otlp_attributes_number(&a, "rsp.since_unix_ns", s->since_ns);
	rsp_otlp_attributes_number(&a, "rsp.bytes", s->bytes);
	record->n_attributes = a.cnt;
	record->attributes = a.v;
	set_ids(m, record, s->id);
	return record;
}

static ResourceLogs *make_breach(struct rsp_otlp_message *m, const struct rsp_export_host *host,
				 const struct rsp_export_snapshot *s)
{
	ResourceLogs *outer = RSP_OTLP_NEW(m, ResourceLogs, RSP__OTLP__RESOURCE_LOGS__INIT);
	ScopeLogs *inner = RSP_OTLP_NEW(m, ScopeLogs, RSP__OTLP__SCOPE_LOGS__INIT);
	ScopeLogs **scopes = rsp_otlp_message_list(m, 1);
	LogRecord **records = rsp_otlp_message_list(m, 1);

	outer->resource = rsp_otlp_resource(m, host, s->unit, s->container, s->cgroup);
	inner->scope = rsp_otlp_scope(m);
	if (!scopes || !records)
		return outer;
	records[0] = make_record(m, s);
	inner->n_log_records = 1;
	inner->log_records = records;
	scopes[0] = inner;
	outer->n_scope_logs = 1;
	outer->scope_logs = scopes;
	return outer;
}

int rsp_otlp_put_logs(const struct rsp_batch *batch, struct rsp_buffer *ret)
{
	_cleanup_(rsp_otlp_message_done) struct rsp_otlp_message m = {0};
	Request request = RSP__OTLP__EXPORT_LOGS_SERVICE_REQUEST__INIT;

	request.resource_logs = rsp_otlp_message_list(&m, batch->snapshot_cnt);
	if (!request.resource_logs)
		return m.error;
	for (size_t i = 0; i < batch->snapshot_cnt; i++)
		if (*batch->snapshots[i].slo)
			request.resource_logs[request.n_resource_logs++] = make_breach(
				&m, batch->host, &batch->snapshots[i]);
	if (!request.n_resource_logs)
		return 0;
	return rsp_otlp_message_pack(&m, &request.base, ret);
}
