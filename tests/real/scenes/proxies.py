# SPDX-License-Identifier: GPL-2.0-or-later
"""Proxies and caches before a server: which of them waits, and for which program."""

from scenes import scene
from scenes.web import fetch, nginx, occupy, url
from stage import Truth, await_


def varnish(stage, upstream):
    port = stage.port()
    stage.serve(port, "varnishd", "-F", "-a", "127.0.0.1:%d" % port, "-b", "127.0.0.1:%d" % upstream, "-n",
                stage.folder("varnish"), "-j", "none", "-s", "malloc,20m", "-p", "thread_pools=1")
    await_(lambda: "ok" in stage.tool("curl", "-s", url(port, "fast"), check=False), "varnish answers")
    return port


def haproxy(stage, upstream):
    port = stage.port()
    conf = stage.file("haproxy.cfg", """global
 nbthread 1
defaults
 mode http
 timeout client 20s
 timeout server 20s
 timeout connect 20s
listen web
 bind 127.0.0.1:%d
 server one 127.0.0.1:%d
""" % (port, upstream))
    stage.serve(port, "haproxy", "-db", "-f", conf)
    return port


def tls(stage, upstream):
    port = stage.port()
    folder = stage.folder("stunnel")
    stage.tool("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
               "-keyout", folder + "/key", "-out", folder + "/cert")
    conf = stage.file("stunnel/conf", """foreground = yes
pid =
[web]
accept = 127.0.0.1:%d
connect = 127.0.0.1:%d
cert = %s/cert
key = %s/key
""" % (port, upstream, folder, folder))
    stage.serve(port, "stunnel4", conf)
    return port


@scene("varnishd", "curl")
def varnish_same_page(stage):
    """varnishd fetches the page for another client, and the server computes 1.3 s. This client waits for the same
    fetch."""
    _, upstream = stage.serve_python("web.py", "threaded")
    port = varnish(stage, upstream)
    stage.record()
    occupy(stage, port, "compute/1300", upstream)
    client, recording = stage.ask(*fetch(port, "compute/1300"))
    return Truth(recording, ["python3"], client.wait)


@scene("stunnel4", "haproxy", "nginx", "curl", "openssl")
def proxies_in_a_row(stage):
    """curl, stunnel, haproxy, nginx, and a server that computes."""
    _, upstream = stage.serve_python("web.py", "threaded")
    port = haproxy(stage, nginx(stage, "location / { proxy_pass %s; }" % url(upstream)))
    address = "https://127.0.0.1:%d/compute/1300" % tls(stage, port)
    client, recording = stage.ask("curl", "-s", "-k", "-f", "-o", "/dev/null", address)
    return Truth(recording, ["python3"], client.wait)


@scene("nginx", "curl")
def nginx_next_upstream(stage):
    """The first server is stopped. After a second without an answer, nginx tries the next server."""
    first, first_port = stage.serve_python("web.py")
    _, second = stage.serve_python("web.py")
    port = nginx(stage, "location / { proxy_pass http://both; proxy_read_timeout 1s; }",
                 "upstream both { server 127.0.0.1:%d; server 127.0.0.1:%d backup; }" % (first_port, second))
    stage.record()
    stage.tool("kill", "-STOP", first.pid)
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, [["nginx"], ["timeout"], ["127.0.0.1:%d" % first_port]], client.wait)


@scene("nginx", "curl")
def nginx_limit_requests(stage):
    """nginx itself holds back the second request within a second."""
    _, upstream = stage.serve_python("web.py")
    port = nginx(stage, "location / { limit_req zone=one burst=5; proxy_pass %s; }" % url(upstream),
                 "limit_req_zone $request_method zone=one:1m rate=1r/s;")
    stage.record()
    stage.tool(*fetch(port, "fast"))
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, [["nginx"], ["timeout"]], client.wait, untrue=["without an answer"])


@scene("caddy", "curl")
def caddy_itself(stage):
    """The report is about a proxy in Go, not its client."""
    server, upstream = stage.serve_python("web.py", "threaded")
    port = stage.port()
    caddy = stage.serve(port, "caddy", "reverse-proxy", "--from", "http://:%d" % port, "--to",
                        "127.0.0.1:%d" % upstream)
    stage.tool(*fetch(port, "fast"))
    stage.record()
    client = stage.client(*fetch(port, "compute/1300"))
    return Truth(stage.snapshot(caddy.pid, client.wall_ms / 1e3), [[str(server.pid)]], client.wait,
                 untrue=["2 processes"])
