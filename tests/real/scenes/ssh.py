# SPDX-License-Identifier: GPL-2.0-or-later
"""ssh: remote commands, a file server that is stopped, a file system over ssh, rsync, git."""

import os
import signal
import time

from scenes import scene
from stage import Broken, Truth, await_, children, comm, find


class Server:
    def __init__(self, stage):
        self.stage = stage
        folder = stage.folder("ssh")
        os.chmod(folder, 0o700)
        for key in "host", "user":
            stage.tool("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/" + key)
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        self.port = stage.port()
        conf = stage.file("ssh/sshd_config", """ListenAddress 127.0.0.1:%d
HostKey %s/host
AuthorizedKeysFile %s/user.pub
StrictModes no
PermitRootLogin yes
UsePAM no
PidFile none
Subsystem sftp /usr/lib/openssh/sftp-server
""" % (self.port, folder, folder))
        self.process = stage.start(find("sshd"), "-D", "-e", "-f", conf, shared=True,
                                   stderr=open(stage.path("sshd.log"), "w", encoding="utf-8"))
        stage.await_listening(self.process, self.port)
        self.options = ["-F", "/dev/null", "-i", folder + "/user", "-o", "StrictHostKeyChecking=no", "-o",
                        "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes"]

    def ssh(self, *command):
        return ["ssh", "-p", str(self.port), *self.options, "root@127.0.0.1", *command]

    def descendant(self, name):
        """Returns the last process with that name in the tree below sshd, or None."""
        def below(pid):
            for child in children(pid):
                yield child
                yield from below(child)
        found = [pid for pid in below(self.process.pid) if comm(pid) == name]
        return found[-1] if found else None


@scene("ssh", "sshd")
def ssh_slow_command(stage):
    server = stage.shared(Server)
    client, recording = stage.ask(*server.ssh("sleep", "1.5"))
    return Truth(recording, ["sleep"], 1500)


@scene("ssh", "sshd", "gawk")
def ssh_computing_command(stage):
    """The remote command computes; its own shell measures how long."""
    server = stage.shared(Server)
    client, recording = stage.ask(*server.ssh(
        "b=$(date +%s%N); gawk 'BEGIN { for (i = 0; i < 25000000; i++) x += i * i }'; echo $(($(date +%s%N) - b))"))
    return Truth(recording, ["gawk"], int(client.out) / 1e6)


@scene("sftp", "sshd")
def sftp_server_stopped(stage):
    """sftp lists a folder whose server is stopped for 1.3 s."""
    server = stage.shared(Server)
    stage.record()
    batch = stage.path("batch")
    if not os.path.exists(batch):
        os.mkfifo(batch)
    process = stage.start("sftp", "-q", "-b", batch, "-P", server.port, *server.options, "root@127.0.0.1")
    with open(batch, "w", encoding="ascii") as orders:
        pid = await_(lambda: server.descendant("sftp-server"), "sftp-server runs")
        await_(lambda: len(children(process.pid)) > 0, "sftp has its ssh")
        orders.write("ls /etc/ssl\n")
        orders.flush()
        stage.tool("sleep", "0.2")
        return _stopped(stage, process, pid, orders)


def _stopped(stage, process, pid, orders):
    os.kill(pid, signal.SIGSTOP)
    begin = time.monotonic()
    stage.start("sh", "-c", "sleep 1.3; kill -CONT %d" % pid)
    orders.write("ls /usr\n")
    orders.close()
    process.wait(30)
    ms = (time.monotonic() - begin) * 1e3
    return Truth(stage.snapshot(process.pid, ms / 1e3), [["sftp-server"], ["stopped"]], ms)


@scene("sshfs", "sshd")
def sshfs_server_stopped(stage):
    """cat reads a file over sshfs; the sftp-server at the other end is stopped for 1.3 s."""
    server = stage.shared(Server)
    if not os.path.exists("/dev/fuse"):
        raise Broken("no /dev/fuse")
    folder, files = stage.folder("mounted"), stage.folder("files")
    stage.file("files/hello", "hello\n")
    options = [word for word in server.options if word not in ("-i", "-F", "-o")]
    mount = ["sshfs", "-f", "-p", str(server.port), "-F", "/dev/null", "-o", "IdentityFile=" + stage.path("ssh/user")]
    for option in options:
        if "=" in option:
            mount += ["-o", option]
    stage.stack.callback(stage.tool, "umount", "-l", folder, check=False)
    stage.start(*mount, "root@127.0.0.1:" + files, folder)
    await_(lambda: os.path.ismount(folder), "sshfs is mounted")
    stage.record()
    pid = server.descendant("sftp-server")
    os.kill(pid, signal.SIGSTOP)
    stage.start("sh", "-c", "sleep 1.3; kill -CONT %d" % pid)
    client, recording = stage.ask("cat", folder + "/hello")
    return Truth(recording, [["sftp-server"], ["stopped"]], client.wait)


@scene("rsync", "sshd")
def rsync_bandwidth_limit(stage):
    """rsync obeys --bwlimit, 400 KiB/s for 600 kB: it sleeps."""
    server = stage.shared(Server)
    source, target = stage.folder("source"), stage.folder("target")
    with open(source + "/blob", "wb") as f:
        f.write(os.urandom(600000))
    shell = " ".join(["ssh", "-p", str(server.port), *server.options])
    _, recording = stage.ask("rsync", "-W", "--bwlimit=400", "-e", shell,
                                  source + "/blob", "root@127.0.0.1:" + target)
    return Truth(recording, ["pselect6", "select", "sleep", "sleeping", "timeout"],
                 600000 / (400 * 1024) * 1e3)


@scene("git", "ssh", "sshd")
def git_push_to_a_slow_hook(stage):
    server = stage.shared(Server)
    bare, repository = stage.folder("pushed"), stage.folder("pushing")
    git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b"]
    stage.tool("git", "init", "-q", "--bare", bare)
    stage.file("pushed/hooks/pre-receive", "#!/bin/sh\ncat >/dev/null\nsleep 1.3\n", 0o755)
    stage.tool("git", "init", "-q", repository)
    stage.tool(*git, "commit", "-q", "--allow-empty", "-m", "x")
    shell = " ".join(["ssh", "-p", str(server.port), *server.options])
    client, recording = stage.ask(*git, "push", "-q", "root@127.0.0.1:" + bare, "HEAD:main",
                                  env={"GIT_SSH_COMMAND": shell})
    return Truth(recording, ["sleep", "pre-receive"], 1300)
