/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/live/live.h. */
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "lib/live/live.h"
#include "tests/unit/tape.h"

#define MS	 1000000ULL
#define START_NS (1000 * 1000 * MS)
#define AT(ms)	 (START_NS + (__u64)(ms)*MS)

struct world {
	struct tape tape;
	struct rsp_live *live;
	struct rsp_live_view *view;
};

/* Names a frame: kernel frame 5 is "k5", user frame 5 is "u5". */
static void name_frame(__u64 frame, char *name, size_t name_len, char *module, size_t module_len,
		       void *userdata)
{
	bool kernel = frame & RSP_LIVE_KERNEL;

	snprintf(name, name_len, "%c%llu", kernel ? 'k' : 'u', frame & ~RSP_LIVE_KERNEL);
	snprintf(module, module_len, "%s", kernel ? "vmlinux" : "app");
}

static int set_up(void **state)
{
	const struct rsp_live_namer namer = {.name = name_frame};
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	assert_int_equal(rsp_live_new(&namer, &w->live), 0);
	rsp_live_begin(w->live, START_NS);
	w->view = calloc(1, sizeof(*w->view));
	assert_non_null(w->view);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	rsp_live_free(w->live);
	tape_done(&w->tape);
	free(w->view);
	free(w);
	return 0;
}

static const struct rsp_live_view *look_how(struct world *w, struct rsp_live_how how, __u64 now_ns)
{
	how.now_ns = now_ns;
	how.row_max = RSP_LIVE_ROWS;
	assert_int_equal(rsp_live_feed(w->live, w->tape.bytes, w->tape.len, 0), 0);
	tape_done(&w->tape);
	rsp_live_look(w->live, &how, w->view);
	return w->view;
}

static const struct rsp_live_view *look(struct world *w, __u64 now_ns)
{
	return look_how(w, (struct rsp_live_how){0}, now_ns);
}

static void add_task(struct world *w, __u32 tid, __u32 tgid, const char *comm)
{
	struct rsp_ev_task task = task_rec(START_NS, RSP_TASK_SEED, tid, tgid, 1);

	memset(task.comm, 0, sizeof(task.comm));
	snprintf(task.comm, sizeof(task.comm), "%s", comm);
	task.cgroup_id = tgid + 1000;
	tape_add(&w->tape, &task);
}

static void add_switch(struct world *w, __u64 ts_ns, struct rsp_ev_switch sw)
{
	__u16 cpu = sw.hdr.cpu;

	sw.hdr = (struct rsp_ev_hdr)HDR(RSP_EV_SWITCH, rsp_ev_switch, ts_ns, sw.hdr.flags);
	sw.hdr.cpu = cpu;
	tape_add(&w->tape, &sw);
}

static void add_run(struct world *w, __u32 tid, __u64 from_ns, __u64 to_ns, int nr, __u64 object,
		    __u16 flags)
{
	add_switch(w, from_ns, (struct rsp_ev_switch){.next_tid = tid, .syscall_nr = -1});
	add_switch(w, to_ns,
		   (struct rsp_ev_switch){.hdr = {.flags = flags},
					  .prev_tid = tid,
					  .prev_state = 1,
					  .syscall_nr = nr,
					  .object = object});
}

static const struct rsp_live_process *process(const struct rsp_live_view *v, __u32 tgid)
{
	for (__u32 i = 0; i < v->process_rows; i++)
		if (v->processes[i].tgid == tgid)
			return &v->processes[i];
	return NULL;
}

static const struct rsp_live_waiter *waiter(const struct rsp_live_view *v, __u32 tid)
{
	for (__u32 i = 0; i < v->waiter_rows; i++)
		if (v->waiters[i].tid == tid)
			return &v->waiters[i];
	return NULL;
}

static void test_times(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;
	const struct rsp_live_process *p;

	add_task(w, 10, 10, "app");
	add_run(w, 10, AT(0), AT(100), SYS_futex, 0x55, RSP_SW_FUTEX);
	TAPE_ADD(&w->tape, waking_rec(AT(300), 20, 10, 0));
	add_run(w, 10, AT(350), AT(400), SYS_read, 0, RSP_SW_IOWAIT);
	v = look(w, AT(1000));
	p = process(v, 10);
	assert_non_null(p);
	assert_string_equal(p->comm, "app");
	assert_int_equal(p->cat_ns[RSP_LIVE_CPU], 150 * MS);
	assert_int_equal(p->cat_ns[RSP_LIVE_LOCK], 200 * MS);
	assert_int_equal(p->cat_ns[RSP_LIVE_QUEUE], 50 * MS);
	assert_int_equal(p->cat_ns[RSP_LIVE_DISK], 600 * MS);
	assert_int_equal(v->seen_ns, 1000 * MS);
	/* The next view contains only the part of the wait since the first view. */
	v = look(w, AT(2000));
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_DISK], 1000 * MS);
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_CPU], 0);
}

