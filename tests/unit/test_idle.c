/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the idle time of processes in small stories (tests/story). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/model/explain/explain.h"
#include "tests/story/story.h"

/*
 * Process 10 polls for a second. It has the epoll file 6, the listening socket 70, the accepted
 * connection 71, the connection 72 that it opened, and the UDP socket 73.
 */
#define WORLD                                                                                      \
	"0 window 0 1000; 0 alive 10 a; 0 anon 6 [eventpoll]; 0 run 10\n"                          \
	"0 socket 70 77 0.0.0.0:80 0.0.0.0:0; 0 socket 71 78 10.0.0.1:80 10.0.0.2:5000 accepted\n" \
	"0 socket 72 79 10.0.0.1:5000 10.0.0.9:81 connected\n"                                     \
	"0 socket 73 80 10.0.0.1:5001 10.0.0.9:53 udp\n"

#define EPOLL " sys=232 obj=6"
/* The process answers a request, so RSP knows that it is a server. */
#define SERVED                                                                                     \
	"1 ready 78 71; 1 irq net 78 10; 1 run 10; 2 send 10 78 71 bytes=5; 2 block 10" EPOLL "\n"

static const struct {
	const char *name, *story;
	int idle_ms;
	bool inferred;
} cases[] = {
	{"accepts", WORLD "1 block 10 sys=288 obj=70", 999, false},
	{"polls a listening socket", WORLD "1 block 10 sys=7 obj=70", 999, false},
	{"reads from a connection that it accepted", WORLD "1 block 10 sys=0 obj=71", 999, false},
	{"reads from one that it made", WORLD "1 block 10 sys=0 obj=72", 0, false},
	{"polls one that it made", WORLD "1 block 10 sys=7 obj=72", 0, false},
	{"an event loop that has served", WORLD SERVED, 998, false},
	{"a timer of such a loop",
	 WORLD SERVED "500 irq timer 0 10; 500 run 10; 510 block 10" EPOLL, 988, false},
	{"it sleeps", WORLD SERVED "10 irq net 78 10; 10 run 10; 10 block 10 sys=35 sleep", 998,
	 false},
	{"it waits for the disk",
	 WORLD SERVED "10 irq net 78 10; 10 run 10; 10 block 10 sys=74 state=2 iowait", 8, false},
	{"it is stopped", WORLD SERVED "10 irq net 78 10; 10 run 10; 10 block 10 state=4" EPOLL, 8,
	 false},
	{"a request is pending for 100 ms",
	 WORLD SERVED
	 "300 ready 78 71; 300 irq net 78 10; 300 run 10; 300 block 10" EPOLL "\n"
	 "400 irq timer 0 10; 400 run 10; 400 send 10 78 71 bytes=5; 400 block 10" EPOLL,
	 898, false},
	{"a request is never answered",
	 WORLD SERVED "300 ready 78 71; 300 irq net 78 10; 300 run 10; 300 block 10" EPOLL, 298,
	 false},
	{"until the client closes the connection",
	 WORLD SERVED "300 ready 78 71; 300 irq net 78 10; 300 run 10; 300 block 10" EPOLL "\n"
		      "350 close 78 71; 360 close 78 71; 360 irq timer 0 10; 360 run 10\n"
		      "360 block 10" EPOLL,
	 938, false},
	{"a call is pending for 100 ms",
	 WORLD SERVED
	 "300 irq timer 0 10; 300 run 10; 300 send 10 79 72 bytes=5; 300 block 10" EPOLL
	 "\n400 ready 79 72; 400 irq net 79 10; 400 run 10; 400 block 10" EPOLL,
	 898, false},
	{"a name is asked for",
	 WORLD SERVED
	 "300 irq timer 0 10; 300 run 10; 300 send 10 80 73 bytes=5; 300 block 10" EPOLL
	 "\n400 irq timer 0 10; 400 run 10; 400 block 10" EPOLL,
	 898, false},
	{"an event loop of which nothing is known", WORLD "1 block 10" EPOLL, 999, true},
	{"it computes for a twentieth of the time", WORLD "50 block 10" EPOLL, 950, true},
	{"it computes for longer", WORLD "51 block 10" EPOLL, 0, false},
	{"it has made a call", WORLD "1 send 10 79 72 bytes=5; 2 ready 79 72; 3 block 10" EPOLL, 0,
	 false},
	{"a pipe", WORLD "0 pipe 7; 1 block 10 sys=7 obj=7", 0, false},
	{"a Unix socket", WORLD "0 unix 7 /run/x; 1 block 10 sys=7 obj=7", 0, false},
	{"a poll of which the files were not read",
	 "0 window 1 1001; 0 alive 9 sh; 0 fork 9 10; 0 exec 10 a; 0.5 seed 10 sys=7; 2 run 9\n"
	 "3 block 9",
	 0, false},
	{"a poll of several files that were not read",
	 "0 window 1 1001; 0 alive 9 sh; 0 fork 9 10; 0 exec 10 a; 0.5 seed 10 sys=7 several\n"
	 "2 run 9; 3 block 9 sys=35 sleep",
	 1000, true},
	{"such a poll, and the parent waits for the end",
	 "0 window 1 1001; 0 alive 9 sh; 0 fork 9 10; 0 exec 10 a; 0.5 seed 10 sys=7 several\n"
	 "2 run 9; 3 block 9 sys=61",
	 0, false},
	{"such a poll, and init waits for the end of any child",
	 "0 window 1 1001; 0 alive 1 init; 0 alive 10 a; 0.5 seed 10 sys=7 several; 0 run 1\n"
	 "0.8 block 1 sys=61; 0 alive 20 b; 2 run 20; 3 block 20 sys=35 sleep",
	 1000, true},
	{"a poll that began before the window, but was recorded",
	 "0 window 1 1001; 0 alive 9 sh; 0 fork 9 10; 0 exec 10 a; 0 run 10\n"
	 "0.5 block 10 sys=7 carried; 2 run 9; 3 block 9 sys=35 sleep",
	 1000, true},
	{"the same of a program that init has started",
	 "0 window 0 1000; 0 alive 10 a; 0 seed 10 sys=7; 0 alive 20 b; 0 run 20; 1 block 20", 1000,
	 true},
	{"a stranger asks over a Unix socket, and has no answer yet",
	 WORLD "0 unix 7 /run/x; 0 alive 20 b; 1 block 10" EPOLL "; 1 run 20 cpu=1\n"
	       "500 wake 20 10; 500 run 10; 500.1 block 20 sys=0 obj=7 cpu=1; 501 block 10" EPOLL,
	 0, false},
	{"it has the answer after a millisecond",
	 WORLD "0 unix 7 /run/x; 0 alive 20 b; 1 block 10" EPOLL "; 1 run 20 cpu=1\n"
	       "500 wake 20 10; 500 run 10; 500.1 block 20 sys=232 cpu=1; 501 wake 10 20\n"
	       "501 run 20 cpu=1; 501 block 10" EPOLL,
	 998, true},
	{"it has the answer after a tenth of the time",
	 WORLD "0 unix 7 /run/x; 0 alive 20 b; 1 block 10" EPOLL "; 1 run 20 cpu=1\n"
	       "500 wake 20 10; 500 run 10; 500.1 block 20 sys=232 cpu=1; 501 block 10" EPOLL
	       " timeout\n600 irq timer 0 10; 600 run 10; 600.1 wake 10 20; 600.2 run 20 cpu=1\n"
	       "601 block 10" EPOLL,
	 0, false},
	{"a signal", WORLD "1 block 10 sys=130", 999, true},
	{"a futex", WORLD "1 block 10 sys=202 futex obj=4096", 0, false},
	{"a futex beside an event loop",
	 WORLD "0 alive 11 b 10; 0 run 11 cpu=1; 1 block 11 sys=202 futex cpu=1; 1 block 10" EPOLL,
	 999, true},
	{"at which a thread waits for another one, which sleeps",
	 WORLD "0 alive 11 b 10; 0 run 11 cpu=1; 1 block 11 sys=202 futex cpu=1\n"
	       "1 block 10 sys=35 sleep; 900 irq timer 0 10; 900 run 10; 900 wake 10 11\n"
	       "900 run 11 cpu=1; 901 block 10 sys=35 sleep; 910 block 11 sys=202 futex",
	 0, false},
	{"at which a thread waits for a job from a timer loop",
	 WORLD "0 alive 11 b 10; 0 run 11 cpu=1; 1 block 11 sys=202 futex cpu=1; 1 block 10" EPOLL
	       " timeout\n301 irq timer 0 10; 301 run 10; 302 block 10" EPOLL
	       " timeout\n601 irq timer 0 10; 601 run 10; 602 block 10" EPOLL
	       " timeout\n901 irq timer 0 10; 901 run 10; 901 wake 10 11; 901 run 11 cpu=1\n"
	       "902 block 10" EPOLL " timeout; 911 block 11 sys=202 futex cpu=1",
	 987, true},
	{"a child", WORLD "1 fork 10 20; 1 block 10 sys=61", 0, false},
	{"a child's message to an event loop",
	 WORLD "1 fork 10 20; 1 new 10 20; 1 block 10" EPOLL "; 1 run 20 cpu=1\n"
	       "900 wake 20 10; 900 run 10; 901 block 10" EPOLL,
	 0, false},
	{"a message of a child's second thread to an event loop",
	 WORLD "1 fork 10 20; 1 new 10 20; 1 block 10" EPOLL "; 1 run 20 cpu=1; 2 fork 20 21 20\n"
	       "2 new 20 21; 3 block 20 sys=35 sleep cpu=1; 3 run 21 cpu=1; 900 wake 21 10\n"
	       "900 run 10; 901 block 10" EPOLL,
	 0, false},
	{"its child runs another program",
	 WORLD "1 fork 10 20; 1 new 10 20; 1 run 20 cpu=1; 2 exec 20 job; 2 block 10" EPOLL
	       "; 3 block 20 sys=35 sleep",
	 0, false},
	{"its child runs the same program",
	 WORLD "1 fork 10 20; 1 new 10 20; 1 run 20 cpu=1; 2 block 10" EPOLL
	       "; 3 block 20 sys=35 sleep",
	 998, true},
	{"a poll of which the files are unknown", WORLD "1 block 10 sys=7", 999, true},
	{"a stranger's message",
	 WORLD "0 alive 20 b; 1 block 10" EPOLL "; 1 run 20 cpu=1\n"
	       "900 wake 20 10; 900 run 10; 901 block 10" EPOLL,
	 998, true},
	{"sleeps of one length",
	 WORLD
	 "1 block 10 sys=35 sleep; 301 irq timer 0 10; 301 run 10; 302 block 10 sys=35 sleep\n"
	 "602 irq timer 0 10; 602 run 10; 603 block 10 sys=35 sleep",
	 997, true},
	{"sleeps of several lengths",
	 WORLD
	 "1 block 10 sys=35 sleep; 301 irq timer 0 10; 301 run 10; 302 block 10 sys=35 sleep\n"
	 "502 irq timer 0 10; 502 run 10; 503 block 10 sys=35 sleep",
	 0, false},
	{"another thread waits for it",
	 WORLD "0 alive 20 b; 0 run 20 cpu=1; 1 block 20 sys=202 futex cpu=1; 1 block 10" EPOLL "\n"
	       "900 irq timer 0 10; 900 run 10; 900 wake 10 20; 901 block 10" EPOLL,
	 0, false},
	{"the command that was run never rests",
	 "0 window 0 1000; 0 target 10; 0 alive 10 a; 0 anon 6 [eventpoll]; 0 run 10\n"
	 "0 alive 9 sh; 0 fork 9 10; 0 exec 10 a; 0 run 9 cpu=1; 1 block 9 sys=61 cpu=1\n"
	 "1 run 10; 2 block 10 sys=35 sleep",
	 0, false},
};

