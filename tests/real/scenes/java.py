# SPDX-License-Identifier: GPL-2.0-or-later
"""Java: a monitor, a pool of threads, the garbage collector. tests/real/programs/Monitor.java measures how
long."""

import os
import re

from scenes import scene
from stage import PROGRAMS, Truth


def classes(stage):
    folder = stage.folder("java")
    stage.tool("javac", "-d", folder, os.path.join(PROGRAMS, "Monitor.java"))
    return folder


def java(stage, what, *options):
    return stage.run("java", *options, "-cp", stage.shared(classes), "Monitor", what)


def waited_ms(client):
    return float(client.out.split("ms ")[1].split()[0])


@scene("java", "javac")
def java_monitor(stage):
    """The thread "holder" computes for 1.2 s within the monitor that the main thread needs."""
    client, recording = java(stage, "monitor")
    return Truth(recording, ["holder", "Monitor.holderCriticalSection"], waited_ms(client), span_ms=client.wall_ms)


@scene("java", "javac")
def java_pool(stage):
    """Four jobs for a pool of one thread."""
    client, recording = java(stage, "pool")
    return Truth(recording, ["pool-1-thread-1", "pool-1-thread-", "pool-1-thread"], waited_ms(client),
                 span_ms=client.wall_ms)


@scene("java", "javac")
def java_connections(stage):
    """There is one connection, which three other threads of the pool use one after the other, 400 ms each."""
    client, recording = java(stage, "connections")
    return Truth(recording, [["pool-1-thread-1", "pool-1-thread-2", "pool-1-thread-3"]], waited_ms(client),
                 span_ms=client.wall_ms)


@scene("java", "javac")
def java_gc(stage):
    """The heap is too small: the virtual machine stops all threads to collect garbage."""
    client, recording = java(stage, "gc", "-Xmx48m", "-XX:+UseSerialGC", "-Xlog:gc")
    pauses_ms = sum(float(ms) for ms in re.findall(r"Pause.* ([0-9.]+)ms", client.out))
    return Truth(recording, ["VM Thread", "GC", "garbage collection"], pauses_ms, span_ms=client.wall_ms)
