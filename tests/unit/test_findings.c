/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the exact sentences of findings. The explanations are constants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/report-frames.h"
#include "lib/report/report.h"
#include "tests/unit/explanation.h"
#include "tests/unit/findings.h"

static void a_build_waits_for_its_compilers(void **state)
{
	static const char *const want[] = {
		"make waited 3.01 s (81 % of 3.70 s) in wait4 at reap_children for cc1 "
		"(2 processes), by way of sh (38 tasks) at waitforjob; cc1 were "
		"computing (6 samples: _cpp_lex_direct 100 % ± 12 %).",
		"make spent 400 ms (11 % of 3.70 s) waiting for the disk, through cc1; "
		"on: /usr/include/stdio.h.",
		"make spent 290 ms (7.8 % of 3.70 s) waiting for a CPU; behind: stress.",
		NULL,
	};

	expect(&build, want);
}

/* --- findings about app ----------------------------------------------------------------------- */

static struct rsp_frame poll_stack[] = {
	{"do_epoll_wait", "vmlinux", true},
	{"epoll_wait", "libc.so.6", false},
	{"serve", "app", false},
};
static struct rsp_frame libc_poll_stack[] = {
	{"do_sys_poll", "vmlinux", true},
	{"__poll", "libc.so.6", false},
};
static struct rsp_frame kthread_stack[] = {
	{"__schedule", "vmlinux", true},	{"schedule", "vmlinux", true},
	{"kjournald2", "[jbd2]", true},		{"kthread", "vmlinux", true},
	{"ret_from_fork_asm", "vmlinux", true},
};
static struct rsp_frame nameless_stack[] = {
	{"libz.so.1.2.13+0x4f00", "libz.so.1.2.13", false},
	{"inflate", "libz.so.1.2.13", false},
	{"main", "app", false},
};
static struct rsp_frame nameless2_stack[] = {
	{"libz.so.1.2.13+0x5a10", "libz.so.1.2.13", false},
};
static struct rsp_frame jit_stack[] = {
	{"[anon]", "[anon]", false},
	{"v8::Run", "node", false},
};

#define SPENT  "app spent 2.00 s (100 % of 2.00 s) "
#define WAITED "app waited 2.00 s (100 % of 2.00 s) "

