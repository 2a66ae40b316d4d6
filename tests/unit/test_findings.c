/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Literal explanations -> the exact sentences, and which frames are worth naming. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/report.h"
#include "lib/report-frames.h"
#include "tests/unit/explanation.h"

static void expect(const struct rsp_explanation *e, const char *const *want)
{
	struct rsp_findings got = {0};
	size_t cnt = 0;

	while (want[cnt])
		cnt++;
	assert_int_equal(rsp_findings_make(e, &got), 0);
	for (size_t i = 0; i < got.cnt && i < cnt; i++)
		assert_string_equal(got.v[i].text, want[i]);
	assert_int_equal(got.cnt, cnt);
	for (size_t i = 1; i < got.cnt; i++)
		assert_true(got.v[i - 1].ns >= got.v[i].ns);
	rsp_findings_done(&got);
	assert_null(got.v);
}

static void a_build_waits_for_its_compilers(void **state)
{
	static const char *const want[] = {
		"make waited 3.41 s (92 % of 3.71 s) in wait4 for cc1 (2 processes), which were "
		"computing for 3.01 s (hottest: _cpp_lex_direct 2.90 s) and waiting for the disk for "
		"400 ms (on: /usr/include/stdio.h 400 ms).",
		"cc1 spent 3.01 s (81 % of 3.71 s) computing; hottest: _cpp_lex_direct 2.90 s.",
		"cc1 spent 400 ms (11 % of 3.71 s) waiting for the disk; on: /usr/include/stdio.h "
		"400 ms.",
		"make spent 290 ms (7.8 % of 3.71 s) waiting for a CPU; taken by: stress 290 ms.",
		NULL,
	};

	expect(&build, want);
}

/* --- one process alone, a leaf at a time ------------------------------------------------------ */

static struct rsp_frame poll_stack[] = {
	{"do_epoll_wait", "vmlinux", true},
	{"epoll_wait", "libc.so.6", false},
	{"serve", "app", false},
};

#define LEAF(cat, ...)                                                                             \
	{                                                                                          \
		.kind = RSP_HOP_LEAF, .category = (cat), __VA_ARGS__                               \
	}
#define BLOCKED(...)                                                                               \
	{                                                                                          \
		.kind = RSP_HOP_BLOCKED, __VA_ARGS__                                               \
	}

/* What a row leaves out: the thread is app's only one, strings are empty. */
static void complete(struct rsp_hop *hop)
{
	hop->comm = hop->comm ? hop->comm : "app";
	hop->object = hop->object ? hop->object : "";
	hop->syscall = hop->syscall ? hop->syscall : "";
	if (*hop->comm) {
		hop->tgid = hop->tgid ? hop->tgid : 7;
		hop->tid = hop->tid ? hop->tid : 7;
		hop->task_cnt = 1;
	}
}

static struct rsp_explanation alone(struct rsp_chain *chain)
{
	static const struct rsp_meta meta = {.target_pid = 7};
	struct rsp_explanation e = {
		.meta = &meta,
		.comm = "app",
		.root_cnt = 1,
		.wall_ns = chain->ns,
		.total_ns = chain->ns,
		.window_ns = chain->ns,
		.chains = chain,
		.chain_cnt = 1,
	};

	for (size_t i = 0; i < chain->hop_cnt; i++)
		complete(&chain->hops[i]);
	e.cat_ns[chain->hops[chain->hop_cnt - 1].category] = chain->ns;
	return e;
}

