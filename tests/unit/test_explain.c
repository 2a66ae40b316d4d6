/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains small stories (tests/story). In each case, the chains of a category must add up to the
 * category, and the categories to the total.
 */
#include <errno.h>
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
#include "tests/unit/sums.h"

/* --- an explanation in words ------------------------------------------------------------------ */

static void say_ms(FILE *out, __u64 ns)
{
	fprintf(out, "%.6g", (double)ns / 1e6);
}

/*
 * Writes a hop as "make wait4 pipe" or "cc1 running_unsampled @leaf". "?" marks an inferred hop,
 * "+" a minimum duration.
 */
static void say_hop(FILE *out, const struct rsp_hop *hop)
{
	fprintf(out, "%s", hop->comm);
	if (hop->kind == RSP_HOP_LEAF)
		fprintf(out, " %s", rsp_category_key(hop->category));
	if (*hop->syscall)
		fprintf(out, " %s", hop->syscall);
	if (*hop->object)
		fprintf(out, " %s", hop->object);
	if (hop->frame_cnt)
		fprintf(out, " @%s%s", hop->frames[0].symbol,
			hop->flags & RSP_HOP_INFERRED ? "?" : "");
	if (hop->flags & RSP_HOP_AT_LEAST)
		fprintf(out, " +");
}

static void say_chain(FILE *out, const struct rsp_chain *chain)
{
	say_ms(out, chain->ns);
	if (chain->count != 1)
		fprintf(out, " x%llu", (unsigned long long)chain->count);
	for (size_t i = 0; i < chain->hop_cnt; i++) {
		fprintf(out, i ? " > " : ": ");
		say_hop(out, &chain->hops[i]);
	}
	fprintf(out, "\n");
}

static char *say(const struct rsp_explanation *e)
{
	size_t len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	say_ms(out, e->total_ns);
	fprintf(out, " of %u\n", e->root_cnt);
	for (size_t i = 0; i < e->chain_cnt; i++)
		say_chain(out, &e->chains[i]);
	fclose(out);
	return text;
}

/* --- histories -------------------------------------------------------------------------------- */

