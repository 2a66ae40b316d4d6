/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests findings that need more than a chain. The explanations are constants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/explanation.h"
#include "tests/unit/findings.h"

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- late polls ------------------------------------------------------------------------------- */

static struct rsp_frame resolve_stack[] = {
	{"poll", "libc.so.6", false},
	{"resolve", "app", false},
};
static struct rsp_frame idle_stack[] = {
	{"poll", "libc.so.6", false},
	{"idle", "app", false},
};

static void a_late_poll_never_leads(void **state)
{
	struct rsp_hop poll = LEAF(RSP_CAT_TIMEOUT, .syscall = "poll", STACK(resolve_stack));
	struct rsp_hop too_late = LEAF(RSP_CAT_TIMEOUT, .syscall = "poll", .behind = "getaddrinfo",
				       STACK(resolve_stack));
	struct rsp_hop idle = LEAF(RSP_CAT_TIMEOUT, .syscall = "poll", STACK(idle_stack));
	struct rsp_chain chains[] = {
		{52 * MS, 3, &too_late, 1},
		{8 * MS, 9, &poll, 1},
		{40 * MS, 2, &idle, 1},
	};
	struct rsp_explanation e = explanation(LIST(chains));
	struct rsp_late_poll late = {
		.hop = poll,
		.worker = "getaddrinfo",
		.worker_tid = 123,
		.cnt = 3,
		.ns = 52 * MS,
		.ready_ns = 1000 * MS,
		.noticed_ns = 1030 * MS,
	};
	struct rsp_findings got = {0};

	late.hop.kind = RSP_HOP_BLOCKED;
	e.late_polls = &late;
	e.late_poll_cnt = 1;
	expect(&e, WORDS("app spent 100 ms (100 % of 100 ms) waiting until a timeout; in: "
			 "resolve 60.0 ms, idle 40.0 ms.",
			 "app probably polled for longer than it needed: getaddrinfo [123], "
			 "which it had started or woken, was done 52.0 ms before the timeouts "
			 "ended, in 3 polls (inferred)."));
	assert_int_equal(rsp_findings_make(&e, &got), 0);
	assert_false(got.v[0].inferred);
	assert_true(got.v[1].inferred);
	assert_int_equal(got.v[1].evidence_cnt, 1);
	assert_true(got.v[1].evidence[0].at_ns == 1000 * MS);
	assert_true(got.v[1].evidence[0].ns == 30 * MS);
	assert_string_equal(got.v[1].evidence[0].text, "app [7] blocked in poll at resolve");
	rsp_findings_done(&got);
	late.ns = 300 * MS;
	late.longest_ns = 30 * MS;
	expect(&e, WORDS("app spent 100 ms (100 % of 100 ms) waiting until a timeout; in: "
			 "resolve 60.0 ms, idle 40.0 ms.",
			 "app probably polled for longer than it needed: getaddrinfo [123], "
			 "which it had started or woken, was done up to 30.0 ms before the "
			 "timeouts ended, in 3 polls (inferred)."));
}

/* --- paths ------------------------------------------------------------------------------------ */

#define HOP(id, name, call) BLOCKED(.tgid = (id), .tid = (id), .comm = (name), .syscall = (call))

/*
 * Two threads have the same cause: one thread waits for ssh, the other for demux, which waits for
 * ssh. The finding shows one path for both, without the middle.
 */
