/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains valid records that contradict each other. The explanation must end, and its parts must
 * add up.
 */
#include <errno.h>
#include <netinet/in.h>
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

#include "lib/model/cut/cut.h"
#include "lib/model/explain/explain.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/redact.h"
#include "lib/viewer/viewer.h"
#include "tests/story/story.h"
#include "tests/unit/sums.h"

static __u64 random_state;

/* Returns a random number (xorshift64*). The numbers are the same in each execution of the test. */
static __u64 random_u64(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL;
}

static __u32 random_below(__u32 n)
{
	return (__u32)(random_u64() >> 32) % n;
}

/* Returns usually one of a few TIDs, so that records refer to the same threads. */
static __u32 random_tid(void)
{
	return random_below(50) ? random_below(6) + (random_below(4) ? 8 : 0) : (__u32)random_u64();
}

static __u64 random_time(void)
{
	return random_below(100) ? STORY_BASE_NS + random_below(40) : random_u64();
}

static void random_switch(struct rsp_ev_switch *sw)
{
	sw->prev_tid = random_tid();
	sw->next_tid = random_tid();
	sw->prev_state = random_below(2) ? 1 : random_below(256);
	sw->syscall_nr = (__s32)random_below(500) - 10;
	sw->object = random_below(8);
	sw->kstack = random_below(4);
	sw->hdr.flags &= random_below(4) ? (__u16)~RSP_SW_SEED : 0xffff;
}

static void random_waking(struct rsp_ev_waking *wk)
{
	wk->waker_tid = random_tid();
	wk->wakee_tid = random_tid();
	wk->context = random_below(4) ? RSP_WAKE_TASK : random_below(10);
	wk->cause = random_below(8);
	wk->hdr.flags = random_below(10) == 0;
}

static void random_socket(struct rsp_ev_socket *sock)
{
	sock->id = random_below(8);
	sock->family = random_below(2) ? AF_INET : AF_INET6;
	sock->protocol = IPPROTO_TCP;
	sock->local_port = (__u16)random_below(3);
	sock->remote_port = (__u16)random_below(3);
	memset(sock->local, 0, sizeof(sock->local));
	memset(sock->remote, 0, sizeof(sock->remote));
	if (random_below(3) > 0)
		return;
	sock->family = AF_UNIX;
	sock->protocol = (__u16)random_below(2) * IPPROTO_TCP;
	sock->un.path = random_below(8);
	sock->un.peer = random_below(8);
	sock->hdr.flags = (__u16)random_below(4);
}

static void random_task(struct rsp_ev_task *task)
{
	task->tid = random_tid();
	task->tgid = random_below(2) ? 10 : random_tid();
	task->ptid = random_tid();
	task->start_ns = random_below(2) ? 0 : random_time();
	task->comm[RSP_TASK_COMM_LEN - 1] = '\0';
	task->hdr.flags = (__u16)(1 << random_below(4));
}

static void random_work(struct rsp_ev_work *work)
{
	work->worker_tid = random_tid();
	work->queuer_tid = random_tid();
	work->context = random_below(3);
	work->queued_ns = random_below(4) ? random_time() : 0;
}

static void random_delay(struct rsp_ev_delay *delay)
{
	delay->hdr.flags = (__u16)random_below(RSP_DELAY_CNT + 1);
	delay->tid = random_tid();
	delay->from_ns = random_time();
	delay->subject = random_below(8);
	delay->object = random_below(8);
}

