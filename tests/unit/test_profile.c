/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests profiles of short stories (tests/story) as folded stacks. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/flame/flame.h"
#include "tests/story/story.h"

static char *in_ms(const char *folded)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (const char *line = folded; *line; line = strchr(line, '\n') + 1) {
		const char *blank = strchr(line, ' ');

		fprintf(out, "%.*s %.6g\n", (int)(blank - line), line, strtod(blank, NULL) / 1e6);
	}
	fclose(out);
	return text;
}

static char *fold(const struct rsp_profile *p)
{
	char *text = NULL, *result;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(rsp_flame_folded(p, out), 0);
	fclose(out);
	result = in_ms(text);
	free(text);
	return result;
}

static void make(const char *text, const struct rsp_profile_options *opt, struct rsp_profile *ret)
{
	struct story *s = story_new(text);
	struct rsp_model *m;

	assert_int_equal(rsp_model_new(s->trace, &m), 0);
	assert_int_equal(rsp_profile_make(m, opt, ret), 0);
	rsp_model_free(m);
	story_free(s);
}

static void check(const char *text, const struct rsp_profile_options *opt, const char *expected)
{
	struct rsp_profile p;
	__u64 sum = 0;
	char *folded;

	make(text, opt, &p);
	for (size_t i = 0; i < p.nodes.cnt; i++) {
		sum += p.nodes.v[i].self;
		assert_true(p.nodes.v[i].off <= p.nodes.v[i].self);
	}
	assert_int_equal(sum, p.total);
	folded = fold(&p);
	assert_string_equal(folded, expected);
	free(folded);
	rsp_profile_done(&p);
}

static void check_kind(const char *text, enum rsp_profile_kind kind, const char *expected)
{
	check(text, &(struct rsp_profile_options){.kind = kind}, expected);
}

/* --- runs ------------------------------------------------------------------------------------- */

static const char runs[] =
	"0 window 0 100; 0 alive 10 app; 0 alive 11 worker 10; 0 alive 20 other\n"
	"0 ustack 1 f,main; 0 ustack 2 g,main; 0 kstack 3 page_fault,entry\n"
	"0 run 10 cpu=0; 5 sample 10 u=1; 15 sample 10 u=2 k=3; 30 block 10 cpu=0 sys=0 u=1\n"
	"30 run 11 cpu=0; 40 block 11 cpu=0; 40 run 20 cpu=0; 50 sample 20; 60 block 20 cpu=0\n"
	"60 wake 20 10 cpu=0; 60 run 10 cpu=0; 70 sample 10 u=1";

static void test_samples_share_a_run(void **state)
{
	check_kind(runs, RSP_PROFILE_ONCPU,
		   "app;[not_sampled] 10\n"
		   "app;main;f 55\n"
		   "app;main;g;entry_[k];page_fault_[k] 15\n"
		   "other;[no_stack] 20\n");
}

static void test_one_process(void **state)
{
	check(runs, &(struct rsp_profile_options){.tgid = 20}, "other;[no_stack] 20\n");
	check(runs, &(struct rsp_profile_options){.comm = "other"}, "other;[no_stack] 20\n");
	check(runs, &(struct rsp_profile_options){.comm = "nobody"}, "");
}

static void test_threads(void **state)
{
	check(runs, &(struct rsp_profile_options){.tgid = 10, .per_thread = true},
	      "app;app_[10];main;f 55\n"
	      "app;app_[10];main;g;entry_[k];page_fault_[k] 15\n"
	      "app;worker_[11];[not_sampled] 10\n");
}

static void test_span(void **state)
{
	/*
	 * The time of a run is divided among its samples. Only the part of a sample's time that is
	 * within the span counts.
	 */
	check(runs,
	      &(struct rsp_profile_options){
		      .tgid = 10, .since_ns = story_ns("10"), .until_ns = story_ns("35")},
	      "app;[not_sampled] 5\n"
	      "app;main;f 5\n"
	      "app;main;g;entry_[k];page_fault_[k] 15\n");
}

