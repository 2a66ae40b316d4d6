-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Makes rows expire. Needs ClickHouse 20.3. On an earlier version, drop partitions (docs/fleet.md).
-- Whole days expire at once, so that ClickHouse drops parts instead of rewriting them. To keep rows
-- longer, alter the tables again.

ALTER TABLE rsp_summary MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_summary MODIFY TTL date + INTERVAL 14 DAY;
ALTER TABLE rsp_chain MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_chain MODIFY TTL date + INTERVAL 14 DAY;
ALTER TABLE rsp_request MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_request MODIFY TTL date + INTERVAL 14 DAY;
ALTER TABLE rsp_arrival MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_arrival MODIFY TTL date + INTERVAL 90 DAY;
ALTER TABLE rsp_unit_hour MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_unit_hour MODIFY TTL date + INTERVAL 90 DAY;
ALTER TABLE rsp_chain_hour MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE rsp_chain_hour MODIFY TTL date + INTERVAL 90 DAY;
ALTER TABLE rsp_snapshot MODIFY TTL date + INTERVAL 90 DAY;
ALTER TABLE rsp_chain_text MODIFY TTL last + INTERVAL 90 DAY;
