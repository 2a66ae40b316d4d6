/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An explanation with constant values, for tests of reports: for 3.712 s, make waits for sh, which
 * waits for cc1.
 */
#ifndef RSP_TESTS_UNIT_EXPLANATION_H
#define RSP_TESTS_UNIT_EXPLANATION_H

#include "lib/model/explain/explain.h"

#define MS	 1000000ULL
#define STACK(a) .frames = (a), .frame_cnt = sizeof(a) / sizeof((a)[0])
#define LIST(a)	 (a), sizeof(a) / sizeof((a)[0])

static struct rsp_frame make_stack[] = {
	{"__schedule", "vmlinux", true},
	{"schedule", "vmlinux", true},
	{"do_wait", "vmlinux", true},
	{"__x64_sys_wait4", "vmlinux", true},
	{"do_syscall_64", "vmlinux", true},
	{"entry_SYSCALL_64_after_hwframe", "vmlinux", true},
	{"__wait4", "libc.so.6", false},
	{"reap_children", "make", false},
	{"new_job", "make", false},
	{"main", "make", false},
	{"__libc_start_call_main", "libc.so.6", false},
	{"_start", "make", false},
};

static struct rsp_frame sh_stack[] = {
	{"__schedule", "vmlinux", true},
	{"do_wait", "vmlinux", true},
	{"wait3", "libc.so.6", false},
	{"waitforjob", "dash", false},
};

static struct rsp_frame cc1_stack[] = {
	{"_cpp_lex_direct", "cc1", false},
	{"cpp_get_token", "cc1", false},
	{"c_parser_declspecs", "cc1", false},
	{"main", "cc1", false},
};

static struct rsp_frame cc1_exit_stack[] = {
	{"_exit", "libc.so.6", false},
	{"toplev::main", "cc1", false},
};

#define MAKE_HOP                                                                                   \
	{                                                                                          \
		.kind = RSP_HOP_BLOCKED, .tgid = 1234, .tid = 1234, .task_cnt = 1, .comm = "make", \
		.object = "", .behind = "", .container = "", .syscall = "wait4", STACK(make_stack) \
	}
#define SH_HOP                                                                                     \
	{                                                                                          \
		.kind = RSP_HOP_BLOCKED, .tgid = 1236, .tid = 1236, .task_cnt = 38, .comm = "sh",  \
		.object = "", .behind = "", .container = "", .syscall = "wait4", STACK(sh_stack)   \
	}
#define CC1_HOP(...)                                                                               \
	{                                                                                          \
		.kind = RSP_HOP_LEAF, .tgid = 1240, .tid = 1240, .task_cnt = 38, .comm = "cc1",    \
		.object = "", .behind = "", .container = "", .syscall = "", __VA_ARGS__            \
	}

static struct rsp_hop lex_hops[] = {
	MAKE_HOP,
	SH_HOP,
	CC1_HOP(.category = RSP_CAT_RUNNING_SAMPLED, STACK(cc1_stack)),
};

static struct rsp_hop exit_hops[] = {
	MAKE_HOP,
	SH_HOP,
	CC1_HOP(.category = RSP_CAT_RUNNING_UNSAMPLED, .flags = RSP_HOP_INFERRED,
		STACK(cc1_exit_stack)),
};

static struct rsp_hop disk_hops[] = {
	MAKE_HOP,
	SH_HOP,
	{.kind = RSP_HOP_LEAF,
	 .category = RSP_CAT_DISK_ACTIVE,
	 .tgid = 1240,
	 .tid = 1240,
	 .task_cnt = 20,
	 .comm = "cc1",
	 .object = "/usr/include/stdio.h",
	 .behind = "",
	 .container = "",
	 .syscall = "read",
	 STACK(cc1_stack)},
};

static struct rsp_hop queue_hops[] = {
	{.kind = RSP_HOP_LEAF,
	 .category = RSP_CAT_RUNQUEUE,
	 .tgid = 1234,
	 .tid = 1234,
	 .task_cnt = 1,
	 .comm = "make",
	 .object = "stress",
	 .behind = "",
	 .container = "",
	 .syscall = ""},
};

