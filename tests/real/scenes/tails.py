# SPDX-License-Identifier: GPL-2.0-or-later
"""Tails: a cause affects a few of many requests. The first sentence of `rspctl requests` must say why the slow
requests are slow. The amount is the mean time of the cause in a request of the slowest hundredth."""

import os
import re
import time

from loads import WHOLE, Load, ask_on_open_connections
from scenes import scene
from scenes.postgres import Server
from scenes.redis import CLOCK, redis
from scenes.requests import PAGE as REDIS_PAGE
from scenes.requests import go_server, java
from scenes.web import fastcgi, nginx, nginx_worker, php
from stage import AT_WORK, PROGRAMS, PYTHON, Broken, Crowded, Skip, await_, find, first, waited_for_disks_ms
from truths import Tail


def ask(stage, pid, protocol, port, warmup=300, **options):
    """Sends warm-up requests, then records a load completely. Returns (log, recording)."""
    if warmup:
        usual = {name: value for name, value in options.items() if name in ("ask", "setup")}
        Load(stage, protocol, port, batches=warmup, **usual).wait()
    return ask_on_open_connections(stage, pid, protocol, port, WHOLE, **options)


def realtime_offset_ns():
    """Returns CLOCK_MONOTONIC - CLOCK_REALTIME, in ns."""
    return time.monotonic_ns() - time.time_ns()


def rows(path):
    """Returns the words on each line of a program's log. Leaves out a last line that is incomplete."""
    with open(path, encoding="ascii") as f:
        return [line.split() for line in f if line.endswith("\n")]


def waits_ms(path):
    """Reads a log whose lines have the number of a request and its wait in ms."""
    return {int(number): float(ms) for number, ms in rows(path)}


def intervals_ns(path):
    return [(int(begin), int(end)) for begin, end in rows(path)]


def of_each(load, every, ms):
    """Returns ms, the mean time of the cause, for each request whose number is a multiple of every."""
    return {number: ms for number, *_ in load.requests if number % every == 0}


def answers(stage, kind):
    """Starts programs/answers.py with a higher priority than other programs. Returns the server, its port and its
    log."""
    log = stage.path("answers.log")
    with open(log, "w", encoding="ascii"):
        pass
    port = stage.port()
    server = stage.serve(port, *first(PYTHON, os.path.join(PROGRAMS, "answers.py"), port, kind, log))
    return server, port, log


# --- a lock ----------------------------------------------------------------------------------------

@scene("java", "javac")
def tail_java_monitor(stage):
    """The thread "compactor" computes for 40 ms in the monitor that each request needs."""
    port, log = stage.port(), stage.path("answers.log")
    server = java(stage, port, log, "monitor")
    load, recording = ask(stage, server.pid, "http", port, warmup=2000, batches=2000, pause=10)
    return Tail(recording, ["java"], ["compactor", "own thread", "Answers.compact", "Answers.computeFor"],
                load.share_ms(waits_ms(log)))


@scene("go")
def tail_go_mutex(stage):
    """A goroutine computes for 40 ms and holds the mutex that each request needs."""
    port, log = stage.port(), stage.path("answers.log")
    server = stage.serve(port, *first(stage.shared(go_server), port, log, "mutex"))
    load, recording = ask(stage, server.pid, "http", port, warmup=2000, batches=2000, pause=10)
    held = [(float(row[0]), float(row[1])) for row in rows(log + ".held")]
    held_ms, cpu_ms = sum(ms for ms, _ in held), sum(ms for _, ms in held)
    if cpu_ms < 0.85 * held_ms:
        raise Crowded("the holder had a CPU for %.0f of %.0f ms" % (cpu_ms, held_ms))
    return Tail(recording, ["answers"], ["main.compact", "own thread", "lock"], load.share_ms(waits_ms(log)))


HOLD = """begin;
update a set v=v+1 where id=1;
select 'held', extract(epoch from clock_timestamp());
select pg_sleep(0.04);
select 'held', extract(epoch from clock_timestamp());
commit;
select pg_sleep(0.36);
"""


