# SPDX-License-Identifier: GPL-2.0-or-later
"""Web servers and their waits: a slow upstream, a pool whose workers are busy."""

import os
import subprocess
import time

from scenes import scene
from stage import PROGRAMS, PYTHON, Truth, await_, children, connections, disk_of, find


def url(port, path=""):
    return "http://127.0.0.1:%d/%s" % (port, path)


def fetch(port, path=""):
    return ["curl", "-s", "-o", "/dev/null", url(port, path)]


def occupy(stage, port, path, upstream_port=None):
    """Returns as soon as the server has a connection of the other client."""
    other = stage.start(*fetch(port, path))
    await_(lambda: connections(upstream_port or port) >= 1, "the other request is being served")
    return other


def nginx(stage, locations, upstream_blocks="", name="nginx"):
    """Starts nginx with these locations, and with one worker of user www-data. name: the folder of its files.
    Returns the port."""
    port = stage.port()
    folder = stage.folder(name)
    conf = stage.file(name + "/nginx.conf", """daemon off; user www-data; worker_processes 1;
pid %s/pid; error_log %s/error.log;
events {}
http { access_log off; client_body_temp_path %s/body; proxy_temp_path %s/proxy; fastcgi_temp_path %s/fastcgi;
uwsgi_temp_path %s/uwsgi; scgi_temp_path %s/scgi; %s
server { listen 127.0.0.1:%d; %s } }
""" % (*[folder] * 7, upstream_blocks, port, locations))
    stage.serve(port, "nginx", "-e", folder + "/error.log", "-c", conf)
    return port


JOB = """<?php
function expensive_page($ms) {
    $x = '';
    for ($end = microtime(true) + $ms / 1e3; microtime(true) < $end;) $x = md5($x);
}
if (isset($_GET['compute'])) expensive_page($_GET['compute']);
if (isset($_GET['sleep'])) usleep($_GET['sleep'] * 1000);
echo "ok\\n";
"""


def fastcgi(stage, port):
    """Returns nginx's configuration for the pages of php()."""
    return """keepalive_requests 1000000; location / { fastcgi_pass 127.0.0.1:%d; include /etc/nginx/fastcgi_params;
fastcgi_param SCRIPT_FILENAME %s$fastcgi_script_name; }""" % (port, stage.path("php"))


def nginx_worker(stage, name="nginx"):
    """Returns the process ID of nginx's only worker."""
    master = int(stage.text(name + "/pid"))
    return await_(lambda: children(master), "nginx has its worker")[0]


def php(stage, page=JOB, workers=1):
    """Returns the port of nginx and the port of php-fpm. Pages: job.php?compute=MS, ?sleep=MS."""
    folder = stage.folder("php")
    stage.file("php/job.php", page)
    port = stage.port()
    conf = stage.file("php/fpm.conf", """[global]
error_log=%s/fpm.log
daemonize=no
[www]
user=www-data
group=www-data
listen=127.0.0.1:%d
pm=static
pm.max_children=%d
""" % (folder, port, workers))
    stage.serve(port, find("php-fpm*"), "-F", "-R", "-y", conf)
    web = nginx(stage, fastcgi(stage, port))
    stage.tool(*fetch(web, "job.php"))
    return web, port


@scene("curl")
def curl_computing_server(stage):
    """curl polls with timeouts of a second while the server computes 2.3 s."""
    _, port = stage.serve_python("web.py")
    client, recording = stage.run(*fetch(port, "compute/2300"))
    return Truth(recording, ["python3"], [client.wall_ms * 0.9, client.wall_ms], untrue=["timeout"],
                 span_ms=client.wall_ms)


@scene("wget")
def wget_computing_server(stage):
    _, port = stage.serve_python("web.py")
    client, recording = stage.run("wget", "-q", "-O", "/dev/null", url(port, "compute/1300"))
    return Truth(recording, ["python3"], [client.wall_ms * 0.9, client.wall_ms], span_ms=client.wall_ms)


@scene("curl")
def python_server_busy(stage):
    """One thread serves all requests, so a trivial request waits 1.3 s for another client's request."""
    _, port = stage.serve_python("web.py")
    stage.record()
    occupy(stage, port, "compute/1300")
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, ["python3"], client.wait)


