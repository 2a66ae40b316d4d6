/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests traces of records in sections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/snapshot/decode.h"
#include "lib/trace/trace-sort.h"
#include "tests/story/story.h"

/*
 * Sorts records of these times, all below 100. The CPU number of a record is its original position,
 * which shows the order of records with equal times.
 */
static void check_sort(const __u64 *times, size_t cnt)
{
	struct rsp_ev_hdr *recs = calloc(cnt + 1, sizeof(*recs));
	const struct rsp_ev_hdr **events = calloc(cnt + 1, sizeof(*events));

	for (size_t i = 0; i < cnt; i++) {
		recs[i].ts_ns = times[i];
		recs[i].cpu = (__u16)i;
		events[i] = &recs[i];
	}
	assert_int_equal(rsp_trace_sort(events, cnt), 0);
	for (size_t i = 1; i < cnt; i++) {
		assert_true(events[i - 1]->ts_ns <= events[i]->ts_ns);
		if (events[i - 1]->ts_ns == events[i]->ts_ns)
			assert_true(events[i - 1]->cpu < events[i]->cpu);
	}
	free(recs);
	free(events);
}

static void test_sort_is_stable(void **state)
{
	static const __u64 batches[] = {1, 3, 5, 7, 2, 3, 6, 7, 8, 9, 7, 9, 9, 12, 10, 11, 1};
	__u64 times[200];

	(void)state;
	check_sort(NULL, 0);
	check_sort(batches, 1);
	check_sort(batches, sizeof(batches) / sizeof(batches[0]));
	for (size_t i = 0; i < 200; i++)
		times[i] = 199 - i;
	check_sort(times, 200);
	for (__u64 seed = 1; seed < 200; seed++) {
		for (size_t i = 0; i < 200; i++)
			times[i] = (i * 7919 * seed ^ i * i) % (1 + seed % 90);
		check_sort(times, seed);
	}
}

static void test_events(void **state)
{
	struct story *s = story_new(
		"0 window 0 9 2; 1 to 10 20; 0 alive 10 a; 5 run 10 cpu=1\n"
		"3 block 20; 4 seed 30; 0 ustack 1 f; 0 pipe 7; 8 lost 6; 1 lost 0");

	(void)state;
	assert_int_equal(s->trace->event_cnt, 7);
	for (size_t i = 1; i < s->trace->event_cnt; i++)
		assert_true(s->trace->events[i - 1]->ts_ns <= s->trace->events[i]->ts_ns);
	assert_int_equal(s->trace->lost_cnt, 2);
	assert_int_equal(rsp_trace_lost(s->trace, story_ns("2"), story_ns("5")), 0);
	assert_int_equal(rsp_trace_lost(s->trace, story_ns("2"), story_ns("7")), 1);
	assert_int_equal(rsp_trace_lost(s->trace, story_ns("0"), story_ns("9")), 2);
	assert_int_equal(s->trace->bad_cnt, 0);
	assert_int_equal(s->trace->first_ns, story_ns("3"));
	assert_int_equal(s->trace->last_ns, story_ns("5"));
	story_free(s);
}

static void test_bad_sections(void **state)
{
	struct story *s = story_begin();
	__u64 zeroes[4] = {0};
	struct rsp_ev_hdr unknown = {.kind = 999, .size = sizeof(unknown)};
	struct rsp_section sections[3];

	(void)state;
	assert_int_equal(story_read(s, "0 run 10; 1 block 10; 2 run 10"), 0);
	story_finish(s);
	rsp_trace_free(s->trace);
	sections[0] = (struct rsp_section){RSP_SEC_EVENTS, s->records, s->len - 8};
	sections[1] = (struct rsp_section){RSP_SEC_SYMBOLS, zeroes, sizeof(zeroes)};
	sections[2] = (struct rsp_section){RSP_SEC_EVENTS, &unknown, sizeof(unknown)};
	s->snap.sections = sections;
	s->snap.section_cnt = 3;
	assert_int_equal(rsp_trace_new(&s->snap, &s->trace), 0);
	assert_int_equal(s->trace->event_cnt, 2);
	assert_int_equal(s->trace->bad_cnt, 2);
	story_free(s);
}

static const struct rsp_ev_net *net_at(const struct story *s, size_t i)
{
	assert_true(i < s->trace->event_cnt);
	assert_int_equal(s->trace->events[i]->kind, RSP_EV_NET);
	assert_int_equal(s->trace->events[i]->size, sizeof(struct rsp_ev_net));
	assert_int_equal(rsp_record_check(s->trace->events[i], sizeof(struct rsp_ev_net)), 0);
	return (const void *)s->trace->events[i];
}

