# SPDX-License-Identifier: GPL-2.0-or-later
"""lock.py sleep|compute: a thread holds a lock for 1.2 s, and the main thread waits for it. Prints the thread and
how long the main thread waited, in ms."""

import sys
import threading
import time

lock = threading.Lock()
held = threading.Event()


def critical_section():
    with lock:
        held.set()
        if sys.argv[1] == "sleep":
            time.sleep(1.2)
            return
        end = time.monotonic() + 1.2
        while time.monotonic() < end:
            sum(range(100))


holder = threading.Thread(target=critical_section)
holder.start()
held.wait()
begin = time.monotonic()
with lock:
    print("ms", (time.monotonic() - begin) * 1e3)
print("tid", holder.native_id)
holder.join()
