# SPDX-License-Identifier: GPL-2.0-or-later
"""Sends each request in two packets and waits for the answer, 30 times. Nagle's algorithm holds the second packet
back until the first is acknowledged, and the other end delays the acknowledgement. Prints how long all of it took,
in ms."""

import os
import socket
import time

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1)
if os.fork() == 0:
    peer, _ = listener.accept()
    received = 0
    while True:
        data = peer.recv(100)
        if not data:
            os._exit(0)
        received += len(data)
        if received % 20 == 0:
            peer.sendall(b"ok")
client = socket.create_connection(listener.getsockname())
begin = time.monotonic()
for _ in range(30):
    client.sendall(b"0123456789")
    client.sendall(b"0123456789")
    client.recv(10)
print("ms", (time.monotonic() - begin) * 1e3)
client.close()
