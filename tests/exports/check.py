#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check.py DIR: reads the exports in each DIR/NAME/, and compares them with the report in the same directory.

Prints a line for each rule: "ok FORMAT: RULE (N snapshots)" or "not ok FORMAT: RULE: N of N: FAILURES". Writes the
sums and counts that other programs must find to NAME/pprof.sums and NAME/perfetto.counts."""
import collections
import decimal
import gzip
import json
import os
import sys

try:
    import perfetto_pb2
    import pprof_pb2
except ImportError:
    perfetto_pb2 = pprof_pb2 = None
try:
    from otlp import through_messages
except ImportError:
    through_messages = None

results = collections.OrderedDict()


def check(rule, name, holds, why=""):
    """Records whether a rule holds for a snapshot."""
    failures, cnt = results.setdefault(rule, [[], 0])
    results[rule][1] = cnt + 1
    if not holds:
        failures.append(f"{name} {why}")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def is_whole(report):
    """Returns whether the states of all threads add up to the total. This holds if no thread is left out and no
    record is lost."""
    target = report["target"]
    return not target["idle_threads"] and "tid" not in target and not report["lossy"]


def about(o):
    return " ".join([o["headline"]] + o["incomplete"])


def ns(number):
    """Returns a number with all its digits. Callers convert it to their unit."""
    return decimal.Decimal(number)


# --- pprof -----------------------------------------------------------------------------------------------------------

CPU, OFF_CPU = 1, 3


def read_pprof(name, path, report):
    p = pprof_pb2.Profile()
    p.ParseFromString(gzip.decompress(read(path)))
    text = p.string_table
    check("pprof: the string table begins with an empty string", name, text[0] == "")
    types = [f"{text[t.type]}/{text[t.unit]}" for t in p.sample_type]
    check("pprof: types of values", name,
          types == ["samples/count", "cpu/nanoseconds", "waits/count", "offcpu/nanoseconds"], types)
    locations = {l.id for l in p.location}
    mappings = {m.id for m in p.mapping} | {0}
    functions = {f.id for f in p.function}
    check("pprof: references are resolved", name,
          all(i in locations for s in p.sample for i in s.location_id) and
          all(l.mapping_id in mappings and all(i.function_id in functions for i in l.line) for l in p.location))
    check("pprof: every sample has a stack", name, all(s.location_id for s in p.sample))
    sums = [sum(s.value[i] for s in p.sample) for i in range(4)]
    samples = collections.Counter()
    for s in p.sample:
        labels = {text[l.key]: text[l.str] if l.str else l.num for l in s.label}
        samples[labels["tid"]] += s.value[0]
    with open(os.path.join(os.path.dirname(path), "pprof.sums"), "w", encoding="ascii") as f:
        f.write(f"{sums[CPU]} {sums[OFF_CPU]}\n")
    return {"comments": " ".join(text[c] for c in p.comment), "samples": +samples, "cpu": sums[CPU],
            "off_cpu": sums[OFF_CPU], "waits": sums[2]}


def check_target(name, path, report):
    """Checks an export of one process: it contains all the time of this process, and nothing of other processes."""
    p = pprof_pb2.Profile()
    p.ParseFromString(gzip.decompress(read(path)))
    text = p.string_table
    pids = {l.num for s in p.sample for l in s.label if text[l.key] == "pid"}
    time = sum(s.value[CPU] + s.value[OFF_CPU] for s in p.sample)
    check("pprof, one process: there is no other process", name, pids == {report["target"]["pid"]}, pids)
    check("pprof, one process: its time is the report's total", name, time == report["total_ns"],
          f'{time} {report["total_ns"]}')


# --- chrome ----------------------------------------------------------------------------------------------------------

PATHS_PID = 1 << 23


def read_chrome(name, path, report):
    d = json.loads(read(path).decode("utf-8"), parse_float=decimal.Decimal)
    spans = collections.defaultdict(list)
    depth = collections.Counter()
    flows = collections.defaultdict(list)
    balanced = True
    slices = 0
    lives = collections.Counter((e["pid"], e["tid"]) for e in d["traceEvents"] if e["name"] == "thread_name")
    for e in d["traceEvents"]:
        if e["ph"] == "X":
            spans[e["pid"], e["tid"]].append((ns(e["ts"]) * 1000, ns(e["dur"]) * 1000, e["cat"]))
        elif e["ph"] == "B":
            depth[e["tid"]] += 1
            slices += 1
        elif e["ph"] == "E":
            depth[e["tid"]] -= 1
            balanced &= depth[e["tid"]] >= 0
        elif e["ph"] in "sf":
            flows[e["id"]].append(e)
    check("chrome: begins and ends match", name, balanced and not +depth)
    check("chrome: each arrow has two ends, in order", name,
          all([e["ph"] for e in f] == ["s", "f"] and f[0]["ts"] <= f[1]["ts"] for f in flows.values()))
    check("chrome: states of a thread do not overlap", name, all(
        all(a[0] + a[1] <= b[0] for a, b in zip(sorted(v), sorted(v)[1:])) for t, v in spans.items() if lives[t] == 1))
    frames = d["stackFrames"]
    check("chrome: frames are resolved", name,
          all(str(s["sf"]) in frames for s in d["samples"] if "sf" in s) and
          all(str(f["parent"]) in frames for f in frames.values() if "parent" in f))
    sums = collections.Counter()
    for v in spans.values():
        for _, dur, cat in v:
            sums["cpu" if cat == "running" else "off_cpu"] += int(dur)
    return {"comments": about(d["otherData"]), "samples": collections.Counter(s["tid"] for s in d["samples"]),
            "cpu": sums["cpu"], "off_cpu": sums["off_cpu"], "flows": len(flows), "slices": slices,
            "waits": sum(s[2] != "running" for v in spans.values() for s in v),
            "blocked": sum(s[2] == "blocked" for v in spans.values() for s in v)}


# --- firefox ---------------------------------------------------------------------------------------------------------


def rows(table):
    return [{k: row[i] for k, i in table["schema"].items()} for row in table["data"]]


def read_firefox(name, path, _):
    d = json.loads(read(path).decode("utf-8"), parse_float=decimal.Decimal)
    samples = collections.Counter()
    waits, off_cpu = 0, 0
    resolved, ordered = True, True
    for t in d["threads"]:
        strings, stacks, frames = t["stringTable"], rows(t["stackTable"]), rows(t["frameTable"])
        times = [s["time"] for s in rows(t["samples"])]
        ordered &= times == sorted(times)
        resolved &= all(s["stack"] is None or s["stack"] < len(stacks) for s in rows(t["samples"]))
        resolved &= all(s["frame"] < len(frames) and (s["prefix"] is None or s["prefix"] < i)
                        for i, s in enumerate(stacks))
        resolved &= all(f["location"] < len(strings) and f["category"] < len(d["meta"]["categories"])
                        for f in frames)
        samples[t["tid"]] += len(times)
        for m in rows(t["markers"]):
            resolved &= m["name"] < len(strings) and m["data"]["type"] == "wait"
            off_cpu += int((m["endTime"] - m["startTime"]) * 1000000)
            waits += 1
    check("firefox: references are resolved, callers first", name, resolved)
    check("firefox: samples are in order of time", name, ordered)
    return {"comments": about(d["meta"]["rsp"]), "samples": +samples, "off_cpu": off_cpu, "waits": waits}


# --- perfetto --------------------------------------------------------------------------------------------------------


def read_ftrace(trace):
    """Returns the time during which threads ran, the number of switches to threads, the number of wakeups, and
    whether the switches of each CPU follow each other."""
    running, ran, switches, wakings = {}, 0, 0, 0
    by_cpu = collections.defaultdict(list)
    for packet in trace.packet:
        for e in packet.ftrace_events.event:
            if e.HasField("sched_switch"):
                by_cpu[packet.ftrace_events.cpu].append(e)
            elif e.HasField("sched_waking"):
                wakings += 1
    chained = True
    for cpu, events in by_cpu.items():
        for e in events:
            last = running.get(cpu)
            if last:
                chained &= e.sched_switch.prev_pid == last[1] and e.timestamp >= last[0]
                ran += e.timestamp - last[0] if last[1] else 0
            running[cpu] = (e.timestamp, e.sched_switch.next_pid)
            switches += e.sched_switch.next_pid != 0
    return ran, switches, wakings, chained


def read_tracks(trace, name):
    """Checks the events of tracks, and returns slices, waits and arrows."""
    depth, slices, waits, flows = collections.Counter(), 0, [], collections.Counter()
    open_waits, titles = {}, {}
    tracks = set()
    balanced, named = True, True
    for packet in trace.packet:
        for n in packet.interned_data.event_names:
            titles[n.iid] = n.name
        if packet.HasField("track_descriptor"):
            tracks.add(packet.track_descriptor.uuid)
        if not packet.HasField("track_event"):
            continue
        e = packet.track_event
        named &= not e.name_iid or e.name_iid in titles
        balanced &= e.track_uuid in tracks
        for i in e.flow_ids:
            flows[i] += 1
        for i in e.terminating_flow_ids:
            flows[i] += 1
        if e.type == e.TYPE_SLICE_BEGIN:
            depth[e.track_uuid] += 1
            slices += "control path" in e.categories
            if "wait" in e.categories:
                open_waits[e.track_uuid] = packet.timestamp
        elif e.type == e.TYPE_SLICE_END:
            depth[e.track_uuid] -= 1
            balanced &= depth[e.track_uuid] >= 0
            if e.track_uuid in open_waits:
                waits.append(packet.timestamp - open_waits.pop(e.track_uuid))
    check("perfetto: slices begin and end on tracks that are described", name, balanced and not +depth)
    check("perfetto: names are resolved", name, named)
    check("perfetto: each arrow has two ends", name, all(n == 2 for n in flows.values()))
    return slices, waits, flows


def read_perfetto(name, path, _):
    trace = perfetto_pb2.Trace()
    trace.ParseFromString(read(path))
    ran, switches, wakings, chained = read_ftrace(trace)
    slices, waits, flows = read_tracks(trace, name)
    lost = max((p.track_event.counter_value for p in trace.packet), default=0)
    stacks, frames, samples = set(), set(), collections.Counter()
    resolved = True
    for packet in trace.packet:
        frames |= {f.iid for f in packet.interned_data.frames}
        for c in packet.interned_data.callstacks:
            resolved &= all(f in frames for f in c.frame_ids)
            stacks.add(c.iid)
        if packet.HasField("perf_sample"):
            samples[packet.perf_sample.tid] += 1
            resolved &= not packet.perf_sample.callstack_iid or packet.perf_sample.callstack_iid in stacks
    check("perfetto: switches of a CPU follow each other", name, chained)
    check("perfetto: stacks are written before their use", name, resolved)
    with open(os.path.join(os.path.dirname(path), "perfetto.counts"), "w", encoding="ascii") as f:
        f.write(f"{switches},{ran},{len(waits)},{slices},{len(flows)},{sum(samples.values())},"
                f"{lost},0\n")
    return {"comments": " ".join(n.name for p in trace.packet for n in p.interned_data.event_names),
            "samples": samples, "cpu": ran, "flows": len(flows), "lost": lost, "slices": slices, "blocked": len(waits),
            "wakings": wakings}


# --- otlp ------------------------------------------------------------------------------------------------------------

INTERNAL, SERVER, CLIENT = 1, 2, 3


def value(attribute):
    (kind, content), = attribute["value"].items()
    return int(content) if kind == "intValue" else content


def read_published(name, lines):
    """Reads these objects into OpenTelemetry's messages, and returns what the messages contain."""
    try:
        received, why = [through_messages(d) for d in lines], ""
    except ValueError as error:
        received, why = lines, error
    check("otlp: OpenTelemetry's messages hold all that was written", name, received == lines and not why, why)
    return received


