# SPDX-License-Identifier: GPL-2.0-or-later
"""The network, all on this host: names that no server resolves, connections that no program accepts, packets that
are dropped or held back, a bandwidth limit."""

import os
import subprocess

from scenes import scene
from stage import AT_WORK, PROGRAMS, PYTHON, Broken, Skip, Truth, await_, pending, state


@scene("unshare", "getent")
def dns_no_answer(stage):
    """The name server receives the question and never answers; the resolver gives up after a second."""
    port_53 = "import socket, sys, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); " \
              "s.bind(('127.5.3.1', 53)); open(sys.argv[1], 'w'); time.sleep(60)"
    ready = stage.path("name-server")
    stage.tool("rm", "-f", ready)
    stage.start(PYTHON, "-c", port_53, ready)
    await_(lambda: os.path.exists(ready), "the name server is there")
    conf = stage.file("resolv.conf", "nameserver 127.5.3.1\noptions timeout:1 attempts:1\n")
    stage.record()
    mount = 'mount --bind "$0" "$(realpath /etc/resolv.conf)" && exec "$@"'
    client, recording = stage.ask("unshare", "-m", "sh", "-c", mount, conf, "curl", "-s", "http://shop.example/",
                                  may_fail=True)
    return Truth(recording, ["127.5.3.1", "127.5.3.1:53", "DNS"], [client.waited_ms * 0.9, client.waited_ms])


@scene()
def listener_does_not_accept(stage):
    """The accept queue is full while the listener computes, so the client's SYN is dropped and sent again."""
    port = stage.port()
    listener = stage.python("busy_listener.py", port)
    stage.await_listening(listener, port)
    connect = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); s.recv(10)"
    stage.record()
    stage.start(PYTHON, "-c", connect, port)
    await_(lambda: pending(port) > 0, "the queue is full")
    client, recording = stage.ask(PYTHON, "-c", connect, port)
    # The report must name the listener, python3. The client is called python3, too, but the judge skips the name at the
    # beginning of the sentence.
    return Truth(recording, ["python3"], [client.waited_ms * 0.9, client.waited_ms])


@scene("curl", "iptables")
def packets_dropped(stage):
    """A packet filter drops all packets to the port; curl gives up after 1.5 s."""
    _, port = stage.serve_python("web.py")
    rule = ["-p", "tcp", "-d", "127.0.0.1", "--dport", str(port), "-j", "DROP"]
    for program in "iptables", "iptables-legacy":
        try:
            stage.tool(program, "-w", "-I", "INPUT", *rule)
            break
        except (Broken, OSError) as e:
            why = e
    else:
        raise Skip("no packet filter here: %s" % why)
    stage.stack.callback(stage.tool, program, "-w", "-D", "INPUT", *rule, check=False)
    client, recording = stage.ask("curl", "-s", "--connect-timeout", "1.5", "http://127.0.0.1:%d/" % port,
                                  may_fail=True)
    return Truth(recording, ["127.0.0.1:%d" % port], [client.waited_ms * 0.9, client.waited_ms], not_blamed=["python3"])


@scene()
def nagle_and_delayed_ack(stage):
    """Write, write, read, 30 times: the second packet waits 40 ms for the acknowledgement of the first."""
    client, recording = stage.run(PYTHON, os.path.join(PROGRAMS, "nagle.py"))
    ms = float(client.out.split("ms ")[1].split()[0])
    return Truth(recording, ["network", "TCP", "Nagle", "delayed"], [ms * 0.9, ms], span_ms=client.wall_ms)


@scene("curl", "openssl")
def slow_tls_handshake(stage):
    """The server accepts, then computes for 1.3 s before the TLS handshake."""
    folder = stage.folder("tls")
    stage.tool("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
               "-keyout", folder + "/key", "-out", folder + "/certificate")
    _, port = stage.serve_python("slow_tls.py", folder)
    client, recording = stage.ask("curl", "-s", "-k", "-o", "/dev/null", "https://127.0.0.1:%d/" % port)
    return Truth(recording, ["python3"], client.wait)


@scene("curl")
def refused_and_retried(stage):
    """No program listens; curl itself tries again after a second."""
    port = stage.port()
    client, recording = stage.ask("curl", "-s", "--retry", "1", "--retry-delay", "1", "--retry-connrefused",
                                  "http://127.0.0.1:%d/" % port, may_fail=True)
    return Truth(recording, ["timeout", "sleep", "sleeping", "retry"], [client.waited_ms * 0.9, client.waited_ms])


@scene("curl", "tc", "ip")
def bandwidth_limit(stage):
    """In a separate network, a token bucket passes 1 Mbit/s; the answer has 160 kB."""
    name = "rsp-real-%d" % os.getpid()
    try:
        stage.tool("ip", "netns", "add", name)
        stage.stack.callback(stage.tool, "ip", "netns", "del", name, check=False)
        stage.tool("ip", "-n", name, "link", "set", "lo", "up")
        stage.tool("tc", "-n", name, "qdisc", "add", "dev", "lo", "root", "tbf", "rate", "1mbit",
                   "burst", "3kb", "latency", "1s")
        stage.tool("ip", "-n", name, "link", "set", "lo", "mtu", "1500")
    except (Broken, OSError) as e:
        raise Skip("no network namespace with a token bucket here: %s" % e) from e
    folder = stage.folder("blob")
    stage.file("blob/blob", "x" * 160000)
    inside = ["ip", "netns", "exec", name]
    stage.start(*inside, PYTHON, "-m", "http.server", "-b", "127.0.0.1", "-d", folder, "8000")
    await_(lambda: "8000" in stage.tool(*inside, "ss", "-Hltn"), "the server listens")
    client, recording = stage.ask(*inside, "curl", "-s", "-o", "/dev/null", "http://127.0.0.1:8000/blob")
    return Truth(recording, ["network"], [client.waited_ms * 0.8, client.waited_ms])


@scene()
def unix_socket_not_accepted(stage):
    """connect() to a unix socket waits as long as the queue of the listener is full."""
    path = stage.path("busy.socket")
    stage.tool("rm", "-f", path)
    listener = stage.python("busy_listener.py", path)
    await_(lambda: os.path.exists(path), "the listener is there")
    connect = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(10)"
    stage.record()
    stage.start(PYTHON, "-c", connect, path)
    await_(lambda: state(listener.pid) == "R", "the queue is full, the listener computes")
    client, recording = stage.ask(PYTHON, "-c", connect, path)
    return Truth(recording, [["python3", str(listener.pid)], AT_WORK], client.wait)


@scene("dig")
def dig_no_answer(stage):
    """An event loop in another thread than the main thread gives up after a second."""
    port = stage.port()
    code = "import socket, sys, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); " \
           "s.bind(('127.0.0.1', int(sys.argv[1]))); print(flush=True); time.sleep(60)"
    stage.start(PYTHON, "-c", code, port, stdout=subprocess.PIPE).stdout.readline()
    client, recording = stage.ask("dig", "-p", port, "@127.0.0.1", "+tries=1", "+time=1", "example.org", may_fail=True)
    return Truth(recording, [["timeout"], ["127.0.0.1:%d" % port]], 1000)
