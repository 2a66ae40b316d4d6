/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the language of stories (tests/story/story.h). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot/decode.h"
#include "tests/story/story.h"

static const char every_verb[] =
	"0 window 0 20 1; 0 target 10 start=7  # a comment; no line\n"
	"0 alive 10 make 10 start=7 cgroup=3; 0 kthread 7 kworker/0:1; 1 fork 10 11 10; 2 exec 11 cc1\n"
	"2 name 11 x; 3 exit 11 code=256; 0 run 10 cpu=1; 5 block 10\n"
	"5 to 10 20 sys=0 obj=7 k=1 u=2 state=2 futex iowait; 5 preempt 10 20 throttled obj=9\n"
	"9 dead 11; 0 seed 10 timeout carried; 9 wake 20 10 throttled; 1 new 10 11; 9 irq net 77 10 tid=5\n"
	"3 message 10 70 71 bytes=9\n"
	"9 irq ipi 8 10 cpu=1 k=1; 3 sample 10 k=1 u=2; 3 disk insert 99 obj=5 dev=8:16 bytes=512\n"
	"3 disk issue 99 op=write meta sync tid=10; 4 disk complete 99 op=flush sector=9\n"
	"3 send 10 77 70 bytes=9 seq=1; 3 connect 10 77 70; 4 ready 77 70; 4 established 77 70\n"
	"4 held 99 3.5 9; 3 send 10 77 70 nagle; 4 resend 77 70 connect; 5 reclaim 10 4 obj=9\n"
	"0 container web cgroup=9 pod=shop namespace=prod; 5 account 10 user=1 exec; 5 calls 10 sys=0 from=2 cnt=1; 5 cputime 0 steal=7; 5 stolen 10 7\n"
	"5 memsum 10 kind=malloc cnt=2 bytes=7 live=3 livecnt=1 u=2; 5 memwatch 10 kind=malloc\n"
	"9 close 77 70; 9 interrupt 8 from=8.9 vector=17; 9 softirq 3 from=8.9; 8 lost 6 cnt=2 kinds=8\n"
	"8 shed 6 step=2 budget=2000\n"
	"3 work 7 10 1 queued=2; 3 work 7 net:77 1; 3 work 7 ? 1; 0 file 5 /var/log/x\n"
	"0 node 5 /dev/tty1; 0 anon 6 [timerfd]; 0 unix 6 /run/x; 0 unix 7; 0 pipe 7; 0 other 7 netlink\n"
	"0 handler 8 eth0; 0 cgroup 9 /user.slice; 0 drive 8:0 vda; 0 kstack 1 leaf,caller\n"
	"0 frames 3 4+0x1230,0x7f0012; 0 binary 4 /usr/lib/libz.so.1\n"
	"18 mark text v2 uid=7; 18 pressure 1 2 3; 18 memory 4; 18 load 5 6\n"
	"0 ustack 2 leaf,caller@libc.so.6; 0 socket 70 77 10.0.0.1:80 [::1]:5000 udp\n";

static void test_every_record_is_valid(void **state)
{
	struct story *s = story_new(every_verb);
	__u64 seen = 0;
	size_t off = 0;
	const struct rsp_ev_hdr *hdr;

	(void)state;
	while (rsp_record_next(s->records, s->len, &off, &hdr) > 0)
		seen |= 1ULL << hdr->kind;
	assert_int_equal(off, s->len);
	assert_int_equal(seen, (1ULL << RSP_EV_KIND_MAX) - 2 - (1ULL << 12));
	assert_int_equal(s->trace->bad_cnt, 0);
	assert_int_equal(s->snap.meta.target_start_ns, 7);
	assert_int_equal(s->snap.meta.until_ns, story_ns("20"));
	story_free(s);
}

static void test_counting(void **state)
{
	struct story *s = story_new("1..3 to 10..12 12..10 cpu=4..6");
	const struct rsp_ev_switch *ev = (const void *)s->records;

	(void)state;
	assert_int_equal(s->len, 3 * sizeof(*ev));
	for (__u32 i = 0; i < 3; i++) {
		assert_int_equal(ev[i].hdr.ts_ns, STORY_BASE_NS + (i + 1) * 1000000);
		assert_int_equal(ev[i].prev_tid, 10 + i);
		assert_int_equal(ev[i].next_tid, 12 - i);
		assert_int_equal(ev[i].hdr.cpu, 4 + i);
	}
	story_free(s);
}

/* A range whose numbers have a fraction also counts by 1. */
static void test_counting_from_a_fraction(void **state)
{
	struct story *s = story_new("1.25..3.25 run 10");
	const struct rsp_ev_switch *ev = (const void *)s->records;

	(void)state;
	assert_int_equal(s->len, 3 * sizeof(*ev));
	for (__u32 i = 0; i < 3; i++)
		assert_int_equal(ev[i].hdr.ts_ns, STORY_BASE_NS + (i + 1) * 1000000 + 250000);
	story_free(s);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text, *error;
		int line;
	} cases[] = {
		{"0 run 10\n\n5 blok 10", "there is no verb \"blok\"", 3},
		{"0 run 10; 5 to 10", "who comes in is missing", 1},
		{"# text\n0 run ten", "the thread is no number: \"ten\"", 2},
		{"0 run 10 now", "what is \"now\"?", 1},
		{"0 run 99999", "the thread is above 65535: \"99999\"", 1},
		{"x run 10", "the time is no time in milliseconds: \"x\"", 1},
		{"-1 run 10", "the time is no time in milliseconds: \"-1\"", 1},
		{"0 run", "the thread is missing", 1},
		{"5", "the verb is missing", 1},
		{"0 block 10 sys=", "sys is no number: \"\"", 1},
		{"0 irq warp 0 10", "no interrupt is called \"warp\"", 1},
		{"0 disk lift 9", "no step of a request is called \"lift\"", 1},
		{"0 disk issue 9 dev=8", "no MAJOR:MINOR of a disk: \"8\"", 1},
		{"0 socket 1 2 10.0.0.1 10.0.0.2:1", "no ADDRESS:PORT: \"10.0.0.1\"", 1},
		{"0 file 5 x", "no path: \"x\"", 1},
		{"3 interrupt 8 from=4", "it ends before it begins", 1},
		{"0 alive 10 a_name_of_16_chr", "a name has at most 15 bytes: \"a_name_of_16_chr\"",
		 1},
		{"0 frames 3 4+x", "no frame: \"x\"", 1},
		{"0 frames 3 0x", "no frame: \"0x\"", 1},
		{"0 frames 3 4+0x10000000000", "no frame: \"0x10000000000\"", 1},
		{"1..3 run 10..11", "\"10..11\" counts 2, not 3", 1},
		{"0 run 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n", "more than 24 words", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct story *s = story_begin();

		assert_int_equal(story_read(s, cases[i].text), -EINVAL);
		assert_string_equal(s->error, cases[i].error);
		assert_int_equal(s->error_line, cases[i].line);
		story_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_record_is_valid),
		cmocka_unit_test(test_counting),
		cmocka_unit_test(test_counting_from_a_fraction),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