static void assert_half(const struct story *s, size_t i, __u16 flags, __u64 sk, __u64 object,
			__u32 bytes)
{
	const struct rsp_ev_net *net = net_at(s, i);

	assert_int_equal(net->hdr.flags, flags);
	assert_int_equal(net->hdr.ts_ns, story_ns("3"));
	assert_int_equal(net->hdr.cpu, 2);
	assert_int_equal(net->tid, 10);
	assert_int_equal(net->sk, sk);
	assert_int_equal(net->object, object);
	assert_int_equal(net->bytes, bytes);
	assert_int_equal(net->seq, 0);
	assert_int_equal(net->pad, 0);
}

static void test_a_message_is_a_send_and_a_ready(void **state)
{
	static const struct {
		const char *names, *flag;
		__u16 flags;
		__u64 from_sk, to_sk;
	} cases[] = {
		{"9 unixsocket 70 77 78 5 1; 9 unixsocket 71 78 77 5 1", "", 0, 77, 78},
		{"0 unixsocket 70 77 78 5 1; 0 unixsocket 71 78 77 5 1", "late", RSP_NET_LATE, 77,
		 78},
		{"0 unixsocket 70 77 78 5 1", "", 0, 77, 78}, /* one SOCKET record was lost */
		{"0 unixsocket 71 78 77 5 1", "", 0, 77, 78},
		{"0 run 10", "", 0, 70, 71},				 /* both were lost */
		{"0 socket 70 77 10.0.0.1:1 10.0.0.2:2", "", 0, 70, 71}, /* a damaged file */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct story *s;
		size_t first;

		snprintf(text, sizeof(text), "%s; 3 message 10 70 71 bytes=9 cpu=2 %s; 4 block 10",
			 cases[i].names, cases[i].flag);
		s = story_new(text);
		first = s->trace->events[0]->kind == RSP_EV_NET ? 0 : 1;
		assert_half(s, first, RSP_NET_SEND | cases[i].flags, cases[i].from_sk, 70, 9);
		assert_half(s, first + 1, RSP_NET_READY | cases[i].flags, cases[i].to_sk, 71, 0);
		assert_int_equal(s->trace->event_cnt, first + 3);
		assert_int_equal(s->trace->last_ns, story_ns("4"));
		story_free(s);
	}
}

/* Redaction may withhold either socket. */
static void test_half_a_message(void **state)
{
	struct story *s = story_new("3 message 10 70 0 bytes=9 cpu=2");

	(void)state;
	assert_half(s, 0, RSP_NET_SEND, 70, 70, 9);
	assert_int_equal(s->trace->event_cnt, 1);
	story_free(s);
	s = story_new("0 unixsocket 71 78 77 5 1; 3 message 10 0 71 cpu=2; 3 message 10 0 0");
	assert_half(s, 0, RSP_NET_READY, 78, 71, 0);
	assert_int_equal(s->trace->event_cnt, 1);
	story_free(s);
}

static const char *comm_at(const struct story *s, __u32 tid, const char *at)
{
	const struct rsp_ev_task *task = rsp_trace_task(s->trace, tid, story_ns(at));

	return task ? task->comm : NULL;
}

static void test_identity(void **state)
{
	struct story *s = story_new("1 alive 10 sh; 2 fork 10 11; 3 exec 11 make; 3 exec 11 gmake\n"
				    "5 fork 10 12; 6 exit 11; 7 fork 12 11");

	(void)state;
	assert_string_equal(comm_at(s, 10, "0"), "sh"); /* the name comes from a later record */
	assert_string_equal(comm_at(s, 10, "9"), "sh");
	assert_string_equal(comm_at(s, 11, "2.5"), "sh");
	assert_string_equal(comm_at(s, 11, "3"), "gmake");
	assert_string_equal(comm_at(s, 11, "6.9"), "gmake");
	assert_string_equal(comm_at(s, 11, "7"), "sh");
	assert_string_equal(comm_at(s, 12, "5"), "sh");
	assert_null(comm_at(s, 13, "5"));
	story_free(s);
}