@scene("psql")
def tail_pg_row_lock(stage):
    """A session sleeps for 40 ms every 400 ms, while it holds the row that each query needs."""
    server = stage.shared(Server)
    script = stage.file("hold.sql", HOLD * 25)
    out = stage.path("hold.out")
    with open(out, "w", encoding="ascii") as f:
        holder = stage.start("psql", "-X", "-q", "-A", "-t", "-h", server.folder, "-p", server.port, "-U",
                             "postgres", "-f", script, stdout=f)
    pid = await_(lambda: server.activity("query like '%pg_sleep%'"), "the holder is there")[0]
    load, recording = ask(stage, server.process.pid, "pg", server.port, batches=2000, pause=10,
                          setup="set synchronous_commit=off", ask="select v from a where id=1 for update")
    holder.wait(30)
    stamps = [float(row[0].split("|")[1]) * 1e9 + realtime_offset_ns() for row in rows(out)
              if row and row[0].startswith("held|")]
    return Tail(recording, ["postgres"], [["postgres"], [str(pid), "pg_sleep", "lock"]],
                load.share_ms(load.overlap_ms(list(zip(stamps[::2], stamps[1::2])))))


# --- a pool without free workers -------------------------------------------------------------------

PAGE = """<?php
$begin = hrtime(true);
if (isset($_GET['sleep'])) usleep($_GET['sleep'] * 1000);
else file_put_contents('%s', "{$_GET['id']} $begin\\n", FILE_APPEND);
header('Content-Length: 3');
echo "ok\\n";
"""


@scene("nginx", "php-fpm*")
def tail_php_pool(stage):
    """php-fpm has one worker. Through another nginx, a batch job requests a page that sleeps for 60 ms."""
    log = stage.folder("log", user="www-data") + "/begun"
    port, fpm = php(stage, PAGE % log)
    batch = nginx(stage, fastcgi(stage, fpm), name="nginx-batch")
    worker = nginx_worker(stage)
    stage.record(WHOLE)
    Load(stage, "http", batch, connections=1, batches=1000, pause=340, ask="/job.php?sleep=60&id=%d")
    load, recording = ask(stage, worker, "http", port, batches=2000, pause=10, ask="/job.php?id=%d", warmup=0)
    begun = {int(row[0]): int(row[1]) for row in rows(log) if len(row) == 2}
    waits = {number: (begun[number] - begin) / 1e6 for number, begin, *_ in load.requests if number in begun}
    return Tail(recording, ["nginx"], [os.path.basename(find("php-fpm*"))],
                load.share_ms({number: ms for number, ms in waits.items() if ms > 2}), pid=worker)


# --- disks -----------------------------------------------------------------------------------------

@scene()
def tail_fsync(stage):
    """One request in seventy syncs a file to which another thread has written 32 MB."""
    server, port, log = answers(stage, "threaded")
    load, recording = ask(stage, server.pid, "http", port, batches=2000, pause=5, every=70, connections=1,
                          other="/fsync/32?id=%d")
    synced = {int(row[0]): (int(row[4]) - int(row[3]) - int(row[5])) / 1e6 for row in rows(log)}
    return Tail(recording, ["python3"], ["disk", "fsync", "answers.log.data"], load.share_ms(synced, main_share=0.5))


@scene("nginx")
def tail_nginx_cache_miss(stage):
    """One request in a hundred is for a file of 4 MB whose pages were dropped. The kernel counts how long nginx waited
    for disks."""
    folder = stage.folder("files")
    stage.folder("files/cold")
    for i in range(40):
        with open(folder + "/cold/%d" % i, "wb") as f:
            f.write(os.urandom(4 << 20))
        stage.uncache(folder + "/cold/%d" % i)
    stage.file("files/hot", "ok\n")
    stage.account_delays()
    port = nginx(stage, "keepalive_requests 1000000; sendfile off; output_buffers 1 4m; root %s;" % folder)
    worker = nginx_worker(stage)
    before_ms = waited_for_disks_ms(worker)
    load, recording = ask(stage, worker, "http", port, batches=4000, connections=1, pause=1, every=100,
                          ask="/hot?id=%d", other="/cold/%s?id=%d", evict=folder + "/cold")
    ms = (waited_for_disks_ms(worker) - before_ms) / 40
    # nginx also needs CPU time to read 4 MB.
    return Tail(recording, ["nginx"], ["disk"], load.share_ms(of_each(load, 100, ms), main_share=0.4))


# --- the runtime -----------------------------------------------------------------------------------

