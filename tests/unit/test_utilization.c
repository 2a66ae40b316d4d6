/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the CPUs and tasks of a story used its span. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/model/utilization/utilization.h"
#include "tests/story/story.h"

static double ms(__u64 ns)
{
	return (double)ns / 1e6;
}

static void say(FILE *out, const char *name, __u64 ns)
{
	if (ns)
		fprintf(out, " %s %.6g", name, ms(ns));
}

static void say_use(FILE *out, const struct rsp_use *use)
{
	say(out, "user", use->user_ns);
	say(out, "system", use->system_ns);
	say(out, "busy", use->busy_ns);
	say(out, "irq", use->irq_ns);
	say(out, "softirq", use->softirq_ns);
	say(out, "stolen", use->stolen_ns);
	say(out, "runnable", use->runnable_ns);
	say(out, "idle", use->idle_ns);
	say(out, "unknown", use->unknown_ns);
}

static void say_source(FILE *out, unsigned int source)
{
	if (source)
		fprintf(out, " (%s%s)", source & RSP_USE_ACCOUNT ? "a" : "",
			source & RSP_USE_SAMPLES ? "s" : "");
}

/*
 * Writes a row for each task, such as "10-0: user 3 idle 4 (a), moves 2/1": program 0 of thread 10.
 * (a): the kernel's account divided the time; (s): samples did.
 */
static void say_tasks(FILE *out, const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		fprintf(out, "%u", task->tid);
		if (task->image >= 0)
			fprintf(out, "-%d", task->image);
		fputs(":", out);
		say_use(out, &task->use);
		say_source(out, task->source);
		if (task->migration_cnt)
			fprintf(out, ", moves %u/%u", task->migration_cnt, task->asked_cnt);
		fputs("\n", out);
	}
}

static void say_processes(FILE *out, const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->processes.cnt; i++) {
		const struct rsp_use_process *process = &u->processes.v[i];

		fprintf(out, "%u", process->tgid);
		if (process->image >= 0)
			fprintf(out, "-%d", process->image);
		fprintf(out, " x%u:", process->task_cnt);
		say_use(out, &process->use);
		fputs("\n", out);
	}
}

static void say_cpus(FILE *out, const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->cpus.cnt; i++) {
		const struct rsp_use_cpu *cpu = &u->cpus.v[i];

		fprintf(out, "cpu%u:", cpu->cpu);
		say_use(out, &cpu->use);
		if (cpu->knows_stolen)
			fputs(" (stolen known)", out);
		fputs("\n", out);
	}
}

/*
 * Writes a row for each system call of a task, such as "10: 0 x3 6 in 1..4 pending 2": thread 10
 * made system call 0 three times.
 */
static void say_calls(FILE *out, const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		for (size_t k = 0; k < task->calls.cnt; k++) {
			const struct rsp_use_call *call = &task->calls.v[k];

			fprintf(out, "%u", task->tid);
			if (task->image >= 0)
				fprintf(out, "-%d", task->image);
			fprintf(out, ": %d x%llu %.6g in %.6g..%.6g", call->nr, call->cnt,
				ms(call->sum_ns), ms(call->min_ns), ms(call->max_ns));
			say(out, "pending", call->pending_ns);
			fputs("\n", out);
		}
	}
}

static void say_irqs(FILE *out, const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->irqs.cnt; i++) {
		const struct rsp_use_irq *irq = &u->irqs.v[i];

		fprintf(out, "x%llu %.6g in %.6g..%.6g%s", irq->cnt, ms(irq->sum_ns),
			ms(irq->min_ns), ms(irq->max_ns), irq->has_sums ? "?" : "");
		say(out, "pending", irq->pending_ns);
		fputs("\n", out);
	}
}

static void expect_sums(const struct rsp_utilization *u)
{
	for (size_t i = 0; i < u->tasks.cnt; i++)
		assert_int_equal(rsp_use_total_ns(&u->tasks.v[i].use),
				 u->tasks.v[i].to_ns - u->tasks.v[i].from_ns);
}