static void test_a_user(void **state)
{
	struct story *s = story_new("0 window 0 20; 0 alive 10 mine; 0 alive 20 other closed\n"
				    "0 kthread 7 kworker/0:1; 1 run 10; 5 block 10; 6 run 20\n"
				    "8 block 20; 9 run 7; 10 block 7 kthread\n");
	static const struct {
		bool redacted;
		struct rsp_profile_options opt;
		size_t thread_cnt;
	} cases[] = {{false, {0}, 3}, {true, {0}, 1}, {true, {.tgid = 20}, 1}};
	struct rsp_model *m;

	assert_int_equal(rsp_model_new(s->trace, &m), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_profile p;

		s->snap.meta.redacted = cases[i].redacted;
		assert_int_equal(rsp_profile_make(m, &cases[i].opt, &p), 0);
		assert_int_equal(p.thread_cnt, cases[i].thread_cnt);
		rsp_profile_done(&p);
	}
	rsp_model_free(m);
	story_free(s);
}

static void test_nobody_is_missed(void **state)
{
	struct rsp_profile p;

	make(runs, &(struct rsp_profile_options){.tgid = 10}, &p);
	assert_int_equal(p.thread_cnt, 2);
	rsp_profile_done(&p);
	make(runs, &(struct rsp_profile_options){.tgid = 99}, &p);
	assert_int_equal(p.thread_cnt, 0);
	rsp_profile_done(&p);
}

/* --- waits ------------------------------------------------------------------------------------ */

static const char waits[] =
	"0 window 0 100; 0 alive 10 app; 0 alive 20 server; 0 file 5 /data; 0 drive 8:0 vda\n"
	"0 kstack 1 schedule,vfs_read; 0 ustack 2 read,main; 0 ustack 3 write,serve\n"
	"0 kstack 4 wake_up; 0 file 6 /pipe; 0 seed 20\n"
	"0 run 10 cpu=0; 10 wake 10 20 u=2; 10 run 20 cpu=1\n"
	"10 block 10 cpu=0 sys=0 obj=6 u=2 k=1\n"
	"20 disk insert 99 obj=5 cpu=1; 20 block 20 cpu=1 sys=17 u=3 iowait\n"
	"25 disk issue 99 obj=5 cpu=1; 40 disk complete 99 cpu=1; 40 irq block 99 20 cpu=1\n"
	"45 run 20 cpu=1; 50 wake 20 10 u=3 k=4 cpu=1; 50 block 20 cpu=1 u=3\n"
	"60 run 10 cpu=0; 70 preempt 10 20 cpu=0; 90 to 20 10 cpu=0";

static void test_waits(void **state)
{
	check_kind(waits, RSP_PROFILE_OFFCPU,
		   "app;main;read;vfs_read_[k];schedule_[k];read:_/pipe 40\n"
		   "server;[no_stack] 20\n"
		   "server;serve;write 20\n"
		   "server;serve;write;pread64 20\n");
}

static void test_hot_and_cold_add_up(void **state)
{
	struct rsp_profile on, off, both;

	make(waits, &(struct rsp_profile_options){.kind = RSP_PROFILE_ONCPU}, &on);
	make(waits, &(struct rsp_profile_options){.kind = RSP_PROFILE_OFFCPU}, &off);
	make(waits, &(struct rsp_profile_options){.kind = RSP_PROFILE_HOTCOLD}, &both);
	assert_int_equal(on.total + off.total, both.total);
	rsp_profile_done(&on);
	rsp_profile_done(&off);
	rsp_profile_done(&both);
}

static void test_off_cpu_is_distinguished(void **state)
{
	struct rsp_profile p;
	__u64 off = 0;

	make(waits, &(struct rsp_profile_options){.kind = RSP_PROFILE_HOTCOLD, .tgid = 10}, &p);
	for (size_t i = 0; i < p.nodes.cnt; i++)
		off += p.nodes.v[i].off;
	assert_int_equal(off, 40000000);
	assert_int_equal(p.total, 70000000);
	rsp_profile_done(&p);
}

