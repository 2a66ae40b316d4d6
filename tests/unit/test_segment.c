/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests lib/snapshot/segment.h. Records with any bytes are read back unchanged. If a record does
 * not fit, the segment does not change.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/snapshot/segment.h"
#include "tests/unit/tape.h"

#define SEGMENT	   ((size_t)1 << 20)
#define RECORD_MAX 65528 /* the largest multiple of 8 that fits into rsp_ev_hdr.size */

struct fixture {
	struct rsp_segment *seg;
	struct rsp_coder *coder;
	struct tape in;
	unsigned int seed;
};

static int setup_sized(void **state, size_t cap_bytes)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_int_equal(rsp_segment_new(cap_bytes, &f->seg), 0);
	assert_int_equal(rsp_coder_new(0, &f->coder), 0);
	f->seed = 1;
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return setup_sized(state, SEGMENT);
}

static int setup_small(void **state)
{
	return setup_sized(state, RSP_SEGMENT_BYTES_MIN);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rsp_segment_free(f->seg);
	rsp_coder_free(f->coder);
	tape_done(&f->in);
	free(f);
	return 0;
}

static bool append(struct fixture *f, const void *rec)
{
	size_t before = rsp_segment_bytes(f->seg);
	int r = rsp_segment_append(f->seg, f->coder, rec);

	if (r < 0) {
		assert_int_equal(r, -ENOSPC);
		assert_int_equal(rsp_segment_bytes(f->seg), before);
		return false;
	}
	assert_true(rsp_segment_bytes(f->seg) > before);
	tape_add(&f->in, rec);
	return true;
}

static void clear(struct fixture *f)
{
	rsp_segment_clear(f->seg);
	rsp_coder_reset(f->coder);
	f->in.len = 0;
}

/*
 * Reads all records through a buffer of len bytes. The buffer has the exact size, so that
 * sanitizers detect overruns.
 */
static void assert_reads_back(struct fixture *f, size_t len)
{
	char *buf = malloc(len);
	size_t pos = 0, done = 0, n;

	assert_non_null(buf);
	rsp_coder_reset(f->coder);
	while ((n = rsp_segment_read(f->seg, f->coder, &pos, buf, len)) > 0) {
		assert_true(n <= len);
		assert_true(done + n <= f->in.len);
		assert_memory_equal(buf, f->in.bytes + done, n);
		done += n;
	}
	assert_int_equal(done, f->in.len);
	assert_int_equal(pos, rsp_segment_bytes(f->seg));
	free(buf);
}

/* --- records of all kinds ------------------------------------------------------------------- */

static __u64 dice(struct fixture *f, __u64 sides)
{
	return (((__u64)rand_r(&f->seed) << 32) ^ ((__u64)rand_r(&f->seed) << 16) ^
		(__u64)rand_r(&f->seed)) %
	       sides;
}

static size_t size_of(struct fixture *f, __u16 kind)
{
	size_t min = kind < RSP_EV_KIND_MAX ? sizeof(struct rsp_ev_binary)
					    : sizeof(struct rsp_ev_hdr);

	if (rsp_record_bytes(kind) && kind != RSP_EV_STACK && kind != RSP_EV_BINARY)
		return rsp_record_bytes(kind);
	return min + 8 * (1 + dice(f, 127));
}

static void make_valid(struct rsp_ev_hdr *hdr)
{
	char *end = (char *)hdr + hdr->size;

	switch (hdr->kind) {
	case RSP_EV_STACK:
		((struct rsp_ev_stack *)hdr)->frame_cnt =
			(hdr->size - (__u32)sizeof(struct rsp_ev_stack)) / 8 % 128;
		break;
	case RSP_EV_OBJECT:
		((struct rsp_ev_object *)hdr)->name_len = 0;
		break;
	case RSP_EV_TASK:
		((struct rsp_ev_task *)hdr)->comm[RSP_TASK_COMM_LEN - 1] = '\0';
		break;
	case RSP_EV_MARK:
		((struct rsp_ev_mark *)hdr)->text[0] = '\0';
		break;
	case RSP_EV_BINARY:
		((struct rsp_ev_binary *)hdr)->build_id_len = 0;
		end[-1] = '\0';
		break;
	}
}

static __u64 any_word(struct fixture *f)
{
	static const __u64 extremes[] = {0,	     1,		  UINT64_MAX, 1ULL << 63,
					 UINT32_MAX, 1ULL << 32,  INT64_MAX,  0x8000,
					 0xff,	     0x8080808080};

	if (dice(f, 3) == 0)
		return extremes[dice(f, sizeof(extremes) / sizeof(extremes[0]))];
	return dice(f, 1ULL << (1 + dice(f, 63)));
}

