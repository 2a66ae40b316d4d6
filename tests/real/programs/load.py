# SPDX-License-Identifier: GPL-2.0-or-later
"""load.py http|redis|pg PORT LOG: sends requests to a server on 127.0.0.1, and writes how long each answer took.

Each connection sends a batch of requests (--pipeline, usually 1), waits for all answers, pauses, and sends the next
batch. Every request has a number. The time of a batch is taken in the kernel (SO_TIMESTAMPING): from the moment at
which the loopback device gets the batch to the moment at which it gets the first packet of the answer. So the time
contains no wakeup of the client. In addition to the server's own time, it contains the path of the request through
the receiving TCP, and the path of the answer through the sending TCP. If several packets of an answer arrive
before the client reads, the kernel keeps the stamp of the last one that it merged.

LOG gets a JSON object. requests: [number of the first request, begin, duration, duration that the client saw] of
each batch, in nanoseconds of CLOCK_MONOTONIC. unstamped: the number of batches without stamps of the kernel, whose
duration is the client's."""

import argparse
import heapq
import json
import os
import random
import select
import socket
import struct
import sys
import time

SO_TIMESTAMPING = 37
SCM_TIMESTAMPING = 37
# The flags TX_SOFTWARE, RX_SOFTWARE, SOFTWARE, OPT_ID and OPT_TSONLY of linux/net_tstamp.h.
STAMPS = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 7 | 1 << 11
ANCILLARY_BYTES = 512


