# SPDX-License-Identifier: GPL-2.0-or-later
"""Message brokers and job queues: the client waits for a message that another program sends late."""

from scenes import scene
from stage import AT_WORK, PYTHON, Truth, await_, children, connections


@scene("mosquitto", "mosquitto_sub", "mosquitto_pub")
def mosquitto_late_message(stage):
    port = stage.port()
    conf = stage.file("mosquitto.conf", "listener %d 127.0.0.1\nallow_anonymous true\nuser nobody\n" % port)
    stage.serve(port, "mosquitto", "-c", conf)
    publisher = stage.file("publisher.sh", "#!/bin/sh\nsleep 1.3\nexec mosquitto_pub -p %d -t topic -m late\n" % port,
                           0o755)
    stage.record()
    stage.start(publisher)
    client, recording = stage.ask("mosquitto_sub", "-p", port, "-t", "topic", "-C", "1")
    return Truth(recording, ["mosquitto_pub", "publisher.sh", "sleep"], client.wait)


@scene("beanstalkd")
def beanstalkd_slow_producer(stage):
    """A worker waits for a job that the producer computes for 1.3 s."""
    port = stage.port()
    stage.serve(port, "beanstalkd", "-l", "127.0.0.1", "-p", port)
    connect = "import socket, sys, time; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); "
    reserve = connect + "s.sendall(b'reserve\\r\\n'); assert s.recv(100).startswith(b'RESERVED')"
    stage.file("job_producer.py", connect.replace("; ", "\n") + """
end = time.monotonic() + 1.3
while time.monotonic() < end: sum(range(1000))
s.sendall(b'put 0 0 60 2\\r\\nok\\r\\n')
s.recv(100)
""")
    stage.record()
    stage.start(PYTHON, stage.path("job_producer.py"), port)
    await_(lambda: connections(port) >= 1, "the producer is at work")
    client, recording = stage.ask(PYTHON, "-c", reserve, port)
    return Truth(recording, [["python3"], AT_WORK], client.wait)


@scene("gearmand", "gearman")
def gearman_busy_worker(stage):
    """The only worker executes another client's job, which sleeps 1.3 s."""
    port = stage.port()
    stage.serve(port, "gearmand", "-L", "127.0.0.1", "-p", port, "-l", "stderr", user="nobody")
    job = stage.file("gearman_job.sh", "#!/bin/sh\nread -r what\n[ \"$what\" != slow ] || sleep 1.3\necho ok\n", 0o755)
    worker = stage.start("gearman", "-w", "-h", "127.0.0.1", "-p", port, "-f", "job", "--", job)
    ask = ["gearman", "-h", "127.0.0.1", "-p", str(port), "-f", "job", "-s"]
    stage.tool(*ask, "fast")
    stage.record()
    stage.start("sh", "-c", 'echo slow | gearman -h 127.0.0.1 -p %d -f job' % port)
    await_(lambda: any(children(pid) for pid in children(worker.pid)), "the worker is busy")
    client, recording = stage.ask(*ask, "fast")
    return Truth(recording, ["sleep", "gearman_job.sh"], client.wait)
