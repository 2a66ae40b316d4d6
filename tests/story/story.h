/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A story: a few lines of text -> the records of a snapshot, so that a test reads like what
 * happened. Each line is a time in milliseconds, a verb, its arguments; lines end with ";" or a
 * newline, "#" begins a comment. CPUs are remembered, so most lines need not name one. Numbers that
 * name things (tids, requests, sockets, objects, stacks) are the story's own.
 *
 *	0 window 0 20 [OLDEST] [end=MS]    the span asked for; where the recording begins and ends
 *	0 target 10 [start=NS] [tid=N]     the process of interest (10, if the story does not say),
 *	                                   the thread of it
 *	0 host NAME                        the host (storyland, if the story does not say)
 *	0 slo NAME request 250             the span asked for passed that limit, of 250 ms
 *
 * Who there is. A thread is its process's first one, if no TGID is given:
 *	0 alive 10 make [TGID] [start=NS] [cgroup=N] [uid=N] [cpu=N] [closed] [lent]
 *	                                   found alive (TASK seed)
 *	0 kthread 7 kworker/0:1
 *	1 fork 10 11 [TGID]                10 makes 11, of the same name
 *	2 exec 11 cc1 / 2 name 11 x        another program; another name
 *	3 exit 11 [code=N]
 *
 * Switches:
 *	0 run 10                           in, from idle
 *	5 block 10                         out, to idle
 *	5 to 10 20                         10 blocks, 20 comes in
 *	5 preempt 10 20                    20 takes the CPU from 10; 0: idle does
 *	9 dead 11                          leaves the CPU for good
 *	0 seed 10                          no switch: found blocked
 *	    sys=N      system call          obj=N   what it blocks on: OBJECT, SOCKET, address
 *	    k=N u=N    stacks               state=N of the kernel's TASK_* bits (1, when it blocks)
 *	    futex sleep timeout fault kthread iowait throttled carried unreadable    RSP_SW_*
 *
 * Wakeups [k=N] [u=N] [throttled]:
 *	9 wake 20 10                       20 wakes 10; 0 is the idle task
 *	1 new 10 11                        first wakeup of a new thread
 *	9 irq CONTEXT CAUSE 10             an interrupt wakes 10, whoever is current. CONTEXT and
 *	                                   its CAUSE: hard HANDLER, soft VECTOR, timer 0, net SK,
 *	                                   block REQUEST, ipi HANDLER, ktimer FUNCTION (a kstack)
 *
 * What else is recorded:
 *	3 sample 10 [k=N] [u=N] [us=N]
 *	3 disk insert 99                   insert, issue, complete; the request
 *	    obj=N  dev=8:0  bytes=4096  sector=0
 *	    op=read|write|flush|discard|N  meta sync fua preflush ahead
 *	3 held 99 WHEN 9                   cgroup 9's I/O limit held request 99 back until WHEN; to
 *	                                   be told after the first step of the request
 *	3 send 10 77 70 / 3 connect 10 77 70      of thread 10 at socket 77, whose SOCKET is 70
 *	    nagle                          TCP keeps back what is sent
 *	    late                           the receiver of a unix socket has read it already
 *	3 message 10 70 71                 from a unix socket to its peer: their SOCKETs
 *	    bytes=N  late
 *	4 resend 77 70 [connect]           TCP sends again what was sent last, or the SYN
 *	4 ready 77 70 / 4 established 77 70 / 9 close 77 70     [bytes=N] [seq=N]
 *	9 interrupt 8 from=8.9 [vector=N]  its handler, an OBJECT
 *	9 softirq 3 from=8.9               its vector; [more=N longest=MS]: the sum of as many more
 *	3 work 7 WHO FUNCTION [queued=MS]  worker 7 begins with an item that WHO queued: a thread,
 *	                                   CONTEXT:CAUSE of an interrupt, or "?"
 *	5 reclaim 10 4 [obj=CGROUP]        10 freed memory from 4 to 5
 *	8 lost 6 [cnt=N] [kinds=BITS]      records were lost from 6 to 8: switches
 *	8 shed 6 [step=N] [budget=PPM]     something was left out from 6 to 8: wakers' stacks
 *	8 mark TYPE TEXT [uid=N] [cnt=N]   text, breach, started, stopped, failed, dropped
 *	8 pressure N… / 8 memory N… / 8 load N…    counters in the order of enum rsp_counter; those
 *	                                   that are not given are absent
 *	5 account 10 user=US system=US [begin|exec|exit] [exact] [noirqs]  accounted to 10
 *	5 calls 10 [sys=N] [from=MS] cnt=N sum=US min=US max=US pending=US [exec|exit]
 *	5 memsum 10 kind=malloc cnt=N bytes=N [live=N] [livecnt=N] [u=ID] [k=ID] [pid=PID]
 *	5 memwatch 10 kind=malloc [lost=N]                   the reading of the records at 5
 *	5 stolen 10 US                            stolen from the run of 10
 *	5 cputime 0 steal=US [user=US] [system=US] [idle=US] accounted to CPU 0
 *
 * What the numbers mean:
 *	0 file 5 /var/log/x [ino=7] / 0 node 5 /dev/tty1 / 0 anon 6 [timerfd] / 0 unix 6 [/run/x]
 *	0 pipe 7 / 0 other 7 netlink / 0 handler 8 eth0 / 0 cgroup 9 /user.slice
 *	0 container NAME cgroup=N [pod=NAME] [namespace=NAME]   names of the container of a cgroup
 *	0 drive 8:0 vda                    the disk of that number
 *	0 socket 70 77 10.0.0.1:80 [::1]:5000 [udp]     SOCKET 70, of socket 77: its two ends
 *	0 unixsocket 70 77 78 5 9          SOCKET 70, of unix socket 77: its peer 78, connection 5
 *	                                   and path, OBJECT 9
 *	    accepted connected             which end of its connection it is
 *	0 kstack 1 leaf,caller / 0 ustack 2 leaf,caller@libc.so.6
 *	0 frames 3 4+0x1230,0x7f0012       a user stack that nobody has named: offsets in binaries,
 *	                                   addresses
 *	0 ustack 5 leaf partial            ends early; pending: for want of a table
 *	0 binary 4 /usr/lib/libz.so.1
 *
 * All but names: [cpu=N]. Interrupts and disks find who is on that CPU, unless [tid=N] tells.
 *
 * A line with words like 10..19 is told once for each number; all such words of a line count up or
 * down together: "1..9 to 10..18 11..19".
 *
 * Time 0 is STORY_BASE_NS, so that no time is 0.
 */