/* Makes a random record. Half of its words are equal to the words of an earlier record. */
static const struct rsp_ev_hdr *any_record(struct fixture *f, __u64 words[RECORD_MAX / 8])
{
	struct rsp_ev_hdr *hdr = (void *)words;
	__u16 kind = (__u16)(1 + dice(f, RSP_EV_KIND_MAX + 2));
	size_t size = size_of(f, kind);

	for (size_t i = 0; i < size / 8; i++)
		if (dice(f, 2))
			words[i] = any_word(f);
	hdr->kind = kind == RSP_EV_KIND_MAX + 1 ? UINT16_MAX : kind;
	hdr->size = (__u16)size;
	make_valid(hdr);
	return hdr;
}

/* --- tests ---------------------------------------------------------------------------------- */

static void test_empty(void **state)
{
	struct fixture *f = *state;
	struct rsp_segment *seg = NULL;

	assert_int_equal(rsp_segment_new(RSP_SEGMENT_BYTES_MIN - 1, &seg), -EINVAL);
	assert_null(seg);
	assert_int_equal(rsp_segment_bytes(f->seg), 0);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
	rsp_segment_free(NULL);
	rsp_coder_free(NULL);
}

/*
 * Each word of each kind of record takes the same value as in the previous record, another value,
 * and an extreme value.
 */
static void test_each_word_of_each_kind(void **state)
{
	static const __u64 values[] = {0, UINT64_MAX, 1, 1, 0x123456789abcdef0, 1ULL << 32};
	__u64 words[RECORD_MAX / 8] = {0};
	struct rsp_ev_hdr *hdr = (void *)words;
	struct fixture *f = *state;

	for (__u16 kind = 1; kind <= RSP_EV_KIND_MAX; kind++) {
		size_t size = size_of(f, kind);

		clear(f);
		memset(words, 0, sizeof(words));
		for (size_t word = 0; word < size / 8; word++)
			for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
				words[word] = values[i];
				hdr->kind = kind;
				hdr->size = (__u16)size;
				make_valid(hdr);
				assert_true(append(f, hdr));
			}
		assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
	}
}

static void test_random_records(void **state)
{
	__u64 words[RECORD_MAX / 8] = {0};
	struct fixture *f = *state;

	for (unsigned int seed = 1; seed <= 40; seed++) {
		clear(f);
		f->seed = seed;
		while (append(f, any_record(f, words)))
			;
		assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
	}
}

/*
 * The records have few different values, which recur often. The coder's predictions are made for
 * this case.
 */
