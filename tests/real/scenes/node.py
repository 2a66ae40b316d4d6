# SPDX-License-Identifier: GPL-2.0-or-later
"""Node: one event loop, which computes for another client, or asks an upstream."""

import time

from scenes import scene
from stage import AT_WORK, Truth, await_, connections

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
    """node's pool has one thread, which hashes passwords for another client; a file is read by the same pool."""
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
