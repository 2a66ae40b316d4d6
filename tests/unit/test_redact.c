/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests lib/snapshot/redact.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/model/explain/explain.h"
#include "lib/report/report.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/redact.h"
#include "tests/story/story.h"

#define USER 1000

/*
 * Process 10 belongs to the user, 20 to another user, and 7 to the kernel. Process 30 belonged to
 * another user first, so it counts as another user's. A thread of process 40 belongs to another
 * user, so the process does, too. Names that the user may see begin with "visible", all other names
 * with "secret".
 */
static const char story_text[] =
	"0 window 0 100; 0 target 10\n"
	"0 alive 10 visible-me uid=1000 cgroup=16; 0 alive 20 secret-server uid=1001 cgroup=17\n"
	"0 alive 30 secret-su uid=0; 0 alive 40 secret-a uid=1000; 0 alive 41 secret-b 40 uid=5\n"
	"0 kthread 7 visible-kworker\n"
	"0 file 1 /visible/own; 0 file 2 /secret/file; 0 file 3 /secret/other; 0 handler 4 visible-irq\n"
	"0 file 5 /secret/queued; 0 drive 8:0 visible-disk; 0 cgroup 6 /secret/cgroup\n"
	"0 cgroup 15 /visible-group ino=16; 0 cgroup 14 /secret-group ino=17\n"
	"0 container visible-container cgroup=16 pod=visible-pod namespace=visible-namespace\n"
	"0 container secret-container cgroup=17 pod=secret-pod namespace=secret-namespace\n"
	"0 kstack 1 visible_wait; 0 kstack 2 secret_wait; 0 kstack 3 visible_kthread\n"
	"0 ustack 4 visible_main; 0 ustack 5 secret_main; 0 kstack 9 visible_item\n"
	"0 kstack 11 secret_interrupted; 0 kstack 12 visible_timer; 0 kstack 13 secret_timer\n"
	"0 binary 1 /lib/visible.so; 0 binary 2 /lib/secret.so\n"
	"0 frames 6 1+0x10; 0 frames 8 2+0x20\n"
	"0 socket 70 77 10.0.0.1:4711 10.0.0.2:80; 0 socket 71 78 10.0.0.2:80 10.0.0.1:4711\n"
	"0 socket 72 79 10.66.66.66:666 10.66.66.67:667\n"
	"0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2; 0 run 40 cpu=3; 0 run 41 cpu=4\n"
	"1 sample 10 k=1 u=4; 1 sample 20 k=2 u=5\n"
	"2 send 10 77 70; 3 send 20 79 72; 3 ready 79 72\n"
	"4 disk insert 90 obj=1 sector=11; 5 disk insert 91 obj=5 cpu=1 sector=987654321\n"
	"6 disk issue 91 obj=5 cpu=0 sector=987654321; 7 disk complete 91 cpu=0\n"
	"10 block 10 sys=0 obj=1 k=1 u=6; 20 name 30 secret-su2\n"
	"21 block 20 sys=1 obj=2 k=2 u=8 cpu=1; 22 block 41 sys=1 obj=3 u=5 cpu=4\n"
	"23 irq hard 4 20 k=11 tid=30 cpu=2; 24 run 20 cpu=1\n"
	"25 block 40 sys=1 obj=3 u=5 cpu=3\n"
	"26 work 7 20 9 cpu=5; 27 wake 7 30 k=3 cpu=5; 28 irq ktimer 12 41 cpu=6\n"
	"30 wake 20 10 k=2 u=5 cpu=1; 31 run 10; 32 send 20 78 71\n"
	"40 block 10 sys=202 futex obj=123456; 41 wake 20 10 k=2 cpu=1; 42 run 10\n"
	"50 exit 20 code=77 cpu=1; 60 block 10\n";

struct redacted {
	struct rsp_snapshot *snap;
	char *records;
	size_t len;
};

static int redact(const struct rsp_snapshot *snap, uid_t uid, struct redacted *ret)
{
	int r = rsp_redact(snap, uid, &ret->snap);

	if (r < 0)
		return r;
	ret->records = NULL;
	ret->len = 0;
	for (size_t i = 0; i < ret->snap->section_cnt; i++) {
		const struct rsp_section *sec = &ret->snap->sections[i];

		ret->records = realloc(ret->records, ret->len + sec->len);
		memcpy(ret->records + ret->len, sec->data, sec->len);
		ret->len += sec->len;
	}
	return 0;
}

