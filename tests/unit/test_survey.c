/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the tables of a survey (views of the whole machine) of small stories. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/model/explain/explain.h"
#include "tests/story/story.h"

static double ms(__u64 ns)
{
	return (double)ns / 1e6;
}

/*
 * Writes a row of the view io, such as "16: /f on vda, write by app: 2 of 8192 B, active 4 queued 1
 * longest 3, in all 5".
 */
static void say_io(FILE *out, const struct rsp_survey *s)
{
	for (size_t i = 0; i < s->io.cnt; i++) {
		const struct rsp_io_row *row = &s->io.v[i];

		fprintf(out, "%.6g: %s%s on %s, %s by %s: %llu of %llu B, ", ms(row->target_ns),
			row->file, row->is_metadata ? "(metadata)" : "", row->disk, row->op,
			row->comm, row->request_cnt, row->bytes);
		fprintf(out, "active %.6g queued %.6g longest %.6g, in all %.6g\n",
			ms(row->active_ns), ms(row->queued_ns), ms(row->longest_ns),
			ms(row->waited_ns));
	}
}

static void say_net(FILE *out, const struct rsp_survey *s)
{
	for (size_t i = 0; i < s->net.cnt; i++) {
		const struct rsp_net_row *row = &s->net.v[i];

		fprintf(out, "%.6g: %s %u/%u%s, %s %s", ms(row->target_ns), row->comm, row->tgid,
			row->tid, row->is_target ? "*" : "", row->protocol, row->peer);
		if (row->service)
			fprintf(out, " to :%u", row->service);
		if (*row->peer_comm)
			fprintf(out, " (%s)", row->peer_comm);
		fprintf(out, ": sent %llu of %llu B, waited %llu of %.6g longest %.6g",
			row->send_cnt, row->sent_bytes, row->wait_cnt, ms(row->waited_ns),
			ms(row->longest_ns));
		fprintf(out, ", trips %llu of %.6g\n", row->round_trip_cnt, ms(row->round_trip_ns));
	}
}

static void say_locks(FILE *out, const struct rsp_survey *s)
{
	for (size_t i = 0; i < s->locks.cnt; i++) {
		const struct rsp_lock_row *row = &s->locks.v[i];

		fprintf(out, "%.6g: %llx of %s %u%s: %llu of %.6g longest %.6g at %.6g, ",
			ms(row->target_ns), row->address, row->comm, row->tgid,
			row->is_target ? "*" : "", row->wait_cnt, ms(row->waited_ns),
			ms(row->longest_ns), ms(row->longest_at_ns - STORY_BASE_NS));
		fprintf(out, "waiters %u wakers %u both %u, for %s %u\n", row->waiter_cnt,
			row->waker_cnt, row->both_cnt, row->holder, row->holder_tid);
	}
}

static void say_irqs(FILE *out, const struct rsp_survey *s)
{
	for (size_t i = 0; i < s->irqs.cnt; i++) {
		const struct rsp_irq_row *row = &s->irqs.v[i];

		fprintf(out, "%.6g: %s: %llu of %.6g longest %.6g, woke %llu\n",
			ms(row->interrupting_ns), row->name, row->cnt, ms(row->ns),
			ms(row->longest_ns), row->woken_cnt);
	}
}

static void say_edges(FILE *out, const struct rsp_survey *s)
{
	for (size_t i = 0; i < s->edges.cnt; i++) {
		const struct rsp_edge_row *row = &s->edges.v[i];

		fprintf(out, "%.6g: %s > %s%s by %s: %llu of %llu, in all %.6g\n",
			ms(row->target_ns), row->waker, row->wakee, row->is_target ? "*" : "",
			row->context, row->first_cnt, row->cnt, ms(row->waited_ns));
	}
}

typedef void (*say_fn)(FILE *out, const struct rsp_survey *s);

