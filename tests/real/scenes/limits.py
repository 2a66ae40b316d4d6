# SPDX-License-Identifier: GPL-2.0-or-later
"""Limits: control groups for CPU and I/O, cpulimit, CPUs that other programs use, and a stopped program."""

import os
import signal
import time

from scenes import scene
from stage import PYTHON, Cgroup, Crowded, Skip, Truth, await_, await_end, disk_of, state

COMPUTE = "import time\nend = time.thread_time() + %s\nwhile time.thread_time() < end: sum(range(1000))"


@scene()
def cpu_quota(stage):
    """0.4 s of computing with a quota of 25 % of a CPU; the kernel counts how long the group was throttled."""
    group = stage.cgroup("cpu")
    group.limit_cpu(25000, 100000)
    client, recording = stage.run(*group.enter(PYTHON, "-c", COMPUTE % 0.4))
    need_throttling(group.throttled_ms(), client.wall_ms)
    return Truth(recording, [[group.name], ["quota"]], group.throttled_ms())


def need_throttling(throttled_ms, wall_ms):
    queued_ms = wall_ms - 400 - throttled_ms
    if throttled_ms < 1.5 * queued_ms:
        raise Crowded("it was throttled for %.0f ms, waited for a CPU for %.0f ms" % (throttled_ms, queued_ms))


@scene()
def cpu_quota_of_a_server(stage):
    """curl waits for a server that needs 0.4 s of computing and has 25 % of a CPU."""
    group = stage.cgroup("cpu")
    group.limit_cpu(25000, 100000)
    port = stage.port()
    program = stage.file("quota.py", "import http.server, time\n"
                         "class H(http.server.BaseHTTPRequestHandler):\n"
                         "    def do_GET(self):\n        " + (COMPUTE % 0.4).replace("import time\n", "").replace(
                             "\n", "\n        ") + "\n        self.send_response(204)\n        self.end_headers()\n"
                         "    def log_message(self, *a): pass\n"
                         "http.server.HTTPServer(('127.0.0.1', %d), H).serve_forever()\n" % port)
    server = stage.serve(port, PYTHON, program)
    group.add(server.pid)
    before = group.throttled_ms()
    client, recording = stage.ask("curl", "-s", "http://127.0.0.1:%d/" % port)
    throttled_ms = group.throttled_ms() - before
    need_throttling(throttled_ms, client.waited_ms)
    return Truth(recording, [["quota"], [group.name, "python3"]], throttled_ms)


@scene("dd")
def dirty_pages(stage):
    """dd writes more than the limit of dirty memory: the kernel slows it down to the speed of the disk."""
    stage.limit_dirty_pages(8 << 20)
    client, recording = stage.run("dd", "if=/dev/zero", "of=" + stage.path("dirty"), "bs=64k", "count=6000")
    return Truth(recording, [["throttled"], ["dirty pages"]], [client.wall_ms * 0.75, client.wall_ms],
                 untrue=["timeout"])


@scene("dd")
def io_limit_direct(stage):
    """dd writes 6 MB past the page cache; a control group allows 4 MB/s."""
    group = stage.cgroup("blkio")
    group.limit_writes(disk_of(stage.scratch), bytes_per_s=4 << 20)
    client, recording = stage.run(*group.enter("dd", "if=/dev/zero", "of=" + stage.path("direct"), "bs=1M", "count=6",
                                               "oflag=direct"))
    return Truth(recording, [group.name, "I/O limit"], [client.wall_ms * 0.85, client.wall_ms], span_ms=client.wall_ms)


@scene("dd")
def io_limit_reads(stage):
    """dd reads 6 MB past the page cache at 4 MB/s."""
    stage.tool("dd", "if=/dev/urandom", "of=" + stage.path("to-read"), "bs=1M", "count=6", "conv=fsync")
    group = stage.cgroup("blkio")
    group.limit_reads(disk_of(stage.scratch), 4 << 20)
    client, recording = stage.run(*group.enter("dd", "if=" + stage.path("to-read"), "of=/dev/null", "bs=1M",
                                               "iflag=direct"))
    return Truth(recording, [group.name, "I/O limit"], [client.wall_ms * 0.85, client.wall_ms], span_ms=client.wall_ms)


@scene("cat")
def io_limit_buffered_reads(stage):
    """cat reads 5 MB that are not in memory, through the page cache, at 4 MB/s."""
    path = stage.path("to-read")
    stage.tool("dd", "if=/dev/urandom", "of=" + path, "bs=1M", "count=5")
    stage.uncache(path)
    group = stage.cgroup("blkio")
    group.limit_reads(disk_of(stage.scratch), 4 << 20)
    client, recording = stage.run(*group.enter("cat", path))
    return Truth(recording, [group.name, "I/O limit"], [client.wall_ms * 0.85, client.wall_ms], span_ms=client.wall_ms)


def written_bytes(pid):
    with open("/proc/%d/io" % pid, encoding="ascii") as f:
        return int(dict(line.split(": ") for line in f.read().splitlines())["write_bytes"])


