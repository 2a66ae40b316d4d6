# SPDX-License-Identifier: GPL-2.0-or-later
"""etcd: each write is synced to the disk."""

import json

from scenes import scene
from stage import Truth, disk_of


@scene("etcd", "curl")
def etcd_io_limit(stage):
    """A control group allows two writes a second, and a put waits for this limit. It also waits for a timer: etcd
    commits every 100 ms."""
    port, peers = stage.port(), stage.port()
    client_url, peer_url = "http://127.0.0.1:%d" % port, "http://127.0.0.1:%d" % peers
    server = stage.serve(port, "etcd", "--data-dir", stage.folder("etcd"), "--listen-client-urls", client_url,
                         "--advertise-client-urls", client_url, "--listen-peer-urls", peer_url,
                         "--initial-advertise-peer-urls", peer_url, "--initial-cluster", "default=" + peer_url)
    put = ["curl", "-s", "-f", "-d", json.dumps({"key": "Zm9v", "value": "YmFy"}), client_url + "/v3/kv/put"]
    stage.tool(*put)
    group = stage.cgroup("blkio")
    group.limit_writes(disk_of(stage.scratch), per_s=2)
    stage.record()
    group.add(server.pid)
    stage.tool(*put)
    client, recording = stage.ask(*put)
    return Truth(recording, [group.name, "I/O limit"], client.wait)
