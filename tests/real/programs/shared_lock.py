# SPDX-License-Identifier: GPL-2.0-or-later
"""shared_lock.py semaphore|fcntl: another process holds a lock while it computes for 1.2 s, and this process waits
for it. Prints how long it waited, in ms, and the other process."""

import fcntl
import multiprocessing
import sys
import tempfile
import time


class RecordLock:
    def __init__(self):
        self.file = tempfile.NamedTemporaryFile()

    def __enter__(self):
        fcntl.lockf(self.file, fcntl.LOCK_EX)

    def __exit__(self, *args):
        fcntl.lockf(self.file, fcntl.LOCK_UN)


def critical_section(lock, held):
    with lock:
        held.set()
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            sum(range(1000))


context = multiprocessing.get_context("fork")
lock = context.Lock() if sys.argv[1] == "semaphore" else RecordLock()
held = context.Event()
holder = context.Process(target=critical_section, args=(lock, held))
holder.start()
held.wait()
begin = time.monotonic()
with lock:
    print("ms", (time.monotonic() - begin) * 1e3)
print("tid", holder.pid)
holder.join()
