# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes a synthetic fleet: rows of summaries with a few hidden facts. The same seed always gives the same rows."""
import json
import math
import random
import time

UNTIL = int(time.time()) // 86400 * 86400 - 42000  # yesterday, 12:20 UTC; rows expire after some days
ROLLOUT = UNTIL - 3600
SLOW_HOST, SLOW_UNIT = "web-17", "checkout.service"
GROWN_UNIT, GROWN_CHAIN = "search.service", "searchd;main;search;futex_wait;searchd;rebuild_index"
SLOW_REQUEST = {"host": "web-23", "unit": "nginx.service", "ns": 3410000000, "at": UNTIL - 600,
                "text": "nginx waited 3.39 s in epoll_wait for php-fpm, which waited for the disk"}
CATEGORIES = ("running_sampled running_unsampled disk_active disk_queued network runqueue hardware preempted kernel sleep "
              "timeout stopped idle other_path lost unrecorded edge unaccounted").split()
# The first number is the time of the unit's threads in each summary (which covers 1 s), in ns. The weights divide this
# time among the categories.
UNITS = {
    "checkout.service": (4e8, {"running_sampled": 5, "disk_active": 1, "network": 3, "runqueue": 1}),
    "search.service": (6e8, {"running_sampled": 6, "other_path": 2, "runqueue": 1, "network": 1}),
    "nginx.service": (2e8, {"running_sampled": 2, "network": 7, "runqueue": 1}),
    "mariadb.service": (9e8, {"running_sampled": 3, "disk_active": 4, "disk_queued": 1, "other_path": 2}),
    "cron.service": (2e6, {"running_sampled": 1}),
    "": (1e7, {"kernel": 1, "running_sampled": 1}),
}
SERVERS = {"nginx.service": ("nginx", 80, 3e6), "checkout.service": ("checkoutd", 8080, 2e7)}
CHAINS = {
    "checkout.service": [("network", "checkoutd;main;call_payment;tcp_recvmsg;payment:443"), ("disk_active", "checkoutd;main;log;fsync;sda")],
    "search.service": [("other_path", GROWN_CHAIN), ("network", "searchd;main;fetch;recv;storage:9000")],
    "nginx.service": [("network", "nginx;ngx_process_events;epoll_wait;php-fpm")],
    "mariadb.service": [("disk_active", "mariadbd;do_command;fsync;sda"), ("other_path", "mariadbd;lock_wait;mariadbd;commit")],
}


def chain_id(folded):
    """Returns a 64-bit hash whose highest bit is set, so that readers that treat the hash as a signed number fail."""
    h = 14695981039346656037
    for byte in folded.encode():
        h = (h ^ byte) * 1099511628211 % 2**64
    return h | 2**63


def time_text(t):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(t))


def split(total, weights, rng):
    """Returns the total divided among the categories by their weights, with noise."""
    noisy = {k: w * rng.gammavariate(20, 0.05) for k, w in weights.items()}
    return {k: int(total * w / sum(noisy.values())) for k, w in noisy.items()}


class Fleet:
    def __init__(self, hosts=40, seed=1):
        self.rng = random.Random(seed)
        self.names = [f"web-{i + 1}" for i in range(hosts)]
        self.machines = {n: "%032x" % self.rng.getrandbits(128) for n in self.names}
        self.boots = {n: "%032x" % self.rng.getrandbits(128) for n in self.names}
        # The load differs between hosts. The shares of the categories differ only by noise, and on SLOW_HOST.
        self.load = {n: self.rng.lognormvariate(0, 0.5) for n in self.names}

    def unit_rows(self, base, host, unit, at):
        """Returns the rows of one unit in one summary, by table."""
        rng, (usual, weights) = self.rng, UNITS[unit]
        total = usual * self.load[host] * rng.lognormvariate(0, 0.3)
        weights = dict(weights)
        if host == SLOW_HOST and unit == SLOW_UNIT:
            weights["disk_active"] = 12
        if unit == GROWN_UNIT and at > ROLLOUT:
            weights["other_path"] = 7
            total *= 1.5
        cats = split(total, weights, rng)
        cats["idle"] = int(rng.expovariate(1e-9))
        row = dict(base, unit=unit, cgroup=f"/system.slice/{unit}" if unit else "/", container="", threads=4,
                   total_ns=sum(cats.values()), **{"cat_" + k: cats.get(k, 0) for k in CATEGORIES})
        rows = {"rsp_summary": [row], "rsp_chain": [], "rsp_request": []}
        for category, folded in CHAINS.get(unit, []):
            rows["rsp_chain"].append(dict(base, unit=unit, cgroup=row["cgroup"], container="", chain_id=chain_id(folded),
                                          category=category, ns=int(cats[category] * 0.8), cnt=rng.randrange(1, 50)))
        if unit in SERVERS:
            rows["rsp_request"].append(self.request_row(base, host, unit, at, row["cgroup"]))
        return rows

    def request_row(self, base, host, unit, at, cgroup):
        comm, port, usual = SERVERS[unit]
        p50 = usual * self.rng.lognormvariate(0, 0.1)
        row = dict(base, unit=unit, cgroup=cgroup, container="", comm=comm, port=port, answered=self.rng.randrange(50, 200),
                   pending=0, p50_ns=int(p50), p90_ns=int(p50 * 2), p99_ns=int(p50 * 4 * self.rng.lognormvariate(0, 0.2)),
                   max_ns=int(p50 * 8), text="")
        if (host, unit) == (SLOW_REQUEST["host"], SLOW_REQUEST["unit"]) and at == SLOW_REQUEST["at"]:
            row.update(max_ns=SLOW_REQUEST["ns"], text=SLOW_REQUEST["text"])
        return row

    def batch(self, host, first, count, end):
        """Returns summaries of a host, one per minute, as rows by table. first: number of the first summary. end:
        end of the last summary."""
        rows = {"rsp_summary": [], "rsp_chain": [], "rsp_request": []}
        for number in range(first, first + count):
            at = end + 60 * (number - first - count + 1)
            base = {"host": host, "machine": self.machines[host], "boot": self.boots[host], "number": number,
                    "at": time_text(at), "date": time_text(at)[:10]}
            for unit in UNITS:
                made = self.unit_rows(base, host, unit, at)
                for row in made["rsp_summary"]:
                    row.update(slice_ns=10**9, recorded_ns=10**9, lost=0)
                for table, more in made.items():
                    rows[table] += more
        return rows

    def batches(self, minutes, size=20):
        """Yields the batches of all hosts for the minutes before UNTIL."""
        for start in range(0, minutes, size):
            for host in self.names:
                yield self.batch(host, start + 1, size, UNTIL - 60 * (minutes - start - size))


def texts():
    return [{"chain_id": chain_id(folded), "folded": folded, "last": time_text(UNTIL)[:10]}
            for chains in CHAINS.values() for _, folded in chains]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)
