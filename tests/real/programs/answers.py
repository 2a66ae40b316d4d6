# SPDX-License-Identifier: GPL-2.0-or-later
"""answers.py PORT threaded|asyncio LOG: an HTTP server with keep-alive, a thread per connection or one event loop.
/compute/MS?id=N computes for MS of CPU time, /sleep/MS?id=N sleeps, /fsync/MB?id=N syncs the file LOG.data, all
without yielding to an event loop. Other requests are answered at once. LOG gets a line for each request of these
three kinds: N, begin and end in ns of CLOCK_MONOTONIC, the CPU time, the time of fsync() and the time of waiting for
a CPU, in ns."""

import asyncio
import http.server
import os
import sys
import threading
import time
import urllib.parse

PIECE = os.urandom(1 << 20)
log = open(sys.argv[3], "a", encoding="ascii", buffering=1)
data = open(sys.argv[3] + ".data", "wb", buffering=0)


def expensive_report(ms):
    end = time.thread_time() + ms / 1e3
    while time.thread_time() < end:
        sum(i * i for i in range(300))


def queued_ns():
    with open("/proc/thread-self/schedstat", encoding="ascii") as f:
        return int(f.read().split()[1])


def write_data(mb):
    for i in range(mb):
        os.pwrite(data.fileno(), PIECE, i << 20)


def save(mb):
    """Syncs the file, and starts a thread that writes to it again. Returns how long fsync() took, in ns."""
    begin = time.monotonic_ns()
    os.fsync(data.fileno())
    synced_ns = time.monotonic_ns() - begin
    threading.Thread(target=write_data, args=(mb,)).start()
    return synced_ns


def do(target):
    url = urllib.parse.urlsplit(target)
    what, _, ms = url.path.strip("/").partition("/")
    if what not in ("compute", "sleep", "fsync"):
        return
    synced = 0
    queued = queued_ns()
    begin, cpu = time.monotonic_ns(), time.thread_time_ns()
    if what == "compute":
        expensive_report(float(ms))
    if what == "sleep":
        time.sleep(float(ms) / 1e3)
    if what == "fsync":
        synced = save(int(ms))
    print(url.query.partition("=")[2], begin, time.monotonic_ns(), time.thread_time_ns() - cpu, synced,
          queued_ns() - queued, file=log)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one call of send()

    def do_GET(self):
        do(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *args):
        pass


async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            do(head.split(b" ", 2)[1].decode())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


if sys.argv[2] == "asyncio":
    asyncio.run(main())
else:
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
