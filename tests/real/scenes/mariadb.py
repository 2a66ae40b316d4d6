# SPDX-License-Identifier: GPL-2.0-or-later
"""MariaDB: its locks, its disk, its computing. A client waits for another session, or for the server."""

import subprocess

from scenes import scene
from scenes.web import php
from stage import Broken, Truth, await_, disk_of

HOLD_S = 1.3


class Server:
    def __init__(self, stage):
        self.stage = stage
        folder = stage.folder("mariadb", user="mysql")
        self.socket = folder + "/socket"
        stage.tool("mariadb-install-db", "--no-defaults", "--user=mysql", "--datadir=" + folder + "/data",
                   "--auth-root-authentication-method=normal", "--skip-test-db")
        log = open(stage.path("mariadb.log"), "w", encoding="utf-8")
        self.process = stage.start(
            "mariadbd", "--no-defaults", "--user=mysql", "--datadir=" + folder + "/data", "--socket=" + self.socket,
            "--skip-networking", "--skip-log-bin", "--innodb-flush-log-at-trx-commit=1", shared=True,
            stdout=log, stderr=log)
        await_(lambda: self.process.poll() is not None or self.answers(), "mariadbd answers")
        if self.process.poll() is not None:
            raise Broken("mariadbd does not run: " + stage.text("mariadb.log")[-300:])
        self.query("create database t; use t;"
                   "create table a(id int primary key, v int) engine=innodb; insert into a values (1,1),(2,2);"
                   "create table log(v int) engine=innodb;"
                   "create table m(id int primary key, v int) engine=myisam; insert into m values (1,1)", "mysql")

    def answers(self):
        return subprocess.run([*self.client("select 1", "mysql")], env=self.stage.base_env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def client(self, query, database="t"):
        return ["mariadb", "--no-defaults", "-N", "-B", "-u", "root", "-S", self.socket, database, "-e", query]

    def query(self, query, database="t"):
        return self.stage.tool(*self.client(query, database)).strip()

    def holder(self, before, after=""):
        """Starts a session that sleeps between two statements. Returns the ID of the thread that serves the session,
        as soon as it sleeps."""
        self.stage.start(*self.client("%s; select sleep(%s); %s" % (before, HOLD_S, after)))
        return int(await_(lambda: self.query("select tid from information_schema.processlist where state='User sleep'"),
                          "the holder sleeps"))


def asleep(tid):
    """Returns words for the session that sleeps. The report may contain its thread or its activity."""
    return [str(tid), "Item_func_sleep::val_int", "Item_func_sleep", "SLEEP"]


def locked(stage, before, after, query):
    server = stage.shared(Server)
    stage.record()
    tid = server.holder(before, after)
    client, recording = stage.ask(*server.client(query))
    return Truth(recording, [["mariadbd"], asleep(tid)], client.wait,
                 not_blamed=["kworker"])


@scene("mariadbd")
def mariadb_row_lock(stage):
    return locked(stage, "begin; update a set v=1 where id=1", "commit", "update a set v=v+1 where id=1")


@scene("mariadbd")
def mariadb_table_lock(stage):
    return locked(stage, "lock tables m write", "unlock tables", "select count(*) from m")


@scene("mariadbd")
def mariadb_global_read_lock(stage):
    return locked(stage, "flush tables with read lock", "unlock tables",
                  "insert into m values (10,1); delete from m where id=10")


@scene("mariadbd")
def mariadb_computing(stage):
    server = stage.shared(Server)
    client, recording = stage.ask(*server.client("select benchmark(3000000, md5('x'))"))
    return Truth(recording, ["mariadbd"], client.wait)


@scene("mariadbd")
def mariadb_io_limit(stage):
    """A control group allows six writes a second. Commits wait for this limit, not for the disk."""
    server = stage.shared(Server)
    disk = disk_of(stage.scratch)
    group = stage.cgroup("blkio")
    group.limit_writes(disk, per_s=6)
    stage.record()
    group.add(server.process.pid)
    query = "; ".join(["insert into log values (1)"] * 3)
    client, recording = stage.ask(*server.client(query))
    return Truth(recording, [[group.name, "I/O limit"]], client.wait)


@scene("mariadbd", "nginx", "php-fpm*", "curl")
def php_page_behind_row_lock(stage):
    """A chain of curl, nginx, php-fpm and mariadbd, where another session holds a row."""
    server = stage.shared(Server)
    port, _ = php(stage, """<?php
$db = new mysqli(null, 'root', '', 't', 0, '%s');
if (isset($_GET['locked'])) $db->query('update a set v=v+1 where id=1');
echo "ok\\n";
""" % server.socket)
    server.query("grant all on *.* to root@localhost identified via mysql_native_password using password('')", "mysql")
    stage.tool("curl", "-s", "-f", "http://127.0.0.1:%d/job.php" % port)
    stage.record()
    tid = server.holder("begin; update a set v=1 where id=1", "commit")
    client, recording = stage.ask("curl", "-s", "-f", "-o", "/dev/null", "http://127.0.0.1:%d/job.php?locked" % port)
    return Truth(recording, [["mariadbd"], asleep(tid)], client.wait)


@scene("mariadbd")
def mariadb_metadata_lock(stage):
    """SELECT waits behind ALTER TABLE, which waits for a transaction that has read the table and sleeps."""
    server = stage.shared(Server)
    stage.record()
    tid = server.holder("begin; select * from a", "commit")
    stage.start(*server.client("alter table a force"))
    await_(lambda: "metadata" in server.query("select state from information_schema.processlist"), "ALTER waits")
    client, recording = stage.ask(*server.client("select * from a"))
    return Truth(recording, [["mariadbd"], asleep(tid)], client.wait)