static void each_kind_has_its_sentence(void **state)
{
	static struct {
		struct rsp_hop hop;
		const char *kind, *text;
	} rows[] = {
		{LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(cc1_stack)), "cpu",
		 "app spent 2.00 s (100 % of 2.00 s) computing; hottest: _cpp_lex_direct 2.00 s."},
		{LEAF(RSP_CAT_RUNNING_UNSAMPLED, STACK(cc1_exit_stack), .flags = RSP_HOP_INFERRED),
		 "cpu",
		 "app spent 2.00 s (100 % of 2.00 s) computing; hottest, inferred: toplev::main "
		 "2.00 s."},
		{LEAF(RSP_CAT_RUNNING_UNSAMPLED), "cpu",
		 "app spent 2.00 s (100 % of 2.00 s) computing."},
		{LEAF(RSP_CAT_DISK_QUEUED, .object = "/var/db"), "disk",
		 "app spent 2.00 s (100 % of 2.00 s) waiting for the disk, 2.00 s of it in the "
		 "queue; on: /var/db 2.00 s."},
		{LEAF(RSP_CAT_NETWORK, .object = "10.0.0.1:443"), "network",
		 "app spent 2.00 s (100 % of 2.00 s) waiting for the network; peer: 10.0.0.1:443 "
		 "2.00 s."},
		{LEAF(RSP_CAT_PREEMPTED, .object = "stress"), "preempted",
		 "app spent 2.00 s (100 % of 2.00 s) pushed off the CPU; by: stress 2.00 s."},
		{LEAF(RSP_CAT_HARDWARE, .object = "nvme0q1"), "hardware",
		 "app spent 2.00 s (100 % of 2.00 s) waiting for hardware; device: nvme0q1 2.00 s."},
		{LEAF(RSP_CAT_KERNEL, .object = "softirq RCU"), "kernel",
		 "app spent 2.00 s (100 % of 2.00 s) waiting inside the kernel; in: softirq RCU "
		 "2.00 s."},
		{LEAF(RSP_CAT_SLEEP, .syscall = "clock_nanosleep"), "sleep",
		 "app spent 2.00 s (100 % of 2.00 s) sleeping on purpose; in: clock_nanosleep "
		 "2.00 s."},
		{LEAF(RSP_CAT_TIMEOUT, STACK(poll_stack), .syscall = "epoll_wait"), "timeout",
		 "app spent 2.00 s (100 % of 2.00 s) waiting until a timeout; in: serve 2.00 s."},
		{LEAF(RSP_CAT_EDGE, .syscall = "accept4", .flags = RSP_HOP_AT_LEAST), "edge",
		 "app spent at least 2.00 s (100 % of 2.00 s) waiting for something outside the "
		 "window; in: accept4 2.00 s."},
		{LEAF(RSP_CAT_UNACCOUNTED), "unaccounted",
		 "app spent 2.00 s (100 % of 2.00 s) in a way the records do not explain."},
		{LEAF(RSP_CAT_LOST), "lossy",
		 "0 records were lost; 2.00 s (100 % of 2.00 s) lies in the gaps and cannot be "
		 "explained."},
		{LEAF(RSP_CAT_NETWORK, .object = "evil\x1b]0;\n:80"), "network",
		 "app spent 2.00 s (100 % of 2.00 s) waiting for the network; peer: evil?]0;?:80 "
		 "2.00 s."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_chain chain = {2000 * MS, 1, &rows[i].hop, 1};
		struct rsp_explanation e = alone(&chain);
		struct rsp_findings got = {0};

		assert_int_equal(rsp_findings_make(&e, &got), 0);
		assert_int_equal(got.cnt, 1);
		assert_string_equal(got.v[0].kind, rows[i].kind);
		assert_string_equal(got.v[0].text, rows[i].text);
		assert_int_equal(got.v[0].ns, 2000 * MS);
		rsp_findings_done(&got);
	}
}

static void whom_it_waited_for_is_told_apart(void **state)
{
	static struct {
		struct rsp_hop hops[2];
		const char *text;
	} rows[] = {
		{{BLOCKED(.syscall = "futex"),
		  LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tid = 8, .comm = "worker")},
		 "app waited 2.00 s (100 % of 2.00 s) in futex for its own thread worker, which was "
		 "computing for 2.00 s."},
		{{BLOCKED(), LEAF(RSP_CAT_SLEEP, .tgid = 9, .tid = 9, .syscall = "nanosleep")},
		 "app waited 2.00 s (100 % of 2.00 s) for another app, which was sleeping on purpose "
		 "for 2.00 s (in: nanosleep 2.00 s)."},
		{{BLOCKED(.syscall = "fsync", .object = "/var/db"),
		  LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "jbd2/vda1-8",
		       .object = "vda", .flags = RSP_HOP_KTHREAD)},
		 "app waited 2.00 s (100 % of 2.00 s) in fsync on /var/db for kernel thread "
		 "jbd2/vda1-8, which was waiting for the disk for 2.00 s (on: vda 2.00 s)."},
		{{BLOCKED(.syscall = "read", .object = "pipe", .flags = RSP_HOP_AT_LEAST),
		  LEAF(RSP_CAT_EDGE, .tgid = 9, .tid = 9, .comm = "cat")},
		 "app waited at least 2.00 s (100 % of 2.00 s) in read on pipe for cat, which was "
		 "waiting for something outside the window for 2.00 s."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_chain chain = {2000 * MS, 1, rows[i].hops, 2};
		struct rsp_explanation e = alone(&chain);
		struct rsp_findings got = {0};

		assert_int_equal(rsp_findings_make(&e, &got), 0);
		assert_string_equal(got.v[0].text, rows[i].text);
		rsp_findings_done(&got);
	}
}

