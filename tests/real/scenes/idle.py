# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers without requests: the report must say that they were idle, and give no reason for slowness."""

import os

from loads import WHOLE, Load
from scenes import scene
from scenes.postgres import Server
from scenes.redis import redis
from scenes.requests import OK, go_server, java
from scenes.web import nginx, nginx_worker, php
from stage import PROGRAMS, children, find
from truths import Idle

SECONDS = 3


def idle(stage, pid, comm):
    stage.record(WHOLE)
    # A snapshot reaches back a little further than requested, so the sleep is longer than the span.
    stage.tool("sleep", SECONDS + 0.5)
    return Idle(stage.snapshot(pid, SECONDS), comm)


def idle_after_requests(stage, server, port, comm):
    """The server has answered some requests before, so its runtime is warm."""
    Load(stage, "http", port, batches=200).wait()
    return idle(stage, server.pid, comm)


@scene("nginx")
def idle_nginx(stage):
    nginx(stage, OK)
    return idle(stage, nginx_worker(stage), "nginx")


@scene("nginx")
def idle_nginx_with_connections(stage):
    """Clients are connected, but send no requests."""
    Load(stage, "http", nginx(stage, OK), hold=True)
    return idle(stage, nginx_worker(stage), "nginx")


@scene("redis-server")
def idle_redis(stage):
    server, _ = redis(stage)
    return idle(stage, server.pid, "redis-server")


@scene("redis-server")
def idle_redis_with_connections(stage):
    server, cli = redis(stage)
    Load(stage, "redis", cli[2], hold=True, ask="INCR visits")
    return idle(stage, server.pid, "redis-server")


@scene("psql")
def idle_postgres(stage):
    server = stage.shared(Server)
    return idle(stage, server.process.pid, "postgres")


@scene("psql")
def idle_postgres_backend(stage):
    """The report is about a PostgreSQL backend whose client sends no queries."""
    server = stage.shared(Server)
    Load(stage, "pg", server.port, hold=True, connections=1, ask="select v from a where id=1")
    return idle(stage, server.activity("state = 'idle'")[0], "postgres")


@scene("nginx", "php-fpm*")
def idle_php(stage):
    php(stage)
    master = next(p for p in map(int, filter(str.isdigit, os.listdir("/proc"))) if is_php_master(p, stage))
    return idle(stage, children(master)[0], os.path.basename(find("php-fpm*")))


def is_php_master(pid, stage):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as f:
            return stage.path("php/fpm.conf").encode() in f.read()
    except OSError:
        return False


@scene("node")
def idle_node(stage):
    port = stage.port()
    server = stage.serve(port, "node", os.path.join(PROGRAMS, "answers.js"), port, stage.path("answers.log"))
    return idle_after_requests(stage, server, port, "node")


@scene("java", "javac")
def idle_java(stage):
    port = stage.port()
    return idle_after_requests(stage, java(stage, port, stage.path("answers.log"), "plain"), port, "java")


@scene("go")
def idle_go(stage):
    port = stage.port()
    server = stage.serve(port, stage.shared(go_server), port, stage.path("answers.log"))
    return idle_after_requests(stage, server, port, "answers")


@scene()
def idle_python_threaded(stage):
    server, port = stage.serve_python("answers.py", "threaded", stage.path("answers.log"))
    return idle_after_requests(stage, server, port, "python3")


@scene()
def idle_python_asyncio(stage):
    server, port = stage.serve_python("answers.py", "asyncio", stage.path("answers.log"))
    return idle_after_requests(stage, server, port, "python3")