static void test_things_that_recur(void **state)
{
	struct fixture *f = *state;
	__u64 now_ns = 0;

	for (int i = 0; i < 100000; i++) {
		__u64 what = dice(f, 4);
		__u32 tid = 1 + (__u32)dice(f, 6);
		struct rsp_ev_switch sw = switch_rec(now_ns, (__u16)dice(f, 2), tid, tid % 6 + 1,
						     1ULL << 40 | dice(f, 3), dice(f, 8));
		struct rsp_ev_waking wk = waking_rec(now_ns, tid, (__u32)dice(f, 6), dice(f, 8));
		struct rsp_ev_net net = {.hdr = HDR(RSP_EV_NET, rsp_ev_net, now_ns, 4),
					 .tid = tid,
					 .bytes = 100,
					 .sk = dice(f, 3),
					 .seq = (__u32)i};
		struct stack_rec stack = stack_rec(now_ns, dice(f, 50));

		sw.hdr.cpu = wk.hdr.cpu = net.hdr.cpu = stack.hdr.cpu = (__u16)dice(f, 4);
		now_ns += dice(f, 3000);
		if (!append(f, what == 0   ? &sw.hdr
			       : what == 1 ? &wk.hdr
			       : what == 2 ? &net.hdr
					   : &stack.hdr))
			break;
	}
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

static void test_tables_overflow(void **state)
{
	struct fixture *f = *state;
	__u32 round, i;

	for (round = 0; round < 2; round++)
		for (i = 0; i < 9000; i++) {
			struct rsp_ev_switch sw = switch_rec(i, (__u16)(i * 7), i * 3, i * 5,
							     i * 0x10001ULL, i);

			sw.hdr.cpu = (__u16)(i * 11);
			assert_true(append(f, &sw));
		}
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/* There are so many CPUs that two CPUs share an entry of the predictions. Times also go back. */
static void test_times_of_cpus(void **state)
{
	static const __u64 times[] = {0, 1, UINT64_MAX, 5, 1ULL << 63, 0, 255, 256, 255, 65536};
	struct fixture *f = *state;

	for (__u32 cpu = 0; cpu <= UINT16_MAX; cpu += 127)
		for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
			struct rsp_ev_sample rec = sample_rec(times[i] + cpu, cpu);

			rec.hdr.cpu = (__u16)cpu;
			assert_true(append(f, &rec));
		}
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/*
 * A record of the largest size with random bytes, which cannot be compressed, fits into the
 * smallest empty segment, and into the smallest buffer of a reader.
 */
static void test_largest_record(void **state)
{
	__u64 words[RECORD_MAX / 8];
	struct rsp_ev_hdr *hdr = (void *)words;
	struct fixture *f = *state;

	for (size_t i = 0; i < RECORD_MAX / 8; i++)
		words[i] = (__u64)rand_r(&f->seed) << 33 ^ (__u64)rand_r(&f->seed) << 3;
	hdr->kind = 999;
	hdr->size = RECORD_MAX;
	assert_true(append(f, hdr));
	assert_false(append(f, hdr));
	hdr->size = sizeof(*hdr);
	assert_true(append(f, hdr));
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/* If the segment is full, append fails, and must not change the predictions of the coder. */
static void test_refuses_when_full(void **state)
{
	__u64 words[RECORD_MAX / 8] = {0};
	struct fixture *f = *state;
	int refused_cnt = 0;

	while (refused_cnt < 100)
		refused_cnt += !append(f, any_record(f, words));
	assert_true(rsp_segment_bytes(f->seg) <= RSP_SEGMENT_BYTES_MIN);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

static void test_chunks(void **state)
{
	__u64 words[RECORD_MAX / 8] = {0};
	struct fixture *f = *state;
	size_t len;

	while (append(f, any_record(f, words)))
		;
	for (len = RSP_SEGMENT_READ_BYTES_MIN; len < RSP_SEGMENT_READ_BYTES_MIN + 4096; len += 808)
		assert_reads_back(f, len);
	assert_reads_back(f, f->in.len + RECORD_MAX);
}

static void test_reuse(void **state)
{
	__u64 words[RECORD_MAX / 8] = {0};
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++) {
		while (append(f, any_record(f, words)))
			;
		assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
		clear(f);
		assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
	}
}

/*
 * To read a second segment, a reader continues with the coder of the first segment, or with a copy
 * of this coder.
 */
static void test_goes_on_in_the_next_segment(void **state)
{
	__u64 words[RECORD_MAX / 8] = {0}, *buf = malloc(RSP_SEGMENT_READ_BYTES_MIN);
	struct fixture *f = *state, next = {.seed = 2};
	struct rsp_coder *copy;
	size_t len, pos;

	for (unsigned int halvings = 0; halvings <= RSP_CODER_HALVINGS_MAX; halvings++) {
		assert_int_equal(rsp_coder_new(halvings, &next.coder), 0);
		assert_int_equal(rsp_coder_new(halvings, &copy), 0);
		assert_int_equal(rsp_segment_new(RSP_SEGMENT_BYTES_MIN, &next.seg), 0);
		rsp_coder_free(f->coder);
		f->coder = next.coder;
		clear(f);
		while (append(f, any_record(f, words)))
			;
		while (append(&next, any_record(f, words)))
			;
		assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
		rsp_coder_assign(copy, f->coder);
		for (int i = 0; i < 2; i++) {
			size_t done = 0;

			pos = 0;
			while ((len = rsp_segment_read(next.seg, i ? copy : f->coder, &pos, buf,
						       RSP_SEGMENT_READ_BYTES_MIN)) > 0) {
				assert_true(done + len <= next.in.len);
				assert_memory_equal(buf, next.in.bytes + done, len);
				done += len;
			}
			assert_int_equal(done, next.in.len);
		}
		next.in.len = 0;
		next.seg = rsp_segment_free(next.seg);
		rsp_coder_free(copy);
	}
	assert_int_equal(rsp_coder_new(RSP_CODER_HALVINGS_MAX + 1, &copy), -EINVAL);
	tape_done(&next.in);
	free(buf);
}

/* --- how small ------------------------------------------------------------------------------ */

/*
 * Two tasks wake each other in turn. Each event needs one byte for its pattern and two bytes for
 * its time.
 */
static void test_what_repeats_is_small(void **state)
{
	struct fixture *f = *state;
	__u64 now_ns = 1000000;
	const size_t cnt = 10000;

	for (size_t i = 0; i < cnt / 2; i++) {
		__u32 tid = 1000 + i % 2, other = 1000 + (i + 1) % 2;
		struct rsp_ev_waking wk = waking_rec(now_ns += 2000, tid, other, 0xabcdef0123);
		struct rsp_ev_switch sw = switch_rec(now_ns += 1500, 0, tid, other, 0xfedcba987654,
						     0x123456789abc);

		assert_true(append(f, &wk));
		assert_true(append(f, &sw));
	}
	assert_true(rsp_segment_bytes(f->seg) < 3 * cnt + 1000);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/*
 * The stacks have 40 frames, of which only the innermost differs. Each stack needs an ID, and a
 * byte for every 8 callers that have occurred before.
 */
static void test_common_callers_are_small(void **state)
{
	struct fixture *f = *state;
	const size_t cnt = 1000, frame_cnt = 40;
	__u64 words[4 + 40] = {0};
	struct rsp_ev_stack *stack = (void *)words;

	for (size_t i = 0; i < cnt; i++) {
		stack->hdr = (struct rsp_ev_hdr){.ts_ns = i * 1000,
						 .kind = RSP_EV_STACK,
						 .size = sizeof(words),
						 .flags = RSP_STACK_USER};
		stack->id = (i + 1) * 0x9e3779b97f4a7c15;
		stack->tgid = 77;
		stack->frame_cnt = frame_cnt;
		for (size_t k = 0; k < frame_cnt; k++)
			stack->frames[k] = 0x8000010000400000 + k * 0x1230;
		stack->frames[0] += i * 4;
		assert_true(append(f, stack));
	}
	assert_true(rsp_segment_bytes(f->seg) < cnt * 32);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/*
 * The coder predicts the sequence number of a socket's next record: the sequence number plus the
 * bytes of the socket's last record.
 */
static void test_sequence_numbers_are_small(void **state)
{
	struct rsp_ev_net net = {.hdr = HDR(RSP_EV_NET, rsp_ev_net, 0, RSP_NET_SEND),
				 .tid = 5,
				 .bytes = 1 << 20,
				 .sk = 0x123456789abcdef,
				 .seq = 12345};
	struct fixture *f = *state;
	const size_t cnt = 10000; /* enough for the number to wrap around */

	for (size_t i = 0; i < cnt; i++) {
		assert_true(append(f, &net));
		net.hdr.ts_ns += 200;
		net.seq += net.bytes;
	}
	assert_true(rsp_segment_bytes(f->seg) < 2 * cnt + 100);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

/*
 * From the sending socket and earlier records, the coder predicts the sending thread and the
 * receiving socket.
 */
static void test_messages_are_small(void **state)
{
	struct rsp_ev_message message = {.hdr = HDR(RSP_EV_MESSAGE, rsp_ev_message, 0, 0)};
	struct rsp_ev_switch sw;
	struct fixture *f = *state;
	const size_t cnt = 10000;
	size_t bytes = 0;
	__u32 tid = 0;

	message.bytes = 100;
	for (size_t i = 0; i < cnt; i++) {
		__u32 next = 1 + (__u32)dice(f, 200); /* few pairs of threads repeat */

		sw = switch_rec(message.hdr.ts_ns, 0, tid, next, 1, 2);
		assert_true(append(f, &sw));
		message.tid = tid = next;
		message.from = 0x123456789abcdefULL * tid;
		message.to = 0xfedcba987654321ULL * tid;
		message.hdr.ts_ns += 200;
		bytes -= rsp_segment_bytes(f->seg);
		assert_true(append(f, &message));
		bytes += rsp_segment_bytes(f->seg);
	}
	assert_true(bytes < cnt * 5);
	assert_reads_back(f, RSP_SEGMENT_READ_BYTES_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_each_word_of_each_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_records, setup, teardown),
		cmocka_unit_test_setup_teardown(test_things_that_recur, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tables_overflow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_times_of_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(test_largest_record, setup_small, teardown),
		cmocka_unit_test_setup_teardown(test_refuses_when_full, setup_small, teardown),
		cmocka_unit_test_setup_teardown(test_chunks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_goes_on_in_the_next_segment, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_repeats_is_small, setup, teardown),
		cmocka_unit_test_setup_teardown(test_common_callers_are_small, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sequence_numbers_are_small, setup, teardown),
		cmocka_unit_test_setup_teardown(test_messages_are_small, setup, teardown),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