static void a_long_path_keeps_its_ends(void **state)
{
	static struct rsp_hop direct[] = {
		BLOCKED(.syscall = "read"),
		HOP(20, "ssh", "poll"),
		HOP(21, "sshd", "poll"),
		HOP(22, "sh", "wait4"),
		HOP(23, "receive-pack", "poll"),
		HOP(24, "pre-receive", "wait4"),
		LEAF(RSP_CAT_SLEEP, .tgid = 25, .tid = 25, .comm = "sleep", .syscall = "nanosleep"),
	};
	static struct rsp_hop by_thread[8];
	struct rsp_chain chains[] = {{50 * MS, 1, LIST(direct)}, {50 * MS, 1, LIST(by_thread)}};
	struct rsp_explanation e;

	by_thread[0] = direct[0];
	by_thread[1] = (struct rsp_hop)BLOCKED(.tid = 8, .comm = "demux", .syscall = "read");
	memcpy(&by_thread[2], &direct[1], sizeof(direct) - sizeof(direct[0]));
	e = explanation(LIST(chains));
	expect_one(&e, "waits_on",
		   "app waited 100 ms (100 % of 100 ms) in read for sleep [25], by way of ssh [20] "
		   "in poll → sshd [21] in poll → … → receive-pack [23] in poll → pre-receive [24] "
		   "in wait4; sleep was sleeping (in: nanosleep).");
}

/* --- syncs ------------------------------------------------------------------------------------ */

/* The finding contains all costs of syncs (disk, journal, CPU) of all threads. */
static void waits_of_a_sync_are_reported_together(void **state)
{
	static struct rsp_hop hops[][3] = {
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "auth", .syscall = "fsync",
		      .object = "/var/lib/x.db")},
		{BLOCKED(.syscall = "read"),
		 BLOCKED(.tgid = 9, .tid = 9, .comm = "auth", .syscall = "fdatasync",
			 .object = "/var/lib/x.db"),
		 LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 11, .tid = 11, .comm = "jbd2/vda1-8",
		      .flags = RSP_HOP_KTHREAD)},
		{BLOCKED(.syscall = "read"),
		 LEAF(RSP_CAT_DISK_ACTIVE, .tgid = 9, .tid = 9, .comm = "auth", .syscall = "read",
		      .object = "/etc/passwd")},
	};
	struct rsp_chain chains[] = {
		{50 * MS, 3, hops[0], 2},
		{30 * MS, 3, hops[1], 3},
		{20 * MS, 1, hops[2], 2},
	};
	struct rsp_explanation e = explanation(LIST(chains));

	expect(&e,
	       WORDS("app waited 80.0 ms (80 % of 100 ms) for auth to sync to disk (fsync and "
		     "fdatasync); on: /var/lib/x.db.",
		     "app spent 20.0 ms (20 % of 100 ms) waiting for the disk, through auth; on: "
		     "/etc/passwd."));
}

/* --- locks ------------------------------------------------------------------------------------ */

static struct rsp_frame cache_stack[] = {
	{"pthread_mutex_lock", "libc.so.6", false},
	{"cache_get", "app", false},
};

#define LOCK_WAIT(a, ...)                                                                          \
	BLOCKED(.syscall = "futex", .object = (a), STACK(cache_stack), __VA_ARGS__)

static void a_lock_that_many_hand_on_is_a_convoy(void **state)
{
	static struct rsp_hop hops[][2] = {
		{LOCK_WAIT("futex 0x7f00"),
		 LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tid = 8, .comm = "worker")},
		{LOCK_WAIT("futex 0x9f00"),
		 LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tid = 9, .comm = "worker")},
	};
	static const char two[] =
		"app waited 100 ms (100 % of 100 ms) in futex at cache_get for its own "
		"thread worker [7/8], which was computing (not sampled).";
	struct rsp_chain chains[] = {{70 * MS, 9, hops[0], 2}, {30 * MS, 2, hops[1], 2}};
	struct rsp_explanation e = explanation(LIST(chains));
	struct rsp_lock_row locks[] = {
		{.address = 0x7f00,
		 .tgid = 7,
		 .comm = "app",
		 .target_ns = 500 * MS,
		 .waiter_cnt = 8,
		 .both_cnt = 3,
		 .holder = "worker",
		 .holder_tid = 8,
		 .is_target = true},
		{.address = 0x9f00, .tgid = 7, .comm = "app", .both_cnt = 2, .is_target = true},
	};

	e.survey.locks.v = locks;
	e.survey.locks.cnt = 2;
	expect(&e, WORDS("app waited 70.0 ms (70 % of 100 ms) for a lock that 8 threads queued "
			 "for (futex 0x7f00 in cache_get), held most by worker [8]; the holders "
			 "were computing (not sampled).",
			 "app waited 30.0 ms (30 % of 100 ms) in futex at cache_get on futex "
			 "0x9f00 for its own thread worker [7/9], which was computing (not "
			 "sampled)."));
	locks[0].both_cnt = 2;
	expect_one(&e, "waits_on", two);
}