static void how_long_a_process_was_idle(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_new(cases[i].story);
		struct rsp_explanation *e;

		assert_int_equal(rsp_explain(s->trace, &e), 0);
		if ((int)(e->idle_ns / 1000000) != cases[i].idle_ms ||
		    e->idle_is_inferred != cases[i].inferred)
			fail_msg("%s: idle for %g ms, %s", cases[i].name, (double)e->idle_ns / 1e6,
				 e->idle_is_inferred ? "inferred" : "measured");
		rsp_explanation_free(e);
		story_free(s);
	}
}

static void requests_of_the_process_only(void **state)
{
	static const char story[] = WORLD
		"0 alive 20 b; 0 socket 90 91 10.0.0.1:80 10.0.0.2:5001 accepted\n"
		"0 block 10" EPOLL "\n"
		"10 ready 78 71; 12 send 10 78 71 bytes=5; 20 ready 78 71; 24 send 10 78 71 bytes=5\n"
		"30 ready 91 90; 90 send 20 91 90 bytes=5; 900 ready 78 71";
	struct story *s = story_new(story);
	struct rsp_explanation *e;

	(void)state;
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	assert_true(e->serves);
	assert_int_equal(e->requests.cnt, 2);
	assert_int_equal(e->requests.p50_ns, 2000000);
	assert_int_equal(e->requests.max_ns, 4000000);
	assert_int_equal(e->requests.pending_cnt, 1);
	assert_int_equal(e->requests.pending_ns, 100000000);
	assert_int_equal(e->requests.busy_ns, 106000000);
	assert_int_equal(e->idle_ns, 894000000);
	rsp_explanation_free(e);
	story_free(s);
}

