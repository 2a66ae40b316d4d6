# SPDX-License-Identifier: GPL-2.0-or-later
"""Shared by the checks of reports: reads the output of `rspctl run --json -- PROGRAM` (stdout: the report, one line;
stderr: the lines of the program) from one or two files, and checks the rules for all reports.

Times are integers in nanoseconds."""

import json
import sys

RUNNING = ("running_sampled", "running_unsampled")
NO_CPU = ("runqueue", "preempted")
NOT_EXPLAINED = ("lost", "unrecorded", "edge", "unaccounted")
NO_WAIT = RUNNING + NO_CPU + NOT_EXPLAINED


def parse(line):
    try:
        return json.loads(line)
    except json.JSONDecodeError as e:
        sys.exit("the report is not JSON: %s" % e)


class Report:
    def __init__(self, *paths):
        text = ""
        for path in paths:
            with open(path, encoding="utf-8", errors="replace") as f:
                text += f.read()
        self.json, self.facts, self.broken = None, {}, []
        for line in text.splitlines():
            words = line.split()
            if line.startswith("{"):
                self.json = parse(line)
            elif len(words) > 1 and all(w.isdigit() for w in words[1:]):
                self.facts[words[0]] = [int(w) for w in words[1:]]
        if not self.json:
            sys.exit("there is no report in %s" % " ".join(paths))

    def fact(self, name):
        """Returns the numbers after a word on a line that the program printed."""
        if name not in self.facts:
            sys.exit("the program printed no line `%s NUMBER…`" % name)
        return self.facts[name]

    def check(self, holds, what, *args):
        if not holds:
            self.broken.append(what % args)

    def check_share(self, part_ns, whole_ns, at_least, what):
        share = part_ns / whole_ns if whole_ns else 0
        self.check(share >= at_least, "%s: %.1f %% of %.3f ms, not %.0f %%", what, share * 100,
                   whole_ns / 1e6, at_least * 100)

    def check_work(self, found_ns, name, at_least, what):
        """Compares a time with the CPU time for which the program worked: ROUNDS times WORK_US."""
        rounds, work_us = self.fact(name)
        self.check_share(found_ns, rounds * work_us * 1000, at_least, what)

    def check_sums(self, at_least=90):
        """Each nanosecond must be in one category. at_least is less than 100, because some kernels hide the tasks of
        a sandbox from BPF."""
        categories, total = self.json["categories"], self.json["total_ns"]
        self.check(total > 0, "total_ns is 0")
        self.check(sum(categories.values()) == total, "the categories add up to %d, total_ns is %d",
                   sum(categories.values()), total)
        unexplained = sum(categories[c] for c in NOT_EXPLAINED)
        pct = 100 * (1 - unexplained / total) if total else 100
        self.check(abs(self.json["accounted_pct"] - pct) < 0.001,
                   "accounted_pct is %s, the categories say %.4f", self.json["accounted_pct"], pct)
        self.check(pct >= at_least, "only %.2f %% are accounted for", pct)

    def chain_ns(self, wanted=lambda hops: True):
        return sum(c["ns"] for c in self.json["chains"] if wanted(c["hops"]))

    def waited_ns(self):
        """Returns the time in which the process of interest slept."""
        return self.chain_ns(lambda hops: hops[0]["kind"] not in NO_WAIT)

    def finish(self, summary):
        for line in self.broken:
            print(line)
        if not self.broken:
            print(summary)
        sys.exit(1 if self.broken else 0)


def blocked_on(hops, pid):
    """Returns whether the first hop waits, and the second is pid, whose activity is the cause."""
    return len(hops) > 1 and hops[0]["kind"] == "blocked" and hops[1]["pid"] == pid
