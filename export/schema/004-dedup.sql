-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- ClickHouse drops a batch that has already arrived, so even the sums of hours contain it only
-- once. ClickHouse 22.3 and later. The window is a number of batches for each partition: a host
-- repeats a batch within minutes, and 10,000 hosts send 10,000 of them a minute.

ALTER TABLE rsp_summary MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE rsp_chain MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE rsp_request MODIFY SETTING non_replicated_deduplication_window = 20000;
