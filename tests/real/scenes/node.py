# SPDX-License-Identifier: GPL-2.0-or-later
"""Node: one event loop, which computes for another client, or waits for an upstream."""

import os
import time

from scenes import scene
from stage import AT_WORK, PROGRAMS, Truth, await_, connections, first

SERVER = """const crypto = require('crypto'), fs = require('fs'), http = require('http');
function expensiveReport(ms) {
  let x = 0;
  for (const end = Date.now() + ms; Date.now() < end;) x += Math.sqrt(x + 1);
  return x;
}
http.createServer((request, response) => {
  const [, what, ms] = request.url.split('/');
  if (what === 'compute') expensiveReport(+ms);
  if (what === 'upstream') return http.get(process.argv[3] + 'sleep/' + ms,
    (answer) => answer.resume().on('end', () => response.end('ok')));
  if (what === 'hash') return crypto.pbkdf2('x', 'y', +ms, 64, 'sha512', () => response.end('ok'));
  if (what === 'file') return fs.readFile('/etc/hostname', () => response.end('ok'));
  response.end('ok');
}).listen(+process.argv[2], '127.0.0.1');
"""


def serve(stage, upstream=0, **env):
    port = stage.port()
    stage.serve(port, "node", stage.file("server.js", SERVER), port, "http://127.0.0.1:%d/" % upstream, env=env)
    return port


def fetch(port, path):
    return ["curl", "-s", "-o", "/dev/null", "http://127.0.0.1:%d/%s" % (port, path)]


@scene("node", "curl")
def node_busy_event_loop(stage):
    """Another client's request computes for 1.3 s."""
    port = serve(stage)
    stage.record()
    stage.start(*fetch(port, "compute/1300"))
    await_(lambda: connections(port) >= 1, "the other request is being served")
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, [["node"], AT_WORK], client.wait)


@scene("node", "curl")
def node_slow_upstream(stage):
    _, upstream = stage.serve_python("web.py")
    port = serve(stage, upstream)
    client, recording = stage.ask(*fetch(port, "upstream/1300"))
    return Truth(recording, ["python3"], client.wait)


@scene("node", "curl")
def node_thread_pool(stage):
    """node's pool has one thread, which hashes passwords for another client. Reading a file needs the same
    pool."""
    port = serve(stage, UV_THREADPOOL_SIZE="1")
    begin = time.monotonic()
    stage.tool(*fetch(port, "hash/300000"))
    rounds = int(300000 * 1.3 / (time.monotonic() - begin))
    stage.record()
    stage.start(*fetch(port, "hash/%d" % rounds))
    await_(lambda: connections(port) >= 1, "the other request is being served")
    client, recording = stage.ask(*fetch(port, "file/"))
    return Truth(recording, [["node", "libuv-worker"], AT_WORK], client.wait,
                 untrue=["timeout"])


@scene("node")
def node_worker_thread(stage):
    client, recording = stage.run(*first("node", os.path.join(PROGRAMS, "worker.js")))
    return Truth(recording, ["own thread"], float(client.out.split("ms ")[1].split()[0]), span_ms=client.wall_ms)


@scene("node", "curl")
def node_blocked_by_a_file(stage):
    """The report is about the server: it is idle first, then it opens a FIFO, whose writer comes 0.8 s after the
    request."""
    fifo, port = stage.fifo("late"), stage.port()
    code = "require('http').createServer((request, response) => { require('fs').readFileSync('%s'); " \
           "response.end('ok'); }).listen(%d, '127.0.0.1')" % (fifo, port)
    server = stage.serve(port, "node", "-e", code)
    stage.record()
    begin = time.monotonic()
    stage.tool("sleep", "1")
    client = stage.client("sh", "-c", "(sleep 0.8; echo >%s) & exec %s" % (fifo, " ".join(fetch(port, "/"))))
    return Truth(stage.snapshot(server.pid, time.monotonic() - begin), ["sleep"], [700, client.wall_ms])
