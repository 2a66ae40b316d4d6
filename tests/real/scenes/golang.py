# SPDX-License-Identifier: GPL-2.0-or-later
"""Go: goroutines wait for goroutines, and for the network. tests/real/programs/gotest.go measures how long."""

import os

from scenes import scene
from stage import PROGRAMS, Crowded, Truth, first

HOLDER = ["main.holderCriticalSection", "main.computeFor"]


def build(stage):
    folder = stage.folder("go")
    env = {"GOCACHE": folder + "/cache", "GOPATH": folder + "/path", "GO111MODULE": "off", "GOFLAGS": "",
           "CGO_ENABLED": "0"}
    program = os.path.join(PROGRAMS, "gotest.go")
    stage.tool("go", "build", "-o", folder + "/gotest", program, env=env)
    stage.tool("go", "build", "-ldflags", "-s -w", "-o", folder + "/gostripped", program, env=env)
    return folder


def play(stage, program, *args):
    client, recording = stage.run(*first(stage.shared(build) + "/" + program, *args))
    return client, recording, float(client.out.split("ms ")[1].split()[0])


def play_computing(stage, program, *args):
    """The goroutine computes for a fixed time by the clock. Raises Crowded if the program had no CPU for a part of
    this time."""
    client, recording, waited_ms = play(stage, program, *args)
    cpu_ms = float(client.out.split("cpu ")[1].split()[0])
    if cpu_ms < 0.92 * waited_ms:
        raise Crowded("it had a CPU for %.0f of %.0f ms" % (cpu_ms, waited_ms))
    return client, recording, waited_ms


@scene("go")
def go_mutex(stage):
    client, recording, waited_ms = play_computing(stage, "gotest", "mutex")
    return Truth(recording, HOLDER, waited_ms, span_ms=client.wall_ms)


@scene("go")
def go_mutex_stripped(stage):
    client, recording, waited_ms = play_computing(stage, "gostripped", "mutex")
    return Truth(recording, HOLDER, waited_ms, span_ms=client.wall_ms)


@scene("go")
def go_channel(stage):
    client, recording, waited_ms = play_computing(stage, "gotest", "channel")
    return Truth(recording, ["main.slowProducer", "main.computeFor"], waited_ms, span_ms=client.wall_ms)


@scene("go")
def go_http_upstream(stage):
    _, port = stage.serve_python("web.py")
    client, recording, waited_ms = play(stage, "gotest", "http", "http://127.0.0.1:%d/sleep/1200" % port)
    return Truth(recording, ["python3"], waited_ms, span_ms=client.wall_ms)
