# SPDX-License-Identifier: GPL-2.0-or-later
"""A pool with one process gets six jobs, each of which takes 250 ms by the clock. Prints how long all of it took,
in ms."""

import multiprocessing
import time


def expensive_piece(n):
    end = time.monotonic() + 0.25
    while time.monotonic() < end:
        sum(range(1000))
    return n


if __name__ == "__main__":
    with multiprocessing.Pool(1) as pool:
        begin = time.monotonic()
        pool.map(expensive_piece, range(6), 1)
        print("ms", (time.monotonic() - begin) * 1e3)
