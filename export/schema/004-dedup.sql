-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- Makes ClickHouse drop a batch that has already arrived, so that even the sums of hours contain
-- the batch only once. Needs ClickHouse 22.3. The window is a number of batches for each partition:
-- a host repeats a batch within minutes, and 10,000 hosts send 10,000 batches per minute.

ALTER TABLE rsp_summary MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE rsp_chain MODIFY SETTING non_replicated_deduplication_window = 20000;
ALTER TABLE rsp_request MODIFY SETTING non_replicated_deduplication_window = 20000;
