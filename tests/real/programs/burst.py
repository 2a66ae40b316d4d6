# SPDX-License-Identifier: GPL-2.0-or-later
"""burst.py CPU MS EVERY_MS LOG: computes for MS on that CPU every EVERY_MS, with a priority above all ordinary
programs. LOG gets a line for each burst: begin and end in ns of CLOCK_MONOTONIC."""

import os
import sys
import time

cpu, ms, every_ms = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
os.sched_setaffinity(0, [cpu])
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
with open(sys.argv[4], "w", encoding="ascii", buffering=1) as log:
    while True:
        begin = time.monotonic_ns()
        while time.monotonic_ns() < begin + ms * 1e6:
            pass
        print(begin, time.monotonic_ns(), file=log)
        time.sleep((every_ms - ms) / 1e3)