static struct {
	struct rsp_hop hop;
	const char *kind, *text;
} sentences[] = {
	{LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(cc1_stack)), "cpu",
	 SPENT "computing; 200 samples: _cpp_lex_direct 100 % ± 1 %."},
	{LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(nameless_stack)), "cpu",
	 SPENT "computing; 200 samples: libz.so.1.2.13 (no symbols) 100 % ± 1 %."},
	{LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(jit_stack)), "cpu",
	 SPENT "computing; 200 samples: [anon] 100 % ± 1 %."},
	{LEAF(RSP_CAT_RUNNING_SAMPLED), "cpu", SPENT "computing; 200 samples."},
	/*
	 * Two runs have no samples. The stack of the first run was taken when the run ended, so the
	 * sentence does not name its functions.
	 */
	{LEAF(RSP_CAT_RUNNING_UNSAMPLED, STACK(cc1_exit_stack), .flags = RSP_HOP_INFERRED), "cpu",
	 SPENT "computing; not sampled."},
	{LEAF(RSP_CAT_RUNNING_UNSAMPLED, STACK(cc1_stack),
	      .flags = RSP_HOP_INFERRED | RSP_HOP_ESTIMATED),
	 "cpu", SPENT "computing; 200 samples: _cpp_lex_direct 100 % ± 1 %."},
	{LEAF(RSP_CAT_RUNNING_UNSAMPLED), "cpu", SPENT "computing; not sampled."},
	{LEAF(RSP_CAT_DISK_QUEUED, .object = "/var/db"), "disk",
	 SPENT "waiting for the disk, 2.00 s of it in the queue; on: /var/db."},
	{LEAF(RSP_CAT_DISK_QUEUED, .object = "/var/db", .behind = "backup"), "queue_behind",
	 SPENT "queued for the disk; behind: backup."},
	{LEAF(RSP_CAT_NETWORK, .object = "10.0.0.1:443"), "slow_remote",
	 WAITED "for the network (10.0.0.1:443), once."},
	{LEAF(RSP_CAT_RUNQUEUE, .object = "stress", .syscall = "read", STACK(poll_stack)),
	 "queue_behind", SPENT "waiting for a CPU; behind: stress."},
	{LEAF(RSP_CAT_PREEMPTED, .object = "stress", STACK(cc1_stack)), "queue_behind",
	 SPENT "preempted; by: stress."},
	/*
	 * The object of the wait is unknown. The sentence must not name a function in place of the
	 * object.
	 */
	{LEAF(RSP_CAT_RUNQUEUE, .syscall = "epoll_wait", STACK(poll_stack)), "runqueue",
	 SPENT "waiting for a CPU; no recorded task used the CPU for 2.00 s of it."},
	{LEAF(RSP_CAT_PREEMPTED, .syscall = "read", STACK(cc1_stack)), "preempted",
	 SPENT "preempted."},
	{LEAF(RSP_CAT_DISK_ACTIVE, .syscall = "read", STACK(poll_stack)), "disk",
	 SPENT "waiting for the disk."},
	{LEAF(RSP_CAT_NETWORK, .syscall = "recvmsg", STACK(poll_stack)), "network",
	 SPENT "waiting for the network."},
	{LEAF(RSP_CAT_HARDWARE, .syscall = "ioctl", STACK(poll_stack)), "hardware",
	 SPENT "waiting for hardware."},
	{LEAF(RSP_CAT_HARDWARE, .object = "nvme0q1"), "hardware",
	 SPENT "waiting for hardware; device: nvme0q1."},
	{LEAF(RSP_CAT_KERNEL, .object = "softirq RCU", STACK(poll_stack)), "kernel",
	 SPENT "waiting inside the kernel; in: softirq RCU."},
	{LEAF(RSP_CAT_KERNEL, .syscall = "futex", .object = "futex"), "kernel",
	 SPENT "waiting inside the kernel; in: futex."},
	{LEAF(RSP_CAT_KERNEL, STACK(kthread_stack)), "kernel",
	 SPENT "waiting inside the kernel; in: kjournald2."},
	{LEAF(RSP_CAT_SLEEP, .syscall = "clock_nanosleep"), "sleep",
	 SPENT "sleeping; in: clock_nanosleep."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(poll_stack), .syscall = "epoll_wait"), "timeout",
	 SPENT "waiting until a timeout; in: serve."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(libc_poll_stack), .syscall = "poll"), "timeout",
	 SPENT "waiting until a timeout; in: poll."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(nameless_stack), .syscall = "poll", .object = "10.0.0.1:443"),
	 "timeout", SPENT "waiting until a timeout; in: poll on 10.0.0.1:443."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(libc_poll_stack), .syscall = "poll", .object = "10.0.0.1:443",
	      .why = RSP_WHY_UNANSWERED),
	 "timeout", SPENT "waiting until a timeout; in: poll without an answer from 10.0.0.1:443."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(poll_stack), .syscall = "epoll_wait", .object = "10.0.0.1:443",
	      .why = RSP_WHY_UNANSWERED),
	 "timeout",
	 SPENT "waiting until a timeout; in: serve without an answer from 10.0.0.1:443."},
	{LEAF(RSP_CAT_TIMEOUT, STACK(nameless2_stack), .syscall = "epoll_wait",
	      .object = "[eventpoll]"),
	 "timeout", SPENT "waiting until a timeout; in: epoll_wait."},
	{LEAF(RSP_CAT_OTHER_PATH, .object = "worker"), "other_path",
	 SPENT "waiting for a thread that RSP does not follow; on: worker."},
	{LEAF(RSP_CAT_EDGE, .syscall = "accept4", .flags = RSP_HOP_AT_LEAST), "open_wait",
	 "app was still waiting when the recording ended, after at least 2.00 s (100 % of 2.00 s); in: "
	 "accept4."},
	{LEAF(RSP_CAT_EDGE), "edge", SPENT "in a state that began before the window."},
	{LEAF(RSP_CAT_UNACCOUNTED), "unaccounted", SPENT "unexplained by the records."},
	{LEAF(RSP_CAT_LOST), "lossy",
	 "0 records were lost; 2.00 s (100 % of 2.00 s) lies in the gaps and cannot be "
	 "explained."},
	{LEAF(RSP_CAT_UNRECORDED, .syscall = "read", .object = "pipe"), "cut_wait",
	 SPENT "in waits that ended in a pause of the recorder; in: pipe."},
	{LEAF(RSP_CAT_UNRECORDED), "unrecorded",
	 "2.00 s (100 % of 2.00 s) was not recorded: the recorder paused."},
	{LEAF(RSP_CAT_NETWORK, .object = "evil\x1b]0;\n:80"), "slow_remote",
	 WAITED "for the network (evil?]0;?:80), once."},
	{LEAF(RSP_CAT_DISK_ACTIVE, .object = "/db", .behind = "/app.slice", .why = RSP_WHY_RECLAIM),
	 "reclaim", SPENT "freeing memory: cgroup /app.slice reached its memory limit."},
	{LEAF(RSP_CAT_RUNNING_SAMPLED, .why = RSP_WHY_RECLAIM), "reclaim",
	 SPENT "freeing memory: the machine or its cgroup ran short of it."},
	{LEAF(RSP_CAT_DISK_ACTIVE, .object = "vda", .syscall = "page fault", .why = RSP_WHY_SWAP),
	 "swap", SPENT "waiting for memory that had been moved to swap."},
	{LEAF(RSP_CAT_NETWORK, .object = "db:80", .why = RSP_WHY_NAGLE), "tcp_delay",
	 WAITED "for data that TCP held back (Nagle's algorithm, delayed ACK), once; peer: db:80."},
	{LEAF(RSP_CAT_NETWORK, .object = "db:80", .why = RSP_WHY_RETRANSMIT), "tcp_delay",
	 WAITED "for data that TCP had to send again, once; peer: db:80."},
	{LEAF(RSP_CAT_NETWORK, .object = "db:80", .why = RSP_WHY_CONNECT), "tcp_delay",
	 WAITED "for db:80 to answer its connection, once."},
	{LEAF(RSP_CAT_NETWORK, .object = "db:80", .behind = "sql", .why = RSP_WHY_CONNECT),
	 "tcp_delay",
	 WAITED "for db:80 to answer its connection, once; the port is served by sql."},
	{LEAF(RSP_CAT_RUNQUEUE, .object = "/app.slice", .flags = RSP_HOP_THROTTLED), "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): cgroup /app.slice used up its CPU "
	 "quota."},
	{LEAF(RSP_CAT_RUNQUEUE, .flags = RSP_HOP_THROTTLED), "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): its cgroup used up its CPU "
	 "quota."},
	{LEAF(RSP_CAT_DISK_QUEUED, .object = "/db", .behind = "/app.slice", .syscall = "fdatasync",
	      .flags = RSP_HOP_THROTTLED),
	 "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): cgroup /app.slice reached its I/O "
	 "limit (io.max); on: /db."},
	{LEAF(RSP_CAT_DISK_QUEUED, .flags = RSP_HOP_THROTTLED), "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): its cgroup reached its I/O limit "
	 "(io.max)."},
	{LEAF(RSP_CAT_DISK_QUEUED, .object = "/db", .syscall = "write", .flags = RSP_HOP_THROTTLED,
	      .why = RSP_WHY_DIRTY_PAGES),
	 "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): too much written data is not on "
	 "the disk yet (limit of dirty pages); on: /db."},
	{LEAF(RSP_CAT_DISK_QUEUED, .object = "/db", .flags = RSP_HOP_THROTTLED,
	      .why = RSP_WHY_IO_SHARE),
	 "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): its cgroup used up its share of "
	 "the disk (io.cost, io.latency); on: /db."},
	{LEAF(RSP_CAT_KERNEL, .syscall = "page fault", .flags = RSP_HOP_THROTTLED,
	      .why = RSP_WHY_MEMORY_HIGH),
	 "throttled",
	 "app was throttled for 2.00 s (100 % of 2.00 s): its cgroup uses more memory than "
	 "memory.high."},
	{LEAF(RSP_CAT_DISK_ACTIVE, .object = "/db", .syscall = "fdatasync"), "sync",
	 SPENT "syncing to disk (fdatasync); on: /db."},
	{LEAF(RSP_CAT_KERNEL, .syscall = "sync"), "sync", SPENT "syncing to disk (sync)."},
	/* In a sync call, but without a CPU: syncing is not the cause. */
	{LEAF(RSP_CAT_RUNQUEUE, .object = "stress", .syscall = "fsync"), "queue_behind",
	 SPENT "waiting for a CPU; behind: stress."},
	{LEAF(RSP_CAT_PREEMPTED, .object = "stress", .syscall = "fsync"), "queue_behind",
	 SPENT "preempted; by: stress."},
};