def read_otlp(name, path, report, requests):
    spans, bodies = [], []
    lines = [json.loads(line) for line in read(path).decode("utf-8").splitlines()]
    for d in read_published(name, lines) if through_messages else lines:
        for resource in d.get("resourceSpans", []):
            for scope in resource["scopeSpans"]:
                spans += scope["spans"]
        for resource in d.get("resourceLogs", []):
            for scope in resource["scopeLogs"]:
                bodies += [r["body"]["stringValue"] for r in scope["logRecords"]]
    ids = {(s["traceId"], s["spanId"]): s for s in spans}
    check("otlp: ids are unique and not zero", name, len(ids) == len(spans) and
          all(len(t) == 32 and int(t, 16) and len(i) == 16 and int(i, 16) for t, i in ids))
    parents = [(s, ids.get((s["traceId"], s["parentSpanId"]))) for s in spans if "parentSpanId" in s]
    check("otlp: parents exist, and children begin in their time", name,
          all(p and int(p["startTimeUnixNano"]) <= int(s["startTimeUnixNano"]) <= int(p["endTimeUnixNano"])
              for s, p in parents))
    check("otlp: hops and control paths end within their parents", name,
          all(int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) <= int(p["endTimeUnixNano"])
              for s, p in parents if p and s["kind"] == INTERNAL))
    check("otlp: the parent of a request is a call", name,
          all(p["kind"] == CLIENT for s, p in parents if p and s["kind"] == SERVER))
    check("otlp: spans end after they begin", name,
          all(0 < int(s["startTimeUnixNano"]) <= int(s["endTimeUnixNano"]) for s in spans))
    check("otlp: links are resolved", name,
          all((l["traceId"], l["spanId"]) in ids for s in spans for l in s.get("links", [])))
    servers = {row["comm"] for row in requests["servers"] if row["answered"]} if requests else set()
    if requests and any(row.get("server") in servers and row["answered"] for row in requests["calls"]):
        check("otlp: calls of servers on this host contain requests", name, any(s["kind"] == SERVER for s, _ in parents))
    attributes = [{a["key"]: value(a) for a in s["attributes"]} for s in spans]
    leaves = collections.Counter()
    for s, a in zip(spans, attributes):
        if "rsp.category" in a:
            leaves[a["rsp.category"]] += int(s["endTimeUnixNano"]) - int(s["startTimeUnixNano"])
    if report:
        root, = [a for a in attributes if "rsp.total_ns" in a]
        check("otlp: totals are the report's", name, root["rsp.total_ns"] == report["total_ns"] and
              all(root[f"rsp.{k}_ns"] == v for k, v in report["categories"].items()))
        check("otlp: hops add up to the report's control paths", name,
              leaves == +collections.Counter(report["paths"]["categories"]),
              f'{dict(leaves)} {report["paths"]["categories"]}')
    for kind, key in ((SERVER, "servers"), (CLIENT, "calls")):
        if not requests or not report or requests["since_ns"] != report["snapshot"]["since_ns"]:
            continue
        answered = sum(s["kind"] == kind and a["rsp.state"] == "answered" and "rsp.began_before" not in a
                       for s, a in zip(spans, attributes))
        expected = sum(row["answered"] for row in requests[key])
        check("otlp: as many answered requests as in the report about them", name, answered == expected,
              f"{key} {answered} {expected}")
    return {"comments": " ".join(bodies), "slices": sum("rsp.category" in a or s["kind"] == INTERNAL and
                                                        "parentSpanId" in s and "rsp.ns" not in a for s, a in zip(spans, attributes))}