typedef void (*say_fn)(FILE *out, const struct rsp_utilization *u);

static void expect(const char *story, say_fn say_it, const char *want)
{
	struct story *s = story_new(story);
	struct rsp_utilization u;
	struct rsp_names *names;
	struct rsp_model *m;
	char *text = NULL;
	size_t len;
	FILE *f;

	assert_int_equal(rsp_model_new(s->trace, &m), 0);
	assert_int_equal(rsp_names_new(s->trace, &names), 0);
	assert_int_equal(rsp_utilization_make(m, names, &u), 0);
	expect_sums(&u);
	f = open_memstream(&text, &len);
	assert_non_null(f);
	say_it(f, &u);
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, want);
	free(text);
	rsp_utilization_done(&u);
	rsp_names_free(names);
	rsp_model_free(m);
	story_free(s);
}

/* --- states ----------------------------------------------------------------------------------- */

static void test_states(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 alive 20 peer; 1 run 10; 5 to 10 20; 8 wake 20 10\n"
	       "9 preempt 20 10; 12 to 10 20; 14 block 20",
	       say_tasks,
	       "10: busy 7 runnable 1 idle 11 unknown 1\n"
	       "20: busy 6 runnable 8 idle 6\n");
}

/* The task never switched, so only a sample shows that it ran. */
static void test_never_switched_running(void **state)
{
	expect("0 window 0 10; 0 alive 10 hog; 4 sample 10 u=1; 0 ustack 1 spin", say_tasks,
	       "10: user 10 (s)\n");
}

static void test_never_switched_asleep(void **state)
{
	expect("0 window 0 10; 0 alive 10 idler; 0 seed 10 sys=0; 0 alive 20 app; 1 run 20; 2 block 20",
	       say_tasks,
	       "20: busy 1 idle 8 unknown 1\n"
	       "10: idle 10\n");
}

static void test_out_of_order(void **state)
{
	expect("0 window 0 20; 14 block 20; 12 to 10 20; 9 preempt 20 10; 8 wake 20 10; 5 to 10 20\n"
	       "1 run 10; 0 alive 20 peer; 0 alive 10 app",
	       say_tasks,
	       "10: busy 7 runnable 1 idle 11 unknown 1\n"
	       "20: busy 6 runnable 8 idle 6\n");
}

static void test_paused(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 5 block 10 sys=35; 10 pause 5", say_cpus,
	       "cpu0: busy 5 idle 10 unknown 5\n");
}

/* --- modes ------------------------------------------------------------------------------------ */

static void test_account(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 account 10 user=1000 system=500 begin; 0 run 10\n"
	       "8 block 10; 20 account 10 user=7000 system=2500",
	       say_tasks, "10: user 6 system 2 idle 12 (a)\n");
}

/* The process was created within the span, so its account begins at 0. */
static void test_account_of_a_life(void **state)
{
	expect("0 window 0 20; 0 alive 10 sh; 1 fork 10 11; 1 run 11; 5 account 11 user=1000 system=3000 exit\n"
	       "5 exit 11; 5 dead 11",
	       say_tasks, "11: user 1 system 3 (a)\n10: unknown 20\n");
}

/*
 * The kernel counts a tick in a softirq as system time, and a tick in a hard interrupt as time of
 * the interrupted mode.
 */
static void test_ticks_contain_interrupts(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 account 10 begin; 0 run 10\n"
	       "4 softirq 3 from=0; 6 interrupt 8 from=4; 12 block 10; 20 account 10 user=5000 system=5000",
	       say_tasks, "10: user 5 system 1 irq 2 softirq 4 idle 8 (a)\n");
}

static void test_account_without_interrupts(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 account 10 begin noirqs; 0 run 10\n"
	       "4 softirq 3 from=0; 12 block 10; 20 account 10 user=4000 system=4000 noirqs",
	       say_tasks, "10: user 4 system 4 softirq 4 idle 8 (a)\n");
}