static const struct test {
	const char *name;
	say_fn say;
	const char *story, *expected;
} cases[] = {
	{
		"a file that two programs write, one of them for the other",
		say_io,
		"0 window 0 20; 0 drive 8:0 vda; 0 file 5 /var/f; 0 alive 10 sh; 0 alive 20 dd\n"
		"0 seed 10; 0 run 20 cpu=1; 1 disk insert 90 obj=5 op=write cpu=1\n"
		"1 disk insert 91 obj=5 op=write bytes=8192 cpu=1; 2 disk issue 90 op=write; 2 block 20\n"
		"4 disk complete 90 op=write; 4 disk issue 91 op=write\n"
		"10 disk complete 91 op=write; 10 irq block 91 20\n"
		"10 run 20 cpu=1; 12 wake 20 10; 12 block 20; 12 run 10; 20 block 10",
		"8: /var/f on vda, write by dd: 2 of 12288 B, active 8 queued 4 longest 9, "
		"in all 8\n",
	},
	{
		"rows are told apart by file, program and kind; metadata has no file",
		say_io,
		"0 window 0 20; 0 file 5 /a; 0 file 6 /b; 0 alive 10 app; 0 alive 20 other\n"
		"0 run 10; 0 run 20 cpu=1; 1 disk issue 90 obj=5; 2 disk issue 91 obj=6\n"
		"3 disk issue 92 obj=5 op=write; 4 disk issue 93 obj=5 cpu=1; 5 disk issue 94 meta\n"
		"6 disk issue 95 op=flush bytes=0; 7 disk complete 90..91\n"
		"7 disk complete 92 op=write; 7 disk complete 93..94; 7 disk complete 95 op=flush bytes=0\n"
		" 20 block 10; 20 block 20",
		"0: /a on disk 8:0, read by app: 1 of 4096 B, active 6 queued 0 longest 6, in all 0\n"
		"0: /b on disk 8:0, read by app: 1 of 4096 B, active 5 queued 0 longest 5, in all 0\n"
		"0: /a on disk 8:0, write by app: 1 of 4096 B, active 4 queued 0 longest 4, "
		"in all 0\n"
		"0: /a on disk 8:0, read by other: 1 of 4096 B, active 3 queued 0 longest 3, "
		"in all 0\n"
		"0: (metadata) on disk 8:0, read by app: 1 of 4096 B, active 2 queued 0 longest 2, "
		"in all 0\n"
		"0:  on disk 8:0, flush by app: 1 of 0 B, active 1 queued 0 longest 1, in all 0\n",
	},
	{
		"direct I/O is for the file of the call, with all its requests",
		say_io,
		"0 window 0 20; 0 file 5 /direct; 0 alive 10 app; 0 run 10; 1 disk issue 90..91\n"
		"2 block 10 sys=0 obj=5; 5 disk complete 90; 6 disk complete 91; 6 irq block 91 10\n"
		"6 run 10; 20 block 10",
		"4: /direct on disk 8:0, read by app: 2 of 8192 B, active 9 queued 0 longest 5, "
		"in all 4\n",
	},
	{
		"what a pipe is read for is no file's",
		say_io,
		"0 window 0 20; 0 pipe 5; 0 alive 10 app; 0 run 10; 1 disk issue 90\n"
		"2 block 10 sys=0 obj=5; 6 disk complete 90; 6 irq block 90 10; 6 run 10\n"
		"20 block 10",
		"4:  on disk 8:0, read by app: 1 of 4096 B, active 5 queued 0 longest 5, in all 4\n",
	},
	{
		"an idle worker that a request gives work did not wait for the disk; who waits for "
		"it did",
		say_io,
		"0 window 0 20; 0 file 5 /f; 0 alive 10 app; 0 kthread 7 kworker/0:1; 0 run 10\n"
		"0 seed 7 kthread state=1; 1 disk issue 90 obj=5; 2 block 10; 8 disk complete 90\n"
		"8 irq block 90 7; 8 run 7 cpu=1; 9 wake 7 10; 9 block 7 kthread cpu=1; 9 run 10\n"
		"20 block 10",
		"6: /f on disk 8:0, read by app: 1 of 4096 B, active 7 queued 0 longest 7, "
		"in all 0\n",
	},
	{
		"a flush whose beginning was not seen is for who waited for it",
		say_io,
		"0 window 0 20; 0 file 5 /f; 0 alive 10 app; 0 run 10; 2 block 10 sys=74 obj=5\n"
		"6 disk complete 90 op=flush bytes=0; 6 irq block 90 10; 6 run 10; 20 block 10",
		"4: /f on disk 8:0, flush by app: 1 of 0 B, active 0 queued 0 longest 0, "
		"in all 4\n",
	},
	{
		"requests count for their part within the span; one without an end to its end",
		say_io,
		"0 window 10 20 0; 0 file 5 /f; 0 alive 10 app; 0 run 10; 4 disk insert 90 obj=5\n"
		"5 disk issue 90; 6 disk issue 91 obj=5; 7 disk complete 91; 12 disk complete 90\n"
		"15 disk issue 92 obj=5; 25 block 10",
		"0: /f on disk 8:0, read by app: 2 of 8192 B, active 7 queued 0 longest 5, in all 0\n",
	},
	{
		"questions and answers",
		say_net,
		"0 window 0 30; 0 alive 10 app; 0 run 10; 0 socket 70 77 10.0.0.1:5000 "
		"10.0.0.2:80\n"
		"1 connect 10 77 70; 1 block 10; 3 established 77 70; 3 irq net 77 10; 3 run 10\n"
		"4 send 10 77 70 bytes=100; 5 block 10; 9 ready 77 70; 9 irq net 77 10; 9 run 10\n"
		"10 block 10; 11 ready 77 70; 11 irq net 77 10; 11 run 10 # the rest of the answer\n"
		"12 send 10 77 70 bytes=50; 13 ready 77 70 # while it computes\n"
		"14 block 10; 20 ready 77 70; 20 irq net 77 10; 20 run 10; 30 block 10",
		"13: app 10/10*, tcp 10.0.0.2:80: sent 2 of 150 B, waited 4 of 13 longest 6, "
		"trips 2 of 7\n",
	},
	{
		"a service and its clients, of this host and of another",
		say_net,
		"0 window 0 30; 0 alive 10 srv; 0 alive 20 cli; 0 run 10; 0 run 20 cpu=1\n"
		"0 socket 60 66 10.0.0.1:9000 0.0.0.0:0; 0 socket 70 77 10.0.0.1:9000 10.0.0.1:700\n"
		"0 socket 71 78 10.0.0.1:700 10.0.0.1:9000; 0 socket 80 88 10.0.0.1:9000 "
		"10.0.0.9:50001\n"
		"0 socket 81 89 10.0.0.1:9000 10.0.0.9:50002\n"
		"1 block 10 obj=60; 2 connect 20 78 71; 3 established 77 70; 3 ready 66 60\n"
		"3 irq net 66 10; 3 run 10; 4 send 20 78 71 bytes=9 cpu=1; 5 block 10 obj=70\n"
		"6 ready 77 70; 6 irq net 77 10; 6 run 10; 7 block 10 obj=80; 9 ready 88 80\n"
		"9 irq net 88 10; 9 run 10; 10 block 10; 11 ready 89 81; 11 irq net 89 10; 11 run 10\n"
		"12 send 10 89 81 bytes=5; 30 block 10; 30 block 20",
		"3: srv 10/10*, tcp 10.0.0.9:* to :9000: sent 1 of 5 B, waited 2 of 3 longest 2, "
		"trips 0 of 0\n"
		"2: srv 10/10*, tcp *:* to :9000 (cli): sent 0 of 0 B, waited 1 of 2 longest 2, "
		"trips 0 of 0\n"
		"1: srv 10/10*, tcp 10.0.0.1:* to :9000 (cli): sent 0 of 0 B, waited 1 of 1 longest "
		"1, trips 0 of 0\n"
		"0: cli 20/20, tcp 10.0.0.1:9000: sent 1 of 9 B, waited 0 of 0 longest 0, "
		"trips 0 of 0\n",
	},
	{
		"another thread's answer is no round trip",
		say_net,
		"0 window 0 20; 0 alive 10 app; 0 alive 11 app 10; 0 run 10; 0 run 11 cpu=1\n"
		"0 socket 70 77 10.0.0.1:5000 10.0.0.2:53 udp; 1 send 11 77 70; 2 block 10\n"
		"6 ready 77 70; 6 irq net 77 10; 6 run 10; 20 block 10; 20 block 11",
		"4: app 10/10*, udp 10.0.0.2:53: sent 0 of 0 B, waited 1 of 4 longest 4, "
		"trips 0 of 0\n"
		"0: app 10/11*, udp 10.0.0.2:53: sent 1 of 0 B, waited 0 of 0 longest 0, "
		"trips 0 of 0\n",
	},
	{
		"a lock is handed on by those who queue for it",
		say_locks,
		"0 window 0 20; 0 alive 10 app; 0 alive 11 app 10; 0 alive 12 b 10; 0 run 12 cpu=2\n"
		"0 run 10; 0 run 11 cpu=1; 1 block 10 futex obj=4096; 2 block 11 futex obj=4096\n"
		"6 wake 12 10; 6 run 10; 9 wake 10 11; 9 run 11 cpu=1; 10 block 12 futex obj=4096\n"
		"12 wake 11 12; 12 run 12 cpu=2; 20 block 10..12",
		"18: 1000 of app 10*: 3 of 14 longest 7 at 2, waiters 3 wakers 3 both 3, "
		"for app 10\n",
	},
	{
		"one that nobody woke, another process's, one that is waited for still",
		say_locks,
		"0 window 0 20; 0 alive 10 app; 0 alive 20 b; 0 alive 30 c; 0 run 10; 0 run 20 cpu=1\n"
		"0 run 30 cpu=2; 1 block 10 futex obj=8192 timeout; 4 irq timer 0 10; 4 run 10\n"
		"5 block 20 futex obj=8192; 7 wake 10 20; 7 run 20 cpu=1; 10 block 30 futex obj=16\n"
		"20 block 10; 20 block 20",
		"3: 2000 of app 10*: 1 of 3 longest 3 at 1, waiters 1 wakers 0 both 0, for  0\n"
		"0: 10 of c 30: 1 of 10 longest 10 at 10, waiters 1 wakers 0 both 0, for  0\n"
		"0: 2000 of b 20: 1 of 2 longest 2 at 5, waiters 1 wakers 1 both 0, for app 10\n",
	},
	{
		"interrupts within one another, and whom they woke",
		say_irqs,
		"0 window 0 20; 0 handler 8 eth0; 0 alive 10 app; 0 alive 20..23 b; 0 run 10\n"
		"2 irq soft 3 20; 3 irq hard 8 21; 3.5 interrupt 8 from=2.5; 4 irq soft 3 22\n"
		"5 softirq 3 from=1; 6 wake 10 23; 6 irq soft 9 20 cpu=1; 7 softirq 9 from=5 cpu=1\n"
		"18 softirq 3 from=17; 20 block 10",
		"5: softirq NET_RX: 2 of 5 longest 4, woke 2\n"
		"1: eth0: 1 of 1 longest 1, woke 1\n"
		"0: softirq RCU: 1 of 2 longest 2, woke 1\n",
	},
	{
		"of short softirqs that were added up, those of packets woke somebody",
		say_irqs,
		"0 window 0 20; 0 alive 10 app; 0 alive 20..22 b; 0 run 10; 2 irq soft 3 20; 3 irq soft 9 21\n"
		"5 softirq 3 from=1 more=3 longest=3; 5.5 softirq 9 from=5 more=3 longest=0.3; 6 irq soft 3 22\n"
		"7 softirq 3 from=5.9; 20 block 10",
		"5.1: softirq NET_RX: 5 of 5.1 longest 3, woke 2\n"
		"0.5: softirq RCU: 4 of 0.5 longest 0.3, woke 0\n",
	},
	{
		"interrupts count for their part within the span",
		say_irqs,
		"0 window 10 20 0; 0 alive 10 app; 0 run 10; 5 softirq 1 from=4; 12 softirq 1 from=8\n"
		"25 softirq 1 from=19; 26 block 10",
		"3: softirq TIMER: 2 of 3 longest 2, woke 0\n",
	},
	{
		"who woke whom, first and second, for whom",
		say_edges,
		"0 window 0 20; 0 alive 10 app; 0 alive 20 b; 0 alive 30 c; 0 seed 20; 0 run 10\n"
		"0 run 30 cpu=2; 1 wake 10 20; 1 run 20 cpu=1; 2 block 10; 3 block 20; 5 wake 30 20\n"
		"5 run 20 cpu=1; 8 wake 20 10; 8 wake 30 10; 8 run 10; 9 wake 20 10; 20 block 10",
		"6: b > app* by task: 1 of 2, in all 6\n"
		"2: c > b by task: 1 of 1, in all 2\n"
		"0: c > app* by task: 0 of 1, in all 0\n"
		"0: app > b by task: 1 of 1, in all 1\n",
	},
	{
		"wakers that are no tasks",
		say_edges,
		"0 window 0 30; 0 drive 8:0 vda; 0 handler 8 kbd; 0 alive 10 app; 0 alive 20 peer\n"
		"0 socket 70 77 10.0.0.1:80 10.0.0.1:99; 0 socket 71 78 10.0.0.1:99 10.0.0.1:80\n"
		"0 run 20 cpu=1; 0 run 10; 1 disk issue 90; 1 block 10; 7 disk complete 90\n"
		"7 irq block 90 10; 7 run 10; 8 block 10 obj=70; 12 send 20 78 71; 13 ready 77 70\n"
		"13 irq net 77 10; 13 run 10; 14 block 10 sleep; 18 irq timer 0 10; 18 run 10\n"
		"19 block 10; 22 irq hard 8 10; 22 run 10; 23 block 10; 25 irq soft 9 10; 25 run 10\n"
		"26 irq block 55 10; 30 block 10",
		"6: vda > app* by disk: 1 of 1, in all 6\n"
		"5: peer > app* by network: 1 of 1, in all 5\n"
		"4: its own timeout > app* by timer: 1 of 1, in all 4\n"
		"3: kbd > app* by interrupt: 1 of 1, in all 3\n"
		"2: softirq RCU > app* by interrupt: 1 of 1, in all 2\n"
		"0: disk > app* by disk: 0 of 1, in all 0\n",
	},
	{
		"a number that was another's before",
		say_edges,
		"0 window 0 20; 0 alive 10 app; 0 alive 20 old; 0 run 10; 0 seed 20; 2 wake 10 20\n"
		"2 run 20 cpu=1; 3 exit 20; 3 dead 20; 4 fork 10 20 10; 4 new 10 20\n"
		"5 run 20 cpu=1; 6 block 20; 9 wake 10 20; 9 run 20 cpu=1; 20 block 10; 20 block 20",
		"3: app > app* by task: 1 of 2, in all 3\n"
		"0: app > old by task: 1 of 1, in all 2\n",
	},
};

static void tables_are_exact(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		struct rsp_explanation *e = NULL;
		char *text = NULL;
		size_t len;
		FILE *out = open_memstream(&text, &len);

		assert_non_null(out);
		assert_int_equal(rsp_explain(s->trace, &e), 0);
		cases[i].say(out, &e->survey);
		fclose(out);
		if (strcmp(text, cases[i].expected) != 0)
			fail_msg("%s:\n%s\nis not\n%s", cases[i].name, text, cases[i].expected);
		free(text);
		rsp_explanation_free(e);
		story_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_exact)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
