/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts a story, a list of events as text, to the records of a snapshot. Each line is a time in
 * milliseconds, a verb, and its arguments. Lines end with ";" or a newline; "#" begins a comment. A
 * story chooses the IDs of threads, requests, sockets, objects and stacks.
 *
 *	0 window 0 20 [OLDEST] [end=MS]    the requested span; begin and end of the recording
 *	    hz=N                           the sampling clock; 0: none (default: 199)
 *	0 target 10 [start=NS] [tid=N]     the process of interest (default: 10), and its thread
 *	    command                        rspctl ran the process as a command
 *	0 host NAME                        the host (default: storyland)
 *	0 slo NAME request 250             the requested span exceeded the limit of SLO NAME, 250 ms
 *
 * Threads. Without TGID, a thread is the first thread of its process:
 *	0 alive 10 make [TGID] [start=NS] [cgroup=N] [uid=N] [cpu=N] [closed] [lent]
 *	                                   10 exists at the beginning (a record of the census)
 *	0 kthread 7 kworker/0:1            kernel thread 7 exists at the beginning
 *	1 fork 10 11 [TGID]                10 creates 11, which has the same name
 *	2 exec 11 cc1 / 2 name 11 x        11 executes cc1; 11 gets the name x
 *	3 exit 11 [code=N]
 *
 * Switches:
 *	0 run 10                           switch from the idle task to 10
 *	5 block 10                         10 blocks; switch to the idle task
 *	5 to 10 20                         10 blocks; switch to 20
 *	5 preempt 10 20                    20 preempts 10; in place of 20, 0 is the idle task
 *	9 dead 11                          last switch of 11
 *	0 seed 10                          not a switch: 10 has been blocked since earlier
 *	    sys=N      system call          obj=N   awaited object: OBJECT, SOCKET, address
 *	    k=N u=N    stacks               state=N of the kernel's TASK_* bits (1, when it blocks)
 *	    futex sleep timeout fault kthread iowait throttled carried unreadable    RSP_SW_*
 *
 * Wakeups [k=N] [u=N] [throttled]:
 *	9 wake 20 10                       20 wakes 10; 0 is the idle task
 *	1 new 10 11                        first wakeup of a new thread
 *	9 irq CONTEXT CAUSE 10             an interrupt wakes 10. CONTEXT and
 *	                                   its CAUSE: hard HANDLER, soft VECTOR, timer 0, net SK,
 *	                                   block REQUEST, ipi HANDLER, ktimer FUNCTION (a kstack)
 *
 * Other events:
 *	3 sample 10 [k=N] [u=N] [us=N]
 *	3 disk insert 99                   insert, issue or complete disk request 99
 *	    obj=N  dev=8:0  bytes=4096  sector=0
 *	    op=read|write|flush|discard|N  meta sync fua preflush ahead
 *	3 held 99 WHEN 9                   cgroup 9's I/O limit held request 99 back until WHEN;
 *	                                   must follow the first step of the request
 *	3 send 10 77 70 / 3 connect 10 77 70      by thread 10 at socket 77, whose SOCKET is 70
 *	    nagle                          TCP holds the data back
 *	    late                           the receiver of a unix socket has already read the data
 *	3 message 10 70 71                 10 sends from the unix socket with SOCKET 70 to its peer
 *	    bytes=N  late
 *	4 resend 77 70 [connect]           TCP sends the last data again, or the SYN
 *	4 ready 77 70 / 4 established 77 70 / 9 close 77 70     [bytes=N] [seq=N]
 *	9 interrupt 8 from=8.9 [vector=N]  an interrupt from 8.9 to 9, whose handler is OBJECT 8
 *	9 softirq 3 from=8.9               softirq vector 3; [more=N longest=MS]: a sum of N more
 *	3 work 7 WHO FUNCTION [queued=MS]  worker 7 begins an item that WHO queued: a thread,
 *	                                   CONTEXT:CAUSE of an interrupt, or "?"
 *	5 reclaim 10 4 [obj=CGROUP]        10 freed memory from 4 to 5
 *	8 lost 6 [cnt=N] [kinds=BITS]      records were lost from 6 to 8 (default: switches)
 *	8 shed 6 [step=N] [budget=PPM]     data were left out from 6 to 8 (default: wakers' stacks)
 *	8 mark TYPE TEXT [uid=N] [cnt=N]   text, breach, started, stopped, failed, dropped
 *	8 pressure N… / 8 memory N… / 8 load N…    counters in the order of enum rsp_counter; the
 *	                                   last ones may be left out
 *	5 account 10 user=US system=US [begin|exec|exit] [exact] [noirqs]  CPU time of 10
 *	5 calls 10 [sys=N] [from=MS] cnt=N sum=US min=US max=US pending=US [exec|exit]
 *	5 memsum 10 kind=malloc cnt=N bytes=N [live=N] [livecnt=N] [u=ID] [k=ID] [pid=PID]
 *	5 memwatch 10 kind=malloc [lost=N]                   the recorder read the memsum records
 *	5 stolen 10 US                            time that the hypervisor took from the run of 10
 *	5 cputime 0 steal=US [user=US] [system=US] [idle=US] times of CPU 0
 *
 * Definitions of the numbers:
 *	0 file 5 /var/log/x [ino=7] / 0 node 5 /dev/tty1 / 0 anon 6 [timerfd] / 0 unix 6 [/run/x]
 *	0 pipe 7 / 0 other 7 netlink / 0 handler 8 eth0 / 0 cgroup 9 /user.slice
 *	0 container NAME cgroup=N [pod=NAME] [namespace=NAME]   names of the container of a cgroup
 *	0 drive 8:0 vda                    the disk with number 8:0 is vda
 *	0 socket 70 77 10.0.0.1:80 [::1]:5000 [udp]     SOCKET 70, of socket 77: its two ends
 *	0 unixsocket 70 77 78 5 9          SOCKET 70, of unix socket 77: its peer 78, connection 5
 *	                                   and path, OBJECT 9
 *	    accepted connected             which end of its connection it is
 *	0 kstack 1 leaf,caller / 0 ustack 2 leaf,caller@libc.so.6
 *	0 frames 3 4+0x1230,0x7f0012       a user stack without names: offsets in binaries,
 *	                                   addresses
 *	0 ustack 5 leaf partial            the stack ends early; with "pending" instead of
 *	                                   "partial": because an unwind table is missing
 *	0 binary 4 /usr/lib/libz.so.1
 *
 * The verbs above from "alive" to "lost" accept cpu=N. Without cpu=N, an event of a thread is on
 * the CPU of the last switch to this thread; "run" and events without a thread are on CPU 0. The
 * records of interrupts and disks contain the thread that runs on that CPU, unless the line has
 * tid=N.
 *
 * A line with words like 10..19 is repeated for each number. All such words of a line count up or
 * down together: "1..9 to 10..18 11..19". Times may have a fraction: "1.5..9.5".
 *
 * Time 0 is STORY_BASE_NS, so that no time in a record is 0.
 */
#ifndef RSP_TESTS_STORY_H
#define RSP_TESTS_STORY_H

#include "lib/snapshot/symbols.h"
#include "lib/trace/trace.h"

#define STORY_BASE_NS	1000000000ULL
#define STORY_TIDS	65536
#define STORY_CPUS	65536
#define STORY_SAMPLE_HZ 199

struct story {
	struct rsp_snapshot snap; /* its sections exist after story_finish() */
	struct rsp_trace *trace;  /* exists after story_finish() */
	char *records;		  /* all records, concatenated */
	size_t len, cap;
	__u64 now_ns;	 /* of the current line */
	__u32 sample_hz; /* of the snapshot */
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
 * Reads a whole story, and calls story_finish(). On an error in the story, or if memory runs out,
 * ends the program with a message.
 */
struct story *story_new(const char *text);

struct story *story_begin(void);
/*
 * Appends the events of text. Returns 0, or -EINVAL if a line is wrong; s->error and s->error_line
 * then contain the reason and the line.
 */
int story_read(struct story *s, const char *text);
/*
 * Appends a record at now_ns, with a header and otherwise zeroes. The pointer is valid until the
 * next record is appended.
 */
void *story_record(struct story *s, __u16 kind, size_t size, __u16 flags);
/* Makes s->snap and s->trace. No records can be added after that. */
void story_finish(struct story *s);
struct story *story_free(struct story *s);

/* Converts a time of a story, such as "2.5", to nanoseconds. */
__u64 story_ns(const char *ms);

/* --- for verbs.c ----------------------------------------------------------------------------- */

struct words;

/* Defined in verbs.c: appends the events of one line. On error, w->error contains the message. */
void story_add(struct story *s, struct words *w);

#endif