static void test_frames(void **state)
{
	struct story *s = story_new(
		"0 kstack 1 bpf_prog_f00,bpf_trace_run4,__traceiter_sched_switch,schedule,bpf_prog_x\n"
		"0 ustack 2 bpf_prog_mine,main; 0 kstack 3 __bpf_trace_x");
	struct rsp_frame frames[8];

	(void)state;
	assert_int_equal(rsp_trace_frames(s->trace, 1, frames, 8), 2);
	assert_string_equal(frames[0].symbol, "schedule");
	assert_string_equal(frames[0].module, "vmlinux");
	assert_true(frames[0].kernel);
	assert_string_equal(frames[1].symbol, "bpf_prog_x");
	assert_int_equal(rsp_trace_frames(s->trace, 2, frames, 8), 2);
	assert_string_equal(frames[0].symbol, "bpf_prog_mine");
	assert_false(frames[0].kernel);
	assert_int_equal(rsp_trace_frames(s->trace, 2, frames, 1), 1);
	assert_int_equal(rsp_trace_frames(s->trace, 3, frames, 8), 0);
	assert_int_equal(rsp_trace_frames(s->trace, 0, frames, 8), 0);
	assert_int_equal(rsp_trace_frames(s->trace, 99, frames, 8), 0);
	assert_int_equal(rsp_trace_stack_cnt(s->trace), 3);
	assert_int_equal(rsp_trace_stack_at(s->trace, 1)->id, 2);
	assert_null(rsp_trace_stack(s->trace, 0));
	story_free(s);
}

static void test_frames_without_names(void **state)
{
	struct story *s = story_new("0 frames 5 3+0x10,4+0x10,0x400000\n"
				    "0 binary 3 /lib/libz.so.1; 0 binary 3 /lib/late");
	struct rsp_frame frames[3];

	(void)state;
	assert_int_equal(s->trace->event_cnt, 0);
	assert_string_equal(rsp_trace_binary(s->trace, 3)->path, "/lib/libz.so.1");
	assert_null(rsp_trace_binary(s->trace, 0));
	assert_null(rsp_trace_binary(s->trace, 4));
	assert_false(rsp_trace_is_named(s->trace, 5));
	assert_int_equal(rsp_trace_frames(s->trace, 5, frames, 3), 3);
	assert_string_equal(frames[0].symbol, "libz.so.1+0x10");
	assert_string_equal(frames[0].module, "libz.so.1");
	assert_string_equal(frames[1].symbol, "[gone]+0x10");
	assert_string_equal(frames[1].module, "[gone]");
	assert_string_equal(frames[2].symbol, "0x400000");
	assert_string_equal(frames[2].module, "?");
	for (int i = 0; i < 3; i++)
		assert_false(rsp_frame_has_name(&frames[i]));
	story_free(s);
}

/* A snapshot may end with a second SYMBOLS section. Its names of a stack replace earlier names. */
static void test_the_last_names_count(void **state)
{
	struct rsp_symbols_builder *b = NULL;
	struct story *s = story_begin();
	struct rsp_frame frame;
	void *later;

	(void)state;
	assert_int_equal(story_read(s, "0 ustack 5 former; 0 ustack 6 only"), 0);
	story_finish(s);
	assert_int_equal(rsp_symbols_builder_new(&b), 0);
	assert_int_equal(rsp_symbols_add_stack(b, 5), 0);
	assert_int_equal(rsp_symbols_add_frame(b, "later", "app"), 0);
	s->snap.sections = (struct rsp_section[]){
		s->sections[0], s->sections[1], {RSP_SEC_SYMBOLS}};
	assert_int_equal(rsp_symbols_builder_finish(b, &later, &s->snap.sections[2].len), 0);
	s->snap.sections[2].data = later;
	s->snap.section_cnt = 3;
	rsp_trace_free(s->trace);
	assert_int_equal(rsp_trace_new(&s->snap, &s->trace), 0);
	assert_true(rsp_trace_is_named(s->trace, 5));
	assert_int_equal(rsp_trace_frames(s->trace, 5, &frame, 1), 1);
	assert_string_equal(frame.symbol, "later");
	assert_true(rsp_frame_has_name(&frame));
	assert_int_equal(rsp_trace_frames(s->trace, 6, &frame, 1), 1);
	assert_string_equal(frame.symbol, "only");
	story_free(s);
	rsp_symbols_builder_free(b);
	free(later);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort_is_stable),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_bad_sections),
		cmocka_unit_test(test_a_message_is_a_send_and_a_ready),
		cmocka_unit_test(test_half_a_message),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_frames_without_names),
		cmocka_unit_test(test_the_last_names_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
