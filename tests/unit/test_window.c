/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/snapshot/window.h. For the time that the window covers, it must give the same answers
 * as the whole recording.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/base/array.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/trail.h"
#include "lib/snapshot/window.h"
#include "tests/unit/tape.h"

#define BUDGET ((size_t)1 << 20)

static struct rsp_window *new_window(void)
{
	struct rsp_window *win = NULL;

	assert_int_equal(rsp_window_new(BUDGET, &win), 0);
	return win;
}

static struct rsp_window_stats stats_of(const struct rsp_window *win)
{
	struct rsp_window_stats stats;

	rsp_window_get_stats(win, &stats);
	return stats;
}

static void read_window(const struct rsp_window *win, __u64 since_ns, struct tape *out)
{
	out->len = 0;
	assert_int_equal(rsp_window_foreach(win, since_ns, tape_add_chunk, out), 0);
}

#define APPEND(win, make)                                                                          \
	({                                                                                         \
		__auto_type rec_ = (make);                                                         \
		rsp_window_append((win), &rec_, sizeof(rec_));                                     \
	})

static void test_refuses(void **state)
{
	struct rsp_ev_sample rec = sample_rec(1, 1);
	struct rsp_window *win = NULL;
	struct rsp_window_stats stats;

	assert_int_equal(rsp_window_new(BUDGET - 1, &win), -EINVAL);
	assert_null(win);

	win = new_window();
	assert_int_equal(rsp_window_append(win, &rec, sizeof(rec) - 1), -EBADMSG);
	assert_int_equal(rsp_window_append(win, &rec, 0), -EBADMSG);
	rec.hdr.kind = RSP_EV_SWITCH;
	assert_int_equal(rsp_window_append(win, &rec, sizeof(rec)), -EBADMSG);
	stats = stats_of(win);
	assert_int_equal(stats.bad_cnt, 3);
	assert_int_equal(stats.events, 0);
	assert_int_equal(stats.segment_bytes, 0);
	assert_true(stats.bytes > stats.carry_bytes && stats.bytes < BUDGET / 2);
	rsp_window_free(win);
	rsp_window_free(NULL);
}

static void test_counts(void **state)
{
	struct rsp_window *win = new_window();
	struct rsp_ev_lost lost = {.hdr = HDR(RSP_EV_LOST, rsp_ev_lost, 50, 0), .lost_cnt = 1000};
	struct rsp_ev_hdr unknown = {.ts_ns = 20, .kind = 999, .size = sizeof(unknown)};
	struct rsp_window_stats stats = stats_of(win);

	assert_int_equal(stats.oldest_ns, 0);
	assert_int_equal(stats.newest_ns, 0);
	assert_int_equal(stats.budget_bytes, BUDGET);
	assert_int_equal(APPEND(win, sample_rec(30, 1)), 1);
	assert_int_equal(APPEND(win, sample_rec(10, 1)), 0);
	assert_int_equal(APPEND(win, lost), 0);
	assert_int_equal(APPEND(win, lost), 0);
	assert_int_equal(APPEND(win, unknown), 0);
	assert_int_equal(APPEND(win, switch_rec(40, 0, 1, 2, 0, 77)), 0);
	assert_int_equal(APPEND(win, waking_rec(41, 2, 1, 77)), 0);
	assert_int_equal(APPEND(win, stack_rec(1, 77)), 0); /* has no time */
	stats = stats_of(win);
	assert_int_equal(stats.events, 8);
	assert_int_equal(stats.segment_events, 7);
	assert_int_equal(stats.segment_switches, 2);
	assert_true(stats.segment_bytes > 0);
	assert_int_equal(stats.by_kind[RSP_EV_SAMPLE], 2);
	assert_int_equal(stats.by_kind[RSP_EV_LOST], 2);
	assert_int_equal(stats.by_kind[RSP_EV_STACK], 1);
	assert_int_equal(stats.lost_cnt, 2000);
	assert_int_equal(stats.oldest_ns, 10);
	assert_int_equal(stats.newest_ns, 50);
	rsp_window_free(win);
}

static __u64 noise(unsigned int *seed)
{
	return (__u64)rand_r(seed) << 42 ^ (__u64)rand_r(seed) << 21 ^ (__u64)rand_r(seed);
}