/* The kernel measured the user time exactly. The remaining running time was in the kernel. */
static void test_exact_account(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 account 10 begin exact; 0 run 10\n"
	       "12 block 10; 20 account 10 user=2500 system=8000 exact",
	       say_tasks, "10: user 2.5 system 9.5 idle 8 (a)\n");
}

/*
 * The task was mostly on CPUs that count ticks. So only the ratio of user to system time is used.
 */
static void test_exact_account_of_a_part(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 account 10 begin exact; 0 run 10\n"
	       "12 block 10; 20 account 10 user=1000 system=1000 exact",
	       say_tasks, "10: user 6 system 6 idle 8 (a)\n");
}

static void test_account_of_another_time(void **state)
{
	expect("0 window 100 120; 0 alive 10 app; 0 account 10 user=0 begin; 100 run 10\n"
	       "120 account 10 user=7000 system=2500; 110 sample 10 k=1; 0 kstack 1 f; 120 block 10",
	       say_tasks, "10: system 20 (s)\n");
}

static void test_samples(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 1 sample 10 u=1; 2 sample 10 k=2 u=1\n"
	       "3 sample 10 u=1; 4 sample 10 u=1; 8 block 10; 0 ustack 1 f; 0 kstack 2 g",
	       say_tasks, "10: user 6 system 2 idle 12 (s)\n");
}

static void test_kernel_thread(void **state)
{
	expect("0 window 0 20; 0 kthread 7 kworker/0:1; 0 run 7; 8 block 7 kthread", say_tasks,
	       "7: system 8 idle 12 (a)\n");
}

/*
 * Stolen time does not belong to the task. The kernel's user and system times do not include it,
 * either.
 */
static void test_stolen(void **state)
{
	static const char story[] =
		"0 window 0 20; 0 alive 10 app; 0 alive 20 other; 0 run 10; 4 stolen 10 1000\n"
		"8 stolen 10 2000; 8 to 10 20; 12 stolen 20 500; 12 block 20\n"
		"0 account 10; 20 account 10 user=4000 system=1000";

	expect(story, say_tasks,
	       "10: user 4 system 1 stolen 3 idle 12 (a)\n"
	       "20: busy 3.5 stolen 0.5 runnable 8 idle 8\n");
	expect(story, say_cpus, "cpu0: user 4 system 1 busy 3.5 stolen 3.5 idle 8\n");
}

/* In a damaged recording, the stolen time may exceed the running time of the task. */
static void test_stolen_too_much(void **state)
{
	static const char story[] =
		"0 window 2 20; 0 alive 10 app; 0 run 10; 5 stolen 10 9000\n"
		"8 stolen 10 9000; 8 block 10; 9 stolen 10 1000; 9 stolen 77 1000";

	expect(story, say_tasks, "10: stolen 6 idle 12\n");
}

/* Only the CPU's account contains this stolen time; no record of a task does. */
static void test_stolen_from_cpu(void **state)
{
	expect("0 window 5 15; 0 cputime 0 steal=1000; 20 cputime 0 steal=5000; 5 alive 10 app\n"
	       "5 run 10; 10 block 10",
	       say_cpus, "cpu0: busy 4 stolen 2 idle 4 (stolen known)\n");
	expect("0 window 5 15; 0 cputime 0 steal=1000; 20 cputime 0 steal=5000; 5 alive 10 app\n"
	       "5 run 10; 10 stolen 10 2500; 10 block 10",
	       say_cpus, "cpu0: busy 2.5 stolen 2.5 idle 5 (stolen known)\n");
}

/*
 * The account of the CPU also divides the time of a task without an account. The row of this task
 * stays undivided.
 */
static void test_cpu_account(void **state)
{
	static const char story[] =
		"0 window 0 20; 0 alive 10 app; 0 alive 20 short; 0 cputime 0\n"
		"20 cputime 0 user=12000 system=4000; 0 account 10; 20 account 10 user=8000\n"
		"0 run 10; 8 to 10 20; 16 block 20";

	expect(story, say_tasks, "20: busy 8 runnable 8 idle 4\n10: user 8 idle 12 (a)\n");
	expect(story, say_cpus, "cpu0: user 12 system 4 idle 4 (stolen known)\n");
}

