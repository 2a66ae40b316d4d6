/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/snapshot/carry.h, which keeps state when the window evicts segments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/snapshot/carry-names.h"
#include "lib/snapshot/carry.h"
#include "tests/unit/tape.h"

/* A carry, and the segment that the test evicts next. */
struct rig {
	struct rsp_carry *carry;
	struct tape segment, names;
	__u64 oldest_ns; /* no older record follows */
	struct tape out;
};

static int set_up(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	*state = rig;
	rig->oldest_ns = UINT64_MAX;
	return rsp_carry_new(&rig->carry);
}

static int tear_down(void **state)
{
	struct rig *rig = *state;

	rsp_carry_free(rig->carry);
	tape_done(&rig->segment);
	tape_done(&rig->names);
	tape_done(&rig->out);
	free(rig);
	return 0;
}

#define ADD(make) TAPE_ADD(&rig->segment, make)

/*
 * Passes the segment's records to the carry. Collects them, too, so that let_names_expire() can
 * evict the names among them.
 */
static void fold(struct rig *rig)
{
	const struct rsp_ev_hdr *hdr;

	rsp_carry_fold(rig->carry, rig->segment.bytes, rig->segment.len);
	rsp_carry_drop_older(rig->carry, rig->oldest_ns);
	rsp_record_foreach (hdr, rig->segment.bytes, rig->segment.len)
		tape_add(&rig->names, hdr);
	rig->segment.len = 0;
}

static void read_out(struct rig *rig)
{
	rig->out.len = 0;
	assert_int_equal(rsp_carry_foreach(rig->carry, tape_add_chunk, &rig->out), 0);
}

static void fold_and_read(struct rig *rig)
{
	fold(rig);
	read_out(rig);
}

static size_t count_kind(const struct tape *t, __u16 kind, __u64 *ret_ts_ns)
{
	const struct rsp_ev_hdr *hdr;
	size_t cnt = 0;

	rsp_record_foreach (hdr, t->bytes, t->len) {
		if (hdr->kind != kind)
			continue;
		cnt++;
		if (ret_ts_ns)
			*ret_ts_ns = hdr->ts_ns;
	}
	return cnt;
}

static const struct rsp_ev_switch *find_sleep(const struct rig *rig, __u32 tid)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, rig->out.bytes, rig->out.len) {
		const struct rsp_ev_switch *sw = (const void *)hdr;

		if (hdr->kind == RSP_EV_SWITCH && sw->prev_tid == tid)
			return sw;
	}
	return NULL;
}

static bool has_name(const struct rig *rig, __u16 kind, __u64 id)
{
	const struct rsp_ev_hdr *hdr;

	rsp_record_foreach (hdr, rig->out.bytes, rig->out.len) {
		/* The structs of objects, sockets and stacks have the ID at the same offset. */
		if (hdr->kind == kind && ((const struct rsp_ev_object *)hdr)->id == id)
			return true;
	}
	return false;
}

static void assert_nothing_carried(const struct rig *rig)
{
	assert_int_equal(rig->out.len, 0);
}

/* Evicts the names of all evicted segments, too. The carry keeps only names that it still needs. */
static void let_names_expire(struct rig *rig)
{
	fold(rig);
	rsp_carry_learn(rig->carry, rig->names.bytes, rig->names.len);
	rig->names.len = 0;
	read_out(rig);
}

/* --- identities ----------------------------------------------------------------------------- */

static void test_newest_identity_wins(void **state)
{
	struct rig *rig = *state;
	__u64 ts_ns = 0;

	ADD(task_rec(10, RSP_TASK_FORK, 7, 7, 1));
	ADD(task_rec(30, RSP_TASK_NAME, 7, 7, 1));
	ADD(task_rec(20, RSP_TASK_EXEC, 7, 7, 1));
	fold(rig);
	ADD(task_rec(25, RSP_TASK_NAME, 7, 7, 1));
	fold_and_read(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, &ts_ns), 1);
	assert_int_equal(ts_ns, 30);
}

