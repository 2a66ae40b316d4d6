# SPDX-License-Identifier: GPL-2.0-or-later
"""SQLite: a file that another process has locked."""

from scenes import scene
from stage import Truth, await_


@scene("sqlite3")
def sqlite_busy_timeout(stage):
    """Another process has the database for itself for 1.3 s; sqlite3 tries again and again, and sleeps between."""
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
    # No record says who has the file: that sqlite3 itself slept between its tries is the truth, too.
    return Truth(recording, ["sleep", "sleeping", "slept", "busy", "database.sqlite", str(holder.pid)], client.wait)
