# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread holds the interpreter's lock during one long operation. Prints the thread, and how long the main thread
had to wait, in ms."""

import re
import threading
import time

begun = threading.Event()
begun_at = 0


def catastrophic_pattern():
    global begun_at
    text = "a" * 24 + "!"
    begun_at = time.monotonic()
    begun.set()
    re.match("(a|a)*$", text)


holder = threading.Thread(target=catastrophic_pattern)
holder.start()
begun.wait()
print("ms", (time.monotonic() - begun_at) * 1e3)
print("tid", holder.native_id)
holder.join()