@scene("dd", "sync")
def io_limit_of_a_neighbour(stage):
    """Another program, limited to 3 MB/s, syncs a file of 4 MB. A program that syncs the file system waits for
    that, too."""
    group = stage.cgroup("blkio")
    group.limit_writes(disk_of(stage.scratch), bytes_per_s=3 << 20)
    stage.record()
    other = stage.start(*group.enter("dd", "if=/dev/zero", "of=" + stage.path("neighbour"), "bs=4M", "count=1",
                                     "conv=fsync"))
    await_(lambda: written_bytes(other.pid) >= 4 << 20 and state(other.pid) == "D", "the neighbour syncs")
    client, recording = stage.ask("sync", "-f", stage.scratch)
    if client.waited_ms < 500:
        raise Skip("sync had to wait for %.0f ms only: this file system keeps files apart" % client.waited_ms)
    return Truth(recording, [group.name, "I/O limit", "dd"], [client.waited_ms * 0.85, client.waited_ms])


@scene("cpulimit")
def cpulimit_stops(stage):
    """cpulimit stops a program again and again. The program is stopped while it neither runs nor waits for a CPU."""
    stage.record()
    begin = time.monotonic()
    process = stage.start(PYTHON, "-c", COMPUTE % 0.15)
    stage.start("cpulimit", "-q", "-z", "-l", "10", "-p", process.pid)
    ran_ms, queued_ms = await_end(process)
    wall_ms = (time.monotonic() - begin) * 1e3
    stopped_ms = wall_ms - ran_ms - queued_ms
    if stopped_ms < 1.5 * max(ran_ms, queued_ms):
        raise Crowded("it was stopped for %.0f ms, waited for a CPU for %.0f ms" % (stopped_ms, queued_ms))
    return Truth(stage.snapshot(process.pid, wall_ms / 1e3), [["stopped"], ["cpulimit"]], stopped_ms)


@scene()
def stopped_program(stage):
    """Stopped for 1.3 s in the middle of its work, as by Ctrl-Z."""
    stage.record()
    done = stage.path("done")
    code = "import os, sys, time\nopen(sys.argv[1], 'w').close()\n" + COMPUTE % 0.3
    if os.path.exists(done):
        os.unlink(done)
    begin = time.monotonic()
    process = stage.start(PYTHON, "-c", code, done)
    await_(lambda: os.path.exists(done), "the program computes")
    os.kill(process.pid, signal.SIGSTOP)
    stopped = time.monotonic()
    stage.tool("sleep", "1.3")
    os.kill(process.pid, signal.SIGCONT)
    ms = (time.monotonic() - stopped) * 1e3
    process.wait(30)
    return Truth(stage.snapshot(process.pid, time.monotonic() - begin), ["stopped"], ms)


@scene("taskset", "sha1sum")
def crowded_cpu(stage):
    """Three other programs compute on the only CPU that the program may use."""
    for _ in range(3):
        stage.start("taskset", "-c", "0", "sha1sum", "/dev/zero")
    stage.record()
    begin = time.monotonic()
    process = stage.start("taskset", "-c", "0", PYTHON, "-c", COMPUTE % 0.5)
    _, queued_ms = await_end(process)
    wall_ms = (time.monotonic() - begin) * 1e3
    return Truth(stage.snapshot(process.pid, wall_ms / 1e3), ["sha1sum"], queued_ms)


@scene("taskset", "chrt", "sha1sum")
def real_time_hog(stage):
    """For 0.8 s, a real-time program has the only CPU that the program may use."""
    stage.record()
    begin = time.monotonic()
    process = stage.start("taskset", "-c", "0", PYTHON, "-c", COMPUTE % 0.4)
    # With cgroup version 1, only the root cgroup has a real-time budget, so the shell first moves itself to the root
    # cgroup.
    stage.start("sh", "-c", "[ ! -e $0 ] || echo $$ >$0; exec timeout 0.8 taskset -c 0 chrt -f 50 sha1sum /dev/zero",
                "/sys/fs/cgroup/cpu/cgroup.procs")
    _, queued_ms = await_end(process)
    if queued_ms < 600:
        raise Skip("the real-time program did not get the CPU")
    return Truth(stage.snapshot(process.pid, time.monotonic() - begin), ["sha1sum"], queued_ms)


@scene("curl")
def frozen_server(stage):
    """The control group of a server is frozen for 1.3 s, like by docker pause."""
    root = next((path for path in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
                 if os.path.exists(path + "/cgroup.controllers")), None)
    if not root:
        raise Skip("there is no control group of version 2")
    server, port = stage.serve_python("web.py")
    group = Cgroup(os.path.join(root, "rsp-real-frozen-%d" % os.getpid()), "v2")
    os.mkdir(group.path)
    stage.stack.callback(group.remove, root)
    group.add(server.pid)
    thaw = stage.file("thaw.sh", "#!/bin/sh\nsleep 1.3\necho 0 >%s/cgroup.freeze\n" % group.path, 0o755)
    stage.record()
    group.write("cgroup.freeze", "1")
    stage.start(thaw)
    client, recording = stage.ask("curl", "-s", "http://127.0.0.1:%d/sleep/1" % port)
    return Truth(recording, [["python3"], ["frozen"], ["thaw.sh"]], client.wait)