static void test_exited_task_goes_when_no_older_record_is_left(void **state)
{
	struct rig *rig = *state;

	ADD(task_rec(10, RSP_TASK_SEED, 7, 7, 1));
	ADD(exit_rec(20, 7, 7));
	for (rig->oldest_ns = 0; rig->oldest_ns <= 20; rig->oldest_ns += 10) {
		fold_and_read(rig);
		assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, NULL), 1);
		assert_int_equal(count_kind(&rig->out, RSP_EV_EXIT, NULL), 1);
	}
	fold_and_read(rig);
	assert_nothing_carried(rig);
}

static void test_reused_tid_is_another_task(void **state)
{
	struct rig *rig = *state;
	__u64 ts_ns = 0;

	ADD(task_rec(10, RSP_TASK_SEED, 7, 7, 1));
	ADD(task_rec(30, RSP_TASK_FORK, 7, 7, 1));
	ADD(exit_rec(20, 7, 7));
	ADD(switch_rec(15, 0, 7, 1, 0, 0));
	fold_and_read(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, &ts_ns), 1);
	assert_int_equal(ts_ns, 30);
	assert_int_equal(count_kind(&rig->out, RSP_EV_EXIT, NULL), 0);
	assert_null(find_sleep(rig, 7));
}

/* --- sleeps --------------------------------------------------------------------------------- */

/*
 * Task 7 falls asleep at 10. `then` is a later record, in the same segment or in the next one.
 * want: whether the task is still asleep after it.
 */
static const struct {
	const char *what;
	struct rsp_ev_switch first;
	struct rsp_ev_switch then;
	bool want;
} sleep_cases[] = {
#define SW(ts, fl, prev, next, prevstate)                                                          \
	{                                                                                          \
		.hdr = HDR(RSP_EV_SWITCH, rsp_ev_switch, ts, fl), .prev_tid = prev,                \
		.next_tid = next, .prev_state = prevstate                                          \
	}
	{"asleep", SW(10, 0, 7, 3, 1), SW(11, 0, 3, 4, 1), true},
	{"on a CPU again", SW(10, 0, 7, 3, 1), SW(11, 0, 3, 7, 1), false},
	{"preempted", SW(10, RSP_SW_PREEMPTED, 7, 3, 0), SW(11, 0, 3, 4, 1), false},
	{"throttled", SW(10, RSP_SW_PREEMPTED | RSP_SW_THROTTLED, 7, 3, 0), SW(11, 0, 3, 4, 1),
	 false},
	{"yields", SW(10, 0, 7, 3, 0), SW(11, 0, 3, 4, 1), false},
	{"dead", SW(10, 0, 7, 3, 0x80), SW(11, 0, 3, 4, 1), false},
	{"found asleep", SW(10, RSP_SW_SEED, 7, 0, 0), SW(11, 0, 3, 4, 1), true},
	{"found waiting for a CPU", SW(10, RSP_SW_SEED | RSP_SW_PREEMPTED, 7, 0, 0),
	 SW(11, 0, 3, 4, 1), false},
	{"the same after a pause", SW(10, 0, 7, 3, 1), SW(11, RSP_SW_SEED | RSP_SW_SAME, 7, 0, 1),
	 true},
	{"another sleep after a pause", SW(9, 0, 7, 3, 1), SW(10, RSP_SW_SEED, 7, 0, 1), true},
	{"ran before", SW(10, 0, 7, 3, 1), SW(9, 0, 3, 7, 1), true},
	{"slept before", SW(9, 0, 3, 7, 1), SW(8, 0, 7, 3, 1), false},
	{"idle task", SW(10, 0, 0, 3, 1), SW(11, 0, 3, 0, 1), false},
#undef SW
};