static void redacted_done(struct redacted *x)
{
	rsp_snapshot_free(x->snap);
	free(x->records);
}

static bool holds(const struct redacted *x, const void *what, size_t len)
{
	return memmem(x->records, x->len, what, len);
}

static bool says(const struct redacted *x, const char *text)
{
	return holds(x, text, strlen(text));
}

static char *reports_of(const struct rsp_snapshot *snap)
{
	static const enum rsp_view views[] = {RSP_VIEW_EXPLAIN, RSP_VIEW_TABLE, RSP_VIEW_CHAINS,
					      RSP_VIEW_PATHS,	RSP_VIEW_IO,	RSP_VIEW_NET,
					      RSP_VIEW_LOCKS,	RSP_VIEW_IRQ,	RSP_VIEW_EDGES};
	struct rsp_explanation *e;
	struct rsp_trace *trace;
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(rsp_trace_new(snap, &trace), 0);
	assert_int_equal(rsp_explain(trace, &e), 0);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		assert_int_equal(rsp_report_text(e, views[i],
						 &(struct rsp_report_options){.width = 1000}, f),
				 0);
	assert_int_equal(rsp_report_json(e, NULL, false, f), 0);
	fclose(f);
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	return text;
}

static void test_nothing_of_others(void **state)
{
	static const char *const visible[] = {
		"visible-me",	 "visible-kworker", "visible",	     "own",
		"visible-irq",	 "visible-disk",    "visible_wait",  "visible_kthread",
		"visible_main",	 "visible_item",    "visible_timer", "/lib/visible.so",
		"visible-group", "uid 1001",	    "uid 0",
	};
	static const __u64 sector = 987654321;
	struct story *s = story_new(story_text);
	struct redacted x;
	char *text;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_true(x.snap->meta.redacted);
	assert_false(says(&x, "secret"));
	assert_false(holds(&x, &sector, sizeof(sector)));
	assert_false(holds(&x, (__u8[]){10, 66, 66, 66}, 4));
	for (size_t i = 0; i < sizeof(visible) / sizeof(visible[0]); i++)
		if (!says(&x, visible[i]))
			fail_msg("%s is gone", visible[i]);

	text = reports_of(x.snap);
	assert_null(strstr(text, "secret"));
	assert_null(strstr(text, "10.66."));
	assert_non_null(strstr(text, "for uid 1001 ["));
	assert_non_null(strstr(text, "visible_main"));
	assert_non_null(strstr(text, "/visible/own"));
	assert_non_null(strstr(text, "Redacted: "));
	free(text);
	redacted_done(&x);
	story_free(s);
}

static void test_numbers_stay(void **state)
{
	struct story *s = story_new(story_text);
	struct rsp_explanation *whole, *e;
	struct rsp_trace *trace;
	struct redacted x;
	__u64 run_ns, whole_run_ns;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_int_equal(rsp_explain(s->trace, &whole), 0);
	assert_int_equal(rsp_trace_new(x.snap, &trace), 0);
	assert_int_equal(rsp_explain(trace, &e), 0);
	assert_int_equal(e->total_ns, whole->total_ns);
	run_ns = e->cat_ns[RSP_CAT_RUNNING_SAMPLED] + e->cat_ns[RSP_CAT_RUNNING_UNSAMPLED];
	whole_run_ns = whole->cat_ns[RSP_CAT_RUNNING_SAMPLED] +
		       whole->cat_ns[RSP_CAT_RUNNING_UNSAMPLED];
	assert_true(whole_run_ns > 0);
	assert_int_equal(run_ns, whole_run_ns);
	for (size_t cat = RSP_CAT_DISK_ACTIVE; cat < RSP_CAT_MAX; cat++)
		assert_int_equal(e->cat_ns[cat], whole->cat_ns[cat]);
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	rsp_explanation_free(whole);
	redacted_done(&x);
	story_free(s);
}