static void small_matters_are_left_out_losses_never(void **state)
{
	static const char *const want[] = {
		"app spent 1.00 s (99 % of 1.01 s) computing.",
		"12 records were lost; 0 ns (0 % of 1.01 s) lies in the gaps and cannot be explained.",
		NULL,
	};
	struct rsp_hop run = LEAF(RSP_CAT_RUNNING_UNSAMPLED), queue = LEAF(RSP_CAT_RUNQUEUE);
	struct rsp_chain chains[] = {{1000 * MS, 1, &run, 1}, {9 * MS, 1, &queue, 1}};
	struct rsp_explanation e = alone(chains);

	complete(&queue);
	e.chain_cnt = 2;
	e.total_ns = 1009 * MS;
	e.cat_ns[RSP_CAT_RUNQUEUE] = 9 * MS;
	e.lost_cnt = 12;
	expect(&e, want);
	assert_true(rsp_report_lossy(&e));
	e.lost_cnt = 0;
	assert_false(rsp_report_lossy(&e));
}

static void many_short_programs_are_noticed(void **state)
{
	static const char *const want[] = {
		"app spent 2.00 s (100 % of 2.00 s) computing.",
		"400 programs were started (410 forks) and took 4.50 ms each on average, 1.80 s (90 % "
		"of 2.00 s) in all; starting and ending one costs about 1.00 ms (inferred).",
		NULL,
	};
	struct rsp_hop run = LEAF(RSP_CAT_RUNNING_UNSAMPLED);
	struct rsp_chain chain = {2000 * MS, 400, &run, 1};
	struct rsp_process processes[] = {
		{.tgid = 7, .tid = 7, .comm = "app", .is_root = true, .ns = 200 * MS},
		{.tgid = 8, .tid = 8, .comm = "sed", .ns = 1800 * MS},
	};
	struct rsp_explanation e = alone(&chain);

	e.processes = processes;
	e.process_cnt = 2;
	e.exec_cnt = 400;
	e.fork_cnt = 410;
	expect(&e, want);
	/* Few, or long-lived: nothing to say. */
	e.exec_cnt = 19;
	expect(&e, (const char *const[]){want[0], NULL});
	e.exec_cnt = 180;
	expect(&e, (const char *const[]){want[0], NULL});
}

static void many_owners_and_things_are_summed_up(void **state)
{
	static const char *const want[] = {
		"a, b and 2 others spent 4.00 s (100 % of 4.00 s) waiting for the disk; on: /one 3.00 s, "
		"/two 1.00 s.",
		"app waited 1.03 s (26 % of 4.00 s) for a, which was waiting for the disk for 1.03 s (on: "
		"/one 1.03 s).",
		"app waited 1.00 s (25 % of 4.00 s) for b, which was waiting for the disk for 1.00 s (on: "
		"/one 1.00 s).",
		"app waited 1.00 s (25 % of 4.00 s) for c, which was waiting for the disk for 1.00 s (on: "
		"/two 1.00 s).",
		"app waited 970 ms (24 % of 4.00 s) for d, which was waiting for the disk for 970 ms (on: "
		"/one 970 ms).",
		NULL,
	};
	static const struct {
		const char *comm, *object;
		__u64 ns;
	} rows[] = {
		{"a", "/one", 1030 * MS},
		{"b", "/one", 1000 * MS},
		{"c", "/two", 1000 * MS},
		{"d", "/one", 970 * MS},
	};
	struct rsp_hop hops[4][2];
	struct rsp_chain chains[4];
	struct rsp_explanation e;

	for (__u32 i = 0; i < 4; i++) {
		hops[i][0] = (struct rsp_hop)BLOCKED();
		hops[i][1] = (struct rsp_hop)LEAF(RSP_CAT_DISK_ACTIVE, .comm = rows[i].comm,
						  .object = rows[i].object, .tgid = 100 + i,
						  .tid = 100 + i);
		complete(&hops[i][0]);
		complete(&hops[i][1]);
		chains[i] = (struct rsp_chain){rows[i].ns, 1, hops[i], 2};
	}
	e = alone(chains);
	e.chain_cnt = 4;
	e.total_ns = 4000 * MS;
	expect(&e, want);
}

