# SPDX-License-Identifier: GPL-2.0-or-later
"""slow_reader.py FIFO: reads 64 kB, then sleeps 100 ms, and so on until the end."""

import os
import sys
import time

pipe = os.open(sys.argv[1], os.O_RDONLY)
while os.read(pipe, 65536):
    time.sleep(0.1)
