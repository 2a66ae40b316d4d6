# SPDX-License-Identifier: GPL-2.0-or-later
"""Go: goroutines wait for goroutines, and for the network. tests/real/programs/gotest.go says how long."""

import os

from scenes import scene
from stage import PROGRAMS, Truth

HOLDER = ["main.holderCriticalSection", "main.computeFor"]


def build(stage):
    folder = stage.folder("go")
    env = {"GOCACHE": folder + "/cache", "GOPATH": folder + "/path", "GO111MODULE": "off", "GOFLAGS": "",
           "CGO_ENABLED": "0"}
    program = os.path.join(PROGRAMS, "gotest.go")
    stage.tool("go", "build", "-o", folder + "/gotest", program, env=env)
    stage.tool("go", "build", "-ldflags", "-s -w", "-o", folder + "/gostripped", program, env=env)
    return folder


def waited_ms(client):
    return float(client.out.split("ms ")[1].split()[0])


@scene("go")
def go_mutex(stage):
    client, recording = stage.run(stage.shared(build) + "/gotest", "mutex")
    return Truth(recording, HOLDER, waited_ms(client), span_ms=client.wall_ms)


@scene("go")
def go_mutex_stripped(stage):
    client, recording = stage.run(stage.shared(build) + "/gostripped", "mutex")
    return Truth(recording, HOLDER, waited_ms(client), span_ms=client.wall_ms)


@scene("go")
def go_channel(stage):
    client, recording = stage.run(stage.shared(build) + "/gotest", "channel")
    return Truth(recording, ["main.slowProducer", "main.computeFor"], waited_ms(client), span_ms=client.wall_ms)


@scene("go")
def go_http_upstream(stage):
    _, port = stage.serve_python("web.py")
    client, recording = stage.run(stage.shared(build) + "/gotest", "http", "http://127.0.0.1:%d/sleep/1200" % port)
    return Truth(recording, ["python3"], waited_ms(client), span_ms=client.wall_ms)