static void random_sums(struct rsp_ev_hdr *hdr)
{
	void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_ACCOUNT:
		hdr->flags = (__u16)(1 << random_below(4));
		((struct rsp_ev_account *)ev)->tid = random_tid();
		break;
	case RSP_EV_CALLS:
		hdr->flags = (__u16)(1 << random_below(4));
		((struct rsp_ev_calls *)ev)->tid = random_tid();
		((struct rsp_ev_calls *)ev)->syscall_nr = (__s32)random_below(8) - 1;
		((struct rsp_ev_calls *)ev)->from_ns = random_time();
		break;
	case RSP_EV_MEMORY:
		hdr->flags = (__u16)random_below(RSP_MEMORY_KIND_MAX);
		((struct rsp_ev_memory *)ev)->tid = random_tid();
		((struct rsp_ev_memory *)ev)->tgid = random_tid();
		break;
	case RSP_EV_LOST:
		((struct rsp_ev_lost *)ev)->from_ns = random_time();
		break;
	case RSP_EV_SHED:
		((struct rsp_ev_shed *)ev)->from_ns = random_time();
		((struct rsp_ev_shed *)ev)->step = random_below(RSP_SHED_CNT + 2);
		break;
	case RSP_EV_MARK:
		hdr->flags = (__u16)random_below(RSP_MARK_TYPE_MAX + 1);
		((struct rsp_ev_mark *)ev)->from_ns = random_time();
		((struct rsp_ev_mark *)ev)->text[RSP_MARK_TEXT_MAX - 1] = '\0';
		break;
	case RSP_EV_COUNTERS:
		hdr->flags = (__u16)random_below(RSP_COUNTER_SET_CNT + 1);
		for (size_t i = 0; i < RSP_COUNTER_SET_SIZE; i++)
			((struct rsp_ev_counters *)ev)->v[i] = random_time();
		break;
	}
}

static void random_fields(struct rsp_ev_hdr *hdr)
{
	void *ev = hdr;

	switch (hdr->kind) {
	case RSP_EV_SWITCH:
		random_switch(ev);
		break;
	case RSP_EV_WAKING:
		random_waking(ev);
		break;
	case RSP_EV_SAMPLE:
		((struct rsp_ev_sample *)ev)->tid = random_tid();
		break;
	case RSP_EV_BLOCK:
		((struct rsp_ev_block *)ev)->request = random_below(8);
		((struct rsp_ev_block *)ev)->tid = random_tid();
		break;
	case RSP_EV_NET:
		((struct rsp_ev_net *)ev)->tid = random_tid();
		((struct rsp_ev_net *)ev)->sk = random_below(8);
		((struct rsp_ev_net *)ev)->object = random_below(8);
		break;
	case RSP_EV_MESSAGE:
		((struct rsp_ev_message *)ev)->tid = random_tid();
		((struct rsp_ev_message *)ev)->from = random_below(8);
		((struct rsp_ev_message *)ev)->to = random_below(8);
		break;
	case RSP_EV_STACK:
		((struct rsp_ev_stack *)ev)->id = random_below(4);
		((struct rsp_ev_stack *)ev)->frame_cnt = 0;
		break;
	case RSP_EV_OBJECT:
		((struct rsp_ev_object *)ev)->id = random_below(8);
		((struct rsp_ev_object *)ev)->name_len = 0;
		break;
	case RSP_EV_SOCKET:
		random_socket(ev);
		break;
	case RSP_EV_TASK:
		random_task(ev);
		break;
	case RSP_EV_EXIT:
		((struct rsp_ev_exit *)ev)->tid = random_tid();
		break;
	case RSP_EV_WORK:
		random_work(ev);
		break;
	case RSP_EV_DELAY:
		random_delay(ev);
		break;
	default:
		random_sums(hdr);
	}
}

static void random_record(struct story *s)
{
	__u16 kind = (__u16)random_below(RSP_EV_STOLEN); /* later kinds are not explained */
	struct rsp_ev_hdr *hdr;
	size_t bytes;

	if (random_below(2))
		kind = random_below(2) ? RSP_EV_SWITCH : RSP_EV_WAKING;
	bytes = rsp_record_bytes(kind);
	if (!bytes || kind == RSP_EV_BINARY)
		return;
	s->now_ns = random_time();
	hdr = story_record(s, kind, bytes, (__u16)random_u64());
	for (size_t i = sizeof(*hdr); i < bytes; i++)
		((__u8 *)hdr)[i] = (__u8)random_u64();
	hdr->cpu = (__u16)random_below(random_below(20) ? 2 : 65536);
	random_fields(hdr);
	assert_int_equal(rsp_record_check(hdr, hdr->size), 0);
}