/* The stack of the waker is appended to the stack of the sleeping thread, innermost frame first. */
static void test_wakers(void **state)
{
	check_kind(waits, RSP_PROFILE_WAKEUP,
		   "app;main;read;vfs_read_[k];schedule_[k];read:_/pipe;"
		   "server;wake_up_[k];write;serve 40\n"
		   "server;[no_stack];[still_waiting_at_the_end] 10\n"
		   "server;[no_stack];app;read;main 10\n"
		   "server;serve;write;[unknown] 20\n"
		   "server;serve;write;pread64;disk:_/data 20\n");
}

/* The server waits for the disk from 20 to 40 ms, and runs before and after. */
static void test_chains(void **state)
{
	check_kind(waits, RSP_PROFILE_CHAIN,
		   "app;main;read;vfs_read_[k];schedule_[k];read:_/pipe;"
		   "server;wake_up_[k];write;serve 20\n"
		   "app;main;read;vfs_read_[k];schedule_[k];read:_/pipe;"
		   "server;wake_up_[k];write;serve;disk:_/data 20\n"
		   "server;[no_stack];[still_waiting_at_the_end] 10\n"
		   "server;[no_stack];app;read;main 10\n"
		   "server;serve;write;[unknown] 20\n"
		   "server;serve;write;pread64;disk:_/data 20\n");
}

/* The waker did not sleep during the wait, so the chain of wakers ends with this waker. */
static void test_chain_ends_with_the_wait(void **state)
{
	check("0 window 0 100; 0 alive 10 app; 0 alive 20 a; 0 alive 30 b\n"
	      "0 seed 20; 0 run 10 cpu=0; 0 run 30 cpu=1; 5 wake 30 20 cpu=1; 5 run 20 cpu=2\n"
	      "10 block 10 cpu=0; 50 wake 20 10 cpu=2; 50 run 10 cpu=0",
	      &(struct rsp_profile_options){.kind = RSP_PROFILE_CHAIN, .tgid = 10},
	      "app;[no_stack];a 40\n");
}

static void test_chain_goes_on_within_the_wait(void **state)
{
	check("0 window 0 100; 0 alive 10 app; 0 alive 20 a; 0 alive 30 b\n"
	      "0 run 10 cpu=0; 0 run 20 cpu=2; 0 run 30 cpu=1\n"
	      "10 block 10 cpu=0; 20 block 20 cpu=2; 30 wake 30 20 cpu=1; 30 run 20 cpu=2\n"
	      "50 wake 20 10 cpu=2; 50 run 10 cpu=0",
	      &(struct rsp_profile_options){.kind = RSP_PROFILE_CHAIN, .tgid = 10},
	      "app;[no_stack];a 30\n"
	      "app;[no_stack];a;b 10\n");
}

/* The waker waited several times during the wait. Each of these waits has a branch of its own. */
static void test_chain_divides_the_wait(void **state)
{
	check("0 window 0 100; 0 alive 10 app; 0 alive 20 a; 0 alive 30 b; 0 alive 40 c\n"
	      "0 run 10 cpu=0; 0 run 20 cpu=2; 0 run 30 cpu=1; 0 run 40 cpu=3; 5 block 20 cpu=2\n"
	      "10 block 10 cpu=0; 15 wake 30 20 cpu=1; 15 run 20 cpu=2; 25 block 20 cpu=2\n"
	      "32 block 40 cpu=3; 35 wake 30 40 cpu=1; 35 run 40 cpu=3\n"
	      "45 wake 40 20 cpu=3; 46 run 20 cpu=2; 50 wake 20 10 cpu=2; 50 run 10 cpu=0",
	      &(struct rsp_profile_options){.kind = RSP_PROFILE_CHAIN, .tgid = 10},
	      "app;[no_stack];a 15\n"
	      "app;[no_stack];a;b 5\n"
	      "app;[no_stack];a;c 17\n"
	      "app;[no_stack];a;c;b 3\n");
}

static void test_chain_within_a_span(void **state)
{
	check("0 window 0 100; 0 alive 10 app; 0 alive 20 a; 0 alive 30 b\n"
	      "0 run 10 cpu=0; 0 run 20 cpu=2; 0 run 30 cpu=1\n"
	      "10 block 10 cpu=0; 20 block 20 cpu=2; 30 wake 30 20 cpu=1; 30 run 20 cpu=2\n"
	      "50 wake 20 10 cpu=2; 50 run 10 cpu=0",
	      &(struct rsp_profile_options){.kind = RSP_PROFILE_CHAIN,
					    .tgid = 10,
					    .since_ns = story_ns("25"),
					    .until_ns = story_ns("40")},
	      "app;[no_stack];a 10\n"
	      "app;[no_stack];a;b 5\n");
}