static void each_kind_has_its_sentence(void **state)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		struct rsp_chain chain = {2000 * MS, 1, &sentences[i].hop, 1};
		struct rsp_explanation e = explanation(&chain, 1);

		expect_one(&e, sentences[i].kind, sentences[i].text);
	}
}

/*
 * If the awaited program waited for the disk or for a similar cause, the finding names this cause.
 * The time of app itself is always reported by its kind.
 */
static void a_chain_is_reported_once(void **state)
{
	static const struct {
		const char *kind;
		bool doing;
	} rows[RSP_CAT_MAX] = {
		[RSP_CAT_RUNNING_SAMPLED] = {"cpu", true},
		[RSP_CAT_RUNNING_UNSAMPLED] = {"cpu", true},
		[RSP_CAT_DISK_ACTIVE] = {"disk"},
		[RSP_CAT_DISK_QUEUED] = {"disk"},
		[RSP_CAT_NETWORK] = {"network"},
		[RSP_CAT_RUNQUEUE] = {"runqueue", true},
		[RSP_CAT_HARDWARE] = {"hardware"},
		[RSP_CAT_PREEMPTED] = {"preempted", true},
		[RSP_CAT_KERNEL] = {"kernel"},
		[RSP_CAT_SLEEP] = {"sleep", true},
		[RSP_CAT_TIMEOUT] = {"timeout", true},
		[RSP_CAT_STOPPED] = {"stopped", true},
		[RSP_CAT_IDLE] = {"idle"},
		[RSP_CAT_OTHER_PATH] = {"other_path"},
		[RSP_CAT_LOST] = {"lossy"},
		[RSP_CAT_UNRECORDED] = {"unrecorded", true},
		[RSP_CAT_EDGE] = {"edge"},
		[RSP_CAT_UNACCOUNTED] = {"unaccounted"},
	};
	static const struct {
		__u32 tgid, tid;
		unsigned int flags;
	} others[] = {{7, 8, 0}, {9, 9, 0}, {9, 9, RSP_HOP_KTHREAD}};

	for (enum rsp_category cat = 0; cat < RSP_CAT_MAX; cat++) {
		struct rsp_hop own = LEAF(cat);
		struct rsp_chain alone = {2000 * MS, 1, &own, 1};
		struct rsp_explanation e = explanation(&alone, 1);

		expect_one(&e, rows[cat].kind, NULL);
		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
			struct rsp_hop hops[] = {
				BLOCKED(.syscall = "read"),
				LEAF(cat, .tgid = others[i].tgid, .tid = others[i].tid,
				     .comm = "other", .flags = others[i].flags),
			};
			struct rsp_chain chain = {2000 * MS, 1, LIST(hops)};

			e = explanation(&chain, 1);
			expect_one(&e, rows[cat].doing ? "waits_on" : rows[cat].kind, NULL);
		}
	}
}

