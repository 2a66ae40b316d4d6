/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/tap.h, the copy of the newest records for clients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/tap.h"
#include "tests/unit/tape.h"

#define MS	 1000000ULL
#define START_NS (1000000 * MS)

static struct rsp_tap *new_tap(void)
{
	struct rsp_tap *tap;

	assert_int_equal(rsp_tap_new(START_NS, &tap), 0);
	return tap;
}

static void append_switch(struct rsp_tap *tap, __u64 ts_ns)
{
	struct rsp_ev_switch sw = switch_rec(ts_ns, 0, 1, 2, 0, 0);

	rsp_tap_append(tap, &sw, sizeof(sw));
}

static void append_stack(struct rsp_tap *tap, __u64 ts_ns)
{
	struct stack_rec stack = stack_rec(ts_ns, 7);

	rsp_tap_append(tap, &stack, sizeof(stack));
}

static size_t count(const struct rsp_tap_part *part, __u16 kind)
{
	const struct rsp_ev_hdr *hdr;
	size_t cnt = 0;

	for (size_t i = 0; i < 2; i++) {
		size_t off = 0;

		while (part->len[i] && rsp_record_next(part->v[i], part->len[i], &off, &hdr) > 0)
			cnt += hdr->kind == kind;
		assert_int_equal(off, part->len[i]);
	}
	return cnt;
}

static void test_positions(void **state)
{
	struct rsp_tap *tap = new_tap();
	struct rsp_tap_part part;
	__u64 first;

	append_switch(tap, START_NS);
	rsp_tap_read(tap, 0, START_NS, &part);
	assert_int_equal(count(&part, RSP_EV_SWITCH), 0);
	assert_false(part.missed);
	first = part.position;
	append_switch(tap, START_NS + 1);
	append_stack(tap, START_NS + 2);
	rsp_tap_read(tap, first, START_NS, &part);
	assert_int_equal(count(&part, RSP_EV_SWITCH), 1);
	assert_int_equal(count(&part, RSP_EV_STACK), 1);
	rsp_tap_read(tap, first, START_NS, &part);
	assert_int_equal(count(&part, RSP_EV_SWITCH), 1);
	rsp_tap_read(tap, part.position, START_NS, &part);
	assert_int_equal(count(&part, RSP_EV_SWITCH), 0);
	rsp_tap_read(tap, first + 1, START_NS, &part);
	assert_int_equal(part.len[0] + part.len[1], 0);
	rsp_tap_read(tap, UINT64_MAX, START_NS, &part);
	assert_int_equal(part.len[0] + part.len[1], 0);
	rsp_tap_free(tap);
}

static void test_bounded(void **state)
{
	struct rsp_tap *tap = new_tap();
	struct rsp_tap_part part;
	__u64 first;

	rsp_tap_read(tap, 0, START_NS, &part);
	first = part.position;
	for (size_t bytes = 0; bytes < 3 * RSP_TAP_BYTES; bytes += sizeof(struct stack_rec))
		append_stack(tap, START_NS);
	rsp_tap_read(tap, first, START_NS, &part);
	assert_true(part.missed);
	assert_true(part.len[0] + part.len[1] <= RSP_TAP_BYTES);
	assert_true(part.len[0] + part.len[1] > RSP_TAP_BYTES / 4);
	assert_true(count(&part, RSP_EV_STACK) > 0);
	rsp_tap_free(tap);
}

/*
 * With too many events, the tap takes all events of the first period, and slices of later periods.
 * The slices are at the same times on each CPU.
 */
static void test_slices(void **state)
{
	struct rsp_tap *tap = new_tap();
	struct rsp_tap_part part;
	__u64 position = 0, seen_ns = 0;
	const struct rsp_ev_hdr *hdr;
	size_t off = 0;

	for (int period = 0; period < 4; period++) {
		__u64 from_ns = START_NS + (__u64)period * 100 * MS;

		for (__u64 i = 0; i < 100000; i++)
			append_switch(tap, from_ns + i * 1000);
		append_stack(tap, from_ns + 99 * MS);
		rsp_tap_poll(tap, from_ns + 100 * MS);
		if (period == 1) {
			rsp_tap_read(tap, 0, from_ns, &part);
			position = part.position;
		}
	}
	rsp_tap_read(tap, position, START_NS, &part);
	assert_false(part.missed);
	assert_in_range(count(&part, RSP_EV_SWITCH), 1000, 20000);
	assert_int_equal(count(&part, RSP_EV_STACK), 2);
	assert_int_equal(count(&part, RSP_EV_LOST), 2);
	for (size_t i = 0; i < 2; i++)
		for (off = 0;
		     part.len[i] && rsp_record_next(part.v[i], part.len[i], &off, &hdr) > 0;) {
			const struct rsp_ev_lost *lost = (const void *)hdr;

			if (hdr->kind == RSP_EV_SWITCH)
				seen_ns = hdr->ts_ns;
			if (hdr->kind != RSP_EV_LOST)
				continue;
			assert_true(hdr->flags & RSP_LOST_PAUSED);
			assert_true(lost->from_ns > seen_ns);
			assert_int_equal(hdr->ts_ns % (100 * MS), 0);
		}
	rsp_tap_free(tap);
}

static void test_calm(void **state)
{
	struct rsp_tap *tap = new_tap();
	struct rsp_tap_part part;

	for (__u64 i = 0; i < 100000; i++)
		append_switch(tap, START_NS + i * 1000);
	for (__u64 period = 1; period < 5; period++)
		rsp_tap_poll(tap, START_NS + period * 100 * MS);
	rsp_tap_read(tap, 0, START_NS, &part);
	append_switch(tap, START_NS + 599 * MS);
	rsp_tap_read(tap, part.position, START_NS, &part);
	assert_int_equal(count(&part, RSP_EV_SWITCH), 1);
	rsp_tap_free(tap);
}

static void test_idle(void **state)
{
	struct rsp_tap *tap = new_tap();

	assert_true(rsp_tap_poll(tap, START_NS + RSP_TAP_IDLE_NS - 1));
	assert_false(rsp_tap_poll(tap, START_NS + RSP_TAP_IDLE_NS));
	rsp_tap_read(tap, 0, START_NS + RSP_TAP_IDLE_NS, &(struct rsp_tap_part){0});
	assert_true(rsp_tap_poll(tap, START_NS + RSP_TAP_IDLE_NS));
	rsp_tap_free(tap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_positions), cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_slices),	  cmocka_unit_test(test_calm),
		cmocka_unit_test(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