/* For another process, the addresses of futexes are unknown. */
static void a_convoy_elsewhere_is_reported_as_far_as_known(void **state)
{
	static struct rsp_hop hops[] = {
		BLOCKED(.syscall = "read"),
		LOCK_WAIT("futex", .tgid = 20, .tid = 21, .comm = "db"),
		LEAF(RSP_CAT_SLEEP, .tgid = 20, .tid = 22, .comm = "db", .syscall = "nanosleep"),
	};
	struct rsp_chain chain = {100 * MS, 9, LIST(hops)};
	struct rsp_explanation e = explanation(&chain, 1);
	struct rsp_lock_row lock = {
		.address = 0x7f00,
		.tgid = 20,
		.comm = "db",
		.target_ns = 60 * MS,
		.waiter_cnt = 4,
		.both_cnt = 4,
		.holder = "",
	};

	e.survey.locks.v = &lock;
	e.survey.locks.cnt = 1;
	expect(&e, WORDS("app waited 60.0 ms (60 % of 100 ms) for a lock that 4 threads of db "
			 "queued for (futex 0x7f00 in cache_get); the holders were sleeping "
			 "(in: nanosleep).",
			 "app waited 40.0 ms (40 % of 100 ms) in read for db [20/22], by way of "
			 "db [20/21] at cache_get; db was sleeping (in: nanosleep)."));
	lock.tgid = 21;
	expect_one(&e, "waits_on", NULL);
}

/* --- peers ------------------------------------------------------------------------------------ */

#define SLOW "app waited 100 ms (100 % of 100 ms) for the network (10.0.0.5:3306), 50 times."

static struct rsp_hop remote[] = {
	LEAF(RSP_CAT_NETWORK, .syscall = "read", .object = "10.0.0.5:3306"),
};

static struct rsp_hop unknown[] = {LEAF(RSP_CAT_NETWORK, .syscall = "read")};

static struct rsp_hop local[] = {
	BLOCKED(.syscall = "read", .object = "127.0.0.1:3306"),
	LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "mysqld"),
};

static const char mysqld[] = "app waited 100 ms (100 % of 100 ms) in read on 127.0.0.1:3306 for "
			     "mysqld [9], which was computing (not sampled).";

static const struct {
	struct rsp_net_row row;
	struct rsp_chain chain;
	const char *kind, *text;
} round_trips[] = {
	{{.peer = "10.0.0.5:3306", .round_trip_cnt = 47, .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(remote)},
	 "serial_round_trips",
	 "app made 47 round trips to 10.0.0.5:3306, one after the other, 2.13 "
	 "ms each: 100 ms (100 % of 100 ms)."},
	{{.peer = "10.0.0.5:3306", .round_trip_cnt = 9, .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(remote)},
	 "slow_remote",
	 SLOW},
	{{.peer = "10.0.0.6:3306", .round_trip_cnt = 47, .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(remote)},
	 "slow_remote",
	 SLOW},
	{{.peer = "", .round_trip_cnt = 47, .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(unknown)},
	 "network",
	 NULL},
	/* These are requests to app's port 80 (service), and not round trips of app. */
	{{.peer = "10.0.0.5:3306", .service = 80, .round_trip_cnt = 47, .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(remote)},
	 "slow_remote",
	 SLOW},
	{{.peer = "127.0.0.1:3306",
	  .peer_comm = "mysqld",
	  .round_trip_cnt = 1000,
	  .round_trip_ns = 120 * MS},
	 {100 * MS, 50, LIST(local)},
	 "serial_round_trips",
	 "app made 1000 round trips to 127.0.0.1:3306 (mysqld), one after the "
	 "other, 120 µs each: 100 ms (100 % of 100 ms)."},
	{{.peer = "127.0.0.1:3306",
	  .peer_comm = "mysqld",
	  .round_trip_cnt = 47,
	  .round_trip_ns = 100 * MS},
	 {100 * MS, 50, LIST(local)},
	 "waits_on",
	 mysqld},
};

