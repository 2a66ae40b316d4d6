# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads of C++ and Ruby wait for each other. Each program measures how long."""

import os

from scenes import scene
from stage import PROGRAMS, Truth, first


def said_ms(client):
    return float(client.out.split("ms ")[1].split()[0])


def compiled(stage):
    program = stage.path("threads")
    stage.tool("g++", "-O1", "-g", "-pthread", "-o", program, os.path.join(PROGRAMS, "threads.cpp"))
    return program


def cpp(stage, what):
    client, recording = stage.run(*first(stage.shared(compiled), what))
    return Truth(recording, [["own thread"], ["slow_computation"]], said_ms(client), span_ms=client.wall_ms)


@scene("g++")
def cpp_timed_wait(stage):
    """A loop that waits for a condition variable with a timeout of 50 ms."""
    return cpp(stage, "timed")


@scene("g++")
def cpp_barrier(stage):
    return cpp(stage, "barrier")


@scene("ruby")
def ruby_mutex(stage):
    client, recording = stage.run(*first("ruby", os.path.join(PROGRAMS, "mutex.rb")))
    return Truth(recording, ["own thread"], said_ms(client), span_ms=client.wall_ms)
