# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds, pipelines and scripts."""

import os

from scenes import scene
from stage import Truth, await_, first

SLOW_AWK = "BEGIN { for (i = 0; i < 20000000; i++) x += i * i }"


@scene("make", "gawk")
def make_slow_step(stage):
    """Three steps, one of which computes."""
    stage.file("slow.awk", SLOW_AWK)
    makefile = stage.file("slow.mk", "all: a b c\na c:\n\t@true\nb:\n\t@gawk -f %s\n" % stage.path("slow.awk"))
    client, recording = stage.run("make", "-f", makefile)
    return Truth(recording, ["gawk"], [client.wall_ms * 0.9, client.wall_ms], span_ms=client.wall_ms)


@scene("xargs")
def xargs_serial(stage):
    """Eight jobs, one at a time, each sleeps 200 ms."""
    stage.file("jobs", "0.2\n" * 8)
    client, recording = stage.run("xargs", "-a", stage.path("jobs"), "-n", "1", "sleep")
    return Truth(recording, ["sleep"], [client.wall_ms * 0.9, client.wall_ms], span_ms=client.wall_ms)


@scene("flock")
def flock_held(stage):
    """Another process holds the lock file and sleeps 1.3 s."""
    lock = stage.file("lock", "")
    stage.record()
    holder = stage.start("flock", lock, "sleep", "1.3")
    await_(lambda: str(holder.pid) in open("/proc/locks", encoding="ascii").read().split(), "the lock is held")
    client, recording = stage.ask("flock", lock, "true")
    return Truth(recording, ["sleep", str(holder.pid)], client.wait)


@scene("inotifywait")
def inotify_late_file(stage):
    """The script waits for a file that another program makes after 1.3 s."""
    folder = stage.folder("inbox")
    stage.record()
    late = stage.file("late.sh", "#!/bin/sh\nsleep 1.3\ntouch %s/file\n" % folder, 0o755)
    stage.start(late)
    client, recording = stage.ask("inotifywait", "-qq", "-e", "create", folder)
    return Truth(recording, ["touch", "late.sh", "sleep"], client.wait)


@scene("socat", "tar")
def pipeline_to_stopped_reader(stage):
    """The last stage of a pipeline sends to a program on the same host, which is stopped for 2.2 s."""
    folder = stage.folder("data")
    with open(folder + "/file", "wb") as f:
        f.write(os.urandom(8 << 20))
    port = stage.port()
    reader = stage.serve(port, "socat", "-u", "TCP-LISTEN:%d,reuseaddr" % port, "OPEN:/dev/null")
    stage.record()
    stage.tool("kill", "-STOP", reader.pid)
    stage.start("sh", "-c", "sleep 2.2; kill -CONT %d" % reader.pid)
    client, recording = stage.ask("sh", "-c", "tar cf - -C %s file | socat -u - TCP:127.0.0.1:%d" % (folder, port))
    return Truth(recording, [["socat"], ["stopped"]], [client.waited_ms * 0.85, client.waited_ms])


@scene("dd")
def pipe_slow_reader(stage):
    """dd writes 1 MB into a pipe whose reader takes 64 kB, then sleeps 100 ms."""
    fifo = stage.fifo("slow-reader")
    stage.record()
    stage.python("slow_reader.py", fifo)
    client, recording = stage.ask("dd", "if=/dev/zero", "of=" + fifo, "bs=64k", "count=16")
    return Truth(recording, ["python3"], client.wait)


@scene("gzip")
def pipe_slow_writer(stage):
    """gzip reads from a pipe into which a program writes slowly."""
    writer = stage.file("slow-writer.sh", "#!/bin/sh\nfor i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done\n", 0o755)
    fifo = stage.fifo("slow-writer")
    stage.record()
    with open(os.open(fifo, os.O_RDWR), "w", encoding="ascii") as pipe:
        stage.start(writer, stdout=pipe)
        with open(os.open(fifo, os.O_RDONLY), encoding="ascii") as reader:
            pipe.close()
            client, recording = stage.ask("gzip", "-c", stdin=reader)
    return Truth(recording, ["slow-writer.sh", "sleep"], client.wait)


@scene("tar", "xz")
def tar_compressor(stage):
    """tar writes into xz, which computes."""
    folder = stage.folder("to-pack")
    with open(folder + "/words", "w", encoding="ascii") as f:
        for i in range(160000):
            f.write("%x\n" % (i * 2654435761 % (1 << 40)))
    client, recording = stage.run("tar", "-C", stage.scratch, "-cf", stage.path("packed.tar.xz"),
                                  "--use-compress-program=xz -6 -T1", "to-pack")
    return Truth(recording, ["xz"], [client.wall_ms * 0.9, client.wall_ms], span_ms=client.wall_ms)


@scene("cat")
def fifo_without_writer(stage):
    """cat opens a FIFO; a script opens the other end 1.3 s later."""
    fifo = stage.fifo("rendezvous")
    writer = stage.file("late-writer.sh", "#!/bin/sh\nsleep 1.3\necho hello >%s\n" % fifo, 0o755)
    stage.record()
    stage.start(writer)
    client, recording = stage.ask("cat", fifo)
    return Truth(recording, ["late-writer.sh", "sleep"], client.wait)


@scene("sort", "gawk")
def pipeline_first_stage(stage):
    """sh runs a pipeline whose first stage computes; sort and tail wait for it."""
    client, recording = stage.run("sh", "-c", "gawk '%s END { print x }' </dev/null | sort | tail -1" % SLOW_AWK)
    return Truth(recording, ["gawk"], [client.wall_ms * 0.9, client.wall_ms], span_ms=client.wall_ms)


@scene()
def background_job(stage):
    """sh starts a job, does its own work, and waits for the job."""
    client, recording = stage.run("sh", "-c", "sleep 1.4 & true; wait")
    return Truth(recording, ["sleep"], 1400, span_ms=client.wall_ms)


@scene("ninja", "gawk")
def ninja_slow_step(stage):
    """Three steps: one computes, and another one needs its result."""
    stage.file("slow.awk", SLOW_AWK)
    stage.file("build.ninja", "rule fast\n command = true\nrule slow\n command = gawk -f %s\n"
               "build a: fast\nbuild b: slow\nbuild c: fast b\n" % stage.path("slow.awk"))
    client, recording = stage.run("ninja", "-C", stage.scratch)
    return Truth(recording, ["gawk"], [client.wall_ms * 0.85, client.wall_ms], span_ms=client.wall_ms)


@scene()
def many_short_programs(stage):
    """A script starts 700 programs that do nothing."""
    client, recording = stage.run(*first("sh", "-c", "i=0; while [ $i -lt 700 ]; do /bin/true; i=$((i+1)); done"))
    return Truth(recording, [["true", "sh"], ["processes"]], [client.wall_ms * 0.35, client.wall_ms],
                 untrue=["2 processes"], span_ms=client.wall_ms)
