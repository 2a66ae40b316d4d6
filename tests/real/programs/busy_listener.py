# SPDX-License-Identifier: GPL-2.0-or-later
"""busy_listener.py PORT|PATH: listens with the shortest possible queue. After the first client has connected, it
computes for 2.5 s (at a path: 2 s) before it accepts a connection."""

import select
import socket
import sys
import time

where = sys.argv[1]
if where.isdigit():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", int(where)))
    seconds = 2.5
else:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(where)
    seconds = 2
listener.listen(0)
select.select([listener], [], [])
end = time.monotonic() + seconds
while time.monotonic() < end:
    sum(range(1000))
while True:
    client, _ = listener.accept()
    client.sendall(b"hello")
    client.close()