static void awaited_tasks_are_distinguished(void **state)
{
	static struct {
		struct rsp_hop hops[2];
		const char *kind, *text;
	} rows[] = {
		{{BLOCKED(.syscall = "futex"),
		  LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tid = 8, .comm = "worker")},
		 "waits_on",
		 "app waited 2.00 s (100 % of 2.00 s) in futex for its own thread worker "
		 "[7/8], which was computing (not sampled)."},
		{{BLOCKED(), LEAF(RSP_CAT_SLEEP, .tgid = 9, .tid = 9, .syscall = "nanosleep")},
		 "waits_on",
		 "app [7] waited 2.00 s (100 % of 2.00 s) for app [9], which was "
		 "sleeping (in: nanosleep)."},
		{{BLOCKED(.syscall = "write", .object = "/var/db"),
		  LEAF(RSP_CAT_RUNNING_SAMPLED, .tgid = 9, .tid = 9, .comm = "kworker/0:1",
		       .flags = RSP_HOP_KTHREAD, STACK(kthread_stack))},
		 "waits_on",
		 "app waited 2.00 s (100 % of 2.00 s) in write on /var/db for kernel "
		 "thread kworker/0:1 [9], which was computing (200 samples: kjournald2 "
		 "100 % ± 1 %)."},
		{{BLOCKED(.syscall = "read", .object = "pipe"),
		  LEAF(RSP_CAT_RUNQUEUE, .tgid = 9, .tid = 9, .comm = "cat", .syscall = "read",
		       STACK(poll_stack))},
		 "waits_on",
		 "app waited 2.00 s (100 % of 2.00 s) in read on pipe for cat [9], "
		 "which was waiting for a CPU."},
		{{BLOCKED(.syscall = "read", .object = "pipe", .flags = RSP_HOP_AT_LEAST),
		  LEAF(RSP_CAT_PREEMPTED, .tgid = 9, .tid = 9, .comm = "cat")},
		 "waits_on",
		 "app waited at least 2.00 s (100 % of 2.00 s) in read on pipe for cat "
		 "[9], which was preempted."},
		{{BLOCKED(.syscall = "fsync", .object = "/var/db"),
		  LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "jbd2/vda1-8",
		       .object = "disk 254:0", .flags = RSP_HOP_KTHREAD)},
		 "sync",
		 "app spent 2.00 s (100 % of 2.00 s) syncing to disk (fsync); on: /var/db."},
		{{BLOCKED(.syscall = "write", .object = "/var/db"),
		  LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "jbd2/vda1-8",
		       .object = "disk 254:0", .flags = RSP_HOP_KTHREAD)},
		 "disk",
		 "app spent 2.00 s (100 % of 2.00 s) waiting for the disk, through jbd2/vda1-8; on: disk 254:0."},
		{{BLOCKED(.syscall = "read", .object = "pipe", .flags = RSP_HOP_AT_LEAST),
		  LEAF(RSP_CAT_EDGE, .tgid = 9, .tid = 9, .comm = "cat")},
		 "edge",
		 "app spent at least 2.00 s (100 % of 2.00 s) in a state that began before the window, through cat."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_chain chain = {2000 * MS, 1, rows[i].hops, 2};
		struct rsp_explanation e = explanation(&chain, 1);

		expect_one(&e, rows[i].kind, rows[i].text);
	}
}