static struct rsp_hop edge_hops[] = {
	{.kind = RSP_HOP_LEAF,
	 .category = RSP_CAT_EDGE,
	 .flags = RSP_HOP_AT_LEAST,
	 .tgid = 1234,
	 .tid = 1235,
	 .task_cnt = 1,
	 .comm = "make",
	 .object = "pipe",
	 .behind = "",
	 .container = "",
	 .syscall = "read"},
};

static const __u32 lex_samples[] = {4, 8, 15, 16, 23, 42};

static struct rsp_chain build_chains[] = {
	{2900 * MS, 38, LIST(lex_hops), .samples = LIST(lex_samples)},
	{400 * MS, 120, LIST(disk_hops), {2203456 * MS / 1000, 25 * MS, 1234}},
	{290 * MS, 512, LIST(queue_hops)},
	{110 * MS + 345678, 38, LIST(exit_hops)},
	{12 * MS - 345678, 1, LIST(edge_hops)},
};

static struct rsp_process build_processes[] = {
	{.tgid = 1240,
	 .tid = 1240,
	 .comm = "cc1",
	 .ns = 3000 * MS,
	 .cat_ns = {[RSP_CAT_RUNNING_SAMPLED] = 2600 * MS, [RSP_CAT_DISK_ACTIVE] = 400 * MS}},
	{.tgid = 1241,
	 .tid = 1241,
	 .comm = "cc1",
	 .ns = 410 * MS + 345678,
	 .cat_ns = {[RSP_CAT_RUNNING_SAMPLED] = 300 * MS,
		    [RSP_CAT_RUNNING_UNSAMPLED] = 110 * MS + 345678}},
	{.tgid = 1234,
	 .tid = 1234,
	 .comm = "make",
	 .is_root = true,
	 .ns = 290 * MS,
	 .cat_ns = {[RSP_CAT_RUNQUEUE] = 290 * MS}},
	{.tgid = 1234,
	 .tid = 1235,
	 .comm = "make",
	 .is_root = true,
	 .ns = 12 * MS - 345678,
	 .cat_ns = {[RSP_CAT_EDGE] = 12 * MS - 345678}},
};

static const struct rsp_meta build_meta = {
	.id = "00112233445566778899aabbccddeeff",
	.host = "builder",
	.kernel = "6.12.0",
	.arch = "x86_64",
	.version = "0.1.0",
	.command = "make -j1",
	.cpu_cnt = 2,
	.target_pid = 1234,
	.target_start_ns = 99,
	.since_ns = 1000 * MS,
	.until_ns = 4700 * MS,
	.window_oldest_ns = 900 * MS,
	.realtime_offset_ns = -5,
	.sample_hz = 199,
	.exit_status = 512,
};

static const struct rsp_explanation build = {
	.meta = &build_meta,
	.comm = "make",
	.root_cnt = 2,
	.idle_root_cnt = 1,
	.wall_ns = 3700 * MS,
	.total_ns = 3712 * MS,
	.clock_ns = 3700 * MS,
	.idle_ns = 12 * MS,
	.requests =
		{.cnt = 3, .p50_ns = MS, .p99_ns = 9 * MS, .max_ns = 9 * MS, .busy_ns = 11 * MS},
	.cat_ns = {[RSP_CAT_RUNNING_SAMPLED] = 2900 * MS,
		   [RSP_CAT_RUNNING_UNSAMPLED] = 110 * MS + 345678,
		   [RSP_CAT_DISK_ACTIVE] = 400 * MS,
		   [RSP_CAT_RUNQUEUE] = 290 * MS,
		   [RSP_CAT_EDGE] = 12 * MS - 345678},
	.event_cnt = 123456,
	.window_ns = 3700 * MS,
	.exec_cnt = 4,
	.fork_cnt = 4,
	.processes = build_processes,
	.process_cnt = sizeof(build_processes) / sizeof(build_processes[0]),
	.chains = build_chains,
	.chain_cnt = sizeof(build_chains) / sizeof(build_chains[0]),
};

#endif