static void test_permission(void **state)
{
	static const struct {
		__u32 target;
		uid_t uid;
		int want;
	} cases[] = {
		{10, USER, 0},	     {20, USER, -EACCES},   {20, 1001, 0},	{30, 0, 0},
		{30, USER, -EACCES}, {40, USER, -EACCES},   {40, 5, -EACCES},	{7, 0, -EACCES},
		{7, USER, -EACCES},  {4711, USER, -EACCES}, {0, USER, -EACCES},
	};
	struct story *s = story_new(story_text);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_snapshot snap = s->snap;
		struct redacted x;
		int r;

		snap.meta.target_pid = cases[i].target;
		r = redact(&snap, cases[i].uid, &x);
		if (r != cases[i].want)
			fail_msg("%u of %u: %d", cases[i].target, cases[i].uid, r);
		if (r == 0)
			redacted_done(&x);
	}
	story_free(s);
}

/*
 * Process 10 does not count as the user's: since its last exec, it or one of its threads belonged
 * to another user or was closed.
 */
static void test_former_owner(void **state)
{
	static const char *const stories[] = {
		"0 alive 10 x uid=1000; 5 exec 10 x uid=0",
		"0 window 0 100; 0 alive 10 x uid=0; 5 name 10 x uid=1000",
		"0 window 0 100; 0 alive 10 x uid=0; 5 exec 10 x uid=1000; 6 exec 10 x uid=0",
		"0 alive 10 x uid=1000; 5 kthread 10 x",
		"0 alive 10 x uid=1000 closed",
		"0 alive 10 x uid=1000; 5 name 10 x uid=1000 closed",
		"0 alive 10 x uid=1000; 5 exec 10 x uid=1000 closed",
		"0 alive 10 x uid=1000; 5 kthread 11 x 10 uid=1000 lent closed",
		"0 alive 10 x uid=1000; 0 run 10; 5 exit 10 closed",
		"0 alive 10 x uid=1000; 5 alive 11 x 10 uid=0",
		"0 alive 11 x 10 uid=0; 5 alive 10 x uid=1000",
	};

	for (size_t i = 0; i < sizeof(stories) / sizeof(stories[0]); i++) {
		struct story *s = story_new(stories[i]);
		struct redacted x;

		s->snap.meta.target_pid = 10;
		assert_int_equal(redact(&s->snap, USER, &x), -EACCES);
		story_free(s);
	}
}