static void the_slow_disk_is_named(void **state)
{
	static struct rsp_hop hop = LEAF(RSP_CAT_DISK_ACTIVE, .object = "/db");
	struct rsp_chain chain = {2000 * MS, 1, &hop, 1};
	struct rsp_explanation e = explanation(&chain, 1);
	struct rsp_io_row rows[] = {
		{.disk = "vda", .target_ns = 1 * MS},
		{.disk = "loop1", .target_ns = 1200 * MS},
		{.disk = "loop1", .target_ns = 800 * MS},
		{.disk = "vdb"},
	};

	e.survey.io.v = rows;
	e.survey.io.cnt = sizeof(rows) / sizeof(rows[0]);
	expect_one(&e, "disk", SPENT "waiting for the disk loop1; on: /db.");
	rows[0].target_ns = 400 * MS;
	expect_one(&e, "disk", SPENT "waiting for the disk; on: /db.");
}

static void one_program_can_be_in_many_findings(void **state)
{
	static const char *const want[] = {
		"app waited 1.50 s (50 % of 3.00 s) in read for db [9], which was "
		"computing for 900 ms (not sampled), waiting until a timeout for 400 ms "
		"(in: poll) and waiting for a CPU for 200 ms (taken by: stress).",
		"app spent 1.10 s (37 % of 3.00 s) waiting for the disk, 500 ms of it in the queue, in part through db; on: /db.",
		"app spent 400 ms (13 % of 3.00 s) computing; not sampled.",
		NULL,
	};
	static struct rsp_hop hops[][2] = {
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "db")},
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_DISK_QUEUED, .tgid = 9, .tid = 9, .comm = "db", .object = "/db")},
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_TIMEOUT, .tgid = 9, .tid = 9, .comm = "db", .syscall = "poll")},
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_RUNQUEUE, .tgid = 9, .tid = 9, .comm = "db", .object = "stress")},
	};
	static struct rsp_hop own_disk = LEAF(RSP_CAT_DISK_ACTIVE, .object = "/db");
	static struct rsp_hop own_run = LEAF(RSP_CAT_RUNNING_UNSAMPLED);
	struct rsp_chain chains[] = {
		{900 * MS, 1, hops[0], 2}, {600 * MS, 1, &own_disk, 1}, {500 * MS, 1, hops[1], 2},
		{400 * MS, 1, hops[2], 2}, {400 * MS, 1, &own_run, 1},	{200 * MS, 1, hops[3], 2},
	};
	struct rsp_explanation e = explanation(LIST(chains));

	expect(&e, want);
}

