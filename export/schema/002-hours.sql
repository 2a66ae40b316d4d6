-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Sums of each hour. ClickHouse updates them when rows arrive. If a batch is inserted twice, the
-- sums count it twice. rsp_arrival shows such hours: "rows" exceeds the number of different
-- summaries. For such a machine and hour, rspctl fleet reads the rows instead of the sums.

-- what: the table. rows: the number of summaries that inserts of this table contained. recorded_ns,
-- lost: the values of the host. They are the same in all rows of a summary, and are only set for
-- rsp_summary.
CREATE TABLE IF NOT EXISTS rsp_arrival (
	what String,
	hour DateTime('UTC'),
	date Date,
	machine String,
	boot String,
	rows UInt64,
	recorded_ns UInt64,
	lost UInt64,
	numbers AggregateFunction(uniqExact, UInt64)
) ENGINE = SummingMergeTree
PARTITION BY date
ORDER BY (what, hour, machine, boot);

CREATE MATERIALIZED VIEW IF NOT EXISTS rsp_arrival_summary TO rsp_arrival AS
SELECT 'summary' AS what, toStartOfHour(at) AS hour, date, machine, boot,
	uniqExact(number) AS rows,
	arraySum(arrayMap(x -> x.2, groupUniqArray(tuple(number, recorded_ns)))) AS recorded_ns,
	arraySum(arrayMap(x -> x.2, groupUniqArray(tuple(number, lost)))) AS lost,
	uniqExactState(number) AS numbers
FROM rsp_summary GROUP BY hour, date, machine, boot;

CREATE MATERIALIZED VIEW IF NOT EXISTS rsp_arrival_chain TO rsp_arrival AS
SELECT 'chain' AS what, toStartOfHour(at) AS hour, date, machine, boot,
	uniqExact(number) AS rows, toUInt64(0) AS recorded_ns, toUInt64(0) AS lost, uniqExactState(number) AS numbers
FROM rsp_chain GROUP BY hour, date, machine, boot;

CREATE MATERIALIZED VIEW IF NOT EXISTS rsp_arrival_request TO rsp_arrival AS
SELECT 'request' AS what, toStartOfHour(at) AS hour, date, machine, boot,
	uniqExact(number) AS rows, toUInt64(0) AS recorded_ns, toUInt64(0) AS lost, uniqExactState(number) AS numbers
FROM rsp_request GROUP BY hour, date, machine, boot;

CREATE TABLE IF NOT EXISTS rsp_unit_hour (
	host String,
	machine String,
	boot String,
	hour DateTime('UTC'),
	date Date,
	unit String,
	recorded_ns UInt64,
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
) ENGINE = SummingMergeTree
PARTITION BY date
PRIMARY KEY (unit, hour, machine)
ORDER BY (unit, hour, machine, boot, host);

CREATE MATERIALIZED VIEW IF NOT EXISTS rsp_unit_hour_sums TO rsp_unit_hour AS
SELECT host, machine, boot, toStartOfHour(at) AS hour, date, unit,
	sum(recorded_ns) AS recorded_ns,
	sum(total_ns) AS total_ns,
	sum(cat_running_sampled) AS cat_running_sampled,
	sum(cat_running_unsampled) AS cat_running_unsampled,
	sum(cat_disk_active) AS cat_disk_active,
	sum(cat_disk_queued) AS cat_disk_queued,
	sum(cat_network) AS cat_network,
	sum(cat_runqueue) AS cat_runqueue,
	sum(cat_hardware) AS cat_hardware,
	sum(cat_preempted) AS cat_preempted,
	sum(cat_kernel) AS cat_kernel,
	sum(cat_sleep) AS cat_sleep,
	sum(cat_timeout) AS cat_timeout,
	sum(cat_stopped) AS cat_stopped,
	sum(cat_idle) AS cat_idle,
	sum(cat_other_path) AS cat_other_path,
	sum(cat_lost) AS cat_lost,
	sum(cat_unrecorded) AS cat_unrecorded,
	sum(cat_edge) AS cat_edge,
	sum(cat_unaccounted) AS cat_unaccounted
FROM rsp_summary GROUP BY host, machine, boot, hour, date, unit;

CREATE TABLE IF NOT EXISTS rsp_chain_hour (
	host String,
	machine String,
	boot String,
	hour DateTime('UTC'),
	date Date,
	unit String,
	chain_id UInt64,
	category String,
	ns UInt64,
	cnt UInt64
) ENGINE = SummingMergeTree
PARTITION BY date
PRIMARY KEY (unit, hour, machine)
ORDER BY (unit, hour, machine, boot, host, chain_id, category);

CREATE MATERIALIZED VIEW IF NOT EXISTS rsp_chain_hour_sums TO rsp_chain_hour AS
SELECT host, machine, boot, toStartOfHour(at) AS hour, date, unit, chain_id, category,
	sum(ns) AS ns, sum(cnt) AS cnt
FROM rsp_chain GROUP BY host, machine, boot, hour, date, unit, chain_id, category;