def parse():
    p = argparse.ArgumentParser(prog="load.py", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("protocol", choices=["http", "redis", "pg"])
    p.add_argument("port", type=int)
    p.add_argument("log", metavar="LOG")
    p.add_argument("--connections", type=int, default=4)
    p.add_argument("--batches", type=int, default=10000, help="how many batches all connections send together")
    p.add_argument("--pipeline", type=int, default=1, help="requests in a batch")
    p.add_argument("--pause", type=float, default=0, help="ms between two batches of a connection, on average")
    p.add_argument("--ask", default="/?id=%d", help="path or command; %%d is the number of the request")
    p.add_argument("--every", type=int, default=0, help="every so many requests is another one:")
    p.add_argument("--other", default="", help="path or command of those")
    p.add_argument("--evict", default="", help="a folder: the other request number I is for a file of it, the I-th "
                   "modulo their number, whose pages are dropped first; %%s of --other is its name")
    p.add_argument("--setup", action="append", default=[], help="a command that each connection sends first")
    p.add_argument("--cpu", type=int, help="run on that CPU only")
    p.add_argument("--hold", action="store_true", help="connect, ask once on each connection, then wait for a line "
                   "on standard input; these first requests are not in LOG")
    return p.parse_args()


# --- protocols -------------------------------------------------------------------------------------

def http_request(text):
    return b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % text.encode()


def redis_request(text):
    words = text.encode().split()
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


def pg_request(text):
    text = text.encode() + b"\0"
    return b"Q" + struct.pack(">i", len(text) + 4) + text


def pg_hello():
    text = b"user\0postgres\0database\0postgres\0\0"
    return struct.pack(">ii", len(text) + 8, 3 << 16) + text


def http_answer(data):
    """Returns 0 if the end of the answer is missing."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return 0
    head = bytes(data[:end]).lower()
    at = head.find(b"\r\ncontent-length:")
    if at < 0:
        sys.exit("an answer without a length: %r" % head[:200])
    if not head.startswith(b"http/1.1 20"):
        sys.exit("an answer that is an error: %r" % head[:200])
    length = end + 4 + int(head[at + 17:].split(b"\r\n", 1)[0])
    return length if len(data) >= length else 0


def redis_answer(data):
    end = data.find(b"\r\n")
    if end < 0:
        return 0
    if data[:1] == b"-":
        sys.exit("an answer that is an error: %r" % bytes(data[:200]))
    length = end + 2
    if data[:1] == b"$" and data[1:2] != b"-":
        length += int(data[1:end]) + 2
    return length if len(data) >= length else 0


def pg_answer(data):
    """Returns the length of the answer, which ends with ReadyForQuery, or 0 if its end is missing."""
    at = 0
    while len(data) >= at + 5:
        kind, length = data[at:at + 1], struct.unpack_from(">i", data, at + 1)[0]
        if kind == b"E":
            sys.exit("an answer that is an error: %r" % bytes(data[:200]))
        at += 1 + length
        if kind == b"Z" and len(data) >= at:
            return at
    return 0


REQUEST = {"http": http_request, "redis": redis_request, "pg": pg_request}
ANSWER = {"http": http_answer, "redis": redis_answer, "pg": pg_answer}


# --- stamps ----------------------------------------------------------------------------------------

def stamp_of(ancillary):
    """Returns the kernel's software stamp, in ns of CLOCK_REALTIME, or 0 if there is none."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == SCM_TIMESTAMPING:
            s, ns = struct.unpack_from("qq", data)
            return s * 10**9 + ns
    return 0


def sent_stamp(sock):
    """Returns the first stamp in the socket's error queue, or 0, and empties the queue. The loopback device takes a
    stamp during the send, unless the packet has to wait."""
    stamp = 0
    try:
        while True:
            _, ancillary, _, _ = sock.recvmsg(0, ANCILLARY_BYTES, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
            stamp = stamp or stamp_of(ancillary)
    except BlockingIOError:
        return stamp


def realtime_offset():
    """Returns CLOCK_MONOTONIC - CLOCK_REALTIME, the most precise of several readings."""
    tries = []
    for _ in range(20):
        before, real, after = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        tries.append((after - before, (before + after) // 2 - real))
    return min(tries)[1]


# --- connections -----------------------------------------------------------------------------------

class Connection:
    def __init__(self, args):
        self.answer = ANSWER[args.protocol]
        self.sock = socket.create_connection(("127.0.0.1", args.port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if args.protocol == "pg":
            self.exchange(pg_hello())
        for command in args.setup:
            self.exchange(REQUEST[args.protocol](command))
        if args.hold:
            self.exchange(REQUEST[args.protocol](args.ask.replace("%d", "0")))
        self.sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, STAMPS)
        self.sock.setblocking(False)
        self.data = bytearray()
        self.missing = self.sent_stamp = 0

    def exchange(self, request):
        """Sends a request, waits for the answer, and drops it."""
        self.sock.sendall(request)
        data = bytearray()
        while not self.answer(data):
            piece = self.sock.recv(65536)
            if not piece:
                sys.exit("the server closed a connection")
            data += piece

    def send(self, number, requests):
        self.number = number
        self.missing = len(requests)
        self.stamp = self.began_ns = 0
        message = b"".join(requests)
        self.asked_ns = time.monotonic_ns()
        if self.sock.send(message) != len(message):
            sys.exit("a batch is too large for the socket")
        self.sent_stamp = sent_stamp(self.sock)

    def receive(self):
        """Returns whether the batch is answered."""
        if not self.missing:
            return False
        try:
            if not self.stamp:
                first, ancillary, _, _ = self.sock.recvmsg(1, ANCILLARY_BYTES)
                self.seen_ns = time.monotonic_ns()
                self.stamp = stamp_of(ancillary) or -1
                self.sent_stamp = self.sent_stamp or sent_stamp(self.sock)
                self.data += first
            piece = self.sock.recv(1 << 20)
            if not piece:
                sys.exit("the server closed a connection")
            self.data += piece
        except BlockingIOError:
            pass
        while self.missing:
            length = self.answer(self.data)
            if not length:
                return False
            del self.data[:length]
            self.missing -= 1
        return True

    def took(self, offset):
        """Returns (begin, duration, duration that the client saw, whether the kernel stamped it)."""
        seen_ns = self.seen_ns - self.asked_ns
        if self.sent_stamp and self.stamp > 0:
            return self.sent_stamp + offset, self.stamp - self.sent_stamp, seen_ns, True
        return self.asked_ns, seen_ns, seen_ns, False


class Load:
    def __init__(self, args):
        self.args = args
        self.random = random.Random(1)
        self.request = REQUEST[args.protocol]
        self.next = 1
        self.left = args.batches
        self.unstamped = 0
        self.log = []
        self.offset = realtime_offset()
        self.files = sorted(os.listdir(args.evict)) if args.evict else []
        self.fds = [os.open(os.path.join(args.evict, name), os.O_RDONLY) for name in self.files]
        self.connections = {c.sock.fileno(): c for c in (Connection(args) for _ in range(args.connections))}

    def text(self, number):
        args = self.args
        if not args.every or number % args.every:
            return args.ask.replace("%d", str(number))
        text = args.other.replace("%d", str(number))
        if self.files:
            which = number // args.every % len(self.files)
            os.posix_fadvise(self.fds[which], 0, 0, os.POSIX_FADV_DONTNEED)
            text = text.replace("%s", self.files[which])
        return text

    def send(self, connection):
        batch = [self.request(self.text(self.next + i)) for i in range(self.args.pipeline)]
        connection.send(self.next, batch)
        self.next += self.args.pipeline
        self.left -= 1

    def pause_s(self):
        return self.random.uniform(0, 2) * self.args.pause / 1e3

    def run(self):
        due = [(time.monotonic() + self.pause_s(), fd) for fd in self.connections]
        heapq.heapify(due)
        waiting = 0
        with select.epoll() as poll:
            for fd in self.connections:
                poll.register(fd, select.EPOLLIN)
            while waiting or (due and self.left):
                now = time.monotonic()
                while due and self.left and due[0][0] <= now:
                    self.send(self.connections[heapq.heappop(due)[1]])
                    waiting += 1
                timeout = max(0, due[0][0] - time.monotonic()) if due and self.left else -1
                for fd, _ in poll.poll(timeout):
                    connection = self.connections[fd]
                    if not connection.receive():
                        connection.sent_stamp = connection.sent_stamp or sent_stamp(connection.sock)
                        continue
                    waiting -= 1
                    begin, ns, seen_ns, is_stamped = connection.took(self.offset)
                    self.unstamped += not is_stamped
                    self.log.append((connection.number, begin, ns, seen_ns))
                    heapq.heappush(due, (time.monotonic() + self.pause_s(), fd))

    def write(self):
        with open(self.args.log, "w", encoding="utf-8") as f:
            json.dump({"requests": self.log, "unstamped": self.unstamped}, f)


def main():
    args = parse()
    if args.cpu is not None:
        os.sched_setaffinity(0, [args.cpu])
    load = Load(args)
    print("ready", flush=True)
    if args.hold:
        sys.stdin.readline()
    load.run()
    load.write()


main()