@scene("curl", "nginx")
def nginx_slow_upstream(stage):
    _, upstream = stage.serve_python("web.py")
    port = nginx(stage, "location / { proxy_pass %s; }" % url(upstream))
    client, recording = stage.ask(*fetch(port, "sleep/1300"))
    return Truth(recording, ["python3"], client.wait)


@scene("curl", "nginx")
def nginx_stopped_upstream(stage):
    """The upstream is stopped for 1.2 s, as by an operator."""
    server, upstream = stage.serve_python("web.py")
    port = nginx(stage, "location / { proxy_pass %s; }" % url(upstream))
    stage.record()
    stage.tool("kill", "-STOP", server.pid)
    stage.start("sh", "-c", "sleep 1.2; kill -CONT %d" % server.pid)
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, [["python3"], ["stopped"]], client.wait)


@scene("curl", "nginx")
def nginx_limit_rate(stage):
    """nginx itself limits the rate of the answer: 60 kB at 40 kB/s."""
    folder = stage.folder("files")
    stage.file("files/blob", "x" * 60000)
    port = nginx(stage, "location / { root %s; limit_rate 40k; }" % folder)
    client, recording = stage.ask(*fetch(port, "blob"))
    return Truth(recording, ["nginx"], client.wait)


@scene("wget", "nginx", "php-fpm*")
def php_queue(stage):
    """php-fpm has one worker. Two requests of other clients, of 700 and 600 ms, come first."""
    port, _ = php(stage)
    stage.record()
    for path in "job.php?compute=700", "job.php?sleep=600":
        others = connections(port)
        stage.start(*fetch(port, path))
        await_(lambda n=others: connections(port) > n, "another request")
    client, recording = stage.ask("wget", "-q", "-O", "/dev/null", url(port, "job.php"))
    return Truth(recording, ["php-fpm", os.path.basename(find("php-fpm*"))], client.wait)


@scene("curl", "nginx", "php-fpm*")
def php_computing(stage):
    port, _ = php(stage)
    client, recording = stage.ask(*fetch(port, "job.php?compute=1200"))
    return Truth(recording, ["php-fpm", os.path.basename(find("php-fpm*"))], client.wait, untrue=["timeout"])


@scene("curl", "haproxy")
def haproxy_queue(stage):
    """haproxy passes one request at a time to the server; another client's request takes 1.3 s."""
    _, upstream = stage.serve_python("web.py", "threaded")
    port = stage.port()
    conf = stage.file("haproxy.cfg", """defaults
 mode http
 timeout client 20s
 timeout server 20s
 timeout connect 20s
listen web
 bind 127.0.0.1:%d
 server one 127.0.0.1:%d maxconn 1
""" % (port, upstream))
    stage.serve(port, "haproxy", "-db", "-f", conf)
    stage.record()
    occupy(stage, port, "sleep/1300", upstream)
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, ["python3"], client.wait)


@scene("curl", "apache2")
def apache_prefork_limit(stage):
    """Only one worker is allowed. It executes another client's CGI program, which computes 1.3 s."""
    port = stage.port()
    folder = stage.folder("apache", user="www-data")
    stage.file("apache/slow.cgi", """#!/usr/bin/python3
import time
end = time.monotonic() + 1.3
while time.monotonic() < end: sum(range(1000))
print("Content-Type: text/plain\\n\\nok")
""", 0o755)
    stage.file("apache/fast.html", "ok")
    modules = "/usr/lib/apache2/modules"
    load = "\n".join("LoadModule %s_module %s/mod_%s.so" % (m, modules, m)
                     for m in ("mpm_prefork", "cgi", "authz_core", "mime"))
    conf = stage.file("apache.conf", """ServerRoot %s
ServerName localhost
Listen 127.0.0.1:%d
PidFile %s/pid
ErrorLog %s/error.log
User www-data
Group www-data
%s
TypesConfig /etc/mime.types
StartServers 1
MinSpareServers 1
MaxSpareServers 1
MaxRequestWorkers 1
ServerLimit 1
KeepAlive Off
DocumentRoot %s
<Directory %s>
Options +ExecCGI
AddHandler cgi-script .cgi
Require all granted
</Directory>
""" % (folder, port, folder, folder, load, folder, folder))
    stage.serve(port, "apache2", "-f", conf, "-DFOREGROUND")
    stage.tool(*fetch(port, "fast.html"))
    stage.record()
    occupy(stage, port, "slow.cgi")
    client, recording = stage.ask(*fetch(port, "fast.html"))
    return Truth(recording, ["slow.cgi", "apache2"], client.wait)