static const struct {
	const char *name, *story, *expected;
} cases[] = {
	{
		"one thread, running all the time without a single switch",
		"0 window 0 10; 0 alive 10 a; 2 sample 10 u=1; 7 sample 10 u=2\n"
		"0 ustack 1 f,main; 0 ustack 2 g,main",
		"10 of 1\n"
		"5: a running_sampled @f\n"
		"5: a running_sampled @g\n",
	},
	{
		"blocks, woken by another",
		"0 window 1 12; 0 alive 10 a; 0 alive 20 b\n"
		"0 run 10; 5 block 10 sys=0 obj=7 k=1 u=2; 6 run 20 cpu=1; 9 wake 20 10; 10 run 10\n"
		"12 block 10; 0 kstack 1 pipe_read,vfs_read; 0 ustack 2 read,main; 0 pipe 7",
		"11 of 1\n"
		"4: a running_unsampled @read?\n"
		"3: a read pipe @pipe_read > b running_unsampled\n"
		"2: a running_unsampled\n"
		"1: a read pipe @pipe_read > b edge\n"
		"1: a runqueue read @pipe_read\n",
	},
	{
		"ping-pong of two on one CPU",
		"0 window 0 8; 0 alive 10 a; 0 alive 20 b; 0 run 10; 0 seed 20\n"
		"2 wake 10 20; 2 to 10 20; 4 wake 20 10; 4 to 20 10; 6 wake 10 20; 6 to 10 20\n"
		"8 wake 20 10; 8 to 20 10",
		"8 of 1\n"
		"4 x2: a running_unsampled\n"
		"4 x2: a > b running_unsampled\n",
	},
	{
		"found asleep on a CPU of which nothing else is known, and woken",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 20; 1 seed 10 cpu=60000\n"
		"4 wake 20 10; 10 block 20",
		"10 of 1\n"
		"6: a runqueue +\n"
		"4: a + > b running_unsampled\n",
	},
	{
		"three hops",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 alive 30 c; 0 seed 20; 0 seed 30\n"
		"0 run 10; 1 wake 10 20; 1 to 10 20; 2 wake 20 30; 2 to 20 30; 8 wake 30 20\n"
		"8 to 30 20; 9 wake 20 10; 9 to 20 10; 10 block 10",
		"10 of 1\n"
		"6: a > b > c running_unsampled\n"
		"2 x2: a running_unsampled\n"
		"2 x2: a > b running_unsampled\n",
	},
	{
		"a direct read: inserted, queued, active, completed, then woken",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 file 5 /var/lib/db; 1 disk insert 99 obj=5\n"
		"2 block 10 sys=17 iowait; 4 disk issue 99 obj=5; 8 disk complete 99\n"
		"8.5 irq block 99 10; 8.5 run 10; 10 block 10",
		"10 of 1\n"
		"4: a disk_active pread64 /var/lib/db\n"
		"3.5 x2: a running_unsampled\n"
		"2: a disk_queued pread64 /var/lib/db\n"
		"0.5: a kernel pread64 /var/lib/db\n",
	},
	{
		"an unnamed request, issued without a queue while its issuer sleeps",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 3 disk issue 99\n"
		"8 disk complete 99; 8 irq block 99 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"5: a disk_active disk 8:0\n"
		"4 x2: a running_unsampled\n"
		"1: a kernel disk 8:0\n",
	},
	{
		"direct I/O in two requests, one after the other at the device; the call names the file",
		"0 window 0 20; 0 alive 10 a; 0 run 10; 0 file 5 /f; 1 disk insert 98; 1 disk insert 99\n"
		"2 block 10 sys=0 obj=5; 3 disk issue 98; 8 disk complete 98; 10 disk issue 99\n"
		"15 disk complete 99; 15 irq block 99 10; 16 run 10; 20 block 10",
		"20 of 1\n"
		"10 x2: a disk_active read /f\n"
		"6 x2: a running_unsampled\n"
		"3 x2: a disk_queued read /f\n"
		"1: a runqueue read\n",
	},
	{
		"what a thread began before is no part of its wait once it is done, nor is another's",
		"0 window 0 20; 0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0; 0 run 20 cpu=1\n"
		"1 disk issue 97; 2 disk complete 97; 3 disk insert 98 cpu=1; 3 disk issue 98 cpu=1\n"
		"3 disk insert 99; 4 block 10; 6 disk issue 99; 8 disk complete 99; 8 irq block 99 10\n"
		"8 run 10; 9 disk complete 98 cpu=1; 20 block 10",
		"20 of 1\n"
		"16 x2: a running_unsampled\n"
		"2: a disk_queued disk 8:0\n"
		"2: a disk_active disk 8:0\n",
	},
	{
		"a flush: only its end is seen, under an identity that another's request had",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 file 5 /other; 0 file 6 /own; 1 disk issue 99 obj=5\n"
		"2 disk complete 99; 3 block 10 sys=74 obj=6; 8 disk complete 99 bytes=0; 8 irq block 99 10\n"
		"8 run 10; 10 block 10",
		"10 of 1\n"
		"5 x2: a running_unsampled\n"
		"5: a disk_active fsync /own\n",
	},
	{
		"a directory is read: metadata is the disk's",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 file 5 /usr; 1 disk issue 99 meta\n"
		"1 block 10 sys=217 obj=5; 8 disk complete 99; 8 irq block 99 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"7: a disk_active getdents64 disk 8:0\n"
		"3 x2: a running_unsampled\n",
	},
	{
		"an identity of a request that is used again",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 1 disk issue 99; 2 disk complete 99\n"
		"3 disk insert 99; 3 block 10; 5 disk issue 99; 7 disk complete 99\n"
		"7 irq block 99 10; 7 disk insert 99; 7 run 10; 10 block 10",
		"10 of 1\n"
		"6 x2: a running_unsampled\n"
		"2: a disk_queued disk 8:0\n"
		"2: a disk_active disk 8:0\n",
	},
	{
		"a request of which only the end was recorded: a flush",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10 sys=74; 7 disk complete 99\n"
		"8 irq block 99 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"5: a disk_active fsync disk 8:0\n"
		"4 x2: a running_unsampled\n"
		"1: a kernel fsync disk 8:0\n",
	},
	{
		"a request of which nothing was recorded",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 8 irq block 99 10; 8 run 10\n"
		"10 block 10",
		"10 of 1\n"
		"6: a kernel\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"a buffered read through a kworker that decrypts",
		"0 window 0 12; 0 alive 10 a; 0 kthread 7 kworker/0:1; 0 seed 7 kthread\n"
		"0 run 10; 0 file 5 /f; 1 disk insert 99 obj=5; 1 disk issue 99 obj=5; 2 block 10 sys=0\n"
		"8 disk complete 99; 8 irq block 99 7; 8 run 7; 9 wake 7 10; 9 to 7 10 kthread\n"
		"12 block 10",
		"12 of 1\n"
		"6: a read > kworker disk_active /f\n"
		"5 x2: a running_unsampled\n"
		"1: a read > kworker running_unsampled\n",
	},
	{
		"a kworker that was idle till it got the work: before that it worked for another",
		"0 window 0 12; 0 alive 10 x; 0 alive 20 u; 0 alive 30 v; 0 kthread 7 kworker/0:1\n"
		"0 run 10 cpu=0; 0 run 30 cpu=1; 0 run 7 cpu=2; 0 to 7 20 kthread cpu=2; 0 block 10 sys=0\n"
		"3 wake 20 7; 3 to 20 7; 5 to 7 20 kthread; 10 wake 30 7; 10 to 20 7; 11 wake 7 10\n"
		"11 run 10 cpu=0; 12 block 10",
		"12 of 1\n"
		"10: x read + > kworker > v running_unsampled\n"
		"1: x read + > kworker running_unsampled\n"
		"1: x running_unsampled\n",
	},
	{
		"work that one worker hands to itself by way of another task",
		"0 window 0 12; 0 alive 10 x; 0 alive 30 v; 0 kthread 7 kworker/0:1; 0 run 10 cpu=0\n"
		"0 run 30 cpu=1; 0 run 7 cpu=2; 0 block 7 kthread; 0 block 10 sys=0; 2 block 30 sys=0\n"
		"4 wake 0 7; 4 run 7 cpu=2; 6 wake 7 30; 6 run 30 cpu=1; 7 block 7 kthread; 10 wake 30 7\n"
		"10 run 7 cpu=2; 11 wake 7 10; 11 run 10 cpu=0; 12 block 10",
		"12 of 1\n"
		"6 x2: x read + > kworker > v running_unsampled\n"
		"2: x read + > kworker > v read > kworker kernel idle task\n"
		"2: x read + > kworker > v read > kworker running_unsampled\n"
		"1: x read + > kworker running_unsampled\n"
		"1: x running_unsampled\n",
	},
	{
		"the process's own alarm: awaited, read as a file",
		"0 window 0 10; 0 alive 10 a; 0 anon 6 [signalfd]; 0 run 10\n"
		"1 block 10 sys=128; 4 irq ktimer 77 10; 4 run 10; 5 block 10 sys=0 obj=6\n"
		"9 irq ktimer 77 10; 9 run 10; 10 block 10",
		"10 of 1\n"
		"4: a timeout read [signalfd]\n"
		"3 x3: a running_unsampled\n"
		"3: a timeout rt_sigtimedwait\n",
	},
	{
		"deliberate sleep, poll that times out, wait for a timerfd, a kernel's own timer",
		"0 window 0 20; 0 alive 10 a; 0 run 10; 0 anon 6 [timerfd]\n"
		"1 block 10 sys=230 sleep; 4 irq timer 0 10; 4 run 10\n"
		"5 block 10 sys=7 timeout; 9 irq timer 0 10; 9 run 10\n"
		"10 block 10 sys=0 obj=6; 15 irq ktimer 4096 10; 15 run 10\n"
		"16 block 10 sys=74; 18 irq ktimer 9 10; 18 run 10; 20 block 10\n"
		"0 kstack 9 commit_timeout",
		"20 of 1\n"
		"6 x5: a running_unsampled\n"
		"5: a timeout read [timerfd]\n"
		"4: a timeout poll\n"
		"3: a sleep clock_nanosleep\n"
		"2: a kernel fsync commit_timeout\n",
	},
	{
		"hardware and softirqs that are no network, and idle's wakeups",
		"0 window 0 20; 0 alive 10 a; 0 run 10; 0 handler 8 ttyS0\n"
		"1 block 10; 4 irq hard 8 10; 4 run 10; 5 block 10; 9 irq soft 9 10; 9 run 10\n"
		"10 block 10; 15 irq ipi 0 10; 15 run 10; 16 block 10; 18 wake 0 10; 18 run 10\n"
		"20 block 10",
		"20 of 1\n"
		"6 x5: a running_unsampled\n"
		"5: a kernel interrupt\n"
		"4: a kernel softirq RCU\n"
		"3: a hardware ttyS0\n"
		"2: a kernel idle task\n",
	},
	{
		"an answer from another host",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80\n"
		"1 send 10 77 70; 2 block 10 sys=0 obj=70; 8 ready 77 70; 8 irq net 77 10; 8 run 10\n"
		"10 block 10",
		"10 of 1\n"
		"6: a network read 10.0.0.2:80\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"the same, of which only the softirq is known",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 socket 70 77 10.0.0.1:5000 10.0.0.2:80\n"
		"2 block 10 sys=0 obj=70; 8 irq soft 3 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"6: a network read 10.0.0.2:80\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"an answer from a server on this host, and its packet's way",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10; 0 seed 20\n"
		"0 socket 70 77 127.0.0.1:5000 127.0.0.1:80; 0 socket 71 78 127.0.0.1:80 127.0.0.1:5000\n"
		"1 send 10 77 70; 1 irq net 78 20; 2 to 10 20 sys=0 obj=70\n"
		"6 send 20 78 71; 7 block 20; 8 irq net 77 10 cpu=1; 8 run 10; 10 block 10",
		"10 of 1\n"
		"4 x2: a running_unsampled\n"
		"4: a read 127.0.0.1:80 > b running_unsampled\n"
		"2: a network read 127.0.0.1:80\n",
	},
	{
		"a datagram's answer from a socket bound to all addresses, IPv6 and IPv4",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10\n"
		"0 socket 70 77 127.0.0.1:5000 127.0.0.1:53 udp\n"
		"0 socket 71 78 [::]:53 [::ffff:127.0.0.1]:5000 udp\n"
		"2 block 10 obj=70; 2 run 20; 6 send 20 78 71; 6 irq net 77 10; 6 to 20 10\n"
		"10 block 10; 0 ready 77 70",
		"10 of 1\n"
		"6 x2: a running_unsampled\n"
		"4: a 127.0.0.1:53 > b running_unsampled\n",
	},
	{
		"same ports, another host: not the local sender's packet",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10\n"
		"0 socket 70 77 10.0.0.1:5000 10.0.0.2:80; 0 socket 71 78 10.0.0.9:80 10.0.0.8:5000\n"
		"0 ready 77 70; 2 block 10 obj=70; 2 run 20; 4 send 20 78 71; 6 irq net 77 10\n"
		"6 to 20 10; 10 block 10",
		"10 of 1\n"
		"6 x2: a running_unsampled\n"
		"4: a network 10.0.0.2:80\n",
	},
	{
		"accept: idle until a client connects",
		"0 window 0 10; 0 alive 10 srv; 0 alive 20 cli; 0 run 10\n"
		"0 socket 70 77 0.0.0.0:80 0.0.0.0:0; 0 socket 71 78 127.0.0.1:5000 127.0.0.1:80\n"
		"0 ready 77 70; 2 to 10 20 sys=288 obj=70; 6 connect 20 78 71\n"
		"6 irq net 77 10; 7 to 20 10; 10 block 10",
		"10 of 1\n"
		"5 x2: srv running_unsampled\n"
		"4: srv idle accept4 *:80\n"
		"1: srv runqueue accept4 cli\n",
	},
	{
		"who had the CPU: several, one after the other",
		"0 window 0 20; 0 alive 10 a; 0 alive 20 b; 0 alive 30 c; 0 run 10; 2 preempt 10 20\n"
		"5 preempt 20 30; 9 preempt 30 10; 12 to 10 20 sleep; 13 irq timer 0 10\n"
		"15 to 20 30; 18 block 30; 19 run 10; 20 block 10",
		"20 of 1\n"
		"6 x3: a running_unsampled\n"
		"4: a preempted c\n"
		"3: a preempted b\n"
		"3: a runqueue c\n"
		"2: a runqueue b\n"
		"1: a sleep\n"
		"1: a runqueue\n",
	},
	{
		"put off a CPU, then moved to another one that is busy",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 alive 30 c; 0 run 10 cpu=0; 0 run 30 cpu=1\n"
		"2 preempt 10 20; 5 block 20; 8 to 30 10 cpu=1; 10 block 10",
		"10 of 1\n"
		"4 x2: a running_unsampled\n"
		"3: a preempted b\n"
		"3: a preempted c\n",
	},
	{
		"put off a CPU that others of one name share: one wait, not one for each turn",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 alive 30 b; 0 run 10; 1 preempt 10 20\n"
		"3 preempt 20 30; 6 preempt 30 20; 8 preempt 20 10; 10 block 10",
		"10 of 1\n"
		"7: a preempted b\n"
		"3 x2: a running_unsampled\n",
	},
	{
		"kernel threads that differ in a number are one",
		"0 window 0 10; 0 alive 10 a; 0 kthread 7 kworker/0:1; 0 kthread 8 kworker/u8:2\n"
		"0 kthread 9 kworker/1:0H; 0 kthread 6 jbd2/sda1-8; 0 alive 5 job/1; 0 run 10\n"
		"1 preempt 10 7; 2 preempt 7 10; 3 preempt 10 8; 4 preempt 8 10; 5 preempt 10 9\n"
		"6 preempt 9 10; 7 preempt 10 6; 8 preempt 6 5; 9 preempt 5 10; 10 block 10",
		"10 of 1\n"
		"5 x5: a running_unsampled\n"
		"3 x3: a preempted kworker\n"
		"1: a preempted jbd2/sda1-8\n"
		"1: a preempted job/1\n",
	},
	{
		"preempted by another, then behind it in the run queue",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10; 2 preempt 10 20; 5 to 20 10\n"
		"6 to 10 20; 7 irq hard 0 10; 9 to 20 10; 10 block 10",
		"10 of 1\n"
		"4 x3: a running_unsampled\n"
		"3: a preempted b\n"
		"2: a runqueue b\n"
		"1: a hardware\n",
	},
	{
		"a shell waits for make, make for cc, cc for cc1: forks, execs, exits",
		"0 window 0 20; 0 alive 10 sh; 0 run 10\n"
		"1 fork 10 11; 1 new 10 11; 1 to 10 11 sys=61; 2 exec 11 make\n"
		"3 fork 11 12; 3 new 11 12; 3 to 11 12 sys=61; 4 exec 12 cc\n"
		"5 fork 12 13; 5 new 12 13; 5 to 12 13 sys=61; 6 exec 13 cc1; 16 exit 13\n"
		"17 wake 13 12; 17 dead 13; 17 run 12; 18 exit 12; 18 wake 12 11; 18 dead 12\n"
		"18 run 11; 19 exit 11; 19 wake 11 10; 19 dead 11; 19 run 10; 20 block 10",
		"20 of 1\n"
		"11: sh wait4 > make wait4 > cc wait4 > cc1 running_unsampled\n"
		"2 x2: sh running_unsampled\n"
		"2 x2: sh wait4 > make running_unsampled\n"
		"2 x2: sh wait4 > make wait4 > cc running_unsampled\n"
		"1: sh wait4 > sh running_unsampled\n"
		"1: sh wait4 > make wait4 > make running_unsampled\n"
		"1: sh wait4 > make wait4 > cc wait4 > cc running_unsampled\n",
	},
	{
		"a thread that was not born yet: its parent did what was waited for",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0; 0 run 20 cpu=1\n"
		"1 block 10; 5 fork 20 21; 5 new 20 21 cpu=1; 6 run 21 cpu=2; 8 wake 21 10\n"
		"8 run 10 cpu=0; 10 block 10",
		"10 of 1\n"
		"6 x2: a > b running_unsampled\n"
		"3 x2: a running_unsampled\n"
		"1: a > b runqueue\n",
	},
	{
		"many alike are one chain",
		"0 window 0 7; 0 alive 10 make; 0 run 10\n"
		"1 fork 10 11; 1 to 10 11 sys=61; 1 exec 11 cc1; 3 exit 11; 3 wake 11 10; 3 dead 11\n"
		"3 run 10; 4 fork 10 12; 4 to 10 12 sys=61; 4 exec 12 cc1; 6 exit 12; 6 wake 12 10\n"
		"6 dead 12; 6 run 10; 7 block 10",
		"7 of 1\n"
		"4 x2: make wait4 > cc1 running_unsampled\n"
		"3 x3: make running_unsampled\n",
	},
	{
		"a wait open when the window begins: carried into it",
		"0 window 10 20 10; 0 alive 10 a; 0 alive 20 b; 3 block 10 sys=0; 9 block 20\n"
		"10.5 run 20 cpu=1; 15 wake 20 10 cpu=1; 15 run 10; 20 block 10",
		"10 of 1\n"
		"5: a running_unsampled\n"
		"4.5: a read + > b running_unsampled\n"
		"0.5: a read + > b edge\n",
	},
	{
		"a wait found at the start",
		"0 window 0 10; 1 alive 10 a; 1 seed 10 sys=7; 5 irq hard 0 10; 5 run 10; 10 block 10",
		"10 of 1\n"
		"5: a hardware poll +\n"
		"5: a running_unsampled\n",
	},
	{
		"a wait of which only the end was recorded",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 20 cpu=1; 5 wake 20 10; 6 run 10\n"
		"10 block 10",
		"10 of 1\n"
		"5: a + > b running_unsampled\n"
		"4: a running_unsampled\n"
		"1: a runqueue\n",
	},
	{
		"waits still open at the end: of nobody knows what, and deliberate",
		"0 window 0 10; 0 alive 10 a; 0 alive 11 b 10; 0 run 10 cpu=0; 0 run 11 cpu=1\n"
		"2 block 10 sys=0 obj=7; 3 block 11 sys=35 sleep; 0 pipe 7",
		"20 of 2\n"
		"8: a edge read pipe +\n"
		"7: b sleep nanosleep +\n"
		"3: b running_unsampled\n"
		"2: a running_unsampled\n",
	},
	{
		"asked for more than was recorded",
		"0 window 0 10 4; 0 alive 10 a; 4 run 10; 10 block 10",
		"10 of 1\n"
		"6: a running_unsampled\n"
		"4: a edge\n",
	},
	{
		"a gap that swallowed the wakeup",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 6 lost 5; 8 run 10; 10 block 10",
		"10 of 1\n"
		"6: a lost\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"a wait that may have been interrupted in a gap",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 1 block 10; 5 lost 3; 8 wake 99 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"3 x2: a running_unsampled\n"
		"3: a > [99] edge\n"
		"2: a > [99] lost\n"
		"2: a lost\n",
	},
	{
		"a run on a CPU of which all was lost, but not on another",
		"0 window 0 10; 0 alive 10 a; 0 run 10 cpu=1; 5 lost 3; 10 block 10 cpu=1",
		"10 of 1\n"
		"10: a running_unsampled\n",
	},
	{
		"a run while all of its CPU was lost",
		"0 window 0 10; 0 alive 10 a; 0 run 10 cpu=0; 5 lost 3; 10 block 10 cpu=0",
		"10 of 1\n"
		"8 x2: a running_unsampled\n"
		"2: a lost\n",
	},
	{
		"records that contradict each other where none were lost",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"6: a unaccounted\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"a loss of samples alone takes nothing from what is known",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 6 lost 5 kinds=8; 8 run 10\n"
		"10 block 10",
		"10 of 1\n"
		"6: a unaccounted\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"the leaving of a CPU lost: another is found there",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0; 6 lost 5\n"
		"7 block 20 cpu=0; 8 wake 20 10 cpu=0; 9 run 10 cpu=0; 10 block 10",
		"10 of 1\n"
		"8: a lost\n"
		"1: a runqueue b\n"
		"1: a running_unsampled\n",
	},
	{
		"a waker of which nothing else is known",
		"0 window 0 10; 0 alive 10 a; 0 run 10 cpu=0; 0 run 20 cpu=1; 1 block 20; 2 block 10\n"
		"8 wake 99 10 cpu=1; 8 run 10 cpu=0; 10 block 10",
		"10 of 1\n"
		"6: a > [99] edge\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"two that wait for each other at the same instant",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0; 0 run 20 cpu=1\n"
		"2 block 10; 2 block 20; 8 run 30 cpu=0; 8 run 31 cpu=1; 8 wake 20 10 cpu=0\n"
		"8 wake 10 20 cpu=1; 8 to 30 10; 8 to 31 20; 10 block 10",
		"10 of 1\n"
		"6: a > b other_path a\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"one that wakes itself in its sleep",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 2 block 10; 8 wake 10 10; 8 run 10; 10 block 10",
		"10 of 1\n"
		"6: a unaccounted\n"
		"4 x2: a running_unsampled\n",
	},
	{
		"switches that were not recorded: what others say of the CPU bounds what is unknown",
		"0 window 0 20; 0 alive 10 a; 0 run 10; 4 preempt 10 99; 6 preempt 98 97\n"
		"7 sample 10; 10 wake 10 50 cpu=0; 12 block 10; 14 irq hard 0 10; 15 run 10; 20 block 10",
		"20 of 1\n"
		"9 x2: a running_unsampled\n"
		"5: a running_sampled\n"
		"2: a preempted [99]\n"
		"2: a hardware\n"
		"1: a unaccounted\n"
		"1: a runqueue\n",
	},
	{
		"everything at once",
		"0 window 0 1; 0 alive 10 a; 0 alive 20 b; 0 run 10; 0 block 10; 0 wake 20 10; 0 run 10\n"
		"0 preempt 10 20; 0 wake 10 20; 0 to 20 10; 1 block 10",
		"1 of 1\n"
		"1: a running_unsampled\n",
	},
	{
		"a wakeup that overtook the switch",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 10 cpu=0; 0 run 20 cpu=1\n"
		"1.999 wake 20 10; 2 block 10 sys=0; 3 run 10; 10 block 10",
		"10 of 1\n"
		"9 x2: a running_unsampled\n"
		"1: a runqueue read\n",
	},
	{
		"samples share a run; a late one still belongs to it",
		"0 window 0 10; 0 alive 10 a; 0 run 10; 0 ustack 1 f; 0 ustack 2 g\n"
		"1 sample 10 u=1; 2 sample 10 u=1; 4 block 10; 4.01 sample 10 u=2; 5 irq hard 0 10\n"
		"5 run 10; 9 block 10",
		"10 of 1\n"
		"2.66667 x2: a running_sampled @f\n"
		"2.66667 x2: a running_unsampled @f?\n"
		"1.33333: a running_sampled @g\n"
		"1.33333: a running_unsampled @g?\n"
		"1: a hardware\n"
		"1: a edge +\n",
	},
	{
		"a part of a run takes the samples in it, or the nearest",
		"0 window 0 10; 0 alive 10 a; 0 alive 20 b; 0 run 20 cpu=1; 0 ustack 1 f; 0 ustack 2 g\n"
		"2 sample 20 u=1; 8 sample 20 u=2; 0 run 10 cpu=0; 1 block 10; 3 wake 20 10; 3 run 10\n"
		"4 block 10; 5 wake 20 10; 5 run 10; 10 block 10",
		"10 of 1\n"
		"7 x3: a running_unsampled\n"
		"2: a > b running_sampled @f\n"
		"1: a > b running_sampled @g\n",
	},
	{
		"threads of the process; one that slept all the time is not counted",
		"0 window 0 10; 0 alive 10 a; 0 alive 11 t1 10; 0 alive 12 t2 10; 0 alive 13 t3 10\n"
		"0 seed 12; 0 run 10 cpu=0; 0 run 11 cpu=1; 10 block 10; 10 block 11",
		"20 of 2\n"
		"10: a running_unsampled\n"
		"10: t1 running_unsampled\n",
	},
	{
		"nobody ran: what the main thread waits for",
		"0 window 0 10; 0 alive 10 a; 0 alive 11 t 10; 0 seed 10 sys=0 obj=7; 0 seed 11; 0 pipe 7",
		"10 of 1\n"
		"10: a edge read pipe +\n",
	},
	{
		"a pid used again: the start time tells which",
		"0 window 0 20; 0 target 10 start=1002000000; 1 alive 1 init; 1 run 1 cpu=1\n"
		"2 fork 1 10; 2 exec 10 old; 2 run 10; 5 exit 10; 5 dead 10; 8 fork 1 10; 8 run 10\n"
		"20 block 10",
		"3 of 1\n"
		"3: old running_unsampled\n",
	},
	{
		"a thread that is not the first execs: it takes the first one's tid",
		"0 window 0 10; 0 alive 10 java start=5; 0 alive 11 java 10; 0 run 11 cpu=1\n"
		"0 run 10 cpu=0; 2 block 10; 4 wake 11 10; 4 run 10 cpu=0; 5 exit 10; 5 wake 10 11\n"
		"5 dead 10; 6 exec 10 sh cpu=1 start=5; 8 block 10 cpu=1; 9 irq hard 0 10 cpu=1\n"
		"9 run 10 cpu=1; 10 block 10",
		"15 of 2\n"
		"9 x3: java running_unsampled\n"
		"3 x2: sh running_unsampled\n"
		"2: java > java running_unsampled\n"
		"1: sh hardware\n",
	},
	{
		"exec renames in the middle of a run",
		"0 window 0 10; 0 alive 10 sh; 0 run 10; 4 exec 10 cc; 7 name 10 cc:main; 10 block 10",
		"10 of 1\n"
		"6: cc running_unsampled\n"
		"4: sh running_unsampled\n",
	},
};

static void test_cases(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		struct rsp_explanation *e = NULL;
		char *text;

		assert_int_equal(rsp_explain(s->trace, &e), 0);
		check_sums(e);
		text = say(e);
		if (strcmp(text, cases[i].expected)) {
			print_error("%s:\n%s", cases[i].name, text);
			failed++;
		}
		free(text);
		rsp_explanation_free(e);
		story_free(s);
	}
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
