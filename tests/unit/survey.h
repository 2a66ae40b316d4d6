/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A survey (views of the whole machine) with constant rows. Some rows have values in all fields,
 * others in none.
 */
#ifndef RSP_TESTS_UNIT_SURVEY_H
#define RSP_TESTS_UNIT_SURVEY_H

#include "tests/unit/explanation.h"

static struct rsp_io_row survey_io[] = {
	{.file = "/srv/db/a\nb",
	 .disk = "vda",
	 .comm = "mysqld",
	 .op = "write",
	 .request_cnt = 12,
	 .bytes = 49152,
	 .active_ns = 30 * MS,
	 .queued_ns = 2 * MS,
	 .longest_ns = 9 * MS,
	 .waited_ns = 31 * MS,
	 .target_ns = 20 * MS},
	{.file = "",
	 .disk = "vda",
	 .comm = "jbd2/vda-8",
	 .op = "write",
	 .is_metadata = true,
	 .request_cnt = 1,
	 .bytes = 4096,
	 .active_ns = MS,
	 .longest_ns = MS},
	{.file = "", .disk = "vdb", .comm = "", .op = "flush", .request_cnt = 1},
};

static struct rsp_net_row survey_net[] = {
	{.peer = "10.0.0.1:80",
	 .protocol = "tcp",
	 .peer_comm = "",
	 .comm = "make",
	 .tgid = 1234,
	 .tid = 1235,
	 .is_target = true,
	 .target_ns = 5 * MS,
	 .send_cnt = 2,
	 .sent_bytes = 2048,
	 .wait_cnt = 3,
	 .waited_ns = 6 * MS,
	 .longest_ns = 4 * MS,
	 .round_trip_cnt = 2,
	 .round_trip_ns = 6 * MS},
	{.peer = "10.0.0.9:*",
	 .service = 443,
	 .protocol = "tcp",
	 .peer_comm = "curl",
	 .comm = "nginx",
	 .tgid = 77,
	 .tid = 77,
	 .send_cnt = 1,
	 .sent_bytes = 100,
	 .wait_cnt = 1,
	 .waited_ns = MS,
	 .longest_ns = MS},
	{.peer = "", .protocol = "", .peer_comm = "", .comm = "", .tgid = 78, .tid = 78},
};

static struct rsp_lock_row survey_locks[] = {
	{.address = 0x7f00dead,
	 .tgid = 1234,
	 .comm = "make",
	 .wait_cnt = 9,
	 .waited_ns = 8 * MS,
	 .longest_ns = 2 * MS,
	 .longest_at_ns = 5,
	 .waiter_cnt = 3,
	 .waker_cnt = 2,
	 .both_cnt = 2,
	 .holder = "make",
	 .holder_tid = 1235,
	 .is_target = true,
	 .target_ns = 16 * MS},
	{.address = 0x10,
	 .tgid = 77,
	 .comm = "nginx",
	 .wait_cnt = 1,
	 .waited_ns = MS,
	 .longest_ns = MS,
	 .waiter_cnt = 1,
	 .holder = ""},
};

static struct rsp_irq_row survey_irqs[] = {
	{.name = "virtio1-req.0",
	 .cnt = 40,
	 .ns = 3 * MS,
	 .longest_ns = MS / 2,
	 .interrupting_ns = 2 * MS,
	 .woken_cnt = 39},
	{.name = "softirq RCU", .cnt = 7, .ns = MS, .longest_ns = MS / 4},
};

static struct rsp_edge_row survey_edges[] = {
	{.waker = "cc1",
	 .wakee = "make",
	 .context = "task",
	 .is_target = true,
	 .cnt = 5,
	 .first_cnt = 4,
	 .waited_ns = 8 * MS,
	 .target_ns = 16 * MS},
	{.waker = "vda",
	 .wakee = "jbd2/vda-8",
	 .context = "disk",
	 .cnt = 2,
	 .first_cnt = 2,
	 .waited_ns = MS},
	{.waker = "cron", .wakee = "sh", .context = "task", .cnt = 1},
};

static const struct rsp_survey full_survey = {
	.io = {LIST(survey_io)},
	.net = {LIST(survey_net)},
	.locks = {LIST(survey_locks)},
	.irqs = {LIST(survey_irqs)},
	.edges = {LIST(survey_edges)},
};

#endif