static void round_trips_are_remote_or_short_and_many(void **state)
{
	for (size_t i = 0; i < sizeof(round_trips) / sizeof(round_trips[0]); i++) {
		struct rsp_net_row row = round_trips[i].row;
		struct rsp_chain chain = round_trips[i].chain;
		struct rsp_explanation e = explanation(&chain, 1);

		row.comm = "app";
		row.peer_comm = row.peer_comm ? row.peer_comm : "";
		e.survey.net.v = &row;
		e.survey.net.cnt = 1;
		expect_one(&e, round_trips[i].kind, round_trips[i].text);
	}
}

static void trips_of_many_threads_are_added_up(void **state)
{
	static struct rsp_hop hop = LEAF(RSP_CAT_NETWORK, .object = "10.0.0.5:3306");
	struct rsp_chain chain = {100 * MS, 50, &hop, 1, .longest = {.ns = 5 * MS}};
	struct rsp_explanation e = explanation(&chain, 1);
	struct rsp_net_row rows[] = {
		{.peer = "10.0.0.5:3306",
		 .comm = "app",
		 .peer_comm = "",
		 .round_trip_cnt = 20,
		 .round_trip_ns = 40 * MS},
		{.peer = "10.0.0.5:3306",
		 .comm = "app",
		 .peer_comm = "",
		 .round_trip_cnt = 20,
		 .round_trip_ns = 20 * MS},
	};

	e.survey.net.v = rows;
	e.survey.net.cnt = 2;
	expect(&e,
	       WORDS("app made 40 round trips to 10.0.0.5:3306 in 2 threads, one after the "
		     "other, 1.50 ms each: 60.0 ms (60 % of 100 ms).",
		     "app waited 40.0 ms (40 % of 100 ms) for the network (10.0.0.5:3306), 50 times, at the "
		     "longest 5.00 ms."));
}

/* --- queues ----------------------------------------------------------------------------------- */

static void requests_ahead_are_reported_where_known(void **state)
{
	static struct rsp_hop hops[] = {
		LEAF(RSP_CAT_RUNQUEUE, .object = "stress"),
		LEAF(RSP_CAT_PREEMPTED, .object = "rspd"),
		LEAF(RSP_CAT_RUNQUEUE),
	};
	struct rsp_chain chains[] = {
		{50 * MS, 5, &hops[0], 1},
		{30 * MS, 3, &hops[1], 1},
		{20 * MS, 2, &hops[2], 1},
	};
	struct rsp_explanation e = explanation(LIST(chains));

	expect(&e,
	       WORDS("app spent 80.0 ms (80 % of 100 ms) waiting for a CPU, 30.0 ms of it "
		     "preempted; behind: stress 50.0 ms, rspd 30.0 ms.",
		     "app spent 20.0 ms (20 % of 100 ms) waiting for a CPU; no recorded task used "
		     "the CPU for 20.0 ms of it."));
}

