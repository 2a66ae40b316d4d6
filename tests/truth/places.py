# SPDX-License-Identifier: GPL-2.0-or-later
"""What a world may use of the machine if it is allowed to: two network namespaces that are joined, and a control
group with a CPU quota. Both are made before anything is recorded and removed at the end; where they cannot be made,
the reason is kept."""

import os
import subprocess

NET = "198.18.0.%d/30"  # LINK_NET of links.h
PERIOD_US = 20_000
QUOTA_US = PERIOD_US // 5  # PLAN_QUOTA_PERCENT of plan.h
V1, V2 = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"


def ip(*words):
    done = subprocess.run(["ip", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise OSError("ip %s: %s" % (" ".join(words), done.stderr.decode(errors="replace").strip()))


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


class Nets:
    def __init__(self):
        self.names, self.why_not = [], None
        names = ["rsp-truth-%d-%d" % (os.getpid(), i) for i in (1, 2)]
        try:
            for name in names:
                ip("netns", "add", name)
                self.names.append(name)
            ip("-n", names[0], "link", "add", "end1", "type", "veth", "peer", "name", "end2", "netns", names[1])
            for i, name in enumerate(names, 1):
                ip("-n", name, "address", "add", NET % i, "dev", "end%d" % i)
                ip("-n", name, "link", "set", "end%d" % i, "up")
        except OSError as e:
            self.remove()
            self.why_not = str(e)

    def arguments(self):
        return [a for name in self.names for a in ("--net", "/run/netns/" + name)]

    def remove(self):
        for name in self.names:
            ip("netns", "delete", name)
        self.names = []


class Quota:
    def __init__(self):
        self.folder, self.why_not = None, None
        version_1 = os.path.exists(os.path.join(V1, "cpu.cfs_quota_us"))
        base = V1 if version_1 else V2
        self.file = "tasks" if version_1 else "cgroup.procs"
        try:
            if not version_1:
                write(os.path.join(base, "cgroup.subtree_control"), "+cpu")
            folder = os.path.join(base, "rsp-truth-%d" % os.getpid())
            os.mkdir(folder)
            self.folder = folder
            if version_1:
                write(os.path.join(folder, "cpu.cfs_period_us"), str(PERIOD_US))
                write(os.path.join(folder, "cpu.cfs_quota_us"), str(QUOTA_US))
            else:
                write(os.path.join(folder, "cpu.max"), "%d %d" % (QUOTA_US, PERIOD_US))
        except OSError as e:
            self.remove()
            self.why_not = str(e)

    def arguments(self):
        return ["--quota", os.path.join(self.folder, self.file)] if self.folder else []

    def remove(self):
        if self.folder:
            os.rmdir(self.folder)
        self.folder = None
