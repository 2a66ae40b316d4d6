# SPDX-License-Identifier: GPL-2.0-or-later
"""SQLite and LMDB: locks that another process holds."""

from scenes import scene
from stage import PYTHON, Broken, Skip, Truth, await_


@scene("sqlite3")
def sqlite_busy_timeout(stage):
    """Another process locks the database for 1.3 s. sqlite3 tries again and again, and sleeps in between."""
    database = stage.path("database.sqlite")
    stage.tool("sqlite3", database, "create table if not exists a(x)")
    held = stage.path("held")
    code = "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None); " \
           "c.execute('begin exclusive'); open(sys.argv[2], 'w'); time.sleep(1.3); c.execute('commit')"
    stage.record()
    stage.tool("rm", "-f", held)
    holder = stage.start("/usr/bin/python3", "-c", code, database, held)
    await_(lambda: stage.exists("held"), "the database is locked")
    client, recording = stage.ask("sqlite3", "-cmd", ".timeout 20000", database, "insert into a values (1)")
    # No record shows which process holds a file lock. So the first sentence of the report may also say that sqlite3
    # slept between its attempts.
    return Truth(recording, ["sleep", "sleeping", "slept", "busy", "database.sqlite", str(holder.pid)], client.wait)


@scene()
def lmdb_one_writer(stage):
    """LMDB allows one write at a time: it uses a mutex in shared memory, which another process holds for 1.3 s."""
    try:
        stage.tool(PYTHON, "-c", "import lmdb")
    except Broken as e:
        raise Skip("python3-lmdb is not installed") from e
    writer = stage.file("lmdb_writer.py", """import lmdb, sys, time
env = lmdb.open(sys.argv[1])
with env.begin(write=True) as transaction:
    transaction.put(b'a', b'b')
    open(sys.argv[1] + '/held', 'w').close()
    time.sleep(float(sys.argv[2]))
""")
    folder = stage.folder("lmdb")
    stage.record()
    holder = stage.start(PYTHON, writer, folder, "1.3")
    await_(lambda: stage.exists("lmdb/held"), "the other process writes")
    client, recording = stage.ask(PYTHON, writer, folder, "0")
    return Truth(recording, [[str(holder.pid)], ["sleep", "sleeping"]], client.wait)