static void test_keeps_order_and_begins_segments(void **state)
{
	struct rsp_window *win = new_window();
	struct tape in = {0}, out = {0};
	unsigned int seed = 1, began_cnt = 0;

	for (__u64 i = 0; stats_of(win).bytes < BUDGET * 3 / 4; i++) {
		struct rsp_ev_sample sample = sample_rec(i, 1);
		struct rsp_ev_task task = task_rec(i, RSP_TASK_NAME, 1, 1, 0);
		const struct rsp_ev_hdr *rec = i % 3 ? &sample.hdr : &task.hdr;
		int r;

		sample.ustack = noise(&seed);
		r = rsp_window_append(win, rec, rec->size);
		assert_true(r == 0 || r == 1);
		assert_true(i > 0 || r == 1);
		began_cnt += (unsigned int)r;
		tape_add(&in, rec);
	}
	assert_true(began_cnt >= 3);
	read_window(win, 0, &out);
	assert_int_equal(out.len, in.len);
	assert_memory_equal(out.bytes, in.bytes, in.len);
	assert_int_equal(stats_of(win).evicted_cnt, 0);
	tape_done(&in);
	tape_done(&out);
	rsp_window_free(win);
}

/*
 * A stack is sent again only after a new generation begins. Nevertheless, generations must not
 * become shorter, and the window must contain all stacks to which its events refer.
 */
static void test_many_names_begin_few_generations(void **state)
{
	enum { STACKS = 20000, EVENTS = 600000, LARGE_BUDGET = 4 * BUDGET };
	size_t began_cnt = 0, evicted_cnt, dangling_cnt = 0;
	bool *sent = calloc(STACKS, sizeof(*sent)), *held = calloc(STACKS, sizeof(*held));
	const struct rsp_ev_hdr *hdr;
	struct rsp_window *win;
	struct tape out = {0};
	unsigned int seed = 1;

	assert_true(sent && held);
	assert_int_equal(rsp_window_new(LARGE_BUDGET, &win), 0);
	for (__u64 i = 1; i <= EVENTS; i++) {
		__u64 id = 1 + (__u64)rand_r(&seed) % (STACKS - 1);
		int r = sent[id] ? 0 : APPEND(win, stack_rec(i, id));

		sent[id] = true;
		if (r == 0)
			r = APPEND(win, switch_rec(i, 0, (__u32)i % 50, 0, noise(&seed), id));
		assert_true(r >= 0);
		if (r == 0)
			continue;
		began_cnt++;
		memset(sent, 0, STACKS * sizeof(*sent));
	}
	evicted_cnt = stats_of(win).evicted_cnt;
	assert_true(evicted_cnt > 30);
	assert_true(began_cnt < 2 + evicted_cnt / 3);
	read_window(win, 0, &out);
	rsp_record_foreach (hdr, out.bytes, out.len)
		if (hdr->kind == RSP_EV_STACK)
			held[((const struct rsp_ev_stack *)hdr)->id] = true;
	rsp_record_foreach (hdr, out.bytes, out.len)
		if (hdr->kind == RSP_EV_SWITCH)
			dangling_cnt += !held[((const struct rsp_ev_switch *)hdr)->kstack];
	assert_int_equal(dangling_cnt, 0);
	assert_int_equal(stats_of(win).carry_dropped_cnt, 0);
	tape_done(&out);
	free(sent);
	free(held);
	rsp_window_free(win);
}

static void test_takes_one_record(void **state)
{
	struct rsp_window *win = new_window();
	struct rsp_ev_sample two[2] = {sample_rec(1, 1), sample_rec(2, 2)};
	struct tape out = {0};

	assert_int_equal(rsp_window_append(win, two, sizeof(two)), 1);
	read_window(win, 0, &out);
	assert_int_equal(out.len, sizeof(two[0]));
	assert_memory_equal(out.bytes, two, out.len);
	tape_done(&out);
	rsp_window_free(win);
}

static void test_budget_holds(void **state)
{
	struct rsp_window *win = new_window();
	struct rsp_window_stats stats;

	for (__u32 i = 1; i < 50000; i++) {
		assert_true(APPEND(win, task_rec(i, RSP_TASK_FORK, i, i, i - 1)) >= 0);
		assert_true(APPEND(win, stack_rec(i, i)) >= 0);
		assert_true(APPEND(win, switch_rec(i, 0, i, 0, i, i)) >= 0);
		if (i % 64)
			continue;
		stats = stats_of(win);
		assert_true(stats.bytes <= BUDGET);
		assert_true(stats.carry_bytes <= BUDGET / 2);
	}
	stats = stats_of(win);
	assert_true(stats.carry_dropped_cnt > 0);
	assert_true(stats.bytes > BUDGET / 2);
	rsp_window_free(win);
}

