# SPDX-License-Identifier: GPL-2.0-or-later
"""memcached: stopped, or without a free connection."""

from scenes import scene
from stage import PYTHON, Truth, await_, pending

GET = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); s.sendall(b'get x\\r\\n'); " \
      "assert s.recv(100) == b'END\\r\\n'"


def memcached(stage, *options):
    port = stage.port()
    return stage.serve(port, "memcached", "-l", "127.0.0.1", "-p", port, "-U", "0", "-t", "1", *options,
                       user="nobody"), port


@scene("memcached")
def memcached_stopped(stage):
    server, port = memcached(stage)
    stage.record()
    stage.tool("kill", "-STOP", server.pid)
    stage.start("sh", "-c", "sleep 1.3; kill -CONT %d" % server.pid)
    client, recording = stage.ask(PYTHON, "-c", GET, port)
    return Truth(recording, [["memcached", "mc-worker"], ["stopped"]], client.wait)


@scene("memcached")
def memcached_connection_limit(stage):
    """memcached may open 20 files, and uses most of them itself. Another client's connections use the others, for
    another 1.3 s."""
    _, port = memcached(stage, "-c", "20", "-o", "no_maxconns_fast")
    code = "import socket, sys, time; " \
           "s = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for i in range(10)]; time.sleep(1.3)"
    stage.record()
    holder = stage.start(PYTHON, "-c", code, port)
    await_(lambda: pending(port) > 0, "the connections are taken")
    client, recording = stage.ask(PYTHON, "-c", GET, port)
    return Truth(recording, ["memcached", "mc-worker", str(holder.pid)], client.wait)
