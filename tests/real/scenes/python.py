# SPDX-License-Identifier: GPL-2.0-or-later
"""Python: threads and processes of one program wait for each other. Each program measures how long."""

import os
import re

from scenes import scene
from stage import PROGRAMS, PYTHON, Truth, await_, connections


def play(stage, program, *args):
    client, recording = stage.run(PYTHON, os.path.join(PROGRAMS, program), *args)
    said = dict(re.findall(r"^(\w+) ([0-9.]+)$", client.out, re.MULTILINE))
    return client, recording, float(said["ms"]), said.get("tid")


@scene()
def python_pool(stage):
    """A pool with one process, and six jobs of 250 ms."""
    client, recording, ms, _ = play(stage, "pool.py")
    return Truth(recording, ["python3"], ms, span_ms=client.wall_ms)


@scene()
def python_lock_computing(stage):
    client, recording, ms, tid = play(stage, "lock.py", "compute")
    return Truth(recording, [tid, "own thread", "own threads", "critical_section"], ms, span_ms=client.wall_ms)


@scene()
def python_lock_sleeping(stage):
    client, recording, ms, tid = play(stage, "lock.py", "sleep")
    return Truth(recording, [tid, "own thread", "own threads", "critical_section"], ms, span_ms=client.wall_ms)


@scene()
def python_gil(stage):
    client, recording, ms, tid = play(stage, "gil.py")
    return Truth(recording, [tid, "own thread", "own threads", "sre_ucs1_match", "sre_match"], ms,
                 span_ms=client.wall_ms)


@scene()
def python_queue(stage):
    client, recording, ms, tid = play(stage, "queue_consumer.py")
    return Truth(recording, [tid, "own thread", "own threads", "slow_consumer"], ms, span_ms=client.wall_ms)


@scene("gawk")
def python_subprocess(stage):
    """A program that python3 starts computes."""
    awk = "BEGIN { for (i = 0; i < 20000000; i++) x += i * i }"
    code = "import subprocess, sys, time; b = time.monotonic(); subprocess.run(['gawk', sys.argv[1]], check=True); " \
           "print('ms', (time.monotonic() - b) * 1e3)"
    client, recording = stage.run(PYTHON, "-c", code, awk)
    return Truth(recording, ["gawk"], float(client.out.split("ms ")[1].split()[0]), span_ms=client.wall_ms)


@scene()
def python_lock_between_processes(stage):
    """A semaphore in shared memory, which another process holds while it computes for 1.2 s."""
    client, recording, ms, pid = play(stage, "shared_lock.py", "semaphore")
    return Truth(recording, [["another python3", "python3", pid]], ms, span_ms=client.wall_ms)


@scene()
def python_record_lock(stage):
    """A POSIX lock on a part of a file, which another process holds while it computes for 1.2 s."""
    client, recording, ms, pid = play(stage, "shared_lock.py", "fcntl")
    return Truth(recording, [["another python3", "python3", pid]], ms, span_ms=client.wall_ms)


@scene("curl")
def python_blocked_event_loop(stage):
    """Another client's request sleeps in asyncio's event loop."""
    _, port = stage.serve_python("blocking_loop.py")
    stage.record()
    stage.start("curl", "-s", "http://127.0.0.1:%d/slow" % port)
    await_(lambda: connections(port) >= 1, "the other request is being served")
    client, recording = stage.ask("curl", "-s", "http://127.0.0.1:%d/fast" % port)
    return Truth(recording, [["python3"], ["sleeping"]], client.wait)
