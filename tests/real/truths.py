# SPDX-License-Identifier: GPL-2.0-or-later
"""Facts about servers and their requests, which tests/real/judge-requests and tests/real/judge-idle check."""

import json
import math

from stage import Crowded, Truth

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1}
# Minimum share of the additional time of slow requests for which the injected cause must account. Otherwise, it does
# not explain the tail.
MAIN_SHARE = 0.6


class Served:
    """The facts that a load generator knows about the requests to one port."""

    def __init__(self, comm, port, count, durations_ns=(), bound_ns=()):
        """durations_ns: measured with time stamps of the kernel. bound_ns: measured by the client, with its wakeups,
        so these are upper bounds. Either may be missing."""
        self.expected = {"comm": comm, "port": int(port), "count": count}
        for name, durations in ("quantiles_us", durations_ns), ("bounds_us", bound_ns):
            if durations:
                self.expected[name] = quantiles_us(durations)


def quantiles_us(durations_ns):
    """Returns exact quantiles: the value of rank ceil(share * n)."""
    ordered = sorted(durations_ns)
    return {name: ordered[math.ceil(share * len(ordered)) - 1] / 1e3 for name, share in QUANTILES.items()}


class Counted(Truth):
    """The generators' counts and times, for comparison with the rows of `rspctl requests`."""

    judge = "judge-requests"
    verb = ["requests"]
    options = ["--json"]

    def __init__(self, recording, *served):
        super().__init__(recording, [], None)
        self.expected = {"kind": "counts", "servers": [s.expected for s in served]}

    def summary(self):
        return ", ".join("%s: %d" % (s["comm"], s["count"]) for s in self.expected["servers"])


class Tail(Counted):
    """The reason why slow requests were slow: the server, words for the cause, and the mean time of the cause in a
    slow request."""

    def __init__(self, recording, server, named, amount_ms, pid=None):
        """pid: the report is about this process. Without pid, rspctl chooses the server."""
        super().__init__(recording)
        if pid:
            self.options = [*self.options, "--pid", str(pid)]
        self.expected = {"kind": "tail", "server": server, "amount_ms": amount_ms,
                         "named": named if isinstance(named[0], list) else [named]}

    def summary(self):
        return "%s: %s, %.1f ms" % ("/".join(self.expected["server"]), " and ".join(
            "/".join(words) for words in self.expected["named"]), self.expected["amount_ms"])


class Idle(Truth):
    """The server received no requests."""

    judge = "judge-idle"

    def __init__(self, recording, server):
        super().__init__(recording, [], None)
        self.expected = {"server": server}

    def summary(self):
        return "%s: idle" % self.expected["server"]


class Log:
    """The log of programs/load.py. Each of its requests is [number, begin, duration, duration that the client saw],
    in ns of CLOCK_MONOTONIC."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            log = json.load(f)
        self.requests = log["requests"]
        self.unstamped = log["unstamped"]

    def durations_ns(self):
        return [ns for _, _, ns, _ in self.requests]

    def median_ns(self):
        return sorted(self.durations_ns())[len(self.requests) // 2]

    def slowest(self):
        """Returns the slowest hundredth of the requests."""
        return sorted(self.requests, key=lambda r: -r[2])[:math.ceil(len(self.requests) / 100)]

    def share_ms(self, injected_ms, main_share=MAIN_SHARE):
        """injected_ms: time of the cause, by number of the request. Raises Crowded if the cause is less than
        main_share of the additional time."""
        slow = self.slowest()
        excess_ms = sum(ns - self.median_ns() for _, _, ns, _ in slow) / len(slow) / 1e6
        share_ms = sum(injected_ms.get(number, 0) for number, *_ in slow) / len(slow)
        hit = sum(injected_ms.get(number, 0) > 0 for number, *_ in slow)
        if share_ms < main_share * excess_ms:
            raise Crowded("the cause took %.2f of the %.2f ms that the slow requests have more; it hit %d of %d" %
                          (share_ms, excess_ms, hit, len(slow)))
        return share_ms

    def excess_ms(self, every):
        """For requests whose number is a multiple of every, returns the time above the median, by number."""
        median_ns = self.median_ns()
        return {number: (ns - median_ns) / 1e6 for number, _, ns, _ in self.requests
                if ns > median_ns and number % every == 0}

    def overlap_ms(self, intervals_ns):
        """Returns for each request, by number, how long it was pending within the intervals. Leaves out requests
        that were not."""
        found = {}
        for number, begin, ns, _ in self.requests:
            both = sum(max(0, min(begin + ns, until) - max(begin, since)) for since, until in intervals_ns)
            if both:
                found[number] = both / 1e6
        return found
