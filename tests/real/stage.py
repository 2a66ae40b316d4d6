# SPDX-License-Identifier: GPL-2.0-or-later
"""The environment of a scenario: a scratch folder, ports, servers, control groups, the recorder. Programs, control
groups and kernel settings of a scenario are removed when the scenario ends."""

import contextlib
import glob
import os
import select
import shutil
import signal
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
PYTHON = "/usr/bin/python3"
DEADLINE_S = 30
# The scenarios use only programs in these directories, even if the user's own PATH contains others.
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Words of a report for a task that runs or is ready to run.
AT_WORK = ["computing", "pushed off the CPU", "preempted", "waiting for a CPU"]
# The kernel chooses ports of clients above this range. Two runs of the suite may run at the same time, so the ports
# depend on the PID.
FIRST_PORT = 20000 + os.getpid() * 97 % 12000


class Skip(Exception):
    """This machine cannot run the scenario; the text says what is missing."""


class Crowded(Exception):
    """Other programs used so much time that the injected cause was not the main one."""


class Broken(Exception):
    """The scenario itself failed. The run proves nothing about the report."""


class Truth:
    """See tests/real/judge. recording: the recording whose report is judged."""

    # The judge of the scenario (tests/real/judge…). Its input is the output of `rspctl VERB RECORDING OPTIONS`.
    judge = "judge"
    verb = ["report"]
    options = ["--json=short"]

    def __init__(self, recording, named, amount_ms, not_blamed=(), untrue=(), span_ms=None):
        self.recording = recording
        self.expected = {"named": named if named and isinstance(named[0], list) else [named],
                         "amounts_ms": [amount_ms] if amount_ms is not None else [],
                         # These are never the cause here.
                         "not_blamed": ["ksoftirqd", "rcu_preempt", *not_blamed],
                         "untrue": list(untrue)}
        if span_ms is not None:
            self.expected["span_ms"] = span_ms

    def summary(self):
        """Returns the expected content of the first sentence."""
        return " and ".join("/".join(words) for words in self.expected["named"]) + ", " + ", ".join(
            "%s ms" % (" to ".join("%.0f" % b for b in a) if isinstance(a, list) else "%.0f" % a)
            for a in self.expected["amounts_ms"])


class Client:
    """A program that has run. waited_ms: the time in which its main thread neither ran nor waited for a CPU, by the
    kernel's count."""

    def __init__(self, pid, wall_ms, out, waited_ms=None, queued_ms=0):
        self.pid = pid
        self.wall_ms = wall_ms
        self.out = out
        self.waited_ms = waited_ms
        # A report may count the times in which a polling program waited for a CPU as part of its wait, so the expected
        # wait is a range.
        self.wait = [waited_ms, waited_ms + queued_ms] if waited_ms is not None else None


def find(program):
    """Returns the path of a program, or None. "php-fpm*" finds any version of php-fpm."""
    if "*" in program:
        found = (path for folder in PATH.split(":") for path in sorted(glob.glob(os.path.join(folder, program))))
        return next(found, None)
    return shutil.which(program, path=PATH)


def first(*command):
    """The command gets a higher priority than other programs. If the scheduler treats a session as a group, the
    group has a nice value of its own."""
    script = 'echo -10 2>/dev/null >/proc/self/autogroup; exec nice -n -10 "$@"'
    return ["sh", "-c", script, "first", *command]


def last(*command):
    script = 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$@"'
    return ["sh", "-c", script, "last", *command]


def await_(condition, what, deadline_s=DEADLINE_S):
    end = time.monotonic() + deadline_s
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise Broken("not within %d s: %s" % (deadline_s, what))
        time.sleep(0.01)


def listens(port):
    """Returns whether a program listens at the port. Reads the kernel's list, because a test connection would take a
    place in the queue."""
    for path in "/proc/net/tcp", "/proc/net/tcp6":
        with contextlib.suppress(OSError), open(path, encoding="ascii") as f:
            for line in f.readlines()[1:]:
                field = line.split()
                if field[3] == "0A" and int(field[1].rsplit(":", 1)[1], 16) == port:
                    return True
    return False


