# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a JSON report with the log of a world. Both become {(path, what): ns}, see truth.py, and their common
part is counted.

Time on a CPU and time without one count as the same at the end of a chain, because the result must not depend on how
busy the machine was. Time that a report leaves open is separate."""

import collections
import json
import re

from truth import Log

WHAT = {
    "running_sampled": "self", "running_unsampled": "self", "runqueue": "self", "preempted": "self",
    "sleep": "sleep", "timeout": "timeout",
    "disk_active": "io", "disk_queued": "io", "kernel": "io", "hardware": "io",
    "network": "network", "other_path": "other_path",
    "lost": "open", "unrecorded": "open", "edge": "open", "unaccounted": "open",
}
TERMINAL = "/dev/pts/"  # the object of a pty link: threads of the kernel carry the data
RUNNING = ("running_sampled", "running_unsampled")

# The kinds of findings that are correct for each cause. The culprit (the task whose activity is the cause) is in
# another process (first tuple) or in the process of interest (second tuple).
CROWDED = ("preempted", "runqueue", "queue_behind")
DISK = (("disk", "kernel", "queue_behind"), ("disk", "kernel", "queue_behind"))
FINDINGS = {
    "work": (("waits_on",), ("cpu", "waits_on")),
    "handed-off": (("waits_on",), ("cpu", "waits_on")),
    "pool": (("waits_on",), ("cpu", "waits_on")),
    "service": (("waits_on",), ("cpu", "waits_on")),
    "service-sleep": (("waits_on",), ("sleep", "waits_on")),
    "service-fsync": (("sync",), ("sync",)),
    "leased": (("waits_on",), ("cpu", "waits_on")),
    "lock": (("waits_on", "lock_convoy"), ("cpu", "waits_on", "lock_convoy")),
    "spin": (("waits_on",), ("cpu", "waits_on", *CROWDED)),
    "preempt": (("waits_on",), ("waits_on", *CROWDED)),
    "quota": (("throttled",), ("throttled",)),
    "child": (("waits_on",), ("cpu",)),
    "program": (("waits_on",), ("cpu",)),
    "sleep": (("waits_on",), ("sleep", "waits_on")),
    "timeout": (("waits_on", "polling"), ("timeout", "waits_on", "polling", "idle")),
    "timerfd": (("waits_on",), ("timeout", "waits_on")),
    "late": (("waits_on", "polling"), ("timeout", "waits_on", "polling")),
    "loop": (("waits_on", "polling"), ("cpu", "waits_on", "polling")),
    "naps": (("waits_on", "polling"), ("cpu", "waits_on", "polling")),
    "unsignalled": (("waits_on", "polling"), ("timeout", "waits_on", "polling", "idle")),
    "fsync": (("sync",), ("sync",)),
    "limited": (("throttled",), ("throttled",)),
    "direct": DISK,
    "cold": DISK,
    "fault": DISK,
}

ENDS = {"sleep": "sleep", "timeout": "timeout", "timerfd": "timeout", "late": "timeout", "fsync": "io",
        "unsignalled": "timeout", "direct": "io", "cold": "io", "fault": "io", "limited": "io",
        "service-sleep": "sleep", "service-fsync": "io"}  # all other causes: self

# The first finding must name the injected cause only if the cause has at least this share of the total.
DOMINANT = 0.4


def is_wait(key):
    path, what = key
    return len(path) > 1 or what != "self"


def words(key):
    path, what = key
    return "%s %s" % (" > ".join(path if len(path) <= 6 else path[:2] + ("…",) + path[-3:]), what)


def share(part, whole):
    return 100.0 * part / whole if whole else 100.0


class Comparison:
    def __init__(self, log_path, report_path):
        self.log = Log(log_path)
        with open(report_path, encoding="utf-8") as f:
            self.report = json.load(f)
        self.names = {t.tid: name for name, t in self.log.tasks.items()}
        self.pid = self.report["target"]["pid"]
        self.roots = [t for t in self.log.tasks.values() if t.pid == self.pid]
        self.total = self.report["total_ns"]
        self.found, self.idle = collections.Counter(), collections.Counter()
        for chain in self.report["chains"]:
            key = self.key_of(chain["hops"])
            self.found[key] += chain["ns"]
            if chain["hops"][-1]["kind"] == "idle":
                self.idle[key] += chain["ns"]
        self.expected = self.expect()
        self.measure()

    # --- the two sides ---------------------------------------------------------------------------

    def task_of(self, hop):
        """Returns the task's name in the log. The hop may contain an earlier name."""
        return self.names.get(hop["tid"], hop["comm"])

    def key_of(self, hops):
        """A kernel thread may carry data between two tasks. The sender has already posted the token, so in the log
        the wait is over. All other work of kernel threads is on the way to a disk."""
        path = tuple(self.task_of(hop) for hop in hops if not hop["kernel_thread"])
        if not hops[-1]["kernel_thread"]:
            return path, self.what_of(hops[-1])
        carried = any(hop["object"].startswith(TERMINAL) for hop in hops[:-1])
        return path, "self" if carried and WHAT[hops[-1]["kind"]] == "self" else "io"

    def expect(self):
        snapshot = self.report["snapshot"]
        expected, doubts = collections.Counter(), collections.Counter()
        for task in self.roots:
            begin, end = task.birth, task.end
            if task.parent is None:
                begin, end = snapshot["since_ns"], snapshot["until_ns"]
            account = self.log.explain(task.name, begin, end)
            self.allow_idle(account)
            if self.log.plan["servers"] > 1:
                self.allow_any_client(account)
            expected.update(account.chains)
            doubts.update(account.doubts)
        for (path, what), doubt in doubts.items():
            off = self.found[path, what] - expected[path, what]
            instead = self.doer(path, what), "self"
            off = max(-min(doubt, expected[path, what]), min(doubt, expected[instead], off))
            expected[path, what] += off
            expected[instead] -= off
        return expected

    def allow_idle(self, account):
        """If a task waited for its next request, the report may call it idle, and then says no more about the wait."""
        for idle, ns in self.idle.items():
            if idle[0][0] == account.root:
                self.shift_idle(account, idle, ns)

    def allow_any_client(self, account):
        """If several tasks wait at one entrance, a client may wake a task that finds its request taken by another
        task. No log shows which client woke the task."""
        for key, ns in self.found.items():
            if key[0][0] == account.root and is_wait(key) and key[1] != "open":
                self.shift_idle(account, key, max(0, ns - account.chains[key]))

    def shift_idle(self, account, to, ns):
        for key, waited in account.idle.items():
            if key == to:
                continue
            part = max(0, min(ns, waited, account.chains[key] - self.found[key]))
            account.chains[key] -= part
            account.chains[to] += part
            account.idle[key] -= part
            ns -= part

    @staticmethod
    def what_of(hop):
        """An idle thread appears in the log as a sleep or a timeout."""
        if hop["kind"] == "idle":
            return "sleep" if "nanosleep" in hop["syscall"] else "timeout"
        return WHAT[hop["kind"]]

    @staticmethod
    def doer(path, what):
        """Returns the path of the task that did something else instead. The last task of the path ran or waited
        itself, or polled for a task that ran."""
        return path[:-1] if what == "self" else path

    # --- scores ----------------------------------------------------------------------------------

    def measure(self):
        common = {k: min(ns, self.found[k]) for k, ns in self.expected.items() if is_wait(k)}
        self.waited = sum(ns for k, ns in self.expected.items() if is_wait(k))
        self.told = sum(ns for k, ns in self.found.items() if is_wait(k) and k[1] != "open")
        self.left_open = sum(ns for k, ns in self.found.items() if is_wait(k) and k[1] == "open")
        self.right = sum(common.values())
        # In pauses of the recorder, the report also leaves running time unexplained. So it may leave more time open
        # than the task waited.
        self.recall = share(self.right, max(self.right, self.waited - self.left_open))
        self.precision = share(self.right, self.told)
        self.error_pct, self.error_of = self.category_error()
        self.cpu_error_pct = self.cpu_error()
        self.named = self.names_cause() if self.dominates() else None

    def category_error(self):
        """Returns the activity with the largest error, in percent of the total. In the worst case, all the time that
        the report leaves open belongs to it. Time in which the roots did not wait is not compared, because a thread
        cannot log when it ended after its last step."""
        by_what = collections.Counter()
        for key in filter(is_wait, set(self.found) | set(self.expected)):
            by_what[key[1]] += self.found[key] - self.expected[key]
        left_open = by_what.pop("open", 0)
        what, ns = max(by_what.items(), key=lambda item: abs(item[1]), default=("self", 0))
        if ns < 0:
            ns = min(0, ns + left_open)
        return 100.0 * ns / self.total, what

    def cpu_error(self):
        """Returns the reported CPU time minus the kernel's count, in percent of the total."""
        ran = sum(c["ns"] for c in self.report["chains"] if c["hops"][0]["kind"] in RUNNING)
        return share(ran - sum(t.life["cpu"] for t in self.roots), self.total)

    def dominates(self):
        """Returns whether the injected cause dominates. It may not dominate if the disk is fast, or if many threads
        of the process itself compete for the CPUs."""
        plan = self.log.plan
        by_end = collections.Counter()
        for (path, what), ns in self.expected.items():
            by_end[path[-1], what] += ns
        ns = by_end[plan["who"], ENDS.get(plan["cause"], "self")]
        return ns == max(by_end.values()) and ns >= DOMINANT * self.total

    def names_cause(self):
        first = self.report["findings"][0]
        who = self.log.plan["who"]
        of_another, own = FINDINGS[self.log.plan["cause"]]
        is_own = who in (t.name for t in self.roots)
        if first["kind"] not in (own if is_own else of_another):
            return None if first["kind"] in CROWDED and self.crowded() else False
        if first["inferred"]:
            return False
        return first["kind"] != "waits_on" or re.search(r"\b%s\b" % who, first["text"]) is not None

    def crowded(self):
        """Returns whether the roots waited for CPUs longer than they ran, as on a busy machine."""
        own = collections.Counter()
        for chain in self.report["chains"]:
            if len(chain["hops"]) == 1:
                own[chain["hops"][0]["kind"]] += chain["ns"]
        return own["runqueue"] + own["preempted"] > own["running_sampled"] + own["running_unsampled"]

    # --- words -----------------------------------------------------------------------------------

    def lines(self):
        plan = self.log.plan
        yield "system: seed %d, %s of %d tasks, %s by %s" % (
            plan["seed"], plan["shape"], plan["tasks"], plan["cause"], plan["who"])
        yield "recall: %.2f %% (of %.1f ms of waiting, on the right tasks for the right reason)" % (
            self.recall, self.waited / 1e6)
        yield "precision: %.2f %% (of %.1f ms of waiting that is reported)" % (
            self.precision, self.told / 1e6)
        yield "category error: %+.2f %% of %.1f ms (%s)" % (
            self.error_pct, self.total / 1e6, self.error_of)
        yield "cpu error: %+.2f %% of %.1f ms (beside the kernel's own count)" % (
            self.cpu_error_pct, self.total / 1e6)
        yield "left open: %.2f %% (of what was waited)" % share(self.left_open, self.waited)
        yield "cause first: %s (%s)" % (
            {True: "yes", False: "no", None: "it does not dominate"}[self.named],
            self.report["findings"][0]["text"])

    def why(self):
        """Returns the chain with the largest error."""
        off = collections.Counter({k: self.found[k] - self.expected[k] for k in set(self.expected) | set(self.found)
                                   if is_wait(k)})
        if not off:
            return "nothing was waited for"
        most, least = max(off, key=off.get), min(off, key=off.get)
        text = []
        if off[least] < 0:
            text.append("%.1f of %.1f ms are missing of %s" % (-off[least] / 1e6, self.expected[least] / 1e6, words(least)))
        if off[most] > 0:
            text.append("%.1f of %.1f ms are too many of %s" % (off[most] / 1e6, self.found[most] / 1e6, words(most)))
        return "; ".join(text)

    def differences(self, count):
        keys = set(self.expected) | set(self.found)
        off = sorted(keys, key=lambda k: -abs(self.expected[k] - self.found[k]))
        for path, what in off[:count]:
            yield "%9.3f ms true, %9.3f ms reported: %s %s" % (
                self.expected[path, what] / 1e6, self.found[path, what] / 1e6, " > ".join(path),
                what)