/*
 * A batch contains first all records of one CPU, then those of the next CPU, so they are not in
 * order of time.
 */
static void test_out_of_order(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "app");
	add_switch(w, AT(500),
		   (struct rsp_ev_switch){.hdr = {.cpu = 1}, .prev_tid = 10, .prev_state = 1});
	add_switch(w, AT(200), (struct rsp_ev_switch){.next_tid = 10});
	v = look(w, AT(1000));
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_CPU], 300 * MS);
}

static void test_many_cpus(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "app");
	add_task(w, 20, 20, "other");
	add_switch(w, AT(0), (struct rsp_ev_switch){.next_tid = 10});
	add_switch(w, AT(100), (struct rsp_ev_switch){.hdr = {.cpu = 4096}, .next_tid = 20});
	v = look(w, AT(1000));
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_CPU], 1000 * MS);
	assert_int_equal(process(v, 20)->cat_ns[RSP_LIVE_CPU], 900 * MS);
}

static void test_awaited_as_before(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;
	const struct rsp_live_waiter *row;

	add_task(w, 10, 10, "client");
	add_task(w, 20, 20, "server");
	add_run(w, 10, AT(0), AT(10), SYS_futex, 0x55, RSP_SW_FUTEX);
	v = look(w, AT(50));
	assert_string_equal(waiter(v, 10)->awaited, ""); /* no such wait has ended yet */
	TAPE_ADD(&w->tape, waking_rec(AT(100), 20, 10, 0));
	add_run(w, 10, AT(110), AT(120), SYS_futex, 0x55, RSP_SW_FUTEX);
	add_switch(w, AT(130), (struct rsp_ev_switch){.next_tid = 20});
	v = look(w, AT(1000));
	row = waiter(v, 10);
	assert_non_null(row);
	assert_string_equal(row->awaited, "server [20] (on CPU)");
	assert_string_equal(row->call, "futex");
	assert_int_equal(row->ns, 880 * MS);
	assert_int_equal(row->category, RSP_LIVE_LOCK);
	assert_false(row->at_least);
	TAPE_ADD(&w->tape, waking_rec(AT(1100), 20, 10, 0));
	add_run(w, 10, AT(1110), AT(1120), SYS_futex, 0x99, RSP_SW_FUTEX);
	v = look(w, AT(2000));
	assert_string_equal(waiter(v, 10)->awaited, "");
}

/* The view follows chains of waiting threads, and must stop if they form a ring. */
static void test_ring_of_waiters(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "a");
	add_task(w, 20, 20, "b");
	for (__u32 i = 0; i < 2; i++) {
		add_run(w, 10, AT(100 * i), AT(100 * i + 10), SYS_futex, 0x1, RSP_SW_FUTEX);
		add_run(w, 20, AT(100 * i + 20), AT(100 * i + 30), SYS_futex, 0x2, RSP_SW_FUTEX);
		if (i)
			break;
		TAPE_ADD(&w->tape, waking_rec(AT(40), 20, 10, 0));
		TAPE_ADD(&w->tape, waking_rec(AT(41), 10, 20, 0));
	}
	v = look(w, AT(1000));
	assert_string_equal(waiter(v, 10)->awaited, "b [20]");
	assert_string_equal(waiter(v, 20)->awaited, "a [10]");
}

static void test_idle(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "daemon");
	add_task(w, 11, 11, "sleeper");
	add_task(w, 12, 12, "reader");
	add_run(w, 10, AT(0), AT(1), SYS_epoll_wait, 0, 0);
	add_run(w, 11, AT(2), AT(3), SYS_nanosleep, 0, RSP_SW_SLEEP);
	add_run(w, 12, AT(4), AT(5), SYS_read, 0, 0);
	v = look(w, AT(1000));
	assert_null(waiter(v, 10));
	assert_null(waiter(v, 11));
	assert_non_null(waiter(v, 12));
	v = look_how(w, (struct rsp_live_how){.with_idle = true}, AT(2000));
	assert_true(waiter(v, 10)->is_idle);
	assert_true(waiter(v, 11)->is_idle);
	/* A read of 20 s counts as a wait for work, so the thread has no row. */
	v = look(w, AT(20000));
	assert_null(waiter(v, 12));
}