static void test_sleeping_tasks(void **state)
{
	for (size_t i = 0; i < 2 * sizeof(sleep_cases) / sizeof(sleep_cases[0]); i++) {
		const __auto_type c = &sleep_cases[i / 2];
		const struct rsp_ev_switch *sleep;
		struct rig *rig;

		set_up((void **)&rig);
		ADD(task_rec(5, RSP_TASK_SEED, 7, 7, 1));
		tape_add(&rig->segment, &c->first);
		if (i % 2)
			fold(rig);
		tape_add(&rig->segment, &c->then);
		fold_and_read(rig);
		sleep = find_sleep(rig, 7);
		if (!!sleep != c->want)
			fail_msg("%s, %zu segments", c->what, i % 2 + 1);
		assert_null(find_sleep(rig, 0));
		if (sleep) {
			assert_int_equal(sleep->hdr.ts_ns, 10);
			assert_int_equal(sleep->next_tid, 0);
			assert_int_equal(sleep->hdr.flags,
					 (c->first.hdr.flags | c->then.hdr.flags) == RSP_SW_SEED
						 ? RSP_SW_SEED
						 : RSP_SW_CARRIED);
		}
		tear_down((void **)&rig);
	}
}

static void test_work_is_not_carried(void **state)
{
	struct rig *rig = *state;

	ADD(task_rec(5, RSP_TASK_SEED, 7, 7, 1));
	ADD(work_rec(6, 7));
	fold_and_read(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, NULL), 1);
	assert_int_equal(count_kind(&rig->out, RSP_EV_WORK, NULL), 0);
}

static void test_waking_ends_a_sleep(void **state)
{
	struct rig *rig = *state;

	ADD(task_rec(5, RSP_TASK_SEED, 7, 7, 1));
	/* the wakeup arrives before the switch, although it happened later */
	ADD(waking_rec(11, 3, 7, 0));
	ADD(switch_rec(10, 0, 7, 3, 0, 0));
	fold_and_read(rig);
	assert_null(find_sleep(rig, 7));

	ADD(switch_rec(20, 0, 7, 3, 0, 0));
	fold_and_read(rig);
	assert_non_null(find_sleep(rig, 7));
	ADD(waking_rec(21, 3, 7, 0));
	fold_and_read(rig);
	assert_null(find_sleep(rig, 7));
}

static void test_exited_task_does_not_sleep(void **state)
{
	struct rig *rig = *state;

	rig->oldest_ns = 15;
	ADD(task_rec(5, RSP_TASK_SEED, 7, 7, 1));
	ADD(exit_rec(20, 7, 7));
	fold(rig);
	rig->oldest_ns = 1000;
	ADD(switch_rec(15, 0, 7, 3, 0, 0));
	fold_and_read(rig);
	assert_null(find_sleep(rig, 7));
}

/* A sleep after the exit of a thread belongs to the next thread with this TID. */
static void test_sleep_outlives_the_former_owner(void **state)
{
	struct rig *rig = *state;

	ADD(task_rec(5, RSP_TASK_SEED, 7, 7, 1));
	ADD(exit_rec(20, 7, 7));
	ADD(switch_rec(25, 0, 7, 3, 0, 0));
	fold_and_read(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, NULL), 0);
	assert_non_null(find_sleep(rig, 7));
	ADD(task_rec(22, RSP_TASK_FORK, 7, 7, 1));
	fold_and_read(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, NULL), 1);
	assert_non_null(find_sleep(rig, 7));
}

/* After its exit record, a task may sleep once more. */
static void test_death_ends_a_sleep(void **state)
{
	struct rsp_ev_switch dead = switch_rec(30, 0, 7, 3, 0, 0);
	struct rig *rig = *state;

	ADD(exit_rec(20, 7, 7));
	ADD(switch_rec(25, 0, 7, 3, 0, 0));
	fold_and_read(rig);
	assert_non_null(find_sleep(rig, 7));
	dead.prev_state = 0x80;
	tape_add(&rig->segment, &dead);
	let_names_expire(rig);
	assert_nothing_carried(rig);
}

/* --- names ---------------------------------------------------------------------------------- */