/* A login or a service manager belongs to root until it executes a program as the user. */
static void test_owner_after_dropping_rights(void **state)
{
	struct story *s = story_new("0 window 0 100; 0 target 10; 0 alive 10 secret-login uid=0\n"
				    "0 file 1 /secret/shadow; 0 file 2 /visible/own\n"
				    "0 ustack 4 secret_check; 0 ustack 5 visible_main; 0 run 10\n"
				    "1 block 10 sys=0 obj=1 u=4; 2 run 10\n"
				    "5 exec 10 visible-shell uid=1000; 6 block 10 sys=0 obj=2 u=5\n"
				    "7 run 10; 8 sample 10 u=5; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	assert_true(says(&x, "visible-shell"));
	assert_true(says(&x, "own"));
	assert_true(says(&x, "visible_main"));
	redacted_done(&x);
	story_free(s);
}

/* The late record of an earlier program must not make a later, closed program the user's. */
static void test_order_of_arrival(void **state)
{
	struct story *s = story_new("0 window 0 100; 0 target 10; 0 alive 10 visible uid=1000\n"
				    "0 file 1 /secret/shadow; 0 file 2 /visible/own; 0 run 10\n"
				    "20 exec 10 secret-sudo uid=1000 closed\n"
				    "10 exec 10 visible-shell uid=1000\n"
				    "30 block 10 sys=0 obj=1; 31 run 10\n"
				    "40 exec 10 visible-again uid=1000\n"
				    "50 block 10 sys=0 obj=2; 51 run 10; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	assert_true(says(&x, "visible-again"));
	assert_true(says(&x, "own"));
	redacted_done(&x);
	story_free(s);
}

/*
 * A lost record may be that of a closed program, or of a new thread with the same TID. So the owner
 * of a thread is unknown until the thread's next record.
 */
static void test_lost_births(void **state)
{
	struct story *s = story_new("0 window 0 100; 0 target 10; 0 alive 10 visible uid=1000\n"
				    "0 alive 30 secret-thirty uid=1000; 0 run 30 cpu=1\n"
				    "0 file 1 /secret/shadow; 0 file 2 /visible/before\n"
				    "0 file 3 /visible/after; 0 file 4 /secret/group; 0 run 10\n"
				    "5 block 10 sys=0 obj=2; 6 run 10; 20 lost 10 births\n"
				    "30 block 10 sys=0 obj=1; 31 run 10\n"
				    "32 block 30 cpu=1 sys=0 obj=4\n"
				    "40 exec 10 visible-again uid=1000\n"
				    "50 block 10 sys=0 obj=3; 51 run 10; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "shadow"));
	assert_false(says(&x, "group"));
	assert_true(says(&x, "before"));
	assert_true(says(&x, "after"));
	redacted_done(&x);
	story_free(s);
}

static void test_id_of_another(void **state)
{
	struct story *s = story_new(
		"0 window 0 100; 0 target 10; 0 alive 10 secret-first uid=0 closed\n"
		"0 file 1 /secret/shadow; 0 file 2 /visible/own; 0 run 10\n"
		"5 block 10 sys=0 obj=1; 6 run 10; 10 exit 10 closed\n"
		"20 fork 1 10; 21 run 10; 22 exec 10 visible-next uid=1000\n"
		"30 block 10 sys=0 obj=2; 31 run 10; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	assert_true(says(&x, "visible-next"));
	assert_true(says(&x, "own"));
	redacted_done(&x);
	story_free(s);
}

static void test_closed_programs(void **state)
{
	struct story *s = story_new(
		"0 window 0 100; 0 target 10; 0 alive 10 visible uid=1000\n"
		"0 alive 20 secret-setgid uid=1000 closed\n"
		"0 alive 30 secret-passwd uid=1000 closed\n"
		"0 file 1 /secret/shadow; 0 file 2 /secret/group\n"
		"0 file 3 /visible/own; 0 ustack 4 secret_check\n"
		"0 run 10; 0 run 20 cpu=1; 0 run 30 cpu=2\n"
		"1 block 20 sys=0 obj=1 u=4 cpu=1; 2 block 30 sys=0 obj=2 cpu=2\n"
		"3 run 30 cpu=2; 4 exec 30 visible-now uid=1000\n"
		"5 block 30 sys=0 obj=3 cpu=2; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	assert_true(says(&x, "visible-now"));
	assert_true(says(&x, "own"));
	redacted_done(&x);
	story_free(s);
}

static void test_kernel_workers_of_a_process(void **state)
{
	struct story *s = story_new("0 window 0 100; 0 target 10; 0 alive 10 visible uid=1000\n"
				    "0 kthread 11 visible-iou-wrk 10 uid=1000 lent\n"
				    "0 kthread 21 secret-iou-wrk 20 uid=1001 lent\n"
				    "0 file 1 /visible/own; 0 file 2 /secret/file; 0 run 10\n"
				    "0 run 11 cpu=1; 0 run 21 cpu=2; 1 block 11 sys=0 obj=1 cpu=1\n"
				    "2 block 21 sys=0 obj=2 cpu=2; 90 block 10\n");
	struct redacted x;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	assert_true(says(&x, "visible-iou-wrk"));
	assert_true(says(&x, "own"));
	redacted_done(&x);
	story_free(s);
}

static __u64 first_of(const struct redacted *x, __u16 kind, size_t off)
{
	__u64 value = 0;

	for (size_t i = 0; i < x->snap->section_cnt; i++) {
		const struct rsp_section *sec = &x->snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t at = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &at, &hdr) > 0) {
			if (hdr->kind != kind)
				continue;
			memcpy(&value, (const char *)hdr + off, sizeof(value));
			return value;
		}
	}
	fail_msg("no record of kind %u", kind);
	return 0;
}

/* Redaction changes the addresses of kernel functions, but keeps the names of the functions. */
static void test_no_kernel_addresses(void **state)
{
	static const __u64 address = 0xffffffff81234567;
	struct story *s = story_begin();
	struct rsp_ev_work *work;
	struct rsp_ev_stack *stack;
	struct rsp_ev_waking *waking;
	struct redacted x;
	struct rsp_trace *trace;
	struct rsp_frame frame;

	assert_int_equal(story_read(s, "0 alive 10 me uid=1000; 1 run 10"), 0);
	assert_int_equal(rsp_symbols_add_stack(s->symbols, address), 0);
	assert_int_equal(rsp_symbols_add_frame(s->symbols, "wb_workfn", "vmlinux"), 0);
	work = story_record(s, RSP_EV_WORK, sizeof(*work), 0);
	work->function = address;
	waking = story_record(s, RSP_EV_WAKING, sizeof(*waking), 0);
	waking->context = RSP_WAKE_KTIMER;
	waking->cause = address;
	waking->kstack = 5;
	stack = story_record(s, RSP_EV_STACK, sizeof(*stack) + 8, RSP_STACK_KERNEL);
	stack->id = 5;
	stack->frame_cnt = 1;
	stack->frames[0] = address;
	story_finish(s);
	s->snap.meta.target_pid = 10;

	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(holds(&x, &address, sizeof(address)));
	assert_int_equal(rsp_trace_new(x.snap, &trace), 0);
	assert_int_equal(
		rsp_trace_frames(trace,
				 first_of(&x, RSP_EV_WORK, offsetof(struct rsp_ev_work, function)),
				 &frame, 1),
		1);
	assert_string_equal(frame.symbol, "wb_workfn");
	assert_int_equal(first_of(&x, RSP_EV_WORK, offsetof(struct rsp_ev_work, function)),
			 first_of(&x, RSP_EV_WAKING, offsetof(struct rsp_ev_waking, cause)));
	rsp_trace_free(trace);
	redacted_done(&x);
	story_free(s);
}

static const struct kind_rule {
	__u16 kind;
	size_t size;
	/* pairs of from and to: redaction may keep the bytes from `from` to before `to` */
	size_t kept[8][2];
} kinds[] = {
#define AT(type, member)                                                                           \
	{                                                                                          \
		offsetof(struct type, member),                                                     \
			offsetof(struct type, member) + sizeof(((struct type *)0)->member)         \
	}
	{RSP_EV_SWITCH,
	 sizeof(struct rsp_ev_switch),
	 {AT(rsp_ev_switch, prev_tid), AT(rsp_ev_switch, next_tid), AT(rsp_ev_switch, prev_state)}},
	{RSP_EV_WAKING,
	 sizeof(struct rsp_ev_waking),
	 {AT(rsp_ev_waking, waker_tid), AT(rsp_ev_waking, wakee_tid), AT(rsp_ev_waking, context),
	  AT(rsp_ev_waking, slept_us)}},
	{RSP_EV_SAMPLE, sizeof(struct rsp_ev_sample), {{0}}},
	{RSP_EV_BLOCK,
	 sizeof(struct rsp_ev_block),
	 {AT(rsp_ev_block, request), AT(rsp_ev_block, dev), AT(rsp_ev_block, bytes),
	  AT(rsp_ev_block, op_flags), AT(rsp_ev_block, tid)}},
	{RSP_EV_IRQ,
	 sizeof(struct rsp_ev_irq),
	 {AT(rsp_ev_irq, vector), AT(rsp_ev_irq, tid), AT(rsp_ev_irq, dur_ns),
	  AT(rsp_ev_irq, object)}},
	{RSP_EV_NET, sizeof(struct rsp_ev_net), {{0}}},
	{RSP_EV_STACK, sizeof(struct rsp_ev_stack), {{0}}},
	{RSP_EV_OBJECT, sizeof(struct rsp_ev_object), {{0}}},
	{RSP_EV_SOCKET, sizeof(struct rsp_ev_socket), {{0}}},
	{RSP_EV_TASK,
	 sizeof(struct rsp_ev_task),
	 {AT(rsp_ev_task, tid), AT(rsp_ev_task, tgid), AT(rsp_ev_task, ptid), AT(rsp_ev_task, uid),
	  AT(rsp_ev_task, start_ns), AT(rsp_ev_task, attrs), AT(rsp_ev_task, comm)}},
	{RSP_EV_EXIT, sizeof(struct rsp_ev_exit), {AT(rsp_ev_exit, tid), AT(rsp_ev_exit, tgid)}},
	{12, 40, {{0}}},
	{RSP_EV_LOST,
	 sizeof(struct rsp_ev_lost),
	 {AT(rsp_ev_lost, from_ns), AT(rsp_ev_lost, lost_cnt), AT(rsp_ev_lost, kinds)}},
	{RSP_EV_WORK,
	 sizeof(struct rsp_ev_work),
	 {AT(rsp_ev_work, worker_tid), AT(rsp_ev_work, queuer_tid), AT(rsp_ev_work, context),
	  AT(rsp_ev_work, pad), AT(rsp_ev_work, queued_ns)}},
	{RSP_EV_BINARY, sizeof(struct rsp_ev_binary) + 8, {{0}}},
	{RSP_EV_SHED,
	 sizeof(struct rsp_ev_shed),
	 {AT(rsp_ev_shed, from_ns), AT(rsp_ev_shed, step), AT(rsp_ev_shed, budget_ppm)}},
	{RSP_EV_DELAY,
	 sizeof(struct rsp_ev_delay),
	 {AT(rsp_ev_delay, tid), AT(rsp_ev_delay, pad), AT(rsp_ev_delay, from_ns),
	  AT(rsp_ev_delay, subject)}},
	{RSP_EV_MESSAGE, sizeof(struct rsp_ev_message), {{0}}},
	{RSP_EV_MARK, sizeof(struct rsp_ev_mark), {{0, 16}}},
	{RSP_EV_COUNTERS, sizeof(struct rsp_ev_counters), {AT(rsp_ev_counters, v)}},
	{RSP_EV_ACCOUNT, sizeof(struct rsp_ev_account), {{0}}},
	{RSP_EV_CALLS, sizeof(struct rsp_ev_calls), {{0}}},
	{RSP_EV_CPU_TIME,
	 sizeof(struct rsp_ev_cpu_time),
	 {AT(rsp_ev_cpu_time, user_ns), AT(rsp_ev_cpu_time, system_ns), AT(rsp_ev_cpu_time, irq_ns),
	  AT(rsp_ev_cpu_time, softirq_ns), AT(rsp_ev_cpu_time, steal_ns),
	  AT(rsp_ev_cpu_time, idle_ns)}},
	{RSP_EV_MEMORY, sizeof(struct rsp_ev_memory), {{0}}},
	{RSP_EV_MEMORY_WATCH, sizeof(struct rsp_ev_memory_watch), {{0}}},
	{RSP_EV_STOLEN, sizeof(struct rsp_ev_stolen), {{0}}},
	{RSP_EV_CONTAINER, sizeof(struct rsp_ev_container), {{0}}},
	{RSP_EV_KIND_MAX, 40, {{0}}},
	{999, 40, {{0}}},
#undef AT
};

/* The lowest bit is 0, so that a marked `attrs` does not mean a kernel thread. */
#define MARK 0xa0

/* Fills a record with marked bytes, except for the bytes that make it valid. */
static void fill_record(__u8 *rec, __u16 kind, size_t size)
{
	memset(rec + 16, MARK, size - 16);
	switch (kind) {
	case RSP_EV_CONTAINER:
		((struct rsp_ev_container *)rec)->name[9] = '\0';
		((struct rsp_ev_container *)rec)->pod[9] = '\0';
		((struct rsp_ev_container *)rec)->name_space[9] = '\0';
		break;
	case RSP_EV_STACK:
		((struct rsp_ev_stack *)rec)->frame_cnt = 0;
		break;
	case RSP_EV_OBJECT:
		((struct rsp_ev_object *)rec)->name_len = 5;
		((struct rsp_ev_object *)rec)->name[4] = '\0';
		break;
	case RSP_EV_TASK:
		((struct rsp_ev_task *)rec)->comm[15] = '\0';
		break;
	case RSP_EV_BINARY:
		((struct rsp_ev_binary *)rec)->build_id_len = 0;
		((struct rsp_ev_binary *)rec)->path[7] = '\0';
		break;
	case RSP_EV_MARK:
		((struct rsp_ev_mark *)rec)->text[9] = '\0';
		break;
	}
}

static void check_record(const struct kind_rule *rule, const struct rsp_ev_hdr *hdr)
{
	const __u8 *got = (const void *)hdr;

	for (size_t at = 16; at < hdr->size; at++) {
		bool may = false;

		for (size_t n = 0; n < 8; n++)
			may |= at >= rule->kept[n][0] && at < rule->kept[n][1];
		if (!may && got[at] == MARK)
			fail_msg("kind %u: byte %zu passes", hdr->kind, at);
	}
}

static size_t check_kind(const struct rsp_snapshot *snap, const struct kind_rule *rule)
{
	size_t cnt = 0;

	for (size_t k = 0; k < snap->section_cnt; k++) {
		const struct rsp_section *sec = &snap->sections[k];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &off, &hdr) > 0) {
			if (hdr->kind != rule->kind || ((const __u8 *)hdr)[16] == 10)
				continue;
			check_record(rule, hdr);
			cnt++;
		}
	}
	return cnt;
}

/* If the owner of a record is unknown, redaction keeps only IDs and times. */
static void test_every_kind_has_a_rule(void **state)
{
	/* If this fails, add the new kind to `kinds` and to the rules in lib/snapshot/redact.c. */
	assert_int_equal(sizeof(kinds) / sizeof(kinds[0]), RSP_EV_KIND_MAX - 1 + 2);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct story *s = story_begin();
		struct redacted x;

		assert_int_equal(story_read(s, "0 alive 10 me uid=1000"), 0);
		fill_record(story_record(s, kinds[i].kind, kinds[i].size, 0), kinds[i].kind,
			    kinds[i].size);
		story_finish(s);
		assert_int_equal(
			rsp_record_check(s->records + s->len - kinds[i].size, kinds[i].size), 0);
		s->snap.meta.target_pid = 10;
		assert_int_equal(redact(&s->snap, USER, &x), 0);
		assert_int_equal(check_kind(x.snap, &kinds[i]), kinds[i].kept[0][1] ? 1 : 0);
		redacted_done(&x);
		story_free(s);
	}
}