static void nothing_recorded_is_said(void **state)
{
	static const char *const want[] = {"Nothing that gone did in this span was recorded.",
					   NULL};
	static const struct rsp_meta meta = {.target_pid = 7};
	struct rsp_explanation e = {.meta = &meta, .comm = "gone"};

	expect(&e, want);
}

/* --- telling frames --------------------------------------------------------------------------- */

static struct rsp_frame kthread_stack[] = {
	{"__schedule", "vmlinux", true},	{"schedule", "vmlinux", true},
	{"kjournald2", "[jbd2]", true},		{"kthread", "vmlinux", true},
	{"ret_from_fork_asm", "vmlinux", true},
};
static struct rsp_frame write_stack[] = {
	{"copy_page_from_iter", "vmlinux", true},
	{"ext4_file_write_iter", "[ext4]", true},
	{"__x64_sys_write", "vmlinux", true},
	{"write", "libc.so.6", false},
	{"log_line", "app", false},
	{"main", "app", false},
};
static struct rsp_frame libc_stack[] = {
	{"do_sys_poll", "vmlinux", true}, {"__poll", "libc.so.6", false},
	{"res_send", "libc.so.6", false}, {"getaddrinfo", "libc.so.6", false},
	{"connect_to", "curl", false},
};
static struct rsp_frame memcpy_stack[] = {
	{"__memmove_avx_unaligned_erms", "libc.so.6", false},
	{"0x7f0012345678", "?", false},
	{"main", "app", false},
};
static struct rsp_frame stripped_stack[] = {
	{"hrtimer_nanosleep", "vmlinux", true},
	{"clock_nanosleep", "libc.so.6", false},
	{"0x55d012345678", "?", false},
};
static struct rsp_frame plumbing_stack[] = {
	{"__schedule", "vmlinux", true},
	{"schedule", "vmlinux", true},
};

static void telling_frames_skip_the_plumbing(void **state)
{
	static const struct {
		struct rsp_frame *frames;
		size_t cnt;
		bool waiting;
		const char *want[4];
	} rows[] = {
		{LIST(make_stack), true, {"reap_children", "new_job", "main"}},
		{LIST(kthread_stack), true, {"kjournald2"}},
		{LIST(write_stack), false, {"copy_page_from_iter", "log_line", "main"}},
		{LIST(write_stack), true, {"log_line", "main"}},
		{LIST(libc_stack), true, {"res_send", "getaddrinfo", "connect_to"}},
		{LIST(memcpy_stack), false, {"__memmove_avx_unaligned_erms", "main"}},
		{LIST(stripped_stack), true, {"hrtimer_nanosleep"}},
		{LIST(plumbing_stack), true, {"__schedule"}},
		{NULL, 0, true, {NULL}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rsp_frame *got[3];
		size_t cnt = rsp_frames_telling(rows[i].frames, rows[i].cnt, rows[i].waiting, got,
						3);

		for (size_t k = 0; k < cnt; k++) {
			assert_non_null(rows[i].want[k]);
			assert_string_equal(got[k]->symbol, rows[i].want[k]);
		}
		assert_null(rows[i].want[cnt]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_waits_for_its_compilers),
		cmocka_unit_test(each_kind_has_its_sentence),
		cmocka_unit_test(whom_it_waited_for_is_told_apart),
		cmocka_unit_test(small_matters_are_left_out_losses_never),
		cmocka_unit_test(many_short_programs_are_noticed),
		cmocka_unit_test(many_owners_and_things_are_summed_up),
		cmocka_unit_test(nothing_recorded_is_said),
		cmocka_unit_test(telling_frames_skip_the_plumbing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
