# SPDX-License-Identifier: GPL-2.0-or-later
"""PostgreSQL: locks that other sessions hold, a pool of connections, a checkpoint."""

import glob
import os
import subprocess
import time

from scenes import scene
from stage import PYTHON, Broken, Skip, Truth, await_, disk_of


class Server:
    def __init__(self, stage):
        self.stage = stage
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
        if not programs:
            raise Skip("postgres is not installed")
        self.bin = os.path.dirname(programs[-1])
        self.folder = stage.folder("postgres", user="postgres")
        stage.tool(self.bin + "/initdb", "-D", self.folder + "/data", "-A", "trust", "-U", "postgres", "--no-sync",
                   user="postgres", cwd=self.folder)
        self.port = stage.port()
        log = open(stage.path("postgres.log"), "w", encoding="utf-8")
        self.process = stage.start(self.bin + "/postgres", "-D", self.folder + "/data", "-p", self.port,
                                   "-k", self.folder,
                                   "-c", "shared_buffers=64MB", "-c", "listen_addresses=127.0.0.1",
                                   "-c", "deadlock_timeout=10s", shared=True, user="postgres", cwd=self.folder,
                                   stdout=log, stderr=log)
        await_(lambda: self.process.poll() is not None or self.answers(), "postgres answers")
        if self.process.poll() is not None:
            raise Broken("postgres does not run: " + stage.text("postgres.log")[-300:])
        self.query("create table a(id int primary key, v int); insert into a values (1,1),(2,2);"
                   "create table big(x text)")

    def client(self, query, port=None):
        """Returns a psql command that sends each statement of the query separately, unless the query contains $$.
        The statements are one transaction only if the query begins one."""
        words = ["psql", "-X", "-q", "-A", "-t", "-U", "postgres", "-d", "postgres",
                 "-h", "127.0.0.1" if port else self.folder, "-p", str(port or self.port)]
        for statement in [query] if "$$" in query else query.split(";"):
            words += ["-c", statement.strip()]
        return words

    def answers(self):
        return subprocess.run(self.client("select 1"), env=self.stage.base_env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def query(self, query):
        return self.stage.tool(*self.client(query)).strip()

    def activity(self, where):
        """Returns the process IDs of the backends that match."""
        return [int(pid) for pid in self.query("select pid from pg_stat_activity where pid <> pg_backend_pid() and "
                                               "backend_type = 'client backend' and " + where).split()]

    def hold(self, query):
        """Returns the process ID of the session's backend as soon as the backend sleeps, computes or waits for a
        lock."""
        before = set(self.activity("true"))
        self.stage.start(*self.client(query))
        at_it = "wait_event = 'PgSleep' or wait_event_type = 'Lock' or query like '%until%'"
        return await_(lambda: set(self.activity(at_it)) - before, "the session holds").pop()


@scene("psql")
def pg_row_lock(stage):
    server = stage.shared(Server)
    stage.record()
    pid = server.hold("begin; update a set v=1 where id=1; select pg_sleep(1.3); commit")
    client, recording = stage.ask(*server.client("update a set v=v+1 where id=1"))
    return Truth(recording, [["postgres"], [str(pid), "pg_sleep"]], client.wait, not_blamed=["background writer"])


@scene("psql")
def pg_convoy(stage):
    """Three sessions hold the row one after the other, then the client gets it."""
    server = stage.shared(Server)
    stage.record()
    pids = [server.hold("begin; update a set v=1 where id=1; select pg_sleep(%s); commit" % s) for s in (0.9, 0.5, 0.5)]
    client, recording = stage.ask(*server.client("update a set v=v+1 where id=1"))
    return Truth(recording, [["postgres"], [*map(str, pids), "pg_sleep"]], client.wait,
                 not_blamed=["background writer", "checkpointer"])


@scene("psql")
def pg_advisory_lock_computing(stage):
    """The holder of an advisory lock computes for 1.3 s."""
    server = stage.shared(Server)
    stage.record()
    pid = server.hold("do $$ declare until timestamptz = clock_timestamp() + '1.3s'; begin "
                      "perform pg_advisory_lock(7); while clock_timestamp() < until loop perform md5('x'); "
                      "end loop; end $$")
    client, recording = stage.ask(*server.client("select pg_advisory_lock(7)"))
    return Truth(recording, [["postgres"], [str(pid), "computing"]], client.wait, not_blamed=["background writer"])


@scene("psql")
def pg_idle_in_transaction(stage):
    """The holder of the row is in its shell, within its transaction."""
    server = stage.shared(Server)
    stage.record()
    script = stage.file("idle.sql", "begin;\nupdate a set v=1 where id=1;\n\\! sleep 1.3\ncommit;\n", 0o644)
    holder = stage.start("psql", "-X", "-q", "-h", server.folder, "-p", server.port, "-U", "postgres", "-f", script)
    pid = await_(lambda: server.activity("state = 'idle in transaction'"), "the holder is idle")[0]
    client, recording = stage.ask(*server.client("update a set v=v+1 where id=1"))
    return Truth(recording, [[str(pid), str(holder.pid), "psql", "sleep"]], client.wait,
                 not_blamed=["background writer"])


@scene("psql", "pgbouncer")
def pg_pool_exhausted(stage):
    """pgbouncer has one connection to the server, which another client uses for 1.3 s."""
    server = stage.shared(Server)
    port = stage.port()
    folder = stage.folder("pgbouncer", user="postgres")
    conf = stage.file("pgbouncer/ini", """[databases]
postgres = host=%s port=%d pool_size=1
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
auth_type = any
pool_mode = transaction
unix_socket_dir =
logfile = %s/log
pidfile = %s/pid
""" % (server.folder, server.port, port, folder, folder))
    stage.file("pgbouncer/ini", open(conf, encoding="utf-8").read().replace(
        "pool_size=1", "pool_size=1 user=postgres"))
    stage.serve(port, "pgbouncer", conf, user="postgres")
    stage.tool(*server.client("select 1", port))
    stage.record()
    stage.start(*server.client("select pg_sleep(1.3)", port))
    pid = await_(lambda: server.activity("wait_event = 'PgSleep'"), "the other client's query")[0]
    client, recording = stage.ask(*server.client("select 1", port))
    return Truth(recording, [["postgres"], [str(pid), "pg_sleep"]], client.wait)


@scene("psql")
def pg_checkpoint_io_limit(stage):
    """A checkpoint writes 6.4 MB under a limit of 4 MB/s, which determines its minimum time."""
    server = stage.shared(Server)
    disk = disk_of(stage.scratch)
    server.query("alter table big alter x set storage external; truncate big; checkpoint; insert into big "
                 "select string_agg(md5(i::text), '') from generate_series(1, 200000) i group by i / 20000")
    group = stage.cgroup("blkio")
    group.limit_writes(disk, bytes_per_s=4 << 20)
    checkpointer = int(server.query("select pid from pg_stat_activity where backend_type = 'checkpointer'"))
    group.add(checkpointer)
    client, recording = stage.ask(*server.client("checkpoint"))
    return Truth(recording, [[group.name, "I/O limit"]],
                 [6400000 / (4 << 20) * 1e3, client.wait[1]])


@scene("psql")
def pg_slow_reader(stage):
    """The report is about a backend: its client does not read the result for 1.3 s, like a client that shows it
    page by page."""
    server = stage.shared(Server)
    code = "import subprocess, sys, time; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE); " \
           "p.stdout.read(1000); time.sleep(1.3); p.stdout.read(); p.wait()"
    stage.record()
    begin = time.monotonic()
    query = "copy (select md5(i::text) from generate_series(1, 100000) i) to stdout"
    reader = stage.start(PYTHON, "-c", code, *server.client(query))
    pid = await_(lambda: server.activity("query like 'copy%' and wait_event = 'ClientWrite'"), "the backend waits")[0]
    reader.wait(30)
    return Truth(stage.snapshot(pid, time.monotonic() - begin), ["python3", str(reader.pid)], 1300)


@scene("psql")
def pg_ddl_queue(stage):
    """SELECT waits behind ALTER TABLE, which waits for a transaction that has only read and sleeps 1.3 s."""
    server = stage.shared(Server)
    stage.record()
    pid = server.hold("begin; select count(*) from a; select pg_sleep(1.3); commit")
    server.hold("alter table a alter column v set default 0")
    client, recording = stage.ask(*server.client("select count(*) from a"))
    return Truth(recording, [["postgres"], [str(pid), "pg_sleep"]], client.wait, not_blamed=["background writer"])