/* Fills a record so that it is about thread 10 or process 10: all its 32-bit fields contain 10. */
static void fill_own_record(__u8 *rec, __u16 kind, size_t size)
{
	for (size_t at = 16; at < size; at += 4)
		*(__u32 *)(rec + at) = 10;
	if (kind == RSP_EV_STACK)
		((struct rsp_ev_stack *)rec)->frame_cnt = 0;
	if (kind == RSP_EV_TASK) {
		((struct rsp_ev_task *)rec)->uid = USER;
		((struct rsp_ev_task *)rec)->attrs = 0;
	}
	if (kind == RSP_EV_EXIT)
		((struct rsp_ev_exit *)rec)->attrs = 0;
}

static size_t count_records(const struct rsp_snapshot *snap, __u16 kind)
{
	size_t cnt = 0;

	for (size_t i = 0; i < snap->section_cnt; i++) {
		const struct rsp_section *sec = &snap->sections[i];
		const struct rsp_ev_hdr *hdr;
		size_t off = 0;

		while (sec->type == RSP_SEC_EVENTS &&
		       rsp_record_next(sec->data, sec->len, &off, &hdr) > 0)
			cnt += hdr->kind == kind;
	}
	return cnt;
}

/* Returns whether records of the kind pass only beside certain records of other kinds. */
static bool needs_others(__u16 kind)
{
	switch (kind) {
	case RSP_EV_NET: /* needs its socket */
	case RSP_EV_MESSAGE:
	case RSP_EV_STACK: /* a name: needs an event */
	case RSP_EV_OBJECT:
	case RSP_EV_SOCKET:
	case RSP_EV_BINARY:
	case RSP_EV_CONTAINER:
		return true;
	}
	return false;
}