static int stop_at_third(const void *records, size_t len, void *userdata)
{
	return ++*(int *)userdata == 3 ? -42 : 0;
}

static void test_foreach_stops(void **state)
{
	struct rsp_window *win = new_window();
	int call_cnt = 0;

	for (__u64 i = 0; i < 100000; i++)
		APPEND(win, sample_rec(i, 1));
	assert_int_equal(rsp_window_foreach(win, 0, stop_at_third, &call_cnt), -42);
	assert_int_equal(call_cnt, 3);
	rsp_window_free(win);
}

/* --- a machine in small --------------------------------------------------------------------- */

#define TID_CNT	  40 /* tids 1 to TID_CNT - 1 */
#define CPU_CNT	  2
#define STACK_CNT 300
#define EVENT_CNT 240000
#define DRAIN_EVERY                                                                                \
	150 /* number of events after which all rings are drained, one after the other */

struct sim {
	unsigned int seed;
	__u64 now_ns;
	struct {
		__u32 tgid; /* 0: free */
		bool asleep;
	} tasks[TID_CNT];
	bool sent[STACK_CNT]; /* in this epoch */
	struct tape control, cpus[CPU_CNT];
	struct tape all; /* in order of arrival */
	struct rsp_window *win;
};

static __u32 dice(struct sim *sim, __u32 sides)
{
	return (__u32)rand_r(&sim->seed) % sides;
}

static __u32 threads_of(const struct sim *sim, __u32 tgid)
{
	__u32 cnt = 0;

	for (__u32 tid = 1; tid < TID_CNT; tid++)
		cnt += sim->tasks[tid].tgid == tgid;
	return cnt;
}

static void drain(struct sim *sim, struct tape *ring)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, ring->bytes, ring->len) {
		int r = rsp_window_append(sim->win, hdr, hdr->size);

		assert_true(r >= 0);
		/*
		 * a new generation begins: new records are sent with their names, but records in
		 * the rings are not
		 */
		if (r == 1)
			memset(sim->sent, 0, sizeof(sim->sent));
		tape_add(&sim->all, hdr);
	}
	ring->len = 0;
}

static void drain_all(struct sim *sim)
{
	drain(sim, &sim->control);
	for (int cpu = 0; cpu < CPU_CNT; cpu++)
		drain(sim, &sim->cpus[cpu]);
}

static __u64 pick_stack(struct sim *sim, struct tape *ring)
{
	__u32 id = 1 + dice(sim, STACK_CNT - 1);

	if (!sim->sent[id])
		TAPE_ADD(ring, stack_rec(sim->now_ns, id));
	sim->sent[id] = true;
	return id;
}

static void do_fork(struct sim *sim, __u32 tid)
{
	__u32 child = 1 + dice(sim, TID_CNT - 1);
	bool thread = dice(sim, 3) == 0;

	/* A PID is free if no thread has it as its TID or TGID. */
	if (sim->tasks[child].tgid || threads_of(sim, child))
		return;
	sim->tasks[child].tgid = thread ? sim->tasks[tid].tgid : child;
	sim->tasks[child].asleep = false;
	TAPE_ADD(&sim->control,
		 task_rec(sim->now_ns, RSP_TASK_FORK, child, sim->tasks[child].tgid, tid));
}

static void do_exec(struct sim *sim, __u32 tid)
{
	if (sim->tasks[tid].tgid != tid || threads_of(sim, tid) > 1)
		return;
	TAPE_ADD(&sim->control, task_rec(sim->now_ns, RSP_TASK_EXEC, tid, tid, 1));
}

static void do_exit(struct sim *sim, __u32 tid)
{
	if (tid == 1) /* one task must continue */
		return;
	TAPE_ADD(&sim->control, exit_rec(sim->now_ns, tid, sim->tasks[tid].tgid));
	sim->tasks[tid].tgid = 0;
}

static void do_sleep_or_wake(struct sim *sim, __u32 tid)
{
	struct tape *ring = &sim->cpus[dice(sim, CPU_CNT)];
	__u64 stack = pick_stack(sim, ring);
	struct rsp_ev_switch sw = switch_rec(sim->now_ns, 0, tid, 0, noise(&sim->seed), stack);
	struct rsp_ev_waking wk = waking_rec(sim->now_ns, 0, tid, stack);

	wk.cause = noise(&sim->seed); /* random values fill segments quickly */
	wk.ustack = sw.ustack = noise(&sim->seed);
	if (sim->tasks[tid].asleep)
		tape_add(ring, &wk);
	else
		tape_add(ring, &sw);
	sim->tasks[tid].asleep = !sim->tasks[tid].asleep;
}