# --- all -------------------------------------------------------------------------------------------------------------


def compare(name, read_formats):
    """Checks that values that several formats contain are equal."""
    for key in ("samples", "cpu", "off_cpu", "waits", "blocked", "flows", "slices"):
        have = {f: d[key] for f, d in read_formats.items() if key in d}
        values = list(have.values())
        check(f"all formats: {key}", name, all(v == values[0] for v in values), have)


def check_snapshot(name, path):
    report = read(os.path.join(path, "report.json"))
    report = json.loads(report) if report else None
    requests = read(os.path.join(path, "requests.json"))
    requests = json.loads(requests) if requests.strip() else None
    status = {f: int(read(os.path.join(path, f"{f}.exit")))
              for f in ("pprof", "perfetto", "chrome", "firefox", "otlp", "json")}
    done = {}
    readers = {"chrome": read_chrome, "firefox": read_firefox,
               "otlp": lambda n, p, r: read_otlp(n, p, r, requests)}
    if pprof_pb2:
        readers.update({"pprof": read_pprof, "perfetto": read_perfetto})
    for f, reader in readers.items():
        check(f"{f}: exit status", name, status[f] in (0, 3), status[f])
        if status[f] in (0, 3):
            done[f] = reader(name, os.path.join(path, f), report)
    compare(name, done)
    if report and pprof_pb2 and is_whole(report):
        check_target(name, os.path.join(path, "target"), report)
    if report:
        check("json: the bytes of report --json", name,
              read(os.path.join(path, "json")) == read(os.path.join(path, "report.json")))
        incomplete = report["lossy"] or report["snapshot"]["redacted"]
        if "perfetto" in done:  # the report counts only losses that may affect the process
            check("perfetto: no fewer lost records than in the report", name,
                  done["perfetto"]["lost"] >= report["coverage"]["lost"], done["perfetto"]["lost"])
        for f, d in done.items():
            check(f"{f}: a note reports missing data", name,
                  not incomplete or "lost" in d["comments"] or "withheld" in d["comments"] or
                  "paused" in d["comments"], d["comments"])
            check(f"{f}: exit status 3 as for the report", name, (status[f] == 3) == report["lossy"],
                  f'{status[f]} {d["comments"]}')
            check(f"{f}: has the headline", name, report["headline"] in d["comments"], d["comments"])


def main():
    top = sys.argv[1]
    for name in sorted(os.listdir(top)):
        path = os.path.join(top, name)
        if os.path.exists(os.path.join(path, "report.json")):
            check_snapshot(name, path)
    for rule, (failures, cnt) in results.items():
        if failures:
            print(f"not ok {rule}: {len(failures)} of {cnt}: {failures[:3]}")
        else:
            print(f"ok {rule} ({cnt} snapshots)")


if __name__ == "__main__":
    main()