static void test_own_records_pass(void **state)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		__u16 kind = kinds[i].kind;
		bool is_known = kind != 12 && kind < RSP_EV_KIND_MAX;
		struct story *s = story_begin();
		struct redacted x;
		size_t cnt;
		__u8 *rec;

		assert_int_equal(story_read(s, "0 alive 10 me uid=1000"), 0);
		rec = story_record(s, kind, kinds[i].size, RSP_TASK_NAME);
		fill_own_record(rec, kind, kinds[i].size);
		assert_int_equal(rsp_record_check(rec, kinds[i].size), 0);
		story_finish(s);
		assert_int_equal(redact(&s->snap, USER, &x), 0);
		cnt = count_records(x.snap, kind) - (kind == RSP_EV_TASK); /* of the story */
		if (cnt != (is_known && !needs_others(kind)))
			fail_msg("kind %u: %zu records pass", kind, cnt);
		redacted_done(&x);
		story_free(s);
	}
}

/* The field of a name contains old data after the end of the name. Redaction must clear them. */
static void test_tails_are_cleared(void **state)
{
	struct story *s = story_begin();
	struct rsp_ev_container *container;
	struct rsp_ev_object *object;
	struct rsp_ev_task *task;
	struct redacted x;

	assert_int_equal(story_read(s, "0 alive 10 me uid=1000; 0 run 10; 1 block 10 obj=9"), 0);
	object = story_record(s, RSP_EV_OBJECT, sizeof(*object), 0);
	object->id = 9;
	object->type = RSP_OBJ_FILE;
	object->name_len = 4;
	memcpy(object->name, "own\0secret", 11);
	task = story_record(s, RSP_EV_TASK, sizeof(*task), RSP_TASK_NAME);
	task->tid = task->tgid = 10;
	task->uid = USER;
	memcpy(task->comm, "me\0secret", 10);
	container = story_record(s, RSP_EV_CONTAINER, sizeof(*container), 0);
	memcpy(container->name, "web\0secret", 11);
	memcpy(container->pod, "shop\0secret", 12);
	memcpy(container->name_space, "prod\0secret", 12);
	story_finish(s);
	s->snap.meta.target_pid = 10;
	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_true(says(&x, "own"));
	assert_true(says(&x, "shop"));
	assert_false(says(&x, "secret"));
	redacted_done(&x);
	story_free(s);
}

