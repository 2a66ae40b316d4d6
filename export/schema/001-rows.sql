-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The tables for the rows that rsp-export inserts (format JSONEachRow). Needs ClickHouse 18.16.
--
-- Each row names its summary by machine, boot and number. A sorting key identifies a row
-- completely. So if a batch was inserted twice, only one copy remains after ClickHouse has merged
-- the parts. Before that, rspctl fleet detects the second copies with rsp_arrival (002-hours.sql).
--
-- Keys begin with the unit, because most queries are about one unit. The hour comes next, so a
-- query about some hours reads only these hours. Within an hour, the rows of a machine are
-- adjacent, so its names compress to almost nothing. Partitions are days, so ClickHouse can drop a
-- day without reading it.

CREATE TABLE IF NOT EXISTS rsp_schema (
	version UInt32,
	file String,
	applied DateTime('UTC')
) ENGINE = MergeTree ORDER BY version;

-- A unit in a summary. The times of the categories (docs/model.md) add up to total_ns.
CREATE TABLE IF NOT EXISTS rsp_summary (
	host String,
	machine String,
	boot String,
	number UInt64,
	at DateTime('UTC'),
	date Date,
	slice_ns UInt64,
	recorded_ns UInt64,
	lost UInt64,
	unit String,
	cgroup String,
	container String,
	threads UInt32,
	total_ns UInt64,
	cat_running_sampled UInt64,
	cat_running_unsampled UInt64,
	cat_disk_active UInt64,
	cat_disk_queued UInt64,
	cat_network UInt64,
	cat_runqueue UInt64,
	cat_hardware UInt64,
	cat_preempted UInt64,
	cat_kernel UInt64,
	cat_sleep UInt64,
	cat_timeout UInt64,
	cat_stopped UInt64,
	cat_idle UInt64,
	cat_other_path UInt64,
	cat_lost UInt64,
	cat_unrecorded UInt64,
	cat_edge UInt64,
	cat_unaccounted UInt64
) ENGINE = ReplacingMergeTree
PARTITION BY date
PRIMARY KEY (unit, toStartOfHour(at), machine)
ORDER BY (unit, toStartOfHour(at), machine, boot, number, cgroup);

-- One of the heaviest chains of a unit in a summary. Two units with the same name, in different
-- cgroups, may have the same chain.
CREATE TABLE IF NOT EXISTS rsp_chain (
	host String,
	machine String,
	boot String,
	number UInt64,
	at DateTime('UTC'),
	date Date,
	unit String,
	cgroup String,
	container String,
	chain_id UInt64,
	category String,
	ns UInt64,
	cnt UInt64
) ENGINE = ReplacingMergeTree
PARTITION BY date
PRIMARY KEY (unit, toStartOfHour(at), machine)
ORDER BY (unit, toStartOfHour(at), machine, boot, number, cgroup, chain_id, category);

-- The frames of a chain, outermost first, as rspctl flame --kind chain separates them. last: the
-- last day on which a host inserted the text.
CREATE TABLE IF NOT EXISTS rsp_chain_text (
	chain_id UInt64,
	folded String,
	last Date
) ENGINE = ReplacingMergeTree(last)
ORDER BY chain_id;

-- The requests of a server in a summary. All servers at unix sockets have port 0, and may have the
-- same name. So the key contains figures, too, which distinguish them.
CREATE TABLE IF NOT EXISTS rsp_request (
	host String,
	machine String,
	boot String,
	number UInt64,
	at DateTime('UTC'),
	date Date,
	unit String,
	cgroup String,
	container String,
	comm String,
	port UInt16,
	answered UInt64,
	pending UInt64,
	p50_ns UInt64,
	p90_ns UInt64,
	p99_ns UInt64,
	max_ns UInt64,
	text String
) ENGINE = ReplacingMergeTree
PARTITION BY date
PRIMARY KEY (unit, toStartOfHour(at), machine)
ORDER BY (unit, toStartOfHour(at), machine, boot, number, cgroup, comm, port, answered, p50_ns, max_ns);

-- A snapshot that a host stored. at: its end. number: 0, since a snapshot does not belong to a
-- summary. key: its name in the object store, or "" if it was not stored there.
CREATE TABLE IF NOT EXISTS rsp_snapshot (
	host String,
	machine String,
	boot String,
	number UInt64,
	at DateTime('UTC'),
	date Date,
	id String,
	unit String,
	cgroup String,
	container String,
	pid UInt32,
	comm String,
	slo String,
	headline String,
	value_ns UInt64,
	threshold_ns UInt64,
	since DateTime('UTC'),
	until DateTime('UTC'),
	bytes UInt64,
	key String
) ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(date)
ORDER BY (machine, id);