static void random_history(struct story *s, __u64 seed)
{
	random_state = seed;
	assert_int_equal(story_read(s, "0 alive 10 root"), 0);
	for (__u32 cnt = random_below(300); cnt > 0; cnt--)
		random_record(s);
	s->snap.meta.target_pid = 10;
	s->snap.meta.since_ns = random_below(2) ? random_time() : 0;
	s->snap.meta.until_ns = random_below(2) ? random_time() : 0;
	s->snap.meta.window_oldest_ns = random_below(2) ? random_time() : 0;
	s->snap.meta.target_tid = random_below(4) ? 0 : 10;
	s->snap.meta.cpu_cnt = (__u32)random_u64() >> random_below(32);
	s->snap.meta.realtime_offset_ns = (__s64)random_u64();
}

static __u64 explained_ns(const struct rsp_snapshot *snap)
{
	struct rsp_explanation *e = NULL;
	struct rsp_trace *trace;
	__u64 total_ns = 0;

	assert_int_equal(rsp_trace_new(snap, &trace), 0);
	if (rsp_explain(trace, &e) == 0) {
		check_sums(e);
		total_ns = e->total_ns;
	}
	rsp_explanation_free(e);
	rsp_trace_free(trace);
	return total_ns;
}

static struct rsp_snapshot *cut(const struct rsp_snapshot *snap)
{
	int fd = memfd_create("cut", MFD_CLOEXEC);
	struct rsp_snapshot_writer *w = NULL;
	struct rsp_snapshot *ret = NULL;

	assert_int_equal(rsp_snapshot_writer_new(fd, &w), 0);
	assert_int_equal(rsp_cut(snap, w), 0);
	assert_int_equal(rsp_snapshot_writer_finish(w), 0);
	assert_int_equal(rsp_snapshot_open_fd(fd, &ret), 0);
	rsp_snapshot_writer_free(w);
	close(fd);
	return ret;
}

static void explain_redacted(const struct rsp_snapshot *snap)
{
	struct rsp_snapshot *redacted = NULL, *less;
	int r = rsp_redact(snap, 0, &redacted);

	if (r < 0) {
		assert_int_equal(r, -EACCES);
		return;
	}
	less = cut(redacted);
	assert_int_equal(explained_ns(less), explained_ns(redacted));
	rsp_snapshot_free(less);
	rsp_snapshot_free(redacted);
}

static void draw(struct story *s)
{
	const struct rsp_meta meta = s->snap.meta;
	char *page = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&page, &len);
	bool lossy;

	assert_non_null(out);
	assert_int_equal(rsp_viewer_write(&s->snap, s->trace, false, out, &lossy), 0);
	assert_int_equal(fclose(out), 0);
	assert_memory_equal(&s->snap.meta, &meta, sizeof(meta));
	assert_true(len > 1000);
	free(page);
}

static void test_garbage(void **state)
{
	size_t explained_cnt = 0;

	(void)state;
	for (__u64 seed = 1; seed <= 3000; seed++) {
		struct rsp_explanation *e = NULL;
		struct story *s = story_begin();
		int r;

		random_history(s, seed);
		story_finish(s);
		r = rsp_explain(s->trace, &e);
		if (r == 0) {
			check_sums(e);
			explained_cnt++;
		} else {
			assert_int_equal(r, -ESRCH);
		}
		rsp_explanation_free(e);
		if (seed % 10 == 0)
			explain_redacted(&s->snap);
		if (seed % 50 == 5)
			draw(s);
		story_free(s);
	}
	assert_true(explained_cnt > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