/*
 * One connection is between 10 and 20, another between 20 and 30. As in a damaged file, the two
 * ends of the last messages belong to different connections.
 */
static void test_messages(void **state)
{
	static const struct {
		__u64 from, to;
		__u32 bytes;
	} expected[] = {{70, 71, 1}, {71, 70, 2}, {70, 0, 4}, {0, 70, 0}};
	struct story *s = story_new(
		"0 window 0 100; 0 target 10; 0 alive 10 me uid=1000; 0 alive 20 other uid=1001\n"
		"0 alive 30 third uid=1001; 0 run 10; 0 unix 1 /visible; 0 unix 2 /secret\n"
		"0 unixsocket 70 77 78 5 1; 0 unixsocket 71 78 77 5 1\n"
		"0 unixsocket 72 87 88 6 2; 0 unixsocket 73 88 87 6 2\n"
		"1 message 10 70 71 bytes=1; 2 message 20 71 70 bytes=2; 3 message 20 72 73 bytes=3\n"
		"4 message 10 70 73 bytes=4; 5 message 20 72 70 bytes=5; 6 message 20 0 0 bytes=6");
	const struct rsp_ev_hdr *hdr;
	struct redacted x;
	size_t cnt = 0;

	(void)state;
	assert_int_equal(redact(&s->snap, USER, &x), 0);
	rsp_record_foreach (hdr, x.snap->sections[0].data, x.snap->sections[0].len) {
		const struct rsp_ev_message *message = (const void *)hdr;

		if (hdr->kind != RSP_EV_MESSAGE)
			continue;
		assert_true(cnt < sizeof(expected) / sizeof(expected[0]));
		assert_int_equal(message->from, expected[cnt].from);
		assert_int_equal(message->to, expected[cnt].to);
		assert_int_equal(message->bytes, expected[cnt].bytes);
		cnt++;
	}
	assert_int_equal(cnt, sizeof(expected) / sizeof(expected[0]));
	assert_true(says(&x, "visible"));
	assert_false(says(&x, "secret"));
	redacted_done(&x);
	story_free(s);
}