@scene("curl", "gunicorn")
def gunicorn_sync_worker(stage):
    """There is one synchronous worker, which sleeps 1.3 s for another client."""
    port = stage.port()
    folder = stage.folder("gunicorn")
    stage.file("gunicorn/app.py", """import time
def app(environ, start_response):
    if environ["PATH_INFO"] == "/slow": time.sleep(1.3)
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]
""")
    stage.serve(port, find("gunicorn"), "-w", "1", "-b", "127.0.0.1:%d" % port, "app:app", cwd=folder)
    stage.tool(*fetch(port, "fast"))
    stage.record()
    occupy(stage, port, "slow")
    client, recording = stage.ask(*fetch(port, "fast"))
    return Truth(recording, ["gunicorn"], client.wait)


@scene("curl", "nginx")
def nginx_asked_itself(stage):
    """The report is about the worker of nginx, not about a client: the worker is idle, waits for its upstream, and is
    idle again."""
    _, upstream = stage.serve_python("web.py")
    port = nginx(stage, "location / { proxy_pass %s; }" % url(upstream))
    worker = nginx_worker(stage)
    stage.record()
    begin = time.monotonic()
    stage.tool("sleep", "0.7")
    client = stage.client(*fetch(port, "compute/1300"))
    stage.tool("sleep", "0.3")
    # The first sentence of the report must be about the wait of the request, and not about the idle time around it.
    return Truth(stage.snapshot(worker, time.monotonic() - begin), ["python3"], client.wait)


@scene("curl", "nginx")
def nginx_io_limit(stage):
    """nginx sends a file of 5 MB that is not in memory, with a limit of 4 MB/s for reading."""
    folder = stage.folder("files")
    with open(folder + "/blob", "wb") as f:
        f.write(os.urandom(5 << 20))
    stage.uncache(folder + "/blob")
    port = nginx(stage, "location / { root %s; }" % folder)
    worker = nginx_worker(stage)
    group = stage.cgroup("blkio")
    group.limit_reads(disk_of(stage.scratch), 4 << 20)
    stage.record()
    group.add(worker)
    client, recording = stage.ask(*fetch(port, "blob"))
    return Truth(recording, [group.name, "I/O limit"], [client.waited_ms * 0.85, client.waited_ms])


@scene("curl", "unshare")
def container_computing(stage):
    """The server runs in a container: separate pid, mount and uts namespaces."""
    port = stage.port()
    stage.serve(port, "unshare", "-pfmu", "--mount-proc", PYTHON, os.path.join(PROGRAMS, "web.py"), port)
    client, recording = stage.ask(*fetch(port, "compute/1300"))
    return Truth(recording, ["python3"], client.wait)


@scene("curl", "nginx", "php-fpm*", "flock")
def php_session_lock(stage):
    """Two requests of one session. PHP keeps the session in a file and locks it; the first request sleeps 1.3
    s."""
    folder = stage.folder("sessions", user="www-data")
    port, _ = php(stage, """<?php session_save_path('%s'); session_id('abc'); session_start();
if (isset($_GET['slow'])) usleep(1300000);
echo "ok\\n";
""" % folder, workers=2)
    stage.record()
    occupy(stage, port, "job.php?slow")
    session = os.path.join(folder, "sess_abc")
    await_(lambda: subprocess.run(["flock", "-n", session, "true"], check=False).returncode != 0, "it has the session")
    client, recording = stage.ask(*fetch(port, "job.php"))
    return Truth(recording, [["php-fpm", os.path.basename(find("php-fpm*"))], ["sleeping"]], client.wait)