static void test_cpu_account_of_another_time(void **state)
{
	expect("5 window 5 20; 0 cputime 0; 20 cputime 0 user=12000 system=4000; 5 alive 10 app\n"
	       "5 run 10; 16 block 10",
	       say_cpus, "cpu0: busy 11 idle 4 (stolen known)\n");
}

/* --- programs --------------------------------------------------------------------------------- */

static void test_exec(void **state)
{
	expect("0 window 0 20; 0 alive 10 sh; 0 run 10; 4 exec 10 env; 10 exec 10 app; 16 block 10",
	       say_tasks, "10-1: busy 6\n10: busy 6 idle 4\n10-0: busy 4\n");
}

static void test_processes(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=0; 1 fork 10 11 10; 1 run 11 cpu=1\n"
	       "4 exit 11; 4 dead 11; 5 exec 10 other; 10 block 10",
	       say_processes, "10-0 x2: busy 8\n10 x1: busy 5 idle 10\n");
}

/* --- migrations ------------------------------------------------------------------------------- */

static void test_migrations(void **state)
{
	/* the kernel caused the migration */
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=0; 2 block 10 cpu=0; 3 irq timer 0 10\n"
	       "4 run 10 cpu=1; 6 block 10 cpu=1; 7 irq timer 0 10; 8 run 10 cpu=0; 9 block 10 cpu=0",
	       say_tasks, "10: busy 5 runnable 2 idle 13, moves 2/0\n");
	/* the same CPU, so no migration */
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=1; 2 preempt 10 0 cpu=1; 4 run 10 cpu=1\n"
	       "6 block 10 cpu=1",
	       say_tasks, "10: busy 4 runnable 2 idle 14\n");
}

/*
 * sched_setaffinity() moves its caller to another CPU: the caller blocks, or a kernel thread takes
 * its CPU.
 */
static void test_migrations_asked(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=0; 2 block 10 cpu=0 sys=203 state=2\n"
	       "3 irq timer 0 10; 3 run 10 cpu=1; 6 block 10 cpu=1",
	       say_tasks, "10: busy 5 idle 15, moves 1/1\n");
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=0; 2 preempt 10 7 cpu=0 k=1; 3 run 10 cpu=1\n"
	       "6 block 10 cpu=1; 0 kthread 7 migration/0; 6 block 7 cpu=0 kthread\n"
	       "0 kstack 1 schedule,__set_cpus_allowed_ptr,__x64_sys_sched_setaffinity",
	       say_tasks,
	       "10: busy 5 runnable 1 idle 14, moves 1/1\n7: system 4 runnable 2 idle 14 (a)\n");
}

/* --- interrupts ------------------------------------------------------------------------------- */

static void test_interrupts_of_idle(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 4 block 10; 0 handler 8 eth0\n"
	       "10 interrupt 8 from=9; 12 softirq 3 from=10",
	       say_cpus, "cpu0: busy 4 irq 1 softirq 2 idle 13\n");
}

static void test_interrupts_of_tasks(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 0 handler 8 eth0; 2 interrupt 8 from=1\n"
	       "5 softirq 3 from=3; 10 block 10",
	       say_tasks, "10: busy 7 irq 1 softirq 2 idle 10\n");
}

static void test_interrupts_of_cpus(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10 cpu=0; 0 handler 8 eth0\n"
	       "2 interrupt 8 from=1 cpu=0; 4 block 10 cpu=0; 5 irq timer 0 10; 6 run 10 cpu=1\n"
	       "16 block 10 cpu=1",
	       say_cpus, "cpu0: busy 3 irq 1 idle 16\ncpu1: busy 10 idle 10\n");
}

static void test_interrupts_nested(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 0 handler 8 eth0; 4 interrupt 8 from=3\n"
	       "6 softirq 3 from=2; 10 block 10",
	       say_tasks, "10: busy 6 irq 1 softirq 3 idle 10\n");
}

