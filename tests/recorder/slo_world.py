# SPDX-License-Identifier: GPL-2.0-or-later
"""The environment of slo-check: the running recorder, its dumps, a web server, and the causes of delays."""

import atexit
import contextlib
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

# Maximum time in seconds from the end of a breach until its dump is in the store. Time in which other programs keep the
# CPUs or disks busy does not count.
DUMP_S = 5
DEADLINE_S = 30
MISSING = 77


class Failure(Exception):
    pass


def expect(condition, what, *details):
    if not condition:
        raise Failure(what % details)


def missing(what):
    print(what)
    sys.exit(MISSING)


def need(*programs):
    for name in programs:
        if not shutil.which(name):
            missing("%s is not installed" % name)


def note(what, *details):
    """Prints a figure for readers."""
    print("# " + what % details, flush=True)


def start(*command, **options):
    """Starts a program, which is killed when the test exits."""
    process = subprocess.Popen(command, **options)
    atexit.register(process.kill)
    return process


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=DEADLINE_S)
    expect(done.returncode == 0, "%s: %s", " ".join(command), done.stdout)
    return done.stdout


def stalled_s():
    """Returns how long tasks have waited for a CPU or for I/O since boot: the longer of the two times."""
    totals = [0]
    for resource in "cpu", "io":
        with contextlib.suppress(OSError), open("/proc/pressure/" + resource) as f:
            totals.append(int(f.readline().split("total=")[1]))
    return max(totals) / 1e6


def await_for(wanted, what, *details, busy_s=None):
    """Returns the result of wanted() when it is true. busy_s: the time limit on an idle machine."""
    begin, stalled = time.monotonic(), stalled_s()
    while True:
        found = wanted()
        if found:
            return found
        waited_s = time.monotonic() - begin
        late = busy_s is not None and waited_s - (stalled_s() - stalled) > busy_s
        expect(waited_s < DEADLINE_S and not late, what, *details)
        time.sleep(0.02)


class Stopped:
    """Starts a command that waits for a signal before it does anything, so that its PID is known first."""

    def __init__(self, *command, **options):
        self.process = start("sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *command, **options)
        self.pid = self.process.pid
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)

    def resume(self):
        os.kill(self.pid, signal.SIGCONT)

    def finish(self):
        self.resume()
        self.process.wait(DEADLINE_S)


# --- the recorder ------------------------------------------------------------------------------------


class Dump:
    def __init__(self, recorder, path):
        self.path = path
        self.info = json.loads(recorder.ctl("info", path, "--json=short"))
        self.report = json.loads(recorder.ctl("report", path, "--json=short"))
        self.headline = self.report["headline"]

    def overlap_ns(self, span):
        return min(self.info["until_ns"], span[1]) - max(self.info["since_ns"], span[0])

    def expect_explained(self, *words):
        for word in words:
            expect(word in self.headline, "no '%s' in: %s", word, self.headline)
        expect(self.report["accounted_pct"] >= 90, "%s %% are explained: %s", self.report["accounted_pct"],
               self.headline)


class Recorder:
    """The recorder that tests/recorder/slo.sh started; environment variables contain its paths."""

    def __init__(self):
        self.rspctl, self.config = os.environ["RSPCTL"], os.environ["RSPD_CONFIG"]
        self.pid, self.store = int(os.environ["RSPD_PID"]), os.environ["RSP_STORE"]

    def ctl(self, *args):
        done = subprocess.run([self.rspctl, *args], capture_output=True, text=True, timeout=DEADLINE_S)
        expect(done.returncode in (0, 3), "rspctl %s: %s", " ".join(args), done.stderr)
        return done.stdout

    def states(self):
        """Returns the SLOs of the status by name, in order."""
        return {slo["name"]: slo for slo in json.loads(self.ctl("status", "--json=short"))["slos"]}

    def configure(self, slos):
        """Returns when all of the SLOs are measured."""
        with open(self.config, "w") as f:
            f.write("[Budget]\nCPU=off\n")
            for name, keys in slos.items():
                f.write('[SLO "%s"]\n' % name)
                f.writelines("%s=%s\n" % item for item in keys.items())
        os.kill(self.pid, signal.SIGHUP)

        def minded():
            states = self.states()
            return list(states) == list(slos) and all(state["measured"] for state in states.values())
        await_for(minded, "not all SLOs are measured: %s", list(slos))

    def dumps(self, name):
        """Returns the dumps of an SLO, oldest first."""
        return sorted(glob.glob("%s/*.%s.rsp" % (self.store, name)), key=os.path.getmtime)

    def await_dump(self, name, span=None, least_ns=0):
        """Returns the first dump of an SLO about that span, which ends now."""
        ended, looked_at = time.monotonic(), {}

        def fitting():
            for path in self.dumps(name):
                if path not in looked_at:
                    looked_at[path] = Dump(self, path)
                    if not span or looked_at[path].overlap_ns(span) >= least_ns:
                        return looked_at[path], os.stat(path).st_mtime - (time.time() - (time.monotonic() - ended))
            return None
        dump, took_s = await_for(fitting, "no dump of %s within %s s, but of %s", name, DUMP_S,
                                 [dump.headline for dump in looked_at.values()], busy_s=DUMP_S)
        note("%s, stored %.2f s after the end of the event: %s", name, max(took_s, 0), dump.headline)
        return dump


