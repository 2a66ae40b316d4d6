# SPDX-License-Identifier: GPL-2.0-or-later
"""Load generators that run beside a recorder: programs/load.py and common tools."""

import os
import subprocess
import time

from stage import PROGRAMS, PYTHON, Broken, first
from truths import Log

LOAD = os.path.join(PROGRAMS, "load.py")
DEADLINE_S = 60
# Turns the budget off. Under full load, a recorder with a budget pauses most of the time.
WHOLE = "[Budget]\nCPU=off\n"


def words_of(options):
    """Converts batches=5, setup=["a", "b"] to --batches 5 --setup a --setup b, and hold=True to --hold."""
    words = []
    for name, value in options.items():
        for each in value if isinstance(value, list) else [value]:
            words += ["--" + name] if each is True else ["--" + name, str(each)]
    return words


class Load:
    """A load generator that has opened its connections. With hold=True, it begins when go() is called."""

    def __init__(self, stage, protocol, port, **options):
        self.path = stage.path("load-%d.json" % int(port))
        self.errors = stage.path("load-%d.err" % int(port))
        with open(self.errors, "w", encoding="utf-8") as log:
            self.process = stage.start(*first(PYTHON, LOAD, protocol, port, self.path, *words_of(options)),
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        if not self.process.stdout.readline():
            self.process.wait(DEADLINE_S)
            self.fail()

    def fail(self):
        with open(self.errors, encoding="utf-8") as f:
            raise Broken("the load: " + f.read().strip()[-300:])

    def go(self):
        """Lets a load generator with hold=True begin."""
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def wait(self):
        if self.process.wait(DEADLINE_S) != 0:
            self.fail()
        return Log(self.path)


def ask(stage, pid, protocol, port, settings="", **options):
    """Takes a snapshot of process pid after the requests. Returns (log, recording)."""
    stage.record(settings)
    begin = time.monotonic()
    return finish(stage, pid, Load(stage, protocol, port, **options), begin)


def ask_on_open_connections(stage, pid, protocol, port, settings="", **options):
    """Does the same as ask(), over connections that are older than the span of the snapshot, but not older than the
    recorder."""
    stage.record(settings)
    return ask_now(stage, pid, Load(stage, protocol, port, hold=True, **options))


def ask_on_older_connections(stage, pid, protocol, port, settings="", **options):
    """Does the same as ask(), over connections that are older than the recorder."""
    stage.stop_recording()
    load = Load(stage, protocol, port, hold=True, **options)
    stage.record(settings)
    return ask_now(stage, pid, load)


def ask_now(stage, pid, load):
    # A snapshot reaches back a little further than requested, so the sleep keeps earlier activity out of its span.
    time.sleep(0.2)
    begin = time.monotonic()
    load.go()
    return finish(stage, pid, load, begin)


def finish(stage, pid, load, begin):
    log = load.wait()
    return log, stage.snapshot(pid, time.monotonic() - begin)


def tool(stage, pid, *command, **options):
    """Runs a common tool while a recorder without a budget runs. Returns the tool's output, and a snapshot of
    process pid."""
    stage.record(WHOLE)
    begin = time.monotonic()
    out = stage.tool(*first(*command), **options)
    return out, stage.snapshot(pid, time.monotonic() - begin)