static void add_socket(struct world *w, __u64 id, __u16 local, __u16 remote, __u16 flags)
{
	struct rsp_ev_socket s = socket_rec(AT(0), id);

	s.hdr.flags = flags;
	s.sk = id;
	s.protocol = IPPROTO_TCP;
	s.local_port = local;
	s.remote_port = remote;
	tape_add(&w->tape, &s);
}

static void add_net(struct world *w, __u64 ts_ns, __u64 sk, __u32 tid, __u16 flags)
{
	struct rsp_ev_net net = {.hdr = HDR(RSP_EV_NET, rsp_ev_net, ts_ns, flags),
				 .tid = tid,
				 .sk = sk,
				 .object = sk};

	tape_add(&w->tape, &net);
}

static void test_requests(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "client");
	add_task(w, 20, 20, "server");
	add_socket(w, 1, 4000, 80, RSP_SOCKET_CONNECTED);
	add_socket(w, 2, 80, 4000, RSP_SOCKET_ACCEPTED);
	add_net(w, AT(10), 1, 10, RSP_NET_SEND);
	add_net(w, AT(10), 2, 0, RSP_NET_READY);
	add_net(w, AT(30), 2, 20, RSP_NET_SEND);
	add_net(w, AT(30), 1, 0, RSP_NET_READY);
	add_net(w, AT(100), 1, 10, RSP_NET_SEND);
	add_net(w, AT(100), 2, 0, RSP_NET_READY);
	add_run(w, 10, AT(99), AT(101), SYS_epoll_wait, 0, 0);
	v = look(w, AT(1000));
	assert_int_equal(v->server_rows, 1);
	assert_string_equal(v->servers[0].comm, "server");
	assert_string_equal(v->servers[0].where, ":80");
	assert_int_equal(v->servers[0].answered_cnt, 1);
	assert_int_equal(v->servers[0].sum_ns, 20 * MS);
	assert_int_equal(v->servers[0].in_flight_cnt, 1);
	assert_int_equal(v->servers[0].oldest_ns, 900 * MS);
	assert_int_equal(v->in_flight_cnt, 1);
	/* The client waits in epoll_wait() for the answer to its request, so it is not idle. */
	assert_non_null(waiter(v, 10));
	assert_int_equal(waiter(v, 10)->category, RSP_LIVE_NET);
	assert_string_equal(waiter(v, 10)->awaited, "server [20] (?)");
	add_net(w, AT(1100), 2, 20, RSP_NET_SEND);
	add_net(w, AT(1100), 1, 0, RSP_NET_READY);
	v = look(w, AT(2000));
	assert_int_equal(v->in_flight_cnt, 0);
	assert_int_equal(v->servers[0].max_ns, 1000 * MS);
	assert_null(waiter(v, 10));
}

static void add_message(struct world *w, __u64 ts_ns, __u64 from, __u64 to, __u32 tid)
{
	struct rsp_ev_message message = {.hdr = HDR(RSP_EV_MESSAGE, rsp_ev_message, ts_ns, 0),
					 .tid = tid,
					 .from = from,
					 .to = to};

	tape_add(&w->tape, &message);
}

/* Only the server's end of the unix socket has a SOCKET record. */
static void test_messages(void **state)
{
	struct world *w = *state;
	struct rsp_ev_socket s = socket_rec(AT(0), 2);
	const struct rsp_live_view *v;

	s.hdr.flags = RSP_SOCKET_ACCEPTED;
	s.family = AF_UNIX;
	s.sk = 22;
	s.un.peer = 11;
	tape_add(&w->tape, &s);
	add_task(w, 20, 20, "server");
	add_message(w, AT(100), 1, 2, 10);
	add_message(w, AT(150), 2, 1, 20);
	add_message(w, AT(200), 1, 2, 10);
	v = look(w, AT(1000));
	assert_int_equal(v->server_rows, 1);
	assert_string_equal(v->servers[0].comm, "server");
	assert_string_equal(v->servers[0].where, "unix socket");
	assert_int_equal(v->servers[0].answered_cnt, 1);
	assert_int_equal(v->servers[0].sum_ns, 50 * MS);
	assert_int_equal(v->servers[0].oldest_ns, 800 * MS);
}

static void add_samples(struct world *w, __u64 ts_ns, __u32 tid, __u64 kstack, int cnt)
{
	for (int i = 0; i < cnt; i++) {
		struct rsp_ev_sample s = sample_rec(ts_ns + (__u64)i, tid);

		s.kstack = kstack;
		tape_add(&w->tape, &s);
	}
}

