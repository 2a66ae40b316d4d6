# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers with very few requests, or that do not answer: the report is about the server process itself."""

import time

from scenes import scene
from scenes.redis import redis
from scenes.web import fetch, nginx, php, url
from stage import Truth, await_, children, pending, state


@scene("redis-server")
def redis_idle(stage):
    """There is one request. Apart from it, only redis's own timer expires, ten times a second."""
    server, cli = redis(stage)
    stage.record()
    begin = time.monotonic()
    stage.tool(*cli, "get", "x")
    time.sleep(1.5)
    return Truth(stage.snapshot(server.pid, time.monotonic() - begin), [["idle"], ["answered"]], None,
                 untrue=["timeout"])


@scene("nginx", "php-fpm*")
def php_idle_worker(stage):
    """A worker waits for its next connection, and no request comes."""
    php(stage)
    master = next(pid for pid in map(int, stage.tool("pgrep", "-f", "php/fpm.conf").split()) if children(pid))
    worker = children(master)[0]
    stage.record()
    begin = time.monotonic()
    time.sleep(1.2)
    return Truth(stage.snapshot(worker, time.monotonic() - begin), ["idle"], [1080, 1320], untrue=["waiting"])


@scene("curl", "nginx")
def nginx_waits_for_upstream(stage):
    """nginx has a request that it cannot answer, because its upstream is stopped. So it is not idle."""
    server, upstream = stage.serve_python("web.py")
    port = nginx(stage, "location / { proxy_pass %s; }" % url(upstream))
    worker = await_(lambda: children(int(stage.text("nginx/pid"))), "nginx has its worker")[0]
    stage.tool(*fetch(port, "fast"))
    stage.record()
    stage.tool("kill", "-STOP", server.pid)
    await_(lambda: state(server.pid) == "T", "the upstream is stopped")
    begin = time.monotonic()
    stage.start(*fetch(port, "fast"))
    await_(lambda: pending(upstream), "nginx has asked the upstream")
    time.sleep(1.2)
    return Truth(stage.snapshot(worker, time.monotonic() - begin), ["no answer"], [1080, 1400],
                 untrue=["did next to nothing"])
