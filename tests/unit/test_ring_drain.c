/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests daemon/capture/ring-drain.h. The test fills the rings as the BPF programs do
 * (bpf/ring.bpf.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/capture/ring-drain.h"
#include "rsp/event.h"

#define RING_BYTES 4096
#define SEEN_MAX   4096

struct bench {
	struct rsp_ring *ring;
	__u64 ts_ns; /* time of the last record, which is also its number */
	__u64 seen[SEEN_MAX];
	size_t seen_cnt;
};

static int setup(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->ring = calloc(1, sizeof(*b->ring) + RING_BYTES + RSP_RING_RECORD_MAX);
	assert_non_null(b->ring);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	free(b->ring);
	free(b);
	return 0;
}

/*
 * Claims size bytes of the ring, as claim() in bpf/ring.bpf.h does. Returns NULL if there is no
 * room.
 */
static struct rsp_ev_hdr *claim(struct bench *b, size_t size)
{
	__u64 at = b->ring->claimed;
	struct rsp_ev_hdr *hdr;

	if (at + size - b->ring->read > RING_BYTES)
		return NULL;
	b->ring->claimed += size;
	hdr = (void *)&b->ring->records[at & (RING_BYTES - 1)];
	for (size_t i = 0; i < size; i++)
		assert_int_equal(((unsigned char *)hdr)[i], 0);
	*hdr = (struct rsp_ev_hdr){
		.ts_ns = ++b->ts_ns, .kind = RSP_EV_SWITCH | RSP_RING_BUSY, .size = (__u16)size};
	memset(hdr + 1, 0xa5, size - sizeof(*hdr));
	return hdr;
}

static void commit(struct rsp_ev_hdr *hdr)
{
	hdr->kind &= (__u16)~RSP_RING_BUSY;
}

static void see(const void *rec, size_t len, void *userdata)
{
	const struct rsp_ev_hdr *hdr = rec;
	const unsigned char *bytes = rec;
	struct bench *b = userdata;

	assert_int_equal(hdr->kind, RSP_EV_SWITCH);
	assert_int_equal(hdr->size, len);
	for (size_t i = sizeof(*hdr); i < len; i++)
		assert_int_equal(bytes[i], 0xa5);
	assert_true(b->seen_cnt < SEEN_MAX);
	b->seen[b->seen_cnt++] = hdr->ts_ns;
}

static void drain(struct bench *b)
{
	rsp_ring_drain(b->ring, RING_BYTES - 1, see, b);
}

static void assert_seen(const struct bench *b, size_t cnt)
{
	assert_int_equal(b->seen_cnt, cnt);
	for (size_t i = 0; i < cnt; i++)
		assert_int_equal(b->seen[i], i + 1);
}

static void test_empty(void **state)
{
	struct bench *b = *state;

	drain(b);
	assert_seen(b, 0);
}

/*
 * The sizes of the records do not divide the size of the ring, so some records wrap around at its
 * end.
 */
static void test_around(void **state)
{
	static const size_t sizes[] = {56, 64, 1048, 24, 280, 88};
	struct bench *b = *state;
	struct rsp_ev_hdr *hdr;

	for (size_t i = 0; i < 1000; i++) {
		hdr = claim(b, sizes[i % (sizeof(sizes) / sizeof(*sizes))]);
		if (!hdr) {
			drain(b);
			hdr = claim(b, sizes[i % (sizeof(sizes) / sizeof(*sizes))]);
		}
		assert_non_null(hdr);
		commit(hdr);
	}
	drain(b);
	assert_seen(b, 1000);
	assert_true(b->ring->claimed > 10 * RING_BYTES);
	assert_int_equal(b->ring->read, b->ring->claimed);
}

static void test_full(void **state)
{
	struct bench *b = *state;

	for (size_t i = 0; i < RING_BYTES / 64; i++)
		commit(claim(b, 64));
	assert_null(claim(b, 24));
	drain(b);
	assert_seen(b, RING_BYTES / 64);
	assert_non_null(claim(b, 24));
}

/*
 * A BPF program claims room. Another program interrupts it, and commits its own record first. The
 * drain must stop at the first record that is not committed.
 */
static void test_uncommitted(void **state)
{
	struct bench *b = *state;
	struct rsp_ev_hdr *first, *interrupted;

	first = claim(b, 64);
	interrupted = claim(b, 56);
	commit(claim(b, 64));
	drain(b);
	assert_seen(b, 0);
	commit(first);
	drain(b);
	assert_seen(b, 1);
	commit(interrupted);
	drain(b);
	assert_seen(b, 3);
}

static void test_claimed_only(void **state)
{
	struct bench *b = *state;

	commit(claim(b, 64));
	b->ring->claimed += 64;
	drain(b);
	assert_seen(b, 1);
	assert_int_equal(b->ring->read, 64);
}

static void claim_more(const void *rec, size_t len, void *userdata)
{
	struct bench *b = userdata;

	see(rec, len, userdata);
	commit(claim(b, 64));
}

/*
 * The ring fills as fast as it is drained. The drain must nevertheless continue with the other
 * rings.
 */
static void test_bounded(void **state)
{
	struct bench *b = *state;

	commit(claim(b, 64));
	commit(claim(b, 64));
	rsp_ring_drain(b->ring, RING_BYTES - 1, claim_more, b);
	assert_seen(b, 2);
}

static void test_bell(void **state)
{
	struct bench *b = *state;

	b->ring->rung = 1;
	drain(b);
	assert_int_equal(b->ring->rung, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_empty),	TEST(test_around),	 TEST(test_full),
		TEST(test_uncommitted), TEST(test_claimed_only), TEST(test_bounded),
		TEST(test_bell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