static void test_functions(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "a");
	add_task(w, 20, 20, "b");
	TAPE_ADD(&w->tape, stack_rec(AT(0), 5));
	TAPE_ADD(&w->tape, stack_rec(AT(0), 8));
	add_samples(w, AT(1), 10, 5, 3);
	add_samples(w, AT(2), 20, 5, 2);
	add_samples(w, AT(3), 20, 8, 4);
	v = look(w, AT(1000));
	assert_int_equal(v->now_sample_cnt, 9);
	assert_int_equal(v->function_rows, 2);
	assert_string_equal(v->functions[0].module, "vmlinux");
	assert_int_equal(v->functions[0].now_cnt, 5);
	assert_int_equal(v->functions[0].tgid, 0);
	assert_int_equal(v->functions[1].tgid, 20);
	add_samples(w, AT(1001), 20, 8, 1);
	v = look_how(w, (struct rsp_live_how){.by_process = true}, AT(2000));
	assert_int_equal(v->function_rows, 3);
	assert_int_equal(v->functions[0].now_cnt, 1);
	assert_int_equal(v->functions[0].total_cnt, 5);
	assert_string_equal(v->functions[0].comm, "b");
	v = look_how(w, (struct rsp_live_how){.pid = 10}, AT(3000));
	assert_int_equal(v->function_rows, 1);
	assert_int_equal(v->functions[0].total_cnt, 3);
	rsp_live_reset(w->live);
	v = look(w, AT(4000));
	assert_int_equal(v->functions[0].total_cnt, 0);
	assert_int_equal(v->total_sample_cnt, 0);
}

static void add_owned(struct world *w, __u32 tid, __u32 attrs, const char *comm)
{
	struct rsp_ev_task task = task_rec(START_NS, RSP_TASK_SEED, tid, tid, 1);

	snprintf(task.comm, sizeof(task.comm), "%s", comm);
	task.attrs = attrs;
	tape_add(&w->tape, &task);
}

/* Redaction has marked the tasks of other users as closed. */
static void test_own_only(void **state)
{
	const struct rsp_live_how own = {.own_only = true, .with_idle = true};
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_owned(w, 10, 0, "mine");
	add_owned(w, 20, RSP_TASK_ATTR_CLOSED, "uid 0");
	add_owned(w, 30, RSP_TASK_ATTR_KTHREAD, "kworker");
	TAPE_ADD(&w->tape, stack_rec(AT(0), 5));
	for (__u32 tid = 10; tid <= 40; tid += 10) {
		add_run(w, tid, AT(tid), AT(tid + 5), 7, 0, 0);
		add_samples(w, AT(tid + 1), tid, 5, tid / 10);
	}
	v = look_how(w, own, AT(1000));
	assert_int_equal(v->process_rows, 1);
	assert_string_equal(v->processes[0].comm, "mine");
	assert_int_equal(v->process_cnt, 1);
	assert_int_equal(v->cat_ns[RSP_LIVE_CPU], v->processes[0].cat_ns[RSP_LIVE_CPU]);
	assert_int_equal(v->function_rows, 1);
	assert_int_equal(v->functions[0].now_cnt, 1);
	assert_int_equal(v->waiter_rows, 1);
	v = look(w, AT(2000));
	assert_int_equal(v->process_cnt, 4);
}

/*
 * A wait that begins before a pause and ends after it may be several waits, so the time of the
 * pause does not count.
 */
static void test_pause(void **state)
{
	struct world *w = *state;
	struct rsp_ev_lost lost = {
		.hdr = HDR(RSP_EV_LOST, rsp_ev_lost, AT(900), RSP_LOST_PAUSED),
		.from_ns = AT(100),
	};
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "a");
	add_run(w, 10, AT(0), AT(50), SYS_futex, 1, RSP_SW_FUTEX);
	tape_add(&w->tape, &lost);
	v = look(w, AT(1000));
	assert_int_equal(v->span_ns, 1000 * MS);
	assert_int_equal(v->seen_ns, 200 * MS);
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_LOCK], 150 * MS);
	assert_true(waiter(v, 10)->at_least);
}

/* A request without an answer before a pause may have been answered during the pause. */
static void test_pending_in_pause(void **state)
{
	struct world *w = *state;
	struct rsp_ev_lost lost = {
		.hdr = HDR(RSP_EV_LOST, rsp_ev_lost, AT(300), RSP_LOST_PAUSED),
		.from_ns = AT(200),
	};
	const struct rsp_live_view *v;

	add_task(w, 20, 20, "server");
	add_socket(w, 2, 80, 4000, RSP_SOCKET_ACCEPTED);
	add_net(w, AT(100), 2, 0, RSP_NET_READY);
	tape_add(&w->tape, &lost);
	add_net(w, AT(400), 2, 20, RSP_NET_SEND);
	add_net(w, AT(500), 2, 0, RSP_NET_READY);
	v = look(w, AT(1000));
	assert_int_equal(v->servers[0].answered_cnt, 0);
	assert_int_equal(v->servers[0].in_flight_cnt, 1);
	assert_int_equal(v->servers[0].oldest_ns, 500 * MS);
}

