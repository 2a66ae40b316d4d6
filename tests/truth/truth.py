# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns the log of a world (see log.c) into the expected explanation of its root: how long each chain of tasks
made a task wait, and the activity of the last of them.

The rule is that of docs/model.md, applied to the tasks' own logs and not to the kernel's records: a wait is
explained by the activity of the awaited task during the wait. So a chain consists of the names of tasks, root
first, and of one of these activities, which a log can show:

  self     the last task of the chain ran, or could have run: it waited for nothing but a CPU
  sleep, timeout
  io       it waited for a disk, or for the kernel on the way there"""

import bisect
import collections
import json

IO = ("fsync", "direct", "cold", "fault", "limited")
TIMER = {"sleep": "sleep", "timeout": "timeout", "timerfd": "timeout", "late": "timeout"}
LOOPS = {"loop": "sleep", "naps": "sleep"}  # polling steps: category of the wait after the token has come
TOLD = ("serve", "submit", "collect", "call", "attend", "take", "ask", "backend")  # the task that ended the wait logs it

# Kinds of steps in which a task waits for its next request. A report may call the task idle in such a wait.
FOR_WORK = ("serve", "attend", "backend")

# A wait of a task, from begin to end. why: the awaited task, or "sleep", "timeout" or "io". rest: the time between many
# short waits. doubt: the part of the time that may have been the task's own activity. kind: the kind of the step.
Wait = collections.namedtuple("Wait", "begin end why rest doubt kind", defaults=(0, 0, ""))

# Maximum time from a wakeup until the kernel counts the task as runnable: on a virtual machine, the host may have to
# wake an idle CPU first.
DOUBT_NS = 50_000


class Task:
    def __init__(self, name, pid, tid):
        self.name, self.pid, self.tid = name, pid, tid
        self.life, self.entries, self.waits = None, [], []
        self.birth, self.end, self.parent = 0, 0, None

    def settle(self):
        self.waits = sorted(w for w in self.waits if w.end > w.begin)
        self.ends = [w.end for w in self.waits]


class Log:
    def __init__(self, path):
        self.tasks = {}
        with open(path, encoding="ascii") as f:
            self.plan = json.loads(f.readline())
            for line in f:
                self.take(json.loads(line))
        self.links = self.plan["links"]
        self.holders = self.find_holders()
        posts = self.find_posts()
        for task in self.tasks.values():
            self.find_waits(task, posts)
            task.settle()

    def take(self, entry):
        if "task" in entry:
            self.last = Task(entry["task"], entry["pid"], entry["tid"])
            self.tasks[entry["task"]] = self.last
        elif entry["kind"] == "life":
            self.last.life, self.last.end = entry, entry["to"]
        else:
            self.last.entries.append(entry)

    def name(self, number):
        return "t%02d" % number

    def find_posts(self):
        """Returns the times at which tokens were posted, by link."""
        posts = collections.defaultdict(list)
        for task in self.tasks.values():
            for e in task.entries:
                if e["kind"] == "post":
                    posts[e["arg"]].append(e["from"])
        return posts

    def find_holders(self):
        """Returns the successive holders of each lock: (time of taking, time of release, task)."""
        holders = collections.defaultdict(list)
        for task in self.tasks.values():
            got = {}
            for e in task.entries:
                if e["kind"] == "lock":
                    got[e["arg"]] = e["to"]
                elif e["kind"] == "unlock":
                    holders[e["arg"]].append((got[e["arg"]], e["from"], task.name))
        return {lock: sorted(spans) for lock, spans in holders.items()}

    def find_waits(self, task, posts):
        taken = collections.Counter()
        i = 0
        while i < len(task.entries):
            e = task.entries[i]
            together = [e]
            if e["kind"] == "wait":
                while i + 1 < len(task.entries) and self.came_together(e, task.entries[i + 1]):
                    i += 1
                    together.append(task.entries[i])
                self.wait_for_token(task, together, taken, posts)
            elif e["kind"] in LOOPS:
                self.poll_for_token(task, e, posts[e["arg"]][taken[e["arg"]]])
            else:
                self.wait_for_other(task, e)
            i += 1

    @staticmethod
    def came_together(a, b):
        return b["kind"] == "wait" and (a["from"], a["to"]) == (b["from"], b["to"])

    @staticmethod
    def awake(e):
        return e["cpu"] + e["delay"] + e["runs"] * DOUBT_NS

    def looks(self, e):
        """Returns the longest time for which the task may have been awake to check. If the task blocked only once,
        it made no checks."""
        return self.awake(e) if e["blocked"] > 1 else 0

    def add_wait(self, task, e, until, who):
        """Adds a wait. A task that never left the CPU did not wait: it found its token at the first check."""
        if e["blocked"] > 0:
            task.waits.append(Wait(e["from"], min(until, e["to"]), who, doubt=self.looks(e), kind=e["kind"]))

    def wait_for_token(self, task, entries, taken, posts):
        """Adds a wait that ended when the first of the tokens was posted. If a token was there before, there was no
        wait."""
        first = None
        for e in entries:
            link = e["arg"]
            at = posts[link][taken[link]]
            taken[link] += 1
            if first is None or at < first[0]:
                first = (at, self.links[link])
        at, (how, sender, _) = first
        if how != "spin":
            self.add_wait(task, entries[0], at, sender)

    def poll_for_token(self, task, e, at):
        """Adds two waits, because no task wakes the polling task. The first wait is for the posting task, the second
        one lasts until the polling task notices the token."""
        looks = self.awake(e)
        task.waits.append(Wait(e["from"], at, self.links[e["arg"]][1], doubt=looks))
        task.waits.append(Wait(at, e["to"], LOOPS[e["kind"]], doubt=looks))

    def wait_for_other(self, task, e):
        # After the wakeup, which is not in the log, the task waited e["delay"] for a CPU.
        woken = e["to"] - e["delay"]
        if e["kind"] == "join":
            child = self.tasks[self.name(e["arg"])]
            if child.entries and child.entries[-1]["kind"] == "exec":
                child.end = woken  # its log ends with the program that it left
            # The parent ran on a CPU only after the end of the child.
            task.waits.append(Wait(e["from"], woken - e["cpu"], self.name(e["arg"])))
        elif e["kind"] == "unsignalled":
            task.waits.append(Wait(e["from"], e["to"], "timeout", doubt=self.looks(e)))
        elif e["kind"] in TIMER:
            # If the kernel did not take the task off the run queue for the sleep, e["delay"] may be longer than the
            # wait for a CPU. So the sleep ends no earlier than its timer.
            task.waits.append(Wait(e["from"], max(woken, min(e["at"], e["to"])), TIMER[e["kind"]]))
        elif e["kind"] in IO:
            task.waits.append(Wait(e["from"], e["to"], "io", e["cpu"] + e["delay"], e["runs"] * DOUBT_NS))
        elif e["kind"] in TOLD:
            self.add_wait(task, e, e["at"], self.name(e["arg"]))
        elif e["kind"] == "lock":
            # The previous holder handed the lock over. That task may already wait for the lock again.
            holders = self.holders[e["arg"]]
            turn = bisect.bisect_left(holders, (e["to"],))
            if turn > 0 and holders[turn - 1][1] > e["from"]:
                _, until, who = holders[turn - 1]
                self.add_wait(task, e, until, who)
        elif e["kind"] == "spawn":
            child = self.tasks[self.name(e["arg"])]
            child.birth, child.parent = e["from"], task.name

    def explain(self, root, begin, end):
        """Returns the activities of the root from begin to end."""
        account = Account(root)
        todo = [((root,), begin, end, False)]
        while todo:
            path, at, end, is_idle = todo.pop()
            task = self.tasks[path[-1]]
            if at < task.birth and task.parent and task.parent not in path:
                # Before the birth of a task, its parent's activity counts: the parent had not started it yet.
                todo.append((path[:-1] + (task.parent,), at, min(end, task.birth), is_idle))
                at = min(end, task.birth)
            for wait in task.waits[bisect.bisect_right(task.ends, at):]:
                if wait.begin >= end:
                    break
                if wait.begin > at:
                    account.add((path, "self"), wait.begin - at, is_idle)
                at = max(at, wait.begin)
                until = min(end, wait.end)
                if until <= at:
                    continue
                doubt = wait.doubt * (until - at) // (wait.end - wait.begin)
                if wait.why not in self.tasks:
                    rest = wait.rest * (until - at) // (wait.end - wait.begin)
                    account.add((path, wait.why), until - at - rest, is_idle)
                    account.add((path, "self"), rest, is_idle)
                    account.doubts[path, wait.why] += doubt
                elif wait.why in path:
                    account.add((path, "circle"), until - at, is_idle)
                else:
                    for_work = len(path) == 1 and wait.kind in FOR_WORK
                    todo.append((path + (wait.why,), at, until, is_idle or for_work))
                    account.doubts[path + (wait.why,), "self"] += doubt
                at = until
            if end > at:
                account.add((path, "self"), end - at, is_idle)
        return account


class Account:
    """Times by (path, what), in ns. doubts: time that may have been another activity; idle: time that explains why
    no task had work for the root."""

    def __init__(self, root):
        self.root = root
        self.chains, self.doubts, self.idle = (collections.Counter() for _ in range(3))

    def add(self, key, ns, is_idle):
        self.chains[key] += ns
        if is_idle:
            self.idle[key] += ns
