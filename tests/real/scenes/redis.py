# SPDX-License-Identifier: GPL-2.0-or-later
"""Redis: one thread serves all clients."""

from scenes import scene
from stage import PYTHON, Truth, await_, disk_of, state

# Prints how many nanoseconds the command in its arguments took.
CLOCK = ["/usr/bin/python3", "-c", "import subprocess, sys, time; b = time.monotonic_ns(); "
         "subprocess.run(sys.argv[1:], check=True); print(time.monotonic_ns() - b)"]


def redis(stage, *options):
    port = stage.port()
    folder = stage.folder("redis")
    server = stage.serve(port, "redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "",
                         *options)
    return server, ["redis-cli", "-p", str(port)]


@scene("redis-server")
def redis_slow_lua(stage):
    """A script of another client computes for about 1.3 s; redis answers no client meanwhile."""
    server, cli = redis(stage)
    script = "local i = 0; while i < %d do i = i + 1 end; return i"
    stage.record()
    ns = int(stage.tool(*CLOCK, *cli, "eval", script % 10000000, "0").split()[-1])
    stage.start(*cli, "eval", script % (10000000 * 1300000000 // ns), "0")
    await_(lambda: state(server.pid) == "R", "redis computes")
    client, recording = stage.ask(*cli, "get", "x")
    return Truth(recording, ["redis-server"], client.wait)


@scene("redis-server")
def redis_blpop(stage):
    """A consumer waits for an item; the producer sleeps 1.3 s before it pushes one."""
    _, cli = redis(stage)
    producer = stage.file("producer.sh", "#!/bin/sh\nsleep 1.3\nexec \"$@\"\n", 0o755)
    stage.record()
    stage.start(producer, *cli, "lpush", "jobs", "one")
    client, recording = stage.ask(*cli, "blpop", "jobs", "0")
    return Truth(recording, ["producer.sh", "sleep"], client.wait, untrue=["timeout"])


@scene("redis-server")
def redis_aof_io_limit(stage):
    """Each command is synced to a disk to which a control group allows six writes a second."""
    server, cli = redis(stage, "--appendonly", "yes", "--appendfsync", "always")
    group = stage.cgroup("blkio")
    group.limit_writes(disk_of(stage.scratch), per_s=6)
    stage.tool(*cli, "set", "x", "0")
    stage.record()
    group.add(server.pid)
    client, recording = stage.ask(*cli, "-r", "3", "incr", "x")
    return Truth(recording, [[group.name, "I/O limit"]], client.wait)


@scene("redis-server")
def redis_replica_stopped(stage):
    """A client waits until its write has reached the replica, which is stopped for 1.2 s."""
    _, cli = redis(stage)
    port = stage.port()
    replica = stage.serve(port, "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir",
                          stage.folder("replica"), "--replicaof", "127.0.0.1", cli[2])
    await_(lambda: "state=online" in stage.tool(*cli, "info", "replication"), "the replica is online")
    code = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); " \
           "s.sendall(b'SET x 1\\r\\nWAIT 1 0\\r\\n'); list(iter(lambda: b':1' in s.recv(100), True))"
    stage.record()
    stage.tool("kill", "-STOP", replica.pid)
    stage.start("sh", "-c", "sleep 1.2; kill -CONT %d" % replica.pid)
    client, recording = stage.ask(PYTHON, "-c", code, cli[2])
    return Truth(recording, [[str(replica.pid)], ["stopped"]], client.wait)