static void test_end(void **state)
{
	struct world *w = *state;
	struct rsp_ev_switch last = {.prev_tid = 10, .prev_state = 0x80};
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "a");
	add_switch(w, AT(0), (struct rsp_ev_switch){.next_tid = 10});
	TAPE_ADD(&w->tape, exit_rec(AT(500), 10, 10));
	add_switch(w, AT(501), last);
	v = look(w, AT(1000));
	assert_int_equal(v->thread_cnt, 0);
	assert_int_equal(v->process_cnt, 0);
	assert_int_equal(process(v, 10)->cat_ns[RSP_LIVE_CPU], 500 * MS);
	v = look(w, AT(2000));
	assert_null(process(v, 10));
	add_task(w, 10, 10, "b");
	v = look(w, AT(3000));
	assert_string_equal(process(v, 10)->comm, "b");
}

static void test_cgroups(void **state)
{
	struct world *w = *state;
	const struct rsp_live_view *v;

	add_task(w, 10, 10, "a");
	add_task(w, 11, 10, "a");
	add_switch(w, AT(0), (struct rsp_ev_switch){.hdr = {.cpu = 0}, .next_tid = 10});
	add_switch(w, AT(0), (struct rsp_ev_switch){.hdr = {.cpu = 1}, .next_tid = 11});
	v = look_how(w, (struct rsp_live_how){.by_cgroup = true}, AT(1000));
	assert_int_equal(v->process_rows, 1);
	assert_int_equal(v->processes[0].cgroup_id, 1010);
	assert_int_equal(v->processes[0].thread_cnt, 2);
}

/* Events before since_ns are skipped, because the state of the view already contains them. */
static void test_since(void **state)
{
	struct world *w = *state;

	add_task(w, 10, 10, "a");
	add_switch(w, AT(0), (struct rsp_ev_switch){.next_tid = 10});
	TAPE_ADD(&w->tape, stack_rec(AT(0), 5));
	assert_int_equal(rsp_live_feed(w->live, w->tape.bytes, w->tape.len, AT(1)), 0);
	tape_done(&w->tape);
	assert_int_equal(look(w, AT(1000))->thread_cnt, 0);
	add_samples(w, AT(1001), 10, 5, 1);
	assert_string_equal(look(w, AT(2000))->functions[0].module, "vmlinux");
}

static void test_bad_records(void **state)
{
	struct world *w = *state;
	__u64 garbage[64];

	memset(garbage, 0xa5, sizeof(garbage));
	assert_int_equal(rsp_live_feed(w->live, garbage, sizeof(garbage), 0), 0);
	assert_int_equal(rsp_live_feed(w->live, NULL, 0, 0), 0);
	assert_int_equal(look(w, AT(1000))->thread_cnt, 0);
}

/* An attacker may control the process that makes the view, and write any bytes into it. */
static void test_clean(void **state)
{
	struct world *w = *state;

	memset(w->view, 0xff, sizeof(*w->view));
	rsp_live_view_clean(w->view);
	assert_int_equal(w->view->function_rows, RSP_LIVE_ROWS);
	assert_int_equal(w->view->functions[0].name[0], '?');
	assert_int_equal(strlen(w->view->waiters[RSP_LIVE_ROWS - 1].awaited),
			 sizeof(w->view->waiters[0].awaited) - 1);
	assert_true(w->view->waiters[0].category < RSP_LIVE_CATEGORIES);
	strcpy(w->view->processes[3].comm, "a\033[2Jb");
	rsp_live_view_clean(w->view);
	assert_string_equal(w->view->processes[3].comm, "a?[2Jb");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_times),
		TEST(test_out_of_order),
		TEST(test_many_cpus),
		TEST(test_awaited_as_before),
		TEST(test_ring_of_waiters),
		TEST(test_idle),
		TEST(test_requests),
		TEST(test_functions),
		TEST(test_messages),
		TEST(test_own_only),
		TEST(test_pause),
		TEST(test_pending_in_pause),
		TEST(test_end),
		TEST(test_cgroups),
		TEST(test_since),
		TEST(test_bad_records),
		TEST(test_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