/* Waits of db do not count as work of db. */
static void owners_are_not_mixed_up(void **state)
{
	static const char *const want[] = {
		"app waited 900 ms (45 % of 2.00 s) for its own thread db [7/8], which "
		"was computing (not sampled).",
		"app waited 600 ms (30 % of 2.00 s) for db [9], which was computing (not "
		"sampled).",
		"app spent 500 ms (25 % of 2.00 s) waiting for the disk, through db; on: /db.",
		NULL,
	};
	static struct rsp_hop hops[][2] = {
		{BLOCKED(), LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tid = 8, .comm = "db")},
		{BLOCKED(), LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "db")},
		{BLOCKED(),
		 LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "db", .object = "/db")},
	};
	struct rsp_chain chains[] = {
		{900 * MS, 1, hops[0], 2},
		{600 * MS, 1, hops[1], 2},
		{500 * MS, 1, hops[2], 2},
	};
	struct rsp_explanation e = explanation(LIST(chains)), only_db;

	expect(&e, want);
	only_db = explanation(chains + 1, 2);
	expect(&only_db,
	       (const char *const[]){
		       "app waited 600 ms (55 % of 1.10 s) for db [9], which was computing (not "
		       "sampled).",
		       "app spent 500 ms (45 % of 1.10 s) waiting for the disk, through db; on: /db.",
		       NULL});
}

static void samples_say_how_much_they_cover(void **state)
{
	static const struct {
		__u64 hot_ms, rare_ms, unsampled_ms;
		const char *text;
	} rows[] = {
		{1900, 100, 0, SPENT "computing; 200 samples: _cpp_lex_direct 95 % ± 2 %."},
		{1600, 200, 200,
		 SPENT "computing; 180 samples: _cpp_lex_direct 89 % ± 2 %, inflate 11 % ± 2 %."},
		{1600, 190, 210,
		 SPENT "computing; 179 samples for 1.79 s of it: _cpp_lex_direct 89 % ± 2 %, "
		       "inflate 11 % ± 2 %."},
		{30, 20, 1950,
		 SPENT "computing; 5 samples for 50.0 ms of it: _cpp_lex_direct 60 % ± 19 %, "
		       "inflate 40 % ± 19 %."},
		{30, 10, 1960, SPENT "computing; too few samples (4) to name a function."},
		{10, 0, 1990, SPENT "computing; too few samples (1) to name a function."},
		{0, 0, 2000, SPENT "computing; not sampled."},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_hop hot = LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(cc1_stack));
		struct rsp_hop rare = LEAF(RSP_CAT_RUNNING_SAMPLED, .frames = nameless_stack + 1,
					   .frame_cnt = 2);
		struct rsp_hop unsampled = LEAF(RSP_CAT_RUNNING_UNSAMPLED, STACK(poll_stack),
						.flags = RSP_HOP_INFERRED);
		struct rsp_chain chains[] = {
			{rows[i].unsampled_ms * MS, 1, &unsampled, 1},
			{rows[i].hot_ms * MS, 1, &hot, 1},
			{rows[i].rare_ms * MS, 1, &rare, 1},
		};
		struct rsp_explanation e = explanation(LIST(chains));

		expect_one(&e, "cpu", rows[i].text);
	}
}

static void nameless_functions_are_summed_by_module(void **state)
{
	struct rsp_hop hops[] = {
		LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(nameless_stack)),
		LEAF(RSP_CAT_RUNNING_SAMPLED, STACK(nameless2_stack)),
	};
	struct rsp_chain chains[] = {{1500 * MS, 1, &hops[0], 1}, {500 * MS, 1, &hops[1], 1}};
	struct rsp_explanation e = explanation(LIST(chains));

	expect_one(&e, "cpu",
		   SPENT "computing; 200 samples: libz.so.1.2.13 (no symbols) 100 % ± 1 %.");
}

static void the_place_of_a_wait_is_reported_if_there_is_one(void **state)
{
	static const struct {
		__u64 other_ms;
		const char *syscall, *object, *where;
	} rows[] = {
		{200, "futex", "futex", " in read on pipe"},
		{201, "read", "/fifo", " in read"},
		{201, "poll", "pipe", " on pipe"},
		{201, "futex", "futex", ""},
		{2000, "", "", ""},
	};
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_hop usual[] = {
			BLOCKED(.syscall = "read", .object = "pipe"),
			LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "cat"),
		};
		struct rsp_hop other[] = {
			BLOCKED(.syscall = rows[i].syscall, .object = rows[i].object),
			LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "cat"),
		};
		struct rsp_chain chains[] = {
			{(2000 - rows[i].other_ms) * MS, 1, LIST(usual)},
			{rows[i].other_ms * MS, 1, LIST(other)},
		};
		struct rsp_explanation e = explanation(LIST(chains));

		snprintf(
			text, sizeof(text),
			"app waited 2.00 s (100 %% of 2.00 s)%s for cat [9], which was computing (not sampled).",
			rows[i].where);
		expect_one(&e, "waits_on", text);
	}
}

