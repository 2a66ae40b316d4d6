/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/snapshots/choose.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/snapshots/choose.h"

#define CONTAINER 4026533000U /* a PID namespace */
#define ID	  "3726184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860"

struct task {
	__u32 tid, tgid, uid;
	__u64 start_ns, cgroup_id;
	const char *comm;
	/* PID in the namespace of CONTAINER; 0: the process is in the initial PID namespace */
	__u32 ns_tgid;
	__u32 attrs;
};

static void see_task(struct rsp_choice *c, __u64 ts_ns, __u16 reason, struct task task)
{
	struct rsp_ev_task rec = {
		.hdr = {.ts_ns = ts_ns, .kind = RSP_EV_TASK, .size = sizeof(rec), .flags = reason},
		.tid = task.tid,
		.tgid = task.tgid,
		.uid = task.uid,
		.attrs = task.attrs,
		.start_ns = task.start_ns,
		.cgroup_id = task.cgroup_id,
		.pidns = task.ns_tgid ? CONTAINER : RSP_PIDNS_INITIAL,
		.ns_tgid = task.ns_tgid ? task.ns_tgid : task.tgid,
	};

	snprintf(rec.comm, sizeof(rec.comm), "%s", task.comm ? task.comm : "x");
	assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

static void see_switches(struct rsp_choice *c, __u32 tid, int cnt)
{
	struct rsp_ev_switch rec = {.hdr = {.kind = RSP_EV_SWITCH, .size = sizeof(rec)},
				    .prev_tid = tid};

	while (cnt--)
		assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

static void see_sends(struct rsp_choice *c, __u32 tid, __u64 object, int cnt)
{
	struct rsp_ev_net rec = {
		.hdr = {.kind = RSP_EV_NET, .size = sizeof(rec), .flags = RSP_NET_SEND},
		.tid = tid,
		.object = object,
	};

	while (cnt--)
		assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

static void see_cgroup(struct rsp_choice *c, __u64 id, const char *path)
{
	struct rsp_ev_object rec;

	rsp_container_make_object(id, path, &rec);
	assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

static void see_socket(struct rsp_choice *c, __u64 id, __u16 port)
{
	struct rsp_ev_socket rec = {
		.hdr = {.kind = RSP_EV_SOCKET, .size = sizeof(rec)}, .id = id, .local_port = port};

	assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

/*
 * Makes a machine with two processes named nginx, one of them in a container, and a busier shell of
 * user 1000. Decides which process the request selects.
 */
static int decide(struct rsp_dump_request *req, struct rsp_meta *ret)
{
	struct rsp_choice *c;
	int r;

	req->meta.until_ns = 1000;
	c = rsp_choice_new(req);
	assert_non_null(c);
	see_task(c, 1, RSP_TASK_SEED, (struct task){10, 10, 0, 5, 71, "nginx", 0});
	see_task(c, 1, RSP_TASK_SEED, (struct task){11, 10, 0, 6, 71, "nginx-aux", 0});
	see_task(c, 1, RSP_TASK_SEED, (struct task){20, 20, 33, 7, 72, "nginx", 2});
	see_task(c, 1, RSP_TASK_SEED, (struct task){30, 30, 1000, 8, 73, "sh", 0});
	see_socket(c, 900, 80);
	see_socket(c, 901, 22);
	see_switches(c, 10, 2);
	see_switches(c, 11, 5);
	see_switches(c, 20, 4);
	see_switches(c, 30, 50);
	see_sends(c, 20, 900, 3);
	see_sends(c, 10, 900, 2);
	see_sends(c, 30, 901, 9);
	/* After the requested span, another process gets the PID of the shell. */
	see_task(c, 2000, RSP_TASK_FORK, (struct task){30, 30, 1000, 1999, 73, "later", 0});
	see_task(c, 100, RSP_TASK_FORK, (struct task){40, 40, 0, 100, 74, "sshd", 0});
	see_task(c, 101, RSP_TASK_EXEC, (struct task){40, 40, 1000, 100, 74, "bash", 0});
	see_task(c, 100, RSP_TASK_FORK, (struct task){50, 50, 1000, 100, 74, "bash", 0});
	see_task(c, 101, RSP_TASK_EXEC, (struct task){50, 50, 0, 100, 74, "sudo", 0});
	/* A set-group-ID program. */
	see_task(c, 1, RSP_TASK_SEED,
		 (struct task){60, 60, 1000, 9, 75, "crontab", 0, RSP_TASK_ATTR_CLOSED});
	see_task(c, 1, RSP_TASK_SEED,
		 (struct task){70, 70, 2, 9, 75, "daemon", 0, RSP_TASK_ATTR_CLOSED});
	see_task(c, 1, RSP_TASK_SEED,
		 (struct task){80, 80, 2, 9, 75, "kthread", 0, RSP_TASK_ATTR_KTHREAD});
	see_switches(c, 80, 90);
	/* The user's own rspctl, which is busier than the shell. */
	see_task(c, 1, RSP_TASK_SEED, (struct task){90, 90, 1000, 9, 76, "rspctl", 0});
	see_switches(c, 90, 60);
	see_cgroup(c, 72, "/system.slice/docker-" ID ".scope/web");
	see_cgroup(c, 73, "/machine.slice/machine-desk.scope/payload");
	see_cgroup(c, 75, "/machine.slice/machine-desk.scope/other");
	see_cgroup(c, 74, "/system.slice/desk.service");
	r = rsp_choice_decide(c, ret);
	rsp_choice_free(c);
	return r;
}

/*
 * Redaction decides by PID: if one of two processes with the same PID belonged to another user,
 * redaction would remove the user's process, too. The request must then fail.
 */
static void test_reused_pids(void **state)
{
	const struct {
		const char *name;
		__u32 first_uid, second_uid;
		__u16 reason;
		int error;
		uint64_t start_ns;
	} cases[] = {
		{"later someone else's", 1000, 0, RSP_TASK_FORK, -ESRCH, 0},
		{"earlier someone else's", 0, 1000, RSP_TASK_FORK, -ESRCH, 0},
		{"earlier someone else's, then a new program", 0, 1000, RSP_TASK_EXEC, 0, 9},
		{"both the user's", 1000, 1000, RSP_TASK_FORK, 0, 5},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_dump_request req = {
			.meta.until_ns = 1000, .wanted.own = true, .own_only = true, .uid = 1000};
		struct rsp_choice *c = rsp_choice_new(&req);
		struct rsp_meta meta = {0};
		int r;

		assert_non_null(c);
		see_task(c, 5, RSP_TASK_EXEC, (struct task){30, 30, cases[i].first_uid, 5});
		see_switches(c, 30, 10);
		see_task(c, 9, cases[i].reason, (struct task){30, 30, cases[i].second_uid, 9});
		see_switches(c, 30, 2);
		r = rsp_choice_decide(c, &meta);
		if (r != cases[i].error || meta.target_start_ns != cases[i].start_ns)
			fail_msg("%s: %d, started at %lu", cases[i].name, r, meta.target_start_ns);
		rsp_choice_free(c);
	}
}

static __u64 web[] = {72, 71}, none[] = {99};

static const struct {
	const char *name;
	struct rsp_dump_request req;
	int error;
	__u32 tgid;
} target_cases[] = {
	{"pid", {.meta.target_pid = 10, .pidns = RSP_PIDNS_INITIAL}, 0, 10},
	{"pid of a thread", {.meta.target_pid = 11, .pidns = RSP_PIDNS_INITIAL}, -ESRCH, 0},
	{"pid in a container", {.meta.target_pid = 2, .pidns = CONTAINER}, 0, 20},
	{"pid that no container has", {.meta.target_pid = 20, .pidns = CONTAINER}, -ESRCH, 0},
	{"comm: who ran most, all threads", {.wanted.comm = "nginx"}, 0, 10},
	{"comm of nobody", {.wanted.comm = "apache"}, -ESRCH, 0},
	{"comm: the program that runs at the end", {.wanted.comm = "sudo"}, 0, 50},
	{"comm of an earlier program", {.wanted.comm = "sshd"}, -ESRCH, 0},
	{"cgroups: who ran most", {.wanted = {.cgroup_ids = web, .cgroup_cnt = 2}}, 0, 10},
	{"cgroup", {.wanted = {.cgroup_ids = web, .cgroup_cnt = 1}}, 0, 20},
	{"cgroup of nobody", {.wanted = {.cgroup_ids = none, .cgroup_cnt = 1}}, -ESRCH, 0},
	{"container", {.wanted.container = "3726184226f5"}, 0, 20},
	{"container: who ran most", {.wanted.container = "desk"}, 0, 80},
	{"container of nobody", {.wanted.container = "des"}, -ESRCH, 0},
	{"container of another user",
	 {.wanted.container = "3726184226f5", .own_only = true, .uid = 1000},
	 -EACCES,
	 0},
	{"container, own before others'",
	 {.wanted.container = "desk", .own_only = true, .uid = 1000},
	 0,
	 30},
	{"port: who sent most", {.wanted.port = 80}, 0, 20},
	{"port of nobody", {.wanted.port = 81}, -ESRCH, 0},
	{"own",
	 {.meta.target_pid = 30, .pidns = RSP_PIDNS_INITIAL, .own_only = true, .uid = 1000},
	 0,
	 30},
	{"not own",
	 {.meta.target_pid = 10, .pidns = RSP_PIDNS_INITIAL, .own_only = true, .uid = 1000},
	 -EACCES,
	 0},
	{"own since exec",
	 {.meta.target_pid = 40, .pidns = RSP_PIDNS_INITIAL, .own_only = true, .uid = 1000},
	 0,
	 40},
	{"own until exec",
	 {.meta.target_pid = 50, .pidns = RSP_PIDNS_INITIAL, .own_only = true, .uid = 1000},
	 -EACCES,
	 0},
	{"closed",
	 {.meta.target_pid = 60, .pidns = RSP_PIDNS_INITIAL, .own_only = true, .uid = 1000},
	 -EACCES,
	 0},
	{"own before others'", {.wanted.comm = "nginx", .own_only = true, .uid = 33}, 0, 20},
	{"own, who ran most", {.wanted.own = true, .own_only = true, .uid = 1000}, 0, 30},
	{"comm of the recorder", {.wanted.comm = "rspctl"}, 0, 90},
	{"own of nobody", {.wanted.own = true, .own_only = true, .uid = 7}, -ESRCH, 0},
	{"own of a uid whose processes are kernel threads or closed",
	 {.wanted.own = true, .own_only = true, .uid = 2},
	 -ESRCH,
	 0},
	{"own of a trusted user, all closed", {.wanted.own = true, .uid = 2}, 0, 70},
};

static void test_target(void **state)
{
	for (size_t i = 0; i < sizeof(target_cases) / sizeof(target_cases[0]); i++) {
		struct rsp_dump_request req = target_cases[i].req;
		struct rsp_meta meta = {0};
		int r = decide(&req, &meta);

		if (r != target_cases[i].error || meta.target_pid != target_cases[i].tgid)
			fail_msg("%s: %d, process %u", target_cases[i].name, r, meta.target_pid);
		if (meta.target_pid != 30)
			continue;
		assert_int_equal(meta.target_start_ns, 8);
		assert_string_equal(meta.target_comm, "sh");
	}
}

static int is_closed(__u32 tgid, uid_t uid)
{
	return tgid == 20 || tgid == 30 || uid != 1000;
}

static int count_closed(const struct rsp_ev_task *task, void *userdata)
{
	struct rsp_ev_task *last = userdata;

	assert_int_equal(last->tid, 0);
	*last = *task;
	return 0;
}

/*
 * Processes 20 and 30 become closed to the user. Only 30 belonged to the user before, so only 30
 * gets a record that marks it as closed.
 */
static void test_closed_since_when(void **state)
{
	struct rsp_dump_request req = {.meta = {.target_pid = 30, .until_ns = 1000},
				       .pidns = RSP_PIDNS_INITIAL,
				       .own_only = true,
				       .uid = 1000};
	struct rsp_choice *c = rsp_choice_new(&req);
	struct rsp_ev_task closed = {0};
	struct rsp_meta meta = {0};

	assert_non_null(c);
	see_task(c, 1, RSP_TASK_SEED, (struct task){10, 10, 1000, 5, 71, "own", 0});
	see_task(c, 1, RSP_TASK_SEED, (struct task){20, 20, 0, 5, 71, "other", 0});
	see_task(c, 1, RSP_TASK_SEED, (struct task){30, 30, 1000, 5, 71, "agent", 0});
	assert_int_equal(rsp_choice_close(c, is_closed, count_closed, &closed), 0);
	assert_int_equal(closed.tid, 30);
	assert_int_equal(closed.attrs, RSP_TASK_ATTR_CLOSED);
	assert_int_equal(rsp_choice_decide(c, &meta), -EACCES);
	rsp_choice_free(c);
}

static void see_exit(struct rsp_choice *c, __u32 tid)
{
	struct rsp_ev_exit rec = {
		.hdr = {.ts_ns = 500, .kind = RSP_EV_EXIT, .size = sizeof(rec)},
		.tid = tid,
		.tgid = tid,
	};

	assert_int_equal(rsp_choice_see(c, &rec.hdr), 0);
}

static int have_ended(__u32 tgid, uid_t uid)
{
	(void)tgid;
	(void)uid;
	return -ESRCH;
}

/* Process 30 has no EXIT record, so after a loss of records it counts as closed. */
static void test_unseen_exit(void **state)
{
	const struct rsp_ev_lost lost = {
		.hdr = {.kind = RSP_EV_LOST, .size = sizeof(lost), .flags = RSP_LOST_BIRTHS}};
	struct rsp_dump_request req = {
		.meta.until_ns = 1000, .wanted.own = true, .own_only = true, .uid = 1000};

	for (int is_lossy = 0; is_lossy < 2; is_lossy++) {
		struct rsp_choice *c = rsp_choice_new(&req);
		struct rsp_ev_task closed = {0};

		assert_non_null(c);
		see_task(c, 1, RSP_TASK_SEED, (struct task){10, 10, 1000, 5, 71, "seen", 0});
		see_task(c, 2000, RSP_TASK_SEED, (struct task){30, 30, 1000, 5, 71, "unseen", 0});
		see_task(c, 3, RSP_TASK_SEED, (struct task){30, 30, 1000, 3, 71, "unseen", 0});
		see_exit(c, 10);
		if (is_lossy)
			assert_int_equal(rsp_choice_see(c, &lost.hdr), 0);
		assert_int_equal(rsp_choice_close(c, have_ended, count_closed, &closed), 0);
		assert_int_equal(closed.tid, is_lossy ? 30 : 0);
		assert_int_equal(closed.hdr.ts_ns, is_lossy ? 2000 : 0);
		rsp_choice_free(c);
	}
}

static void see_named(struct rsp_choice *c, __u64 id, const char *path, const char *name)
{
	struct rsp_ev_object rec;
	struct rsp_ev_container names = {.cgroup_id = id};

	see_cgroup(c, id, path);
	rsp_container_make_object(id, path, &rec);
	strcpy(names.name, name);
	assert_int_equal(rsp_choice_see_container(c, &rec, &names), 0);
}

#define LIBPOD(digits)                                                                             \
	"/libpod-" digits "26184226f5d3147c25fdeab5b60097e378e8a720503a5e19ecfdf29f869860.scope"

/* The containers belong to users 1000, 1000, 33 and 1000. The last container has ended. */
static void test_names_of_containers(void **state)
{
	static const struct {
		const char *text;
		uid_t uid;
		int error;
		__u32 tgid;
		const char *candidates;
	} cases[] = {
		{"web", 1000, 0, 10, NULL},
		{"app", 0, -ENOTUNIQ, 0,
		 "app (podman, ID 2226184226f5), app (podman, ID 3326184226f5)"},
		/* the container of user 33 does not count for user 1000 */
		{"app", 1000, 0, 20, NULL},
		{"app", 33, 0, 30, NULL},
		{"app", 7, -EACCES, 0, NULL},
		{"3326", 0, 0, 30, NULL},
		/* another container of the name web has ended */
		{"web", 0, 0, 10, NULL},
		{"4426", 0, 0, 40, NULL},
		{"we", 0, -ESRCH, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_dump_request req = {
			.meta.until_ns = 1000, .uid = cases[i].uid, .own_only = cases[i].uid != 0};
		char candidates[RSP_CANDIDATES_BYTES];
		struct rsp_choice *c;
		struct rsp_meta meta = {0};
		int r;

		strcpy(req.wanted.container, cases[i].text);
		c = rsp_choice_new(&req);
		assert_non_null(c);
		see_task(c, 1, RSP_TASK_SEED, (struct task){10, 10, 1000, 5, 71, "a", 0});
		see_task(c, 1, RSP_TASK_SEED, (struct task){20, 20, 1000, 5, 72, "b", 0});
		see_task(c, 1, RSP_TASK_SEED, (struct task){30, 30, 33, 5, 73, "c", 0});
		see_task(c, 1, RSP_TASK_SEED, (struct task){40, 40, 1000, 5, 74, "d", 0});
		see_switches(c, 40, 9);
		see_exit(c, 40);
		see_named(c, 71, LIBPOD("11"), "web");
		see_named(c, 72, LIBPOD("22") "/container", "app");
		see_named(c, 73, LIBPOD("33"), "app");
		see_named(c, 74, LIBPOD("44"), "web");
		r = rsp_choice_decide(c, &meta);
		if (r != cases[i].error || meta.target_pid != cases[i].tgid)
			fail_msg("%s for %u: %d, process %u", cases[i].text, cases[i].uid, r,
				 meta.target_pid);
		rsp_choice_candidates(c, candidates);
		if (cases[i].candidates)
			assert_string_equal(candidates, cases[i].candidates);
		rsp_choice_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_reused_pids),
		cmocka_unit_test(test_closed_since_when),
		cmocka_unit_test(test_names_of_containers),
		cmocka_unit_test(test_unseen_exit),
	};

	return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