@scene("java", "javac")
def tail_java_gc(stage):
    """The serial collector stops all threads."""
    port, log, gc = stage.port(), stage.path("answers.log"), stage.path("gc.log")
    server = java(stage, port, log, "gc", "-XX:+UseSerialGC", "-Xmx512m", "-Xmn96m",
                  "-Xlog:gc:file=%s:timenanos" % gc)
    load, recording = ask(stage, server.pid, "http", port, warmup=2000, batches=2000, pause=10)
    pauses = [(int(end) - float(ms) * 1e6, int(end)) for end, ms in
              re.findall(r"^\[(\d+)ns\].* Pause .* ([0-9.]+)ms$", stage.text("gc.log"), re.MULTILINE)]
    return Tail(recording, ["java"], ["VM Thread", "GC", "garbage"], load.share_ms(load.overlap_ms(pauses)))


def blocked_by_others_ms(load, log):
    """Returns how long each fast request was pending while the event loop was busy with another request."""
    done = {int(row[0]): (int(row[1]), int(row[2])) for row in rows(log)}
    waits = load.overlap_ms(list(done.values()))
    return {number: ms for number, ms in waits.items() if number not in done}


@scene("node")
def tail_node_event_loop(stage):
    """One request computes for 40 ms; other pending requests wait."""
    port, log = stage.port(), stage.path("answers.log")
    stage.file("answers.log", "")
    server = stage.serve(port, *first("node", os.path.join(PROGRAMS, "answers.js"), port, log))
    load, recording = ask(stage, server.pid, "http", port, warmup=2000, batches=7000, connections=8, pause=5, every=700,
                          other="/compute/40?id=%d")
    return Tail(recording, ["node"], [["event loop", "other requests"], ["computing"]],
                load.share_ms(blocked_by_others_ms(load, log)))


@scene()
def tail_asyncio_event_loop(stage):
    """One request sleeps for 40 ms without yielding to the event loop."""
    server, port, log = answers(stage, "asyncio")
    load, recording = ask(stage, server.pid, "http", port, batches=7000, connections=8, pause=5, every=700,
                          other="/sleep/40?id=%d")
    return Tail(recording, ["python3"], [["event loop", "other requests"], ["sleeping"]],
                load.share_ms(blocked_by_others_ms(load, log)))


# --- the CPU ---------------------------------------------------------------------------------------

@scene("redis-server", "taskset")
def tail_redis_neighbour(stage):
    """On redis' one CPU, a real-time program computes for 30 ms every 300 ms."""
    if os.cpu_count() < 2:
        raise Skip("there is one CPU only")
    server, cli = redis(stage)
    stage.tool("taskset", "-a", "-p", "-c", "0", server.pid)
    log, name = stage.path("bursts"), stage.path("neighbour")
    if not os.path.exists(name):
        os.symlink(PYTHON, name)
    stage.record(WHOLE)
    # With cgroup version 1, only the root cgroup has a real-time budget, so the shell first moves itself to the root
    # cgroup.
    burst = stage.start("sh", "-c", "g=/sys/fs/cgroup/cpu/cgroup.procs; [ ! -e $g ] || echo $$ >$g; exec \"$@\"", "sh",
                        name, os.path.join(PROGRAMS, "burst.py"), 0, 30, 300, log)
    await_(lambda: os.path.exists(log) or burst.poll() is not None, "the neighbour computes")
    if burst.poll() is not None:
        raise Skip("no real-time programs here")
    load, recording = ask(stage, server.pid, "redis", cli[2], batches=3000, pause=5, cpu=1, ask="INCR visits")
    return Tail(recording, ["redis-server"], ["neighbour"], load.share_ms(load.overlap_ms(intervals_ns(log))))


@scene()
def tail_cpu_quota(stage):
    """One request in fifty needs 25 ms of CPU time; the quota is 20 ms in 100 ms."""
    server, port, log = answers(stage, "asyncio")
    group = stage.cgroup("cpu")
    group.limit_cpu(20000, 100000)
    group.add(server.pid)
    load, recording = ask(stage, server.pid, "http", port, batches=600, connections=1, pause=8, every=50,
                          other="/compute/25?id=%d")
    stopped = {int(row[0]): (int(row[2]) - int(row[1]) - int(row[3])) / 1e6 for row in rows(log)}
    share_ms = load.share_ms(stopped, main_share=0.45)
    if sum(stopped.values()) > 1.3 * group.throttled_ms():
        raise Crowded("it was throttled for %.0f ms, did not run for %.0f ms" % (group.throttled_ms(),
                                                                               sum(stopped.values())))
    return Tail(recording, ["python3"], [["quota"], [group.name]], share_ms)


