# SPDX-License-Identifier: GPL-2.0-or-later
"""Requests: `rspctl requests` counts requests and measures their times. So do load generators: programs/load.py
measures percentiles, and common tools measure upper bounds."""

import csv
import glob
import os
import re

from loads import WHOLE, Load, ask, ask_on_older_connections, ask_on_open_connections, tool
from scenes import scene
from scenes.postgres import Server
from scenes.redis import redis
from scenes.web import nginx, nginx_worker, php, url
from stage import PROGRAMS, find, first
from truths import Counted, Served

OK = 'keepalive_requests 1000000; location / { return 200 "ok\\n"; }'
UNITS_US = {"us": 1, "ms": 1e3, "s": 1e6}


def measured(comm, port, log):
    """The facts that programs/load.py measured."""
    return Served(comm, port, len(log.requests), log.durations_ns())


def bounded(comm, port, count, bounds_us):
    served = Served(comm, port, count)
    served.expected["bounds_us"] = bounds_us
    return served


# --- nginx, php-fpm, redis -------------------------------------------------------------------------

PAGE = """<?php
$redis = fsockopen('127.0.0.1', %d);
fwrite($redis, "INCR visits\\r\\n");
$answer = fgets($redis);
fclose($redis);
header('Content-Length: ' . strlen($answer));
echo $answer;
"""


@scene("nginx", "php-fpm*", "redis-server")
def requests_nginx_php_redis(stage):
    """Each request opens a connection to php-fpm, and php-fpm opens one to redis."""
    _, cli = redis(stage)
    redis_port = int(cli[2])
    web, fpm = php(stage, PAGE % redis_port, workers=4)
    log, recording = ask(stage, nginx_worker(stage), "http", web, WHOLE, batches=3000, ask="/job.php?id=%d", pause=2)
    n = len(log.requests)
    return Counted(recording, measured("nginx", web, log), Served(os.path.basename(find("php-fpm*")), fpm, n),
                   Served("redis-server", redis_port, n))


@scene("nginx")
def requests_nginx(stage):
    port = nginx(stage, OK)
    log, recording = ask(stage, nginx_worker(stage), "http", port, WHOLE, batches=8000)
    return Counted(recording, measured("nginx", port, log))


@scene("nginx")
def requests_nginx_pipelined(stage):
    """Eight requests in one packet look like one request, which the first answer ends."""
    port = nginx(stage, OK)
    log, recording = ask(stage, nginx_worker(stage), "http", port, WHOLE, batches=3000, pipeline=8)
    return Counted(recording, measured("nginx", port, log))


@scene("nginx")
def requests_nginx_older_connections(stage):
    """The connections, and a first request on each of them, are older than the recorder."""
    port = nginx(stage, OK)
    log, recording = ask_on_older_connections(stage, nginx_worker(stage), "http", port, WHOLE, batches=4000, pause=1)
    return Counted(recording, measured("nginx", port, log))


@scene("nginx", "wrk")
def requests_nginx_wrk(stage):
    port = nginx(stage, OK)
    out, recording = tool(stage, nginx_worker(stage), "wrk", "-t1", "-c8", "-d3s", "--latency", url(port))
    count = int(re.search(r"(\d+) requests in", out)[1])
    bounds = {"p" + share: float(value) * UNITS_US[unit] for share, value, unit in
              re.findall(r"^ +(50|90|99)% +([0-9.]+)(us|ms|s)$", out, re.MULTILINE)}
    return Counted(recording, bounded("nginx", port, count, bounds))


@scene("nginx", "ab")
def requests_nginx_ab(stage):
    port = nginx(stage, OK)
    shares = stage.path("ab.csv")
    out, recording = tool(stage, nginx_worker(stage), "ab", "-q", "-k", "-n", 20000, "-c", 8, "-e", shares, url(port))
    count = int(re.search(r"Complete requests: +(\d+)", out)[1])
    with open(shares, encoding="ascii") as f:
        ms = {row[0]: float(row[1]) for row in list(csv.reader(f))[1:]}
    bounds = {"p" + share: ms[share] * 1e3 for share in ("50", "90", "99")}
    return Counted(recording, bounded("nginx", port, count, bounds))


# --- redis -----------------------------------------------------------------------------------------

@scene("redis-server")
def requests_redis(stage):
    server, cli = redis(stage)
    log, recording = ask(stage, server.pid, "redis", cli[2], WHOLE, batches=10000, ask="INCR visits")
    return Counted(recording, measured("redis-server", cli[2], log))


@scene("redis-server")
def requests_redis_pipelined(stage):
    """redis answers sixteen commands of one packet with one packet."""
    server, cli = redis(stage)
    log, recording = ask(stage, server.pid, "redis", cli[2], WHOLE, batches=4000, pipeline=16, ask="INCR visits")
    return Counted(recording, measured("redis-server", cli[2], log))


@scene("redis-server")
def requests_redis_older_connections(stage):
    server, cli = redis(stage)
    log, recording = ask_on_older_connections(stage, server.pid, "redis", cli[2], WHOLE, batches=4000, pause=1,
                                              ask="INCR visits")
    return Counted(recording, measured("redis-server", cli[2], log))