static void a_quota_counts_for_all_throttled_threads(void **state)
{
	static struct rsp_hop own = LEAF(RSP_CAT_RUNQUEUE, .object = "/a.slice",
					 .flags = RSP_HOP_THROTTLED);
	static struct rsp_hop other[] = {
		BLOCKED(.syscall = "read"),
		LEAF(RSP_CAT_RUNQUEUE, .tgid = 9, .tid = 9, .comm = "db", .object = "/a.slice",
		     .flags = RSP_HOP_THROTTLED),
	};
	struct rsp_chain chains[] = {{60 * MS, 6, &own, 1}, {40 * MS, 1, LIST(other)}};
	struct rsp_explanation e = explanation(LIST(chains)), only_db;

	expect_one(&e, "throttled",
		   "app was throttled for 100 ms (100 % of 100 ms), in part through db: "
		   "cgroup /a.slice used up its CPU quota.");
	only_db = explanation(chains + 1, 1);
	expect_one(&only_db, "throttled",
		   "app waited 40.0 ms (100 % of 40.0 ms) for db, throttled: cgroup "
		   "/a.slice used up its CPU quota.");
}

/* An additional finding sums up the lack of CPUs. It is not the first finding. */
static void a_lack_of_cpus_is_summed_up(void **state)
{
	struct rsp_hop own = LEAF(RSP_CAT_RUNQUEUE, .object = "stress");
	struct rsp_hop hops[][2] = {
		{BLOCKED(.syscall = "wait4"),
		 LEAF(RSP_CAT_PREEMPTED, .tgid = 9, .tid = 9, .comm = "cc1", .object = "stress")},
		{BLOCKED(.syscall = "wait4"),
		 LEAF(RSP_CAT_RUNQUEUE, .tgid = 10, .tid = 10, .comm = "as", .object = "cc1")},
	};
	struct rsp_chain chains[] = {
		{50 * MS, 5, hops[0], 2},
		{30 * MS, 3, hops[1], 2},
		{20 * MS, 2, &own, 1},
	};
	struct rsp_meta meta = {.target_pid = 7, .cpu_cnt = 2};
	struct rsp_explanation e = explanation(LIST(chains));

	e.meta = &meta;
	expect(&e, WORDS("app waited 50.0 ms (50 % of 100 ms) in wait4 for cc1 [9], which was "
			 "preempted (by: stress).",
			 "app and the tasks it waited for spent 100 ms (100 % of 100 ms) "
			 "waiting for one of 2 CPUs; behind: stress 70.0 ms, cc1 30.0 ms.",
			 "app waited 30.0 ms (30 % of 100 ms) in wait4 for as [10], which was "
			 "waiting for a CPU (taken by: cc1).",
			 "app spent 20.0 ms (20 % of 100 ms) waiting for a CPU; behind: stress."));
	e = explanation(&chains[2], 1);
	expect_one(&e, "queue_behind", NULL);
}

/* --- code that is not worth optimizing ------------------------------------------------------ */

static void code_that_hardly_ran_is_not_worth_optimizing(void **state)
{
	static const struct {
		__u64 own_ms, other_ms;
		const char *text;
	} rows[] = {
		{0, 20, NULL},
		{40, 60,
		 "app's own code ran for only 40.0 ms (4.0 % of 1.00 s): optimizing it cannot gain "
		 "more."},
		{30, 10,
		 "app and the tasks it waited for computed for only 40.0 ms (4.0 % of "
		 "1.00 s): optimizing their code cannot gain more."},
		{50, 0, NULL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rsp_hop disk = LEAF(RSP_CAT_DISK_ACTIVE, .object = "/db");
		struct rsp_hop run = LEAF(RSP_CAT_RUNNING_UNSAMPLED);
		struct rsp_hop wait[] = {
			BLOCKED(.syscall = "read"),
			LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 9, .tid = 9, .comm = "db"),
		};
		struct rsp_chain chains[] = {
			{(1000 - rows[i].own_ms - rows[i].other_ms) * MS, 1, &disk, 1},
			{rows[i].own_ms * MS, 1, &run, 1},
			{rows[i].other_ms * MS, 1, LIST(wait)},
		};
		struct rsp_explanation e = explanation(LIST(chains));
		struct rsp_findings got = {0};
		const char *text = NULL;

		assert_int_equal(rsp_findings_make(&e, &got), 0);
		for (size_t k = 0; k < got.cnt; k++)
			if (strcmp(got.v[k].kind, "nothing_to_gain") == 0)
				text = got.v[k].text;
		assert_int_equal(!text, !rows[i].text);
		if (text)
			assert_string_equal(text, rows[i].text);
		rsp_findings_done(&got);
	}
}