static void small_matters_are_left_out_losses_never(void **state)
{
	static const char *const want[] = {
		"app spent 1.00 s (99 % of 1.01 s) computing; not sampled.",
		"12 records were lost; 0 ns (0 % of 1.01 s) lies in the gaps and cannot be explained.",
		NULL,
	};
	struct rsp_hop run = LEAF(RSP_CAT_RUNNING_UNSAMPLED), queue = LEAF(RSP_CAT_RUNQUEUE);
	struct rsp_chain chains[] = {{1000 * MS, 1, &run, 1}, {9 * MS, 1, &queue, 1}};
	struct rsp_explanation e = explanation(LIST(chains));

	e.lost_cnt = 12;
	expect(&e, want);
	assert_true(rsp_report_lossy(&e));
	e.lost_cnt = 0;
	assert_false(rsp_report_lossy(&e));
}

static void many_owners_and_things_are_summed_up(void **state)
{
	static const char *const want[] = {
		"app spent 4.00 s (100 % of 4.00 s) waiting for the disk, through a, b and 2 others; on: /one 3.00 s, /two 1.00 s.",
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
		chains[i] = (struct rsp_chain){rows[i].ns, 1, hops[i], 2};
	}
	e = explanation(chains, 4);
	expect(&e, want);
}

/*
 * For a hop of the main thread, the sentence contains the process's last name (after the exec), not
 * the name in the hop.
 */
static void a_process_goes_by_its_last_name(void **state)
{
	static struct rsp_hop before = LEAF(RSP_CAT_RUNQUEUE, .tgid = 7, .tid = 7, .comm = "sh");
	static struct rsp_hop thread = LEAF(RSP_CAT_RUNQUEUE, .tgid = 7, .tid = 8, .comm = "gc");
	struct rsp_chain chain = {2000 * MS, 1, &before, 1};
	struct rsp_explanation e = explanation(&chain, 1);

	expect_one(&e, "runqueue",
		   SPENT "waiting for a CPU; no recorded task used the CPU for 2.00 s of it.");
	chain.hops = &thread;
	e = explanation(&chain, 1);
	expect_one(
		&e, "runqueue",
		"gc spent 2.00 s (100 % of 2.00 s) waiting for a CPU; no recorded task used the CPU for 2.00 s of it.");
}

static void programs_without_a_name_are_reported(void **state)
{
	static struct rsp_hop own = LEAF(RSP_CAT_NETWORK, .object = "10.0.0.1:443", .comm = "");
	static struct rsp_hop hops[] = {
		BLOCKED(),
		LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = ""),
	};
	struct rsp_chain chain = {2000 * MS, 1, &own, 1}, wait = {2000 * MS, 1, LIST(hops)};
	struct rsp_explanation e = explanation(&chain, 1);

	e.comm[0] = '\0';
	expect_one(&e, "slow_remote",
		   "? waited 2.00 s (100 % of 2.00 s) for the network (10.0.0.1:443), once.");
	e = explanation(&wait, 1);
	expect_one(&e, "waits_on",
		   "app waited 2.00 s (100 % of 2.00 s) for ? [9], which was computing (not "
		   "sampled).");
}

/* --- selected frames -------------------------------------------------------------------------- */

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
static struct rsp_frame library_stack[] = {
	{"libc.so.6+0x8f2e4", "libc.so.6", false},
	{"poll", "libc.so.6", false},
	{"libpq.so.5+0x1f00", "libpq.so.5", false},
	{"PQgetResult", "libpq.so.5", false},
	{"psql+0x4100", "psql", false},
};
static struct rsp_frame pq_stack[] = {
	{"do_sys_poll", "vmlinux", true},
	{"poll", "libc.so.6", false},
	{"libpq.so.5+0x1f00", "libpq.so.5", false},
	{"psql+0x4100", "psql", false},
};
static struct rsp_frame connect_stack[] = {
	{"tcp_connect", "vmlinux", true},
	{"__x64_sys_connect", "vmlinux", true},
	{"tcp_v4_connect", "vmlinux", true},
	{"connect", "libc.so.6", false},
};
static struct rsp_frame interrupted_stack[] = {
	{"__schedule", "vmlinux", true},
	{"irqentry_exit_to_user_mode", "vmlinux", true},
	{"asm_sysvec_apic_timer_interrupt", "vmlinux", true},
	{"free", "libc.so.6", false},
	{"drop", "app", false},
};