/*
 * A process of another user has also sent from this socket, so the socket does not belong to the
 * user alone.
 */
static void test_a_shared_socket_is_withheld(void **state)
{
	struct story *s = story_new(
		"0 window 0 100; 0 target 10; 0 alive 10 me uid=1000; 0 alive 20 other uid=1001\n"
		"0 run 10; 0 unix 1 /secret; 0 unixsocket 70 77 78 5 1; 0 unixsocket 71 78 77 5 1\n"
		"1 message 10 70 71 bytes=1; 2 message 20 70 71 bytes=2");
	struct redacted x;

	(void)state;
	assert_int_equal(redact(&s->snap, USER, &x), 0);
	assert_false(says(&x, "secret"));
	redacted_done(&x);
	story_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_of_others),
		cmocka_unit_test(test_numbers_stay),
		cmocka_unit_test(test_permission),
		cmocka_unit_test(test_former_owner),
		cmocka_unit_test(test_owner_after_dropping_rights),
		cmocka_unit_test(test_id_of_another),
		cmocka_unit_test(test_order_of_arrival),
		cmocka_unit_test(test_lost_births),
		cmocka_unit_test(test_closed_programs),
		cmocka_unit_test(test_kernel_workers_of_a_process),
		cmocka_unit_test(test_no_kernel_addresses),
		cmocka_unit_test(test_every_kind_has_a_rule),
		cmocka_unit_test(test_own_records_pass),
		cmocka_unit_test(test_tails_are_cleared),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_a_shared_socket_is_withheld),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