/* Thirty functions take a thirtieth of the time each. */
static void a_class_without_a_hot_function(void **state)
{
	static struct rsp_frame frames[30];
	static char symbols[30][8];
	struct rsp_hop hops[30];
	struct rsp_chain chains[30];
	struct rsp_findings got = {0};
	struct rsp_explanation e;

	for (int i = 0; i < 30; i++) {
		snprintf(symbols[i], sizeof(symbols[i]), "fn%02d", i);
		frames[i] = (struct rsp_frame){symbols[i], "app", false};
		hops[i] = (struct rsp_hop)LEAF(RSP_CAT_RUNNING_SAMPLED, .frames = &frames[i],
					       .frame_cnt = 1);
		chains[i] = (struct rsp_chain){100 * MS, 1, &hops[i], 1};
	}
	e = explanation(LIST(chains));
	assert_int_equal(rsp_findings_make(&e, &got), 0);
	assert_int_equal(got.cnt, 2);
	assert_non_null(strstr(got.v[0].text, "; 300 samples: fn00 3 % ± 1 %."));
	assert_string_equal(got.v[1].kind, "nothing_to_gain");
	assert_string_equal(
		got.v[1].text,
		"No function ran for more than 100 ms (3.3 % of 3.00 s), the hottest being "
		"fn00: speeding up any one of them cannot gain more.");
	rsp_findings_done(&got);
	for (int i = 0; i < 30; i++)
		chains[i].sample_cnt = 6;
	expect_one(&e, "cpu", NULL);
	e = explanation(LIST(chains));
	frames[1].symbol = frames[0].symbol;
	expect_one(&e, "cpu", NULL);
}

/* --- the whole span --------------------------------------------------------------------------- */

static void many_short_programs_are_noticed(void **state)
{
	static const char *const want[] = {
		"app waited 1.80 s (90 % of 2.00 s) in wait4 for sed [8], which was "
		"computing (not sampled).",
		"400 programs were started (410 forks) and took 4.50 ms each on average, 1.80 s (90 % "
		"of 2.00 s) in all; starting and ending one costs about 1.00 ms (inferred).",
		"app spent 200 ms (10 % of 2.00 s) computing; not sampled.",
		NULL,
	};
	struct rsp_hop run = LEAF(RSP_CAT_RUNNING_UNSAMPLED);
	struct rsp_hop hops[] = {
		BLOCKED(.syscall = "wait4"),
		LEAF(RSP_CAT_RUNNING_UNSAMPLED, .tgid = 8, .tid = 8, .comm = "sed"),
	};
	struct rsp_chain chains[] = {{1800 * MS, 400, LIST(hops)}, {200 * MS, 400, &run, 1}};
	struct rsp_process processes[] = {
		{.tgid = 7, .tid = 7, .comm = "app", .is_root = true, .ns = 200 * MS},
		{.tgid = 8, .tid = 8, .comm = "sed", .ns = 1800 * MS},
	};
	struct rsp_explanation e = explanation(LIST(chains));

	e.processes = processes;
	e.process_cnt = 2;
	e.exec_cnt = 400;
	e.fork_cnt = 410;
	expect(&e, want);
	e.exec_cnt = 19;
	expect(&e, (const char *const[]){want[0], want[2], NULL});
	e.exec_cnt = 180;
	expect(&e, (const char *const[]){want[0], want[2], NULL});
}

static void nothing_recorded_is_said(void **state)
{
	static const char *const want[] = {"Nothing that gone did in this span was recorded.",
					   NULL};
	static const struct rsp_meta meta = {.target_pid = 7};
	struct rsp_explanation e = {.meta = &meta, .comm = "gone"};

	expect(&e, want);
}