# --- slow programs ----------------------------------------------------------------------------------


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
        return [int(child) for child in f.read().split()]


class Nginx:
    """nginx passes /upstream to another port, and serves /files from a directory."""

    def __init__(self, directory, files="/nonexistent", upstream=1):
        need("nginx")
        self.port = free_port()
        config = directory + "/nginx.conf"
        with open(config, "w") as f:
            f.write("daemon off; pid %s/nginx.pid; error_log %s/nginx.log; worker_processes 1; user root; events {}\n"
                    "http { access_log off; proxy_temp_path %s/proxy; server { listen 127.0.0.1:%d;\n"
                    "location / { return 200 quick; } location /files/ { alias %s/; }\n"
                    "location /upstream { proxy_pass http://127.0.0.1:%d; } } }\n"
                    % (directory, directory, directory, self.port, files, upstream))
        self.process = start("nginx", "-e", directory + "/nginx.log", "-c", config)
        self.worker = await_for(lambda: children(self.process.pid), "nginx has no worker")[0]
        await_for(self.answers, "nginx does not answer")

    def answers(self):
        try:
            with self.connect() as connection:
                self.ask(connection, "/")
            return True
        except ConnectionError:
            return False

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE_S)

    @staticmethod
    def send(connection, path):
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: test\r\n\r\n" % path.encode())

    @staticmethod
    def receive(connection):
        with connection.makefile("rb") as stream:
            status = stream.readline()
            if not status:
                raise ConnectionResetError("closed")
            length = 0
            for line in iter(stream.readline, b"\r\n"):
                key, value = line.split(b":", 1)
                if key.lower() == b"content-length":
                    length = int(value)
            stream.read(length)
        expect(b" 200 " in status, "nginx answers: %s", status)

    def ask(self, connection, path):
        """Makes a request; returns the times of the request and of the answer."""
        sent_ns = time.monotonic_ns()
        self.send(connection, path)
        self.receive(connection)
        return sent_ns, time.monotonic_ns()

    @contextlib.contextmanager
    def background(self, clients):
        """Makes requests on other, persistent connections, about 50 a second on each."""
        done = threading.Event()

        def go_on():
            with self.connect() as connection:
                while not done.wait(0.02):
                    self.ask(connection, "/")
        threads = [threading.Thread(target=go_on, daemon=True) for _ in range(clients)]
        for thread in threads:
            thread.start()
        yield
        done.set()
        for thread in threads:
            thread.join(DEADLINE_S)

    def close(self):
        self.process.terminate()
        self.process.wait(DEADLINE_S)