#define WAIT		.kind = RSP_HOP_BLOCKED, .syscall = "read"
#define WAIT_IN_NO_CALL .kind = RSP_HOP_BLOCKED, .syscall = ""
#define RUN		.kind = RSP_HOP_LEAF, .category = RSP_CAT_RUNNING_SAMPLED, .syscall = ""
#define INFERRED	.kind = RSP_HOP_LEAF, .category = RSP_CAT_RUNNING_UNSAMPLED, .syscall = ""
#define OFF		.kind = RSP_HOP_LEAF, .category = RSP_CAT_PREEMPTED, .syscall = ""
#define TIMEOUT		.kind = RSP_HOP_LEAF, .category = RSP_CAT_TIMEOUT, .syscall = "poll"

static void selected_frames_skip_the_plumbing(void **state)
{
	static const struct {
		struct rsp_hop hop;
		const char *want[4];
	} rows[] = {
		{{WAIT, STACK(make_stack)}, {"reap_children", "new_job", "main"}},
		{{WAIT, STACK(write_stack)}, {"log_line", "main"}},
		{{WAIT, STACK(libc_stack)}, {"getaddrinfo", "connect_to"}},
		{{TIMEOUT, STACK(poll_stack)}, {"serve"}},
		{{WAIT, STACK(stripped_stack)}, {NULL}},
		{{WAIT_IN_NO_CALL, STACK(stripped_stack)}, {"hrtimer_nanosleep"}},
		{{WAIT_IN_NO_CALL, STACK(kthread_stack)}, {"kjournald2"}},
		/*
		 * If no function of the program has a name, the sentence names a function of a
		 * library, or an offset in a module.
		 */
		{{WAIT, STACK(library_stack)}, {"PQgetResult"}},
		{{WAIT, STACK(pq_stack)}, {"libpq.so.5+0x1f00"}},
		{{RUN, STACK(write_stack)}, {"copy_page_from_iter", "log_line", "main"}},
		{{RUN, STACK(memcpy_stack)}, {"__memmove_avx_unaligned_erms"}},
		{{RUN, STACK(pq_stack)}, {"do_sys_poll"}},
		{{RUN, STACK(connect_stack)}, {"tcp_connect", "tcp_v4_connect"}},
		{{RUN, STACK(nameless_stack)}, {"libz.so.1.2.13+0x4f00", "inflate", "main"}},
		{{OFF, STACK(interrupted_stack)}, {"free", "drop"}},
		{{INFERRED, STACK(cc1_exit_stack)}, {"_exit", "toplev::main"}},
		{{WAIT_IN_NO_CALL, STACK(plumbing_stack)}, {NULL}},
		{{OFF, STACK(plumbing_stack)}, {NULL}},
		{{RUN}, {NULL}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct rsp_frame *got[4] = {NULL};
		size_t cnt = rsp_frames_select(&rows[i].hop, got, 3);

		for (size_t k = 0; k < cnt; k++) {
			assert_non_null(rows[i].want[k]);
			assert_string_equal(got[k]->symbol, rows[i].want[k]);
		}
		assert_null(rows[i].want[cnt]);
		assert_null(got[cnt]);
		assert_int_equal(rsp_frames_select(&rows[i].hop, got, 1), cnt > 0);
		assert_int_equal(rsp_frames_select(&rows[i].hop, got, 0), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_waits_for_its_compilers),
		cmocka_unit_test(each_kind_has_its_sentence),
		cmocka_unit_test(a_chain_is_reported_once),
		cmocka_unit_test(awaited_tasks_are_distinguished),
		cmocka_unit_test(the_slow_disk_is_named),
		cmocka_unit_test(one_program_can_be_in_many_findings),
		cmocka_unit_test(owners_are_not_mixed_up),
		cmocka_unit_test(samples_say_how_much_they_cover),
		cmocka_unit_test(nameless_functions_are_summed_by_module),
		cmocka_unit_test(the_place_of_a_wait_is_reported_if_there_is_one),
		cmocka_unit_test(small_matters_are_left_out_losses_never),
		cmocka_unit_test(many_owners_and_things_are_summed_up),
		cmocka_unit_test(a_process_goes_by_its_last_name),
		cmocka_unit_test(programs_without_a_name_are_reported),
		cmocka_unit_test(selected_frames_skip_the_plumbing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
