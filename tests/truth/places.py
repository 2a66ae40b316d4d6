# SPDX-License-Identifier: GPL-2.0-or-later
"""Resources of the machine that a world may use: two joined network namespaces, a control group with a CPU quota,
and one with a read limit for the disk."""

import os
import subprocess

NET = "198.18.0.%d/30"  # LINK_NET of links.h
PERIOD_US = 20_000
QUOTA_US = PERIOD_US // 5  # PLAN_QUOTA_PERCENT of plan.h
V1, V2 = "/sys/fs/cgroup/%s", "/sys/fs/cgroup"
READ_BYTES_PER_S = 32 << 20  # a block of steps.c takes a sixteenth of a second


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


class Group:
    """A control group. Threads (cgroup version 1) or processes (version 2) can join it."""

    def __init__(self, controller_1, controller_2, file_1):
        self.folder, self.why_not = None, None
        base = V1 % controller_1
        self.version_1 = os.path.exists(os.path.join(base, file_1))
        self.file = "tasks" if self.version_1 else "cgroup.procs"
        try:
            if not self.version_1:
                base = V2
                write(os.path.join(base, "cgroup.subtree_control"), "+" + controller_2)
            folder = os.path.join(base, "rsp-truth-%d-%s" % (os.getpid(), controller_2))
            os.mkdir(folder)
            self.folder = folder
            self.set_limit()
        except OSError as e:
            self.remove()
            self.why_not = str(e)

    def set_limit(self):
        raise NotImplementedError

    def set(self, name, text):
        write(os.path.join(self.folder, name), text)

    def arguments(self):
        return [self.OPTION, os.path.join(self.folder, self.file)] if self.folder else []

    def remove(self):
        if self.folder:
            os.rmdir(self.folder)
        self.folder = None


class Quota(Group):
    OPTION = "--quota"

    def __init__(self):
        super().__init__("cpu", "cpu", "cpu.cfs_quota_us")

    def set_limit(self):
        if self.version_1:
            self.set("cpu.cfs_period_us", str(PERIOD_US))
            self.set("cpu.cfs_quota_us", str(QUOTA_US))
        else:
            self.set("cpu.max", "%d %d" % (QUOTA_US, PERIOD_US))


class IoLimit(Group):
    OPTION = "--io-limit"

    def __init__(self, folder):
        """folder: the directory with the file that the world reads."""
        self.disk = disk_of(folder)
        super().__init__("blkio", "io", "blkio.throttle.read_bps_device")

    def set_limit(self):
        if not self.disk:
            raise OSError("the temporary folder is not on a disk")
        if self.version_1:
            self.set("blkio.throttle.read_bps_device", "%s %d" % (self.disk, READ_BYTES_PER_S))
        else:
            self.set("io.max", "%s rbps=%d" % (self.disk, READ_BYTES_PER_S))


def disk_of(path):
    """Returns MAJOR:MINOR of the whole disk, or None."""
    number = os.stat(path).st_dev
    sysfs = os.path.realpath("/sys/dev/block/%d:%d" % (os.major(number), os.minor(number)))
    if os.path.exists(os.path.join(sysfs, "partition")):
        sysfs = os.path.dirname(sysfs)
    try:
        with open(os.path.join(sysfs, "dev"), encoding="ascii") as f:
            return f.read().strip()
    except OSError:
        return None