static void step(struct sim *sim)
{
	__u32 tid = 1 + dice(sim, TID_CNT - 1), what = dice(sim, 100);

	sim->now_ns++;
	if (!sim->tasks[tid].tgid)
		return;
	if (what < 90 && (tid % 4 || what == 0 || !sim->tasks[tid].asleep))
		do_sleep_or_wake(sim, tid);
	else if (what < 90 || sim->tasks[tid].asleep)
		return;
	else if (what < 93)
		do_fork(sim, tid);
	else if (what < 94)
		do_exec(sim, tid);
	else if (what < 95)
		do_exit(sim, tid);
	else
		TAPE_ADD(&sim->control,
			 task_rec(sim->now_ns, RSP_TASK_NAME, tid, sim->tasks[tid].tgid, 1));
}

/* --- questions to a recording ---------------------------------------------------------------- */

struct recording {
	const struct rsp_ev_hdr **v;
	size_t cnt, cap;
	bool stacks[STACK_CNT];
};

static int compare_times(const void *a, const void *b)
{
	const struct rsp_ev_hdr *x = *(const struct rsp_ev_hdr *const *)a;
	const struct rsp_ev_hdr *y = *(const struct rsp_ev_hdr *const *)b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct recording sort_tape(const struct tape *t)
{
	struct recording rec = {0};
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, t->bytes, t->len) {
		if (hdr->kind == RSP_EV_STACK)
			rec.stacks[((const struct rsp_ev_stack *)hdr)->id] = true;
		else
			*rsp_array_add(&rec) = hdr;
	}
	qsort(rec.v, rec.cnt, sizeof(*rec.v), compare_times);
	return rec;
}

/*
 * Returns the TASK record of tid that applies at ts_ns, or NULL if there is no such task or it has
 * exited.
 */
static const struct rsp_ev_task *identity_at(const struct recording *rec, __u32 tid, __u64 ts_ns)
{
	const struct rsp_ev_task *identity = NULL;

	for (size_t i = 0; i < rec->cnt && rec->v[i]->ts_ns <= ts_ns; i++) {
		const struct rsp_ev_task *task = (const void *)rec->v[i];

		if (task->hdr.kind == RSP_EV_TASK && task->tid == tid)
			identity = task;
		else if (task->hdr.kind == RSP_EV_EXIT && task->tid == tid) /* at the same offset */
			identity = NULL;
	}
	return identity;
}

static __u64 sleeps_since(const struct recording *rec, __u32 tid, __u64 ts_ns)
{
	__u64 since_ns = 0;

	for (size_t i = 0; i < rec->cnt && rec->v[i]->ts_ns <= ts_ns; i++) {
		const struct rsp_ev_switch *sw = (const void *)rec->v[i];
		const struct rsp_ev_waking *waking = (const void *)rec->v[i];

		if (sw->hdr.kind == RSP_EV_SWITCH && sw->prev_tid == tid)
			since_ns = sw->hdr.ts_ns;
		else if (waking->hdr.kind == RSP_EV_WAKING && waking->wakee_tid == tid)
			since_ns = 0;
	}
	return since_ns;
}

static void assert_stacks_there(const struct recording *rec)
{
	for (size_t i = 0; i < rec->cnt; i++) {
		const struct rsp_ev_switch *sw = (const void *)rec->v[i];
		const struct rsp_ev_waking *waking = (const void *)rec->v[i];

		if (sw->hdr.kind == RSP_EV_SWITCH)
			assert_true(rec->stacks[sw->kstack]);
		else if (waking->hdr.kind == RSP_EV_WAKING)
			assert_true(rec->stacks[waking->kstack]);
	}
}

static void assert_same_answers(const struct recording *all, const struct recording *got,
				__u64 ts_ns)
{
	for (__u32 tid = 1; tid < TID_CNT; tid++) {
		const struct rsp_ev_task *want = identity_at(all, tid, ts_ns);
		const struct rsp_ev_task *identity = identity_at(got, tid, ts_ns);

		assert_int_equal(!!identity, !!want);
		if (!want)
			continue;
		assert_memory_equal(identity, want, sizeof(*identity));
		assert_int_equal(sleeps_since(got, tid, ts_ns), sleeps_since(all, tid, ts_ns));
	}
}

