# SPDX-License-Identifier: GPL-2.0-or-later
"""The main thread puts items into a queue with room for one. The thread that takes them sleeps 150 ms for each.
Prints that thread, and how long the main thread took until all items were done, in ms."""

import queue
import threading
import time

items = queue.Queue(1)


def slow_consumer():
    while items.get() is not None:
        time.sleep(0.15)


consumer = threading.Thread(target=slow_consumer)
consumer.start()
begin = time.monotonic()
for i in range(8):
    items.put(i)
items.put(None)
consumer.join()
print("ms", (time.monotonic() - begin) * 1e3)
print("tid", consumer.native_id)