def connections(port):
    """Returns how many clients have a connection to that local port, over IPv4."""
    count = 0
    with open("/proc/net/tcp", encoding="ascii") as f:
        for line in f.readlines()[1:]:
            field = line.split()
            count += field[3] == "01" and int(field[1].rsplit(":", 1)[1], 16) == port
    return count


def pending(port):
    """Returns the number of connections that the kernel has accepted, but the program has not."""
    with open("/proc/net/tcp", encoding="ascii") as f:
        for line in f.readlines()[1:]:
            field = line.split()
            if field[3] == "0A" and int(field[1].rsplit(":", 1)[1], 16) == port:
                return int(field[4].split(":")[1], 16)
    return 0


def state(pid):
    with contextlib.suppress(OSError), open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as f:
        return f.read().rsplit(")", 1)[1].split()[0]
    return None


def waited_for_disks_ms(pid):
    """Returns how long the main thread waited for disks, which the kernel counts after account_delays(). The kernel
    rounds it to 10 ms."""
    with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as f:
        return int(f.read().rsplit(")", 1)[1].split()[39]) * 1e3 / os.sysconf("SC_CLK_TCK")


def children(pid):
    with contextlib.suppress(OSError), open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as f:
        return [int(child) for child in f.read().split()]
    return []


def await_end(process):
    """Returns the times of the main thread of an ended process: (ms on a CPU, ms waiting for one)."""
    pidfd = os.pidfd_open(process.pid)
    ended, _, _ = select.select([pidfd], [], [], DEADLINE_S)
    os.close(pidfd)
    if not ended:
        raise Broken("%s does not end" % process.args[0])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with open("/proc/%d/schedstat" % process.pid, encoding="ascii") as f:
        ran, waited, _ = f.read().split()
    process.wait()
    return int(ran) / 1e6, int(waited) / 1e6


def comm(pid):
    with contextlib.suppress(OSError), open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as f:
        return f.read().strip()
    return None