/* Another process has queued the work item of the kernel worker that wakes app. */
static void test_chain_through_a_worker(void **state)
{
	check("0 window 0 100; 0 alive 10 app; 0 alive 20 asker; 0 kthread 7 kworker/0:1\n"
	      "0 kstack 1 do_work; 0 run 10 cpu=0; 10 block 10 cpu=0; 0 run 20 cpu=1\n"
	      "20 run 7 cpu=2; 20 work 7 20 1 queued=15 cpu=2; 30 wake 7 10 cpu=2; 30 run 10 cpu=0",
	      &(struct rsp_profile_options){.kind = RSP_PROFILE_CHAIN, .tgid = 10},
	      "app;[no_stack];kworker;asker 20\n");
}

static void test_still_waiting(void **state)
{
	check_kind("0 window 0 100; 0 alive 10 app; 0 run 10 cpu=0; 30 block 10 cpu=0 sys=0",
		   RSP_PROFILE_WAKEUP, "app;read;[still_waiting_at_the_end] 70\n");
}

/* --- waits by resource ------------------------------------------------------------------------ */

static void test_run_queue(void **state)
{
	check_kind(waits, RSP_PROFILE_RUNQUEUE,
		   "app;main;read;vfs_read_[k];schedule_[k];woken,_waits_for_a_CPU 10\n"
		   "app;preempted_by_server 20\n"
		   "server;serve;write;woken,_waits_for_a_CPU 5\n");
}

static void test_quota(void **state)
{
	check_kind("0 window 0 100; 0 alive 10 app; 0 cgroup 9 /app.slice; 0 run 10 cpu=0\n"
		   "10 preempt 10 0 cpu=0 throttled obj=9; 60 run 10 cpu=0",
		   RSP_PROFILE_RUNQUEUE, "app;throttled:_CPU_quota_of_/app.slice 50\n");
}

static void test_disk(void **state)
{
	check_kind(waits, RSP_PROFILE_DISK,
		   "server;serve;write;pread64;disk_queue:_/data 5\n"
		   "server;serve;write;pread64;disk:_/data 15\n");
}

static void test_network(void **state)
{
	static const char text[] =
		"0 window 0 100; 0 alive 10 app; 0 socket 70 77 10.0.0.1:5000 192.0.2.9:443\n"
		"0 run 10 cpu=0; 10 send 10 77 70; 10 block 10 cpu=0 sys=45 obj=70\n"
		"50 ready 77 70 cpu=0; 50 irq net 77 10 cpu=0; 50 run 10 cpu=0; 60 block 10 cpu=0";

	check_kind(text, RSP_PROFILE_NETWORK,
		   "app;recvfrom:_192.0.2.9:443;until_an_answer_comes 40\n");
	check_kind(text, RSP_PROFILE_WAKEUP,
		   "app;[no_stack];[still_waiting_at_the_end] 40\n"
		   "app;recvfrom:_192.0.2.9:443;network:_192.0.2.9:443 40\n");
}

static void test_contradictions_are_reported(void **state)
{
	struct rsp_profile p;

	make("0 window 0 100; 0 alive 10 app; 0 run 10 cpu=0; 40 run 10 cpu=1; 100 block 10 cpu=1",
	     &(struct rsp_profile_options){0}, &p);
	assert_int_equal(p.total + p.unknown_ns, 100000000);
	assert_int_equal(p.unknown_ns, 40000000);
	rsp_profile_done(&p);
}

/* --- memory ----------------------------------------------------------------------------------- */