class Server:
    """A server. Each line that it receives is the time in seconds after which it answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection = self.socket.accept()[0]
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    @staticmethod
    def answer(connection):
        with connection, connection.makefile("r") as lines:
            for line in lines:
                time.sleep(float(line))
                connection.sendall(b"done\n")

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE_S)

    @staticmethod
    def ask(connection, seconds):
        connection.sendall(b"%g\n" % seconds)
        expect(connection.recv(100) == b"done\n", "the server does not answer")


# --- causes of delays -------------------------------------------------------------------------------


class Hog:
    """Programs that keep a CPU from all others for some time."""

    def __init__(self, build):
        cpus = os.sched_getaffinity(0)
        if len(cpus) < 2:
            missing("there is one CPU, and the test itself needs one")
        if subprocess.run(["chrt", "-f", "1", "true"], stderr=subprocess.DEVNULL).returncode:
            missing("no real-time priority")
        self.cpu, self.program = max(cpus), build + "/tests/programs/cpu-hog"
        os.sched_setaffinity(0, cpus - {self.cpu})

    def claim(self, pid):
        """Moves that process to the CPU of the hog."""
        os.sched_setaffinity(pid, {self.cpu})

    def start(self, ms=600):
        """Returns when the program has the CPU."""
        process = start(self.program, str(self.cpu), str(ms), stdout=subprocess.PIPE, text=True)
        expect(process.stdout.readline().startswith("pid"), "the hog does not start")
        return process


class SlowDisk:
    """A file system is on a loop device, whose file is on another loop device with a limited read rate. The limit is
    set in the root cgroup of the block controller, because kernel threads read for the first device."""

    LIMIT = "/sys/fs/cgroup/blkio/blkio.throttle.read_bps_device"
    FILE_BYTES, BYTES_PER_S = 96 << 10, 160 << 10

    def __init__(self, directory):
        need("losetup", "mkfs.ext4")
        if not os.path.exists(self.LIMIT):
            missing("no block controller of cgroup v1 to make a disk slow with")
        self.mount_point = directory + "/slow"
        self.devices, self.mounted, self.limited = [], False, None
        image = directory + "/image"
        with open(image, "wb") as f:
            f.truncate(16 << 20)
        os.mkdir(self.mount_point)
        atexit.register(self.close)
        try:
            self.devices.append(run("losetup", "-f", "--show", image).strip())
        except Failure as failure:
            missing("no loop devices: %s" % failure)
        self.devices.append(run("losetup", "-f", "--show", "--direct-io=on", self.devices[0]).strip())
        self.name = os.path.basename(self.devices[1])
        run("mkfs.ext4", "-q", self.devices[1])
        self.mount()
        with open(self.mount_point + "/file", "wb") as f:
            f.write(os.urandom(self.FILE_BYTES))
        self.limit(self.BYTES_PER_S)

    def limit(self, bytes_per_s):
        with open("/sys/block/%s/dev" % os.path.basename(self.devices[0])) as f:
            device = f.read().strip()
        with open(self.LIMIT, "w") as f:
            f.write("%s %d" % (device, bytes_per_s))
        self.limited = bytes_per_s

    def mount(self):
        run("mount", "-o", "noatime", self.devices[1], self.mount_point)
        self.mounted = True

    def forget(self):
        """Drops the page cache."""
        run("umount", self.mount_point)
        self.limit(0)
        self.mount()
        os.listdir(self.mount_point)
        os.stat(self.mount_point + "/file")
        self.limit(self.BYTES_PER_S)

    def reader(self):
        """Reads the file from the disk, not from the page cache."""
        return Stopped("dd", "if=%s/file" % self.mount_point, "of=/dev/null", "bs=%d" % self.FILE_BYTES,
                       "iflag=direct", "status=none")

    def close(self):
        if self.limited:
            self.limit(0)
        if self.mounted:
            run("umount", "-l", self.mount_point)
        for device in reversed(self.devices):
            run("losetup", "-d", device)
        self.devices, self.mounted, self.limited = [], False, None


class Cgroup:
    """A cgroup (version 2). The test calls remove()."""

    def __init__(self, path):
        with open("/proc/self/mounts") as mounts:
            tops = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
        if not tops:
            missing("there is no cgroup v2")
        self.path, self.directory = path, tops[0] + path
        try:
            os.makedirs(self.directory)
        except OSError as error:
            missing("cannot make a cgroup: %s" % error)

    def add(self, pid):
        with open(self.directory + "/cgroup.procs", "w") as f:
            f.write(str(pid))

    def remove(self):
        def removed():
            with contextlib.suppress(OSError):  # a process in it has not ended completely
                os.rmdir(self.directory)
            return not os.path.exists(self.directory)
        await_for(removed, "%s cannot be removed", self.directory)
