# SPDX-License-Identifier: GPL-2.0-or-later
"""Message brokers and job queues: the client waits for a message that another program sends late."""

from scenes import scene
from stage import AT_WORK, PYTHON, Truth, await_, connections


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