static void test_interrupt_rows(void **state)
{
	expect("0 window 5 20; 0 alive 10 app; 0 run 10; 0 handler 8 eth0; 6 interrupt 8 from=4\n"
	       "8 interrupt 8 from=7; 12 interrupt 8 from=9; 14 softirq 3 from=13 more=3 longest=0.5\n"
	       "19 block 10",
	       say_irqs, "x2 4 in 1..3 pending 1\nx4 1 in 0..0.5?\n");
}

/* --- system calls ----------------------------------------------------------------------------- */

static void test_calls_pending(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 5 block 10\n"
	       "20 calls 10 sys=0 cnt=3 sum=6000 min=1000 max=4000 pending=2000\n"
	       "20 calls 10 sys=1 pending=20000",
	       say_calls, "10: 1 x0 0 in 0..0 pending 20\n10: 0 x3 6 in 1..4 pending 2\n");
}

/*
 * A CALLS record includes the counts of earlier records of the same watch, but not of an earlier
 * watch.
 */
static void test_calls_newest(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 5 block 10\n"
	       "2 calls 10 sys=0 from=1 cnt=9 sum=9000 min=1000 max=1000\n"
	       "6 calls 10 sys=0 from=4 cnt=1 sum=1000 min=1000 max=1000\n"
	       "9 calls 10 sys=0 from=4 cnt=3 sum=4000 min=1000 max=2000 exit",
	       say_calls, "10: 0 x3 4 in 1..2\n");
}

static void test_calls_exec(void **state)
{
	expect("0 window 0 20; 0 alive 10 sh; 0 run 10; 5 exec 10 app; 5.01 calls 10 sys=0 cnt=1 exec\n"
	       "16 block 10; 20 calls 10 sys=0 cnt=2",
	       say_calls, "10: 0 x2 0 in 0..0\n10-0: 0 x1 0 in 0..0\n");
	expect("0 window 0 20; 0 alive 10 sh; 0 run 10; 4.99 calls 10 sys=0 cnt=1 exec; 5 exec 10 app\n"
	       "16 block 10; 20 calls 10 sys=0 cnt=2",
	       say_calls, "10: 0 x2 0 in 0..0\n10-0: 0 x1 0 in 0..0\n");
}

static void test_calls_read_late(void **state)
{
	expect("0 window 0 20; 0 alive 10 app; 0 run 10; 5 block 10; 25 calls 10 sys=0 cnt=2 sum=1000",
	       say_calls, "10: 0 x2 1 in 0..0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_never_switched_running),
		cmocka_unit_test(test_never_switched_asleep),
		cmocka_unit_test(test_out_of_order),
		cmocka_unit_test(test_paused),
		cmocka_unit_test(test_account),
		cmocka_unit_test(test_account_of_a_life),
		cmocka_unit_test(test_ticks_contain_interrupts),
		cmocka_unit_test(test_account_without_interrupts),
		cmocka_unit_test(test_exact_account),
		cmocka_unit_test(test_exact_account_of_a_part),
		cmocka_unit_test(test_account_of_another_time),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_kernel_thread),
		cmocka_unit_test(test_stolen),
		cmocka_unit_test(test_stolen_too_much),
		cmocka_unit_test(test_stolen_from_cpu),
		cmocka_unit_test(test_cpu_account),
		cmocka_unit_test(test_cpu_account_of_another_time),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_migrations),
		cmocka_unit_test(test_migrations_asked),
		cmocka_unit_test(test_interrupts_of_idle),
		cmocka_unit_test(test_interrupts_of_tasks),
		cmocka_unit_test(test_interrupts_of_cpus),
		cmocka_unit_test(test_interrupts_nested),
		cmocka_unit_test(test_interrupt_rows),
		cmocka_unit_test(test_calls_pending),
		cmocka_unit_test(test_calls_newest),
		cmocka_unit_test(test_calls_exec),
		cmocka_unit_test(test_calls_read_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
