#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""otlp.py FILE: reads each line into OpenTelemetry's own messages. An unknown field or a wrong type is an error.

JSON of OTLP contains ids in hexadecimal, but JSON of protobuf contains bytes in base64, so the script converts ids.
"""
import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2


def convert(node):
    if isinstance(node, list):
        return [convert(n) for n in node]
    if not isinstance(node, dict):
        return node
    return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId", "parentSpanId") else convert(v)
            for k, v in node.items()}


span_cnt = record_cnt = 0
with open(sys.argv[1], encoding="utf-8") as f:
    for line in f:
        d = convert(json.loads(line))
        if "resourceSpans" in d:
            traces = json_format.ParseDict(d, trace_pb2.TracesData())
            for r in traces.resource_spans:
                assert any(a.key == "service.name" for a in r.resource.attributes), "no service.name"
                span_cnt += sum(len(s.spans) for s in r.scope_spans)
        else:
            logs = json_format.ParseDict(d, logs_pb2.LogsData())
            record_cnt += sum(len(s.log_records) for r in logs.resource_logs for s in r.scope_logs)
assert record_cnt > 0, "no log record"
print(f"# {span_cnt} spans, {record_cnt} log records")