# --- others ----------------------------------------------------------------------------------------

def nginx_before(stage, upstream):
    """Starts an nginx that keeps its connections to the upstream open."""
    return nginx(stage, """keepalive_requests 1000000; location / { proxy_pass http://up; proxy_http_version 1.1;
proxy_set_header Connection ""; }""", "upstream up { server 127.0.0.1:%d; keepalive 16; }" % upstream)


@scene("nginx")
def tail_nginx_upstream(stage):
    """One request in fifty sleeps for 40 ms in the upstream."""
    _, upstream, log = answers(stage, "threaded")
    port = nginx_before(stage, upstream)
    load, recording = ask(stage, nginx_worker(stage), "http", port, batches=2000, pause=5, every=50,
                          other="/sleep/40?id=%d")
    slept = {int(row[0]): (int(row[2]) - int(row[1])) / 1e6 for row in rows(log)}
    return Tail(recording, ["nginx"], [["python3"], ["sleeping"]], load.share_ms(slept))


@scene("nginx", "php-fpm*", "redis-server")
def tail_php_redis_script(stage):
    """A script of another client keeps redis busy for some 40 ms, according to redis's log of slow commands.
    php-fpm waits for redis, and nginx for php-fpm."""
    _, cli = redis(stage, "--slowlog-log-slower-than", "20000", "--slowlog-max-len", "1000")
    web, _ = php(stage, REDIS_PAGE % int(cli[2]), workers=6)
    script = "local i = 0; while i < %d do i = i + 1 end; return i"
    ns = int(stage.tool(*CLOCK, *cli, "eval", script % 10000000, "0").split()[-1])
    stage.tool(*cli, "slowlog", "reset")
    stage.record(WHOLE)
    stage.start(*cli, "-r", "1000", "-i", "0.36", "eval", script % (10000000 * 40000000 // ns), "0")
    worker = nginx_worker(stage)
    load, recording = ask(stage, worker, "http", web, batches=2000, pause=10, ask="/job.php?id=%d")
    # An entry of redis's slow log has a line each with its number, its time stamp, its duration in microseconds, and
    # the command.
    slow = re.findall(r"^\d+\n\d+\n(\d+)\neval$", stage.tool(*cli, "slowlog", "get", "1000"), re.MULTILINE)
    lengths_ms = [int(us) / 1e3 for us in slow]
    share_ms = load.share_ms(load.excess_ms(1))
    if share_ms > 1.2 * sum(lengths_ms) / len(lengths_ms):
        raise Crowded("slow requests took %.1f ms, scripts %.1f ms" % (share_ms, sum(lengths_ms) / len(lengths_ms)))
    return Tail(recording, ["nginx"], [["redis-server"], AT_WORK], share_ms, pid=worker)


@scene("nginx", "iptables")
def tail_nginx_retransmission(stage):
    """One request in fifty is lost on its way to the upstream: TCP sends it again."""
    _, upstream, _ = answers(stage, "asyncio")
    port = nginx_before(stage, upstream)
    # Drops every second packet that contains a request for /lossy: the first transmission, but not the retransmission.
    rule = ["-p", "tcp", "-d", "127.0.0.1", "--dport", str(upstream), "-m", "string", "--algo", "bm",
            "--string", "/lossy", "-m", "statistic", "--mode", "nth", "--every", "2", "--packet", "0", "-j", "DROP"]
    for program in "iptables", "iptables-legacy":
        try:
            stage.tool(program, "-w", "-I", "INPUT", *rule)
            break
        except (Broken, OSError) as e:
            why = e
    else:
        raise Skip("no packet filter here: %s" % why)
    stage.stack.callback(stage.tool, program, "-w", "-D", "INPUT", *rule, check=False)
    load, recording = ask(stage, nginx_worker(stage), "http", port, batches=1000, pause=10, every=50,
                          other="/lossy?id=%d")
    return Tail(recording, ["nginx"], ["network", "retransmission", "retransmitted", "retransmit", "TCP"],
                load.share_ms(load.excess_ms(50)))