static void test_sleep_retains_its_names(void **state)
{
	struct rig *rig = *state;
	struct rsp_ev_switch sw = switch_rec(10, 0, 7, 3, 100, 200);

	sw.ustack = 201;
	ADD(object_rec(9, 100));
	ADD(stack_rec(9, 200));
	ADD(stack_rec(9, 201));
	ADD(stack_rec(9, 299));
	tape_add(&rig->segment, &sw);
	ADD(switch_rec(10, 0, 8, 3, 101, 200));
	ADD(socket_rec(10, 101));
	let_names_expire(rig);
	assert_true(has_name(rig, RSP_EV_OBJECT, 100));
	assert_true(has_name(rig, RSP_EV_SOCKET, 101));
	assert_true(has_name(rig, RSP_EV_STACK, 200));
	assert_true(has_name(rig, RSP_EV_STACK, 201));
	assert_false(has_name(rig, RSP_EV_STACK, 299));

	ADD(waking_rec(20, 3, 7, 0));
	fold_and_read(rig);
	assert_false(has_name(rig, RSP_EV_OBJECT, 100));
	assert_false(has_name(rig, RSP_EV_STACK, 201));
	assert_true(has_name(rig, RSP_EV_STACK, 200));
	ADD(waking_rec(20, 3, 8, 0));
	fold_and_read(rig);
	assert_nothing_carried(rig);
}

static void test_name_may_lie_in_another_segment(void **state)
{
	struct rig *rig = *state;

	ADD(stack_rec(9, 200));
	fold(rig);
	ADD(switch_rec(10, 0, 7, 3, 100, 200));
	fold(rig);
	ADD(object_rec(9, 100));
	let_names_expire(rig);
	assert_true(has_name(rig, RSP_EV_STACK, 200));
	assert_true(has_name(rig, RSP_EV_OBJECT, 100));
}

static void test_futex_address_is_no_name(void **state)
{
	struct rig *rig = *state;

	ADD(object_rec(9, 100));
	ADD(switch_rec(10, RSP_SW_FUTEX, 7, 3, 100, 0));
	let_names_expire(rig);
	assert_non_null(find_sleep(rig, 7));
	assert_false(has_name(rig, RSP_EV_OBJECT, 100));
}

static void test_user_stacks_are_dropped(void **state)
{
	struct stack_rec user = stack_rec(9, 201);
	struct rsp_ev_switch sw = switch_rec(10, 0, 7, 3, 0, 200);
	struct rig *rig = *state;

	user.hdr.flags = RSP_STACK_USER;
	sw.ustack = 201;
	for (int is_learned = 0; is_learned < 2; is_learned++) {
		ADD(stack_rec(9, 200));
		tape_add(&rig->segment, &user);
		tape_add(&rig->segment, &sw);
		if (is_learned)
			let_names_expire(rig);
		else
			fold_and_read(rig);
		assert_int_equal(find_sleep(rig, 7)->ustack, 201);
		assert_int_equal(has_name(rig, RSP_EV_STACK, 201), is_learned);
		rsp_carry_drop_user_stacks(rig->carry);
		let_names_expire(rig);
		assert_int_equal(find_sleep(rig, 7)->ustack, 0);
		assert_false(has_name(rig, RSP_EV_STACK, 201));
		assert_true(has_name(rig, RSP_EV_STACK, 200));
		assert_int_equal(rsp_carry_dropped_cnt(rig->carry), is_learned + 1);
		sw.hdr.ts_ns++;
	}
	ADD(waking_rec(20, 3, 7, 0));
	let_names_expire(rig);
	assert_nothing_carried(rig);
}

/* --- memory --------------------------------------------------------------------------------- */