#ifndef RSP_TESTS_STORY_H
#define RSP_TESTS_STORY_H

#include "lib/trace/trace.h"
#include "lib/snapshot/symbols.h"

#define STORY_BASE_NS 1000000000ULL
#define STORY_TIDS    65536
#define STORY_CPUS    65536

struct story {
	struct rsp_snapshot snap; /* sections: once it is finished */
	struct rsp_trace *trace;  /* the same */
	char *records;		  /* all records, concatenated */
	size_t len, cap;
	__u64 now_ns; /* of the current line */
	int error_line;
	char error[160];

	/* State while lines are read. */
	struct rsp_section sections[2];
	struct rsp_symbols_builder *symbols;
	void *symbols_data;
	__u16 cpu_of[STORY_TIDS];
	__u32 on_cpu[STORY_CPUS];
	char comm_of[STORY_TIDS][RSP_TASK_COMM_LEN];
};

/*
 * The usual way for a test: reads a whole story. If a story cannot be read, or memory runs out,
 * these functions end the program with a message.
 */
struct story *story_new(const char *text);

struct story *story_begin(void);
/*
 * Appends the events of text. 0; -EINVAL: a line cannot be read, and error and error_line contain
 * the reason.
 */
int story_read(struct story *s, const char *text);
/*
 * Appends a record of now_ns, whose fields are 0 except for the header. Valid until the next one is
 * appended.
 */
void *story_record(struct story *s, __u16 kind, size_t size, __u16 flags);
/* Makes a snapshot and a trace of the story. Nothing can be appended afterwards. */
void story_finish(struct story *s);
struct story *story_free(struct story *s);

/* Returns the time of a story, such as "2.5". */
__u64 story_ns(const char *ms);

/* --- between the parts of the story ---------------------------------------------------------- */

struct words;

/* verbs.c: reads one line; an error is left in the words. */
void story_tell(struct story *s, struct words *w);

#endif
