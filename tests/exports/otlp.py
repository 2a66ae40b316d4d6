# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads objects of OTLP's JSON with the published messages.

JSON of OTLP differs from JSON of protobuf: ids are in hexadecimal, not in base64, and enumerations are numbers."""
import base64

from google.protobuf import json_format, message
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

IDS = ("traceId", "spanId", "parentSpanId")


def convert(node, change):
    """Returns a copy of a JSON object with changed ids."""
    if isinstance(node, list):
        return [convert(n, change) for n in node]
    if not isinstance(node, dict):
        return node
    return {k: change(v) if k in IDS else convert(v, change) for k, v in node.items()}


def to_base64(text):
    return base64.b64encode(bytes.fromhex(text)).decode()


def to_hex(text):
    return base64.b64decode(text).hex()


def through_messages(line):
    """Raises ValueError if a field is unknown or has a wrong type."""
    kind = trace_pb2.TracesData if "resourceSpans" in line else logs_pb2.LogsData
    try:
        sent = json_format.ParseDict(convert(line, to_base64), kind())
        received = kind.FromString(sent.SerializeToString())
    except (json_format.Error, message.Error) as error:
        raise ValueError(str(error)) from error
    return convert(json_format.MessageToDict(received, use_integers_for_enums=True), to_hex)