class Stage:
    def __init__(self, build, scratch, settle_s):
        self.build = build
        self.settle_s = settle_s
        self.scratch = scratch
        self.family = {}
        self.service = None
        self.settings = ""
        self.stack = contextlib.ExitStack()
        self.family_stack = contextlib.ExitStack()
        self.next_port = FIRST_PORT
        self.recordings = 0
        self.base_env = {k: v for k, v in os.environ.items() if not k.startswith("RSP_")}
        self.base_env.update(PATH=PATH, LC_ALL="C.UTF-8", HOME=scratch,
                             RSP_SOCKET=self.path("socket"), RSP_STORE=self.path("store"))

    # --- places ------------------------------------------------------------------------------------

    def path(self, *parts):
        return os.path.join(self.scratch, *parts)

    def folder(self, name, user=None):
        path = self.path(name)
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        os.chmod(path, 0o755)
        if user:
            shutil.chown(path, user)
        return path

    def file(self, name, text, mode=0o644):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    @staticmethod
    def uncache(path):
        """Ensures that the file is on the disk, and no longer in memory."""
        fd = os.open(path, os.O_RDONLY)
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)

    def fifo(self, name):
        path = self.path(name)
        if not os.path.exists(path):
            os.mkfifo(path)
        return path

    def exists(self, name):
        return os.path.exists(self.path(name))

    def text(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as f:
            return f.read()

    def port(self):
        while True:
            self.next_port += 1
            with socket.socket() as s, contextlib.suppress(OSError):
                s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                s.bind(("127.0.0.1", self.next_port))
                return self.next_port

    # --- programs ----------------------------------------------------------------------------------

    def need(self, *programs):
        for program in programs:
            if not find(program):
                raise Skip(program + " is not installed")

    def start(self, *command, shared=False, **options):
        """Starts a program in the background, in a session of its own. Its whole process group is killed at the end
        of the scenario, or of the family if shared."""
        command = [str(word) for word in command]
        env = dict(self.base_env, **options.pop("env", {}))
        for end in "stdout", "stderr":
            options.setdefault(end, subprocess.DEVNULL)
        options.setdefault("stdin", subprocess.DEVNULL)
        if "user" in options:
            import pwd
            options.setdefault("group", pwd.getpwnam(options["user"]).pw_gid)
            options.setdefault("extra_groups", [])
        process = subprocess.Popen(command, env=env, start_new_session=True, **options)
        (self.family_stack if shared else self.stack).callback(self.stop, process)
        return process

    @staticmethod
    def stop(process, how=signal.SIGKILL):
        """Ends the process group. The default is SIGKILL, because it also ends stopped processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for pipe in process.stdin, process.stdout, process.stderr:
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()

    def python(self, program, *args, **options):
        """Starts one of tests/real/programs with Debian's Python."""
        return self.start(PYTHON, os.path.join(PROGRAMS, program), *args, **options)

    def serve(self, port, *command, **options):
        process = self.start(*command, **options)
        self.await_listening(process, port)
        return process

    def serve_python(self, program, *args, **options):
        """Starts a server of tests/real/programs, whose first argument is the port."""
        port = self.port()
        process = self.python(program, port, *args, **options)
        self.await_listening(process, port)
        return process, port

    @staticmethod
    def await_listening(process, port):
        def ready():
            if process.poll() is not None:
                raise Broken("%s ended with status %d" % (process.args[0], process.returncode))
            return listens(port)
        await_(ready, "%s listens at port %d" % (process.args[0], port))

    def tool(self, *command, check=True, **options):
        """Returns the output of a step of the test itself."""
        env = dict(self.base_env, **options.pop("env", {}))
        done = subprocess.run([str(word) for word in command], env=env, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120, stdin=subprocess.DEVNULL, **options)
        if check and done.returncode != 0:
            raise Broken("%s: %s" % (" ".join(map(str, command)), done.stdout.strip()[-300:]))
        return done.stdout

    def shared(self, make):
        """make(stage) is called once for all scenarios of a family."""
        if make not in self.family:
            self.family[make] = make(self)
        return self.family[make]

    # --- control groups ----------------------------------------------------------------------------

    def cgroup(self, controller):
        """Makes a new group. Raises Skip if the machine has no such controller, in either version."""
        v1 = os.path.join("/sys/fs/cgroup", controller)
        v2 = {"cpu": "cpu", "blkio": "io", "memory": "memory"}[controller]
        if os.path.exists(os.path.join(v1, "cgroup.procs")):
            root, version = v1, "v1"
        elif self.has_controller(v2):
            root, version = "/sys/fs/cgroup", "v2"
        else:
            raise Skip("there is no cgroup controller " + controller)
        group = Cgroup(os.path.join(root, "rsp-real-%d" % os.getpid()), version)
        os.makedirs(group.path, exist_ok=True)
        self.stack.callback(group.remove, root)
        return group

    @staticmethod
    def has_controller(name):
        with contextlib.suppress(OSError):
            with open("/sys/fs/cgroup/cgroup.subtree_control", encoding="ascii") as f:
                return name in f.read().split()
        return False

    # --- settings of the kernel --------------------------------------------------------------------

    def limit_dirty_pages(self, limit_bytes):
        """Sets vm.dirty_bytes until the scenario ends. Setting vm.dirty_ratio again restores it."""
        with open("/proc/sys/vm/dirty_ratio", encoding="ascii") as f:
            ratio = int(f.read())
        if ratio == 0:
            raise Skip("vm.dirty_bytes is set on this machine")
        self.stack.callback(self.write, "/proc/sys/vm/dirty_ratio", ratio)
        self.write("/proc/sys/vm/dirty_bytes", limit_bytes)

    def account_delays(self):
        """Lets the kernel count how long programs that start from now on wait for disks, until the scenario ends."""
        path = "/proc/sys/kernel/task_delayacct"
        if not os.path.exists(path):
            raise Skip("this kernel does not count delays")
        with open(path, encoding="ascii") as f:
            self.stack.callback(self.write, path, f.read().strip())
        self.write(path, 1)

    @staticmethod
    def write(path, value):
        with open(path, "w", encoding="ascii") as f:
            f.write(str(value))

    # --- recording ---------------------------------------------------------------------------------

    def ctl(self, *args, **options):
        return self.tool(os.path.join(self.build, "rspctl"), *args, check=False, **options)

    def record(self, settings=""):
        """Ensures that a permanent recorder for snapshots runs, like the service. settings: the content of
        rspd.conf."""
        if self.service and self.service.poll() is None and self.settings == settings:
            return
        self.stop_recording()
        self.settings = settings
        conf = self.file("rspd.conf", settings)
        os.makedirs(self.path("store"), exist_ok=True)
        with open(self.path("rspd.log"), "w", encoding="utf-8") as log:
            self.service = subprocess.Popen(
                [os.path.join(self.build, "rspd"), "--foreground", "--config=" + conf, "--window-size=256M",
                 "--socket=" + self.path("socket"), "--store=" + self.path("store")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.base_env, start_new_session=True)
        await_(lambda: "recording: " in self.text("rspd.log") or self.service.poll() is not None, "rspd records")
        if self.service.poll() is not None:
            raise Skip("rspd does not run here: " + self.text("rspd.log"))
        time.sleep(self.settle_s)  # a real service has run for a while, and knows the running programs

    def stop_recording(self):
        if self.service:
            self.stop(self.service, signal.SIGTERM)
            self.service = None
            with contextlib.suppress(OSError):
                os.unlink(self.path("socket"))

    def new_recording(self):
        self.recordings += 1
        return self.path("recording-%d.rsp" % self.recordings)

    def ask(self, *command, **options):
        """Takes a snapshot of the client's time. Returns (client, recording)."""
        self.record()
        begin = time.monotonic()
        client = self.client(*command, **options)
        return client, self.snapshot(client.pid, time.monotonic() - begin)

    def client(self, *command, may_fail=False, **options):
        """Runs a command to its end, and measures its times."""
        with open(self.path("client.out"), "w+", encoding="utf-8", errors="replace") as out:
            options.setdefault("stdout", out)
            begin = time.monotonic()
            process = self.start(*command, **options)
            ran_ms, queued_ms = await_end(process)
            wall_ms = (time.monotonic() - begin) * 1e3
            if process.returncode != 0 and not may_fail:
                raise Broken("%s: exit status %d" % (" ".join(map(str, command))[:80], process.returncode))
            out.seek(0)
            return Client(process.pid, wall_ms, out.read(), wall_ms - ran_ms - queued_ms, queued_ms)

    def snapshot(self, pid, seconds):
        """Takes a snapshot of the last seconds of that process."""
        recording = self.new_recording()
        said = self.ctl("snapshot", "--pid", pid, "--last", "%dms" % (seconds * 1e3 + 50), "-o", recording)
        if not os.path.exists(recording):
            raise Broken("no snapshot: " + said.strip()[-300:])
        return recording

    def run(self, *command, at_start=None, **options):
        """Runs rspctl run -- COMMAND, with its own recorder. Returns (client, recording). Calls at_start as soon as
        the command runs. A shell reports the start, so that the test can measure the time itself."""
        self.stop_recording()
        recording = self.new_recording()
        said = self.path("started")
        with contextlib.suppress(OSError):
            os.unlink(said)
        os.mkfifo(said)
        fifo = os.open(said, os.O_RDWR | os.O_NONBLOCK)
        log = open(self.path("run.log"), "w+", encoding="utf-8", errors="replace")
        options.setdefault("stdout", log)
        options.setdefault("stderr", log)
        with log:
            process = self.start(os.path.join(self.build, "rspctl"), "run", "-o", recording, "--", "sh", "-c",
                                 'echo $$ >"$0"; exec "$@"', said, *command, **options)
            ready, _, _ = select.select([fifo], [], [], DEADLINE_S)
            begin = time.monotonic()
            if not ready:
                raise Broken("rspctl run started nothing")
            pid = int(os.read(fifo, 100).decode().split()[0])
            os.close(fifo)
            wall_ms = 0
            with contextlib.suppress(ProcessLookupError):
                pidfd = os.pidfd_open(pid)
                if at_start:
                    at_start(pid)
                select.select([pidfd], [], [], DEADLINE_S)
                wall_ms = (time.monotonic() - begin) * 1e3
                os.close(pidfd)
            process.wait(120)
            log.seek(0)
            out = log.read()
        if not os.path.exists(recording):
            raise Broken("rspctl run: " + out.strip()[-300:])
        return Client(pid, wall_ms, out), recording

    # --- endings -----------------------------------------------------------------------------------

    def end_scenario(self):
        self.stack.close()
        self.stack = contextlib.ExitStack()

    def end_family(self):
        self.family_stack.close()
        self.family_stack = contextlib.ExitStack()
        self.family = {}

    def end(self):
        self.end_scenario()
        self.end_family()
        self.stop_recording()


class Cgroup:
    def __init__(self, path, version):
        self.path = path
        self.version = version
        self.name = os.path.basename(path)

    def write(self, name, value):
        with open(os.path.join(self.path, name), "w", encoding="ascii") as f:
            f.write(value)

    def read(self, name):
        with open(os.path.join(self.path, name), encoding="ascii") as f:
            return f.read()

    def add(self, pid):
        self.write("cgroup.procs", str(pid))

    def enter(self, *command):
        """Returns a command that joins the group and then executes that command."""
        return ["sh", "-c", 'echo $$ >"$0" && exec "$@"', os.path.join(self.path, "cgroup.procs"), *command]

    def limit_cpu(self, quota_us, period_us):
        """Limits the CPU time of the group. The group gets a higher priority than other programs, so that it uses up
        its quota."""
        if self.version == "v1":
            self.write("cpu.shares", "20000")
            self.write("cpu.cfs_period_us", str(period_us))
            self.write("cpu.cfs_quota_us", str(quota_us))
        else:
            self.write("cpu.weight", "10000")
            self.write("cpu.max", "%d %d" % (quota_us, period_us))

    def throttled_ms(self):
        fields = dict(line.split() for line in self.read("cpu.stat").splitlines())
        return int(fields["throttled_time"]) / 1e6 if self.version == "v1" else int(fields["throttled_usec"]) / 1e3

    def limit_writes(self, disk, bytes_per_s=None, per_s=None):
        """Limits writes to a disk (MAJOR:MINOR)."""
        if self.version == "v1":
            if bytes_per_s:
                self.write("blkio.throttle.write_bps_device", "%s %d" % (disk, bytes_per_s))
            if per_s:
                self.write("blkio.throttle.write_iops_device", "%s %d" % (disk, per_s))
        else:
            self.write("io.max", disk + (" wbps=%d" % bytes_per_s if bytes_per_s else "") +
                       (" wiops=%d" % per_s if per_s else ""))

    def limit_reads(self, disk, bytes_per_s):
        if self.version == "v1":
            self.write("blkio.throttle.read_bps_device", "%s %d" % (disk, bytes_per_s))
        else:
            self.write("io.max", "%s rbps=%d" % (disk, bytes_per_s))

    def remove(self, root):
        """Removes the group. Its processes move back to the parent group."""
        for pid in self.read("cgroup.procs").split():
            with contextlib.suppress(OSError), open(os.path.join(root, "cgroup.procs"), "w", encoding="ascii") as f:
                f.write(pid)
        await_(lambda: not self.read("cgroup.procs").split(), "cgroup %s is empty" % self.name)
        with contextlib.suppress(OSError):
            os.rmdir(self.path)


def disk_of(path):
    """Returns MAJOR:MINOR of the whole disk. Raises Skip if the file is not on a disk."""
    device = os.stat(path).st_dev
    number = "%d:%d" % (os.major(device), os.minor(device))
    sysfs = os.path.realpath("/sys/dev/block/" + number)
    if not os.path.exists(sysfs):
        raise Skip("the scratch folder is not on a disk")
    if os.path.exists(os.path.join(sysfs, "partition")):
        with open(os.path.join(os.path.dirname(sysfs), "dev"), encoding="ascii") as f:
            return f.read().strip()
    return number