static void check_window(struct sim *sim, __u64 since_ns)
{
	struct rsp_window_stats stats = stats_of(sim->win);
	__u64 from_ns = since_ns > stats.oldest_ns ? since_ns : stats.oldest_ns;
	struct recording all = sort_tape(&sim->all), got;
	struct tape out = {0};

	assert_true(stats.bytes <= BUDGET);
	assert_int_equal(stats.carry_dropped_cnt, 0);
	read_window(sim->win, since_ns, &out);
	got = sort_tape(&out);
	assert_stacks_there(&got);
	for (int i = 0; i <= 4; i++)
		assert_same_answers(&all, &got, from_ns + (stats.newest_ns - from_ns) * i / 4);
	free(all.v);
	free(got.v);
	tape_done(&out);
}

/* Copies the events from since_ns on, without stacks, in order of arrival. */
static void take_events(const struct tape *from, __u64 since_ns, struct tape *ret)
{
	const struct rsp_ev_hdr *hdr;

	ret->len = 0;
	rsp_record_foreach (hdr, from->bytes, from->len)
		if (hdr->ts_ns >= since_ns && hdr->kind != RSP_EV_STACK)
			tape_add(ret, hdr);
}

/*
 * A reader that continues from a trail (its previous reading) gets the same events as a reader of
 * the whole window.
 */
static void check_trail(struct sim *sim, __u64 since_ns, struct rsp_trail *trail)
{
	__u64 from_ns = rsp_window_oldest(sim->win, since_ns);
	struct recording all = sort_tape(&sim->all), got;
	struct tape whole = {0}, out = {0}, want = {0}, have = {0};
	struct rsp_trail next = {0};

	read_window(sim->win, since_ns, &whole);
	assert_int_equal(rsp_trail_foreach(sim->win, trail, since_ns, tape_add_chunk, &out, &next),
			 0);
	rsp_trail_done(trail);
	*trail = next;
	assert_non_null(trail->bytes);
	take_events(&whole, from_ns, &want);
	take_events(&out, from_ns, &have);
	assert_true(want.len > 0);
	assert_int_equal(have.len, want.len);
	assert_memory_equal(have.bytes, want.bytes, want.len);
	got = sort_tape(&out);
	assert_stacks_there(&got);
	for (int i = 0; i <= 4; i++)
		assert_same_answers(&all, &got, from_ns + (sim->now_ns - from_ns) * i / 4);
	free(all.v);
	free(got.v);
	tape_done(&whole);
	tape_done(&out);
	tape_done(&want);
	tape_done(&have);
}

static void run_machine(unsigned int seed)
{
	struct sim sim = {.seed = seed, .now_ns = 1000, .win = new_window()};
	struct rsp_trail trails[2] = {0};

	sim.tasks[1].tgid = 1;
	TAPE_ADD(&sim.control, task_rec(sim.now_ns++, RSP_TASK_SEED, 1, 1, 0));
	for (int i = 1; i <= EVENT_CNT; i++) {
		step(&sim);
		if (i % DRAIN_EVERY == 0)
			drain_all(&sim);
		if (i % (EVENT_CNT / 4) == 0) {
			check_window(&sim, 0);
			check_window(&sim, sim.now_ns - 3000);
			check_trail(&sim, sim.now_ns - 3000, &trails[1]);
		}
		if (i % (EVENT_CNT / 16) == 0)
			check_trail(&sim, sim.now_ns - 300, &trails[0]);
	}
	rsp_trail_done(&trails[0]);
	rsp_trail_done(&trails[1]);
	assert_true(stats_of(sim.win).evicted_cnt > 8);
	rsp_window_free(sim.win);
	tape_done(&sim.control);
	for (int cpu = 0; cpu < CPU_CNT; cpu++)
		tape_done(&sim.cpus[cpu]);
	tape_done(&sim.all);
}

static void test_window_answers_as_the_whole_recording(void **state)
{
	for (unsigned int seed = 1; seed <= 4; seed++)
		run_machine(seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_keeps_order_and_begins_segments),
		cmocka_unit_test(test_many_names_begin_few_generations),
		cmocka_unit_test(test_takes_one_record),
		cmocka_unit_test(test_budget_holds),
		cmocka_unit_test(test_foreach_stops),
		cmocka_unit_test(test_window_answers_as_the_whole_recording),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