static void time_without_a_main_cause_is_reported(void **state)
{
	static struct rsp_hop hops[150][2];
	static char comms[150][RSP_TASK_COMM_LEN];
	struct rsp_chain chains[150];
	struct rsp_explanation e;

	for (__u32 i = 0; i < 150; i++) {
		snprintf(comms[i], sizeof(comms[i]), "job%u", i);
		hops[i][0] = (struct rsp_hop)BLOCKED();
		hops[i][1] = (struct rsp_hop)LEAF(RSP_CAT_RUNNING_UNSAMPLED, .comm = comms[i],
						  .tgid = 100 + i, .tid = 100 + i);
		chains[i] = (struct rsp_chain){10 * MS, 1, hops[i], 2};
	}
	e = explanation(chains, 150);
	expect_one(&e, "scattered",
		   "app spent 1.50 s on many things, none of which took 1 % of it.");
}

/* --- evidence --------------------------------------------------------------------------------- */

static void evidence_is_the_longest_first(void **state)
{
	static struct rsp_hop hops[4][2] = {
		{BLOCKED(.syscall = "fsync", .object = "/a"), LEAF(RSP_CAT_DISK_ACTIVE, .tid = 8)},
		{BLOCKED(.syscall = "fsync", .object = "/b"), LEAF(RSP_CAT_DISK_ACTIVE, .tid = 8)},
		{BLOCKED(.syscall = "fsync", .object = "/c"), LEAF(RSP_CAT_DISK_ACTIVE, .tid = 8)},
		{BLOCKED(.syscall = "fsync", .object = "/d"), LEAF(RSP_CAT_DISK_ACTIVE, .tid = 8)},
	};
	static const char *const want[] = {
		"app [7] blocked in fsync on /c",
		"app [7] blocked in fsync on /d",
		"app [7] blocked in fsync on /a",
	};
	static const __u64 longest_ms[] = {10, 5, 30, 20};
	struct rsp_findings got = {0};
	struct rsp_chain chains[4];
	struct rsp_explanation e;

	for (size_t i = 0; i < 4; i++)
		chains[i] = (struct rsp_chain){100 * MS, 9, hops[i], 2,
					       .longest = {i * MS, longest_ms[i] * MS, 7}};
	e = explanation(LIST(chains));
	assert_int_equal(rsp_findings_make(&e, &got), 0);
	assert_int_equal(got.cnt, 1);
	assert_int_equal(got.v[0].evidence_cnt, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(got.v[0].evidence[i].text, want[i]);
	assert_true(got.v[0].evidence[0].at_ns == 2 * MS);
	assert_true(got.v[0].evidence[0].ns == 30 * MS);
	assert_ptr_equal(got.v[0].evidence[0].hop, &hops[2][0]);
	rsp_findings_done(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_poll_never_leads),
		cmocka_unit_test(a_long_path_keeps_its_ends),
		cmocka_unit_test(waits_of_a_sync_are_reported_together),
		cmocka_unit_test(a_lock_that_many_hand_on_is_a_convoy),
		cmocka_unit_test(a_convoy_elsewhere_is_reported_as_far_as_known),
		cmocka_unit_test(round_trips_are_remote_or_short_and_many),
		cmocka_unit_test(trips_of_many_threads_are_added_up),
		cmocka_unit_test(requests_ahead_are_reported_where_known),
		cmocka_unit_test(a_quota_counts_for_all_throttled_threads),
		cmocka_unit_test(a_lack_of_cpus_is_summed_up),
		cmocka_unit_test(code_that_hardly_ran_is_not_worth_optimizing),
		cmocka_unit_test(a_class_without_a_hot_function),
		cmocka_unit_test(many_short_programs_are_noticed),
		cmocka_unit_test(nothing_recorded_is_said),
		cmocka_unit_test(time_without_a_main_cause_is_reported),
		cmocka_unit_test(evidence_is_the_longest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