static void test_trim_forgets_in_order(void **state)
{
	struct rig *rig = *state;
	size_t bytes;

	for (__u32 tid = 1; tid <= 100; tid++) {
		ADD(task_rec(5, RSP_TASK_SEED, tid, tid, 1));
		ADD(stack_rec(9, 1000 + tid));
		ADD(switch_rec(10 + tid, 0, tid, 0, 0, 1000 + tid));
	}
	let_names_expire(rig);
	assert_int_equal(count_kind(&rig->out, RSP_EV_STACK, NULL), 100);

	bytes = rsp_carry_bytes(rig->carry);
	rsp_carry_trim(rig->carry, bytes);
	assert_int_equal(rsp_carry_dropped_cnt(rig->carry), 0);
	for (__u32 dropped_cnt = 1; dropped_cnt <= 100; dropped_cnt++) {
		rsp_carry_trim(rig->carry, rsp_carry_bytes(rig->carry) - 1);
		assert_int_equal(rsp_carry_dropped_cnt(rig->carry), dropped_cnt);
		read_out(rig);
		assert_false(has_name(rig, RSP_EV_STACK, 1000 + dropped_cnt));
		assert_int_equal(count_kind(&rig->out, RSP_EV_STACK, NULL), 100 - dropped_cnt);
		assert_int_equal(count_kind(&rig->out, RSP_EV_TASK, NULL), 100);
	}
	rsp_carry_trim(rig->carry, rsp_carry_bytes(rig->carry) - 1);
	read_out(rig);
	assert_null(find_sleep(rig, 1));
	assert_non_null(find_sleep(rig, 2));
	rsp_carry_trim(rig->carry, 0);
	read_out(rig);
	assert_nothing_carried(rig);
	assert_int_equal(rsp_carry_dropped_cnt(rig->carry), 200);
}

static void test_bytes_return_to_zero(void **state)
{
	struct rig *rig = *state;
	size_t bytes = 0;

	for (int round = 0; round < 3; round++) {
		for (__u32 tid = 2; tid <= 100; tid++) {
			__u64 ts_ns = (__u64)round * 1000 + tid;

			ADD(task_rec(ts_ns, RSP_TASK_FORK, tid, tid, tid - 1));
			ADD(stack_rec(ts_ns, tid));
			ADD(switch_rec(ts_ns, 0, tid, 0, tid, tid));
		}
		let_names_expire(rig);
		assert_true(rsp_carry_bytes(rig->carry) > 100 * 200);
		for (__u32 tid = 2; tid <= 100; tid++) {
			struct rsp_ev_switch dead = switch_rec((__u64)round * 1000 + 501, 0, tid, 0,
							       0, 0);

			dead.prev_state = 0x80;
			ADD(exit_rec((__u64)round * 1000 + 500, tid, tid));
			tape_add(&rig->segment, &dead);
		}
		let_names_expire(rig);
		assert_nothing_carried(rig);
		if (round > 0) /* from the second round on, the hash maps do not grow */
			assert_int_equal(rsp_carry_bytes(rig->carry), bytes);
		bytes = rsp_carry_bytes(rig->carry);
	}
}

static int refuse(const void *records, size_t len, void *userdata)
{
	(*(int *)userdata)++;
	return -42;
}

static void test_foreach_stops(void **state)
{
	struct rig *rig = *state;
	int call_cnt = 0;

	for (__u32 tid = 1; tid <= 10000; tid++)
		ADD(task_rec(5, RSP_TASK_SEED, tid, tid, 1));
	fold(rig);
	assert_int_equal(rsp_carry_foreach(rig->carry, refuse, &call_cnt), -42);
	assert_int_equal(call_cnt, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_newest_identity_wins),
		TEST(test_exited_task_goes_when_no_older_record_is_left),
		TEST(test_reused_tid_is_another_task),
		TEST(test_sleeping_tasks),
		TEST(test_work_is_not_carried),
		TEST(test_waking_ends_a_sleep),
		TEST(test_exited_task_does_not_sleep),
		TEST(test_sleep_outlives_the_former_owner),
		TEST(test_death_ends_a_sleep),
		TEST(test_sleep_retains_its_names),
		TEST(test_name_may_lie_in_another_segment),
		TEST(test_futex_address_is_no_name),
		TEST(test_user_stacks_are_dropped),
		TEST(test_trim_forgets_in_order),
		TEST(test_bytes_return_to_zero),
		TEST(test_foreach_stops),
	};

	return cmocka_run_group_tests_name("carry", tests, NULL, NULL);
}