static const char memory[] =
	"0 window 0 100; 0 alive 10 app; 0 alive 11 app 10; 0 alive 20 other\n"
	"0 ustack 1 malloc,f,main; 0 ustack 2 g,main; 0 kstack 3 page_fault,read\n"
	"5 memsum 10 kind=malloc cnt=1 bytes=7 u=1; 5 memwatch 10 kind=malloc\n"
	"9 memsum 10 kind=malloc cnt=4 bytes=100 live=60 livecnt=2 u=1\n"
	"9 memsum 11 kind=malloc cnt=1 bytes=20 u=1; 9 memsum 20 kind=malloc cnt=1 bytes=5\n"
	"9 memwatch 10 kind=malloc\n"
	"9 memsum 10 kind=faults cnt=3 u=2; 9 memsum 10 kind=faults cnt=2 u=2 k=3\n"
	"9 memwatch 10 kind=faults lost=4\n";

static void check_memory(const struct rsp_profile_options *opt, const char *unit,
			 const char *expected)
{
	struct rsp_profile p;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	make(memory, opt, &p);
	assert_int_equal(rsp_flame_folded(&p, out), 0);
	fclose(out);
	assert_string_equal(text, expected);
	assert_string_equal(p.unit, unit);
	free(text);
	rsp_profile_done(&p);
}

static void test_memory_of_the_last_reading(void **state)
{
	check_memory(&(struct rsp_profile_options){.kind = RSP_PROFILE_MALLOC}, "bytes",
		     "app;main;f;malloc 120\nother;[no_stack] 5\n");
	check_memory(&(struct rsp_profile_options){.kind = RSP_PROFILE_LEAKS}, "bytes",
		     "app;main;f;malloc 60\n");
	check_memory(&(struct rsp_profile_options){.kind = RSP_PROFILE_FAULTS}, "faults",
		     "app;main;g 3\napp;main;g;read_[k];page_fault_[k] 2\n");
}

static void test_memory_of_one_process(void **state)
{
	check_memory(&(struct rsp_profile_options){.kind = RSP_PROFILE_MALLOC, .tgid = 20}, "bytes",
		     "other;[no_stack] 5\n");
	check_memory(&(struct rsp_profile_options){.kind = RSP_PROFILE_MALLOC,
						   .comm = "app",
						   .per_thread = true},
		     "bytes", "app;app_[10];main;f;malloc 100\napp;app_[11];main;f;malloc 20\n");
}

static void test_memory_that_nobody_watched(void **state)
{
	struct rsp_profile p;

	make("0 window 0 100; 0 alive 10 app",
	     &(struct rsp_profile_options){.kind = RSP_PROFILE_BRK}, &p);
	assert_int_equal(p.total, 0);
	assert_null(p.watch);
	rsp_profile_done(&p);
}

static void test_kinds_have_keys(void **state)
{
	enum rsp_profile_kind kind;
	char names[256] = "";

	for (unsigned int i = 0; i < RSP_PROFILE_KIND_MAX; i++) {
		assert_int_equal(rsp_profile_kind_parse(rsp_profile_words(i)->key, &kind), 0);
		assert_int_equal(kind, i);
		sprintf(names + strlen(names), "%s%s", i ? ", " : "", rsp_profile_words(i)->key);
	}
	assert_string_equal(names, RSP_PROFILE_KIND_NAMES);
	assert_int_equal(rsp_profile_kind_parse("cpu", &kind), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_share_a_run),
		cmocka_unit_test(test_one_process),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_span),
		cmocka_unit_test(test_a_user),
		cmocka_unit_test(test_nobody_is_missed),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_hot_and_cold_add_up),
		cmocka_unit_test(test_off_cpu_is_distinguished),
		cmocka_unit_test(test_wakers),
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_chain_ends_with_the_wait),
		cmocka_unit_test(test_chain_goes_on_within_the_wait),
		cmocka_unit_test(test_chain_divides_the_wait),
		cmocka_unit_test(test_chain_within_a_span),
		cmocka_unit_test(test_chain_through_a_worker),
		cmocka_unit_test(test_still_waiting),
		cmocka_unit_test(test_run_queue),
		cmocka_unit_test(test_quota),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_contradictions_are_reported),
		cmocka_unit_test(test_memory_of_the_last_reading),
		cmocka_unit_test(test_memory_of_one_process),
		cmocka_unit_test(test_memory_that_nobody_watched),
		cmocka_unit_test(test_kinds_have_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