def redis_benchmark(stage, count, pipeline):
    server, cli = redis(stage)
    out, recording = tool(stage, server.pid, "redis-benchmark", "-h", "127.0.0.1", "-p", cli[2], "-t", "get", "-c", 8,
                          "-n", count, "-P", pipeline, "--csv")
    ms = dict(zip(*list(csv.reader(line for line in out.splitlines() if line.startswith('"')))[:2]))
    bounds = {name: float(ms[name + "_latency_ms"]) * 1e3 for name in ("p50", "p99", "max")}
    return Counted(recording, bounded("redis-server", int(cli[2]), count // pipeline, bounds))


@scene("redis-benchmark")
def requests_redis_benchmark(stage):
    return redis_benchmark(stage, 50000, 1)


@scene("redis-benchmark")
def requests_redis_benchmark_pipelined(stage):
    return redis_benchmark(stage, 320000, 16)


# --- PostgreSQL ------------------------------------------------------------------------------------

@scene("psql")
def requests_postgres(stage):
    server = stage.shared(Server)
    log, recording = ask_on_open_connections(stage, server.process.pid, "pg", server.port, WHOLE, batches=8000,
                                             ask="select v from a where id=1")
    return Counted(recording, measured("postgres", server.port, log))


@scene("psql")
def requests_postgres_older_connections(stage):
    server = stage.shared(Server)
    log, recording = ask_on_older_connections(stage, server.process.pid, "pg", server.port, WHOLE, batches=4000,
                                              pause=1, ask="select v from a where id=1")
    return Counted(recording, measured("postgres", server.port, log))


@scene("psql", "pgbench")
def requests_pgbench(stage):
    """pgbench logs each transaction, which is one query, in microseconds as the client sees them."""
    server = stage.shared(Server)
    there = ["-h", "127.0.0.1", "-p", server.port, "-U", "postgres"]
    bench = find("pgbench")
    stage.tool(bench, *there, "-q", "-i", "postgres")
    folder = stage.folder("pgbench")
    _, recording = tool(stage, server.process.pid, bench, *there, "-n", "-S", "-c", 4, "-t", 8000, "-l", "postgres",
                        cwd=folder)
    took_ns = []
    for path in glob.glob(folder + "/pgbench_log.*"):
        with open(path, encoding="ascii") as f:
            took_ns += [int(line.split()[2]) * 1000 for line in f]
    return Counted(recording, Served("postgres", server.port, len(took_ns), bound_ns=took_ns))


# --- servers of runtimes ---------------------------------------------------------------------------

def go_server(stage):
    """Builds programs/answers.go; returns the program."""
    folder = stage.folder("go")
    env = {"GOCACHE": folder + "/cache", "GOPATH": folder + "/path", "GO111MODULE": "off", "GOFLAGS": "",
           "CGO_ENABLED": "0"}
    stage.tool("go", "build", "-o", folder + "/answers", os.path.join(PROGRAMS, "answers.go"), env=env)
    return folder + "/answers"


def java_classes(stage):
    folder = stage.folder("java")
    stage.tool("javac", "-d", folder, os.path.join(PROGRAMS, "Answers.java"))
    return folder


def java(stage, port, log, what, *options):
    return stage.serve(port, *first("java", "-Dsun.net.httpserver.nodelay=true", *options, "-cp",
                                    stage.shared(java_classes), "Answers", port, log, what))


def served(stage, comm, server, port, batches=8000):
    """Warms a server up, then sends requests to it."""
    Load(stage, "http", port, batches=1000).wait()
    log, recording = ask_on_open_connections(stage, server.pid, "http", port, WHOLE, batches=batches)
    return Counted(recording, measured(comm, port, log))


@scene("go")
def requests_go(stage):
    port = stage.port()
    server = stage.serve(port, stage.shared(go_server), port, stage.path("answers.log"))
    return served(stage, "answers", server, port)


@scene("node")
def requests_node(stage):
    port = stage.port()
    server = stage.serve(port, "node", os.path.join(PROGRAMS, "answers.js"), port, stage.path("answers.log"))
    return served(stage, "node", server, port)


@scene("java", "javac")
def requests_java(stage):
    port = stage.port()
    server = java(stage, port, stage.path("answers.log"), "plain")
    return served(stage, "java", server, port)


@scene()
def requests_python_threaded(stage):
    server, port = stage.serve_python("answers.py", "threaded", stage.path("answers.log"))
    return served(stage, "python3", server, port, 4000)


@scene()
def requests_python_asyncio(stage):
    server, port = stage.serve_python("answers.py", "asyncio", stage.path("answers.log"))
    return served(stage, "python3", server, port)


@scene()
def requests_python_pipelined(stage):
    server, port = stage.serve_python("answers.py", "asyncio", stage.path("answers.log"))
    log, recording = ask(stage, server.pid, "http", port, WHOLE, batches=2000, pipeline=4)
    return Counted(recording, measured("python3", port, log))