/*
 * Thread 11 waits for a job. Meanwhile, another thread of the process answers requests, each after
 * answer_ms.
 */
static __u64 idle_beside_requests(int answer_ms)
{
	struct story *s = story_begin();
	struct rsp_explanation *e;
	char line[256];
	__u64 idle_ns;

	assert_int_equal(story_read(s, WORLD "0 alive 11 b 10; 0 run 11 cpu=1; 0 block 10" EPOLL
					     "; 1 block 11 sys=202 futex cpu=1"),
			 0);
	for (int i = 0; i < 99; i++) {
		snprintf(line, sizeof(line),
			 "%d ready 78 71; %d irq net 78 10; %d run 10; %d send 10 78 71 bytes=5; "
			 "%d block 10" EPOLL,
			 10 * i + 2, 10 * i + 2, 10 * i + 2, 10 * i + 2 + answer_ms,
			 10 * i + 2 + answer_ms);
		assert_int_equal(story_read(s, line), 0);
	}
	story_finish(s);
	assert_int_equal(rsp_explain(s->trace, &e), 0);
	assert_int_equal(e->requests.cnt, 99);
	assert_int_equal(e->requests.busy_ns, 99000000ULL * (__u64)answer_ms);
	assert_true(e->idle_ns <= e->wall_ns - e->requests.busy_ns);
	idle_ns = e->cat_ns[RSP_CAT_IDLE];
	rsp_explanation_free(e);
	story_free(s);
	return idle_ns / 1000000;
}

static void a_thread_beside_many_requests(void **state)
{
	(void)state;
	assert_int_equal(idle_beside_requests(1), 999 + 901);
	assert_int_equal(idle_beside_requests(5), 505);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_long_a_process_was_idle),
		cmocka_unit_test(requests_of_the_process_only),
		cmocka_unit_test(a_thread_beside_many_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
