/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the newest summaries, which the recorder keeps under numbers that never change. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/summaries/ring.h"

static int put(struct rsp_summary_ring *ring, const char *text)
{
	return rsp_summary_ring_put(ring, text, strlen(text));
}

static void numbers_count_up_and_stay(void **state)
{
	struct rsp_summary_ring ring = {0};
	char text[32];

	assert_int_equal(rsp_summary_ring_oldest(&ring), 1);
	assert_null(rsp_summary_ring_get(&ring, 0));
	assert_null(rsp_summary_ring_get(&ring, 1));
	for (uint64_t n = 1; n <= 3 * RSP_SUMMARY_CNT_MAX + 5; n++) {
		uint64_t oldest;

		snprintf(text, sizeof(text), "{\"n\":%lu}", n);
		assert_int_equal(put(&ring, text), 0);
		assert_int_equal(ring.made, n);
		oldest = n <= RSP_SUMMARY_CNT_MAX ? 1 : n + 1 - RSP_SUMMARY_CNT_MAX;
		assert_int_equal(rsp_summary_ring_oldest(&ring), oldest);
		assert_null(rsp_summary_ring_get(&ring, oldest - 1));
		assert_null(rsp_summary_ring_get(&ring, n + 1));
		assert_int_equal(rsp_summary_ring_get(&ring, oldest)->number, oldest);
		assert_string_equal(rsp_summary_ring_get(&ring, n)->text, text);
		assert_int_equal(rsp_summary_ring_get(&ring, n)->cost, strlen(text) + 2);
	}
	rsp_summary_ring_done(&ring);
}

static void only_clean_text_is_taken(void **state)
{
	static const char *const bad[] = {"", "\xff", "a\n", "\xc3", "\x1b[31m", "a\x7f"};
	struct rsp_summary_ring ring = {0};

	assert_int_equal(put(&ring, "first"), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(put(&ring, bad[i]), -EBADMSG);
	assert_int_equal(rsp_summary_ring_put(&ring, "a\0b", 3), -EBADMSG);
	assert_int_equal(ring.made, 1);
	assert_string_equal(rsp_summary_ring_get(&ring, 1)->text, "first");
	/* the text need not be terminated */
	assert_int_equal(rsp_summary_ring_put(&ring, "äbc", 3), 0);
	assert_string_equal(rsp_summary_ring_get(&ring, 2)->text, "äb");
	rsp_summary_ring_done(&ring);
}

/* In a JSON message, a quote of the summary takes two bytes. */
static void the_limit_is_that_of_a_message(void **state)
{
	struct rsp_summary_ring ring = {0};
	char *text = malloc(RSP_SUMMARY_BYTES_MAX + 1);

	memset(text, 'a', RSP_SUMMARY_BYTES_MAX + 1);
	assert_int_equal(rsp_summary_ring_put(&ring, text, RSP_SUMMARY_BYTES_MAX), 0);
	assert_int_equal(rsp_summary_ring_put(&ring, text, RSP_SUMMARY_BYTES_MAX + 1), -EBADMSG);
	text[0] = '"';
	assert_int_equal(rsp_summary_ring_put(&ring, text, RSP_SUMMARY_BYTES_MAX), -EBADMSG);
	text[0] = '\\';
	assert_int_equal(rsp_summary_ring_put(&ring, text, RSP_SUMMARY_BYTES_MAX), -EBADMSG);
	assert_int_equal(rsp_summary_ring_put(&ring, text, RSP_SUMMARY_BYTES_MAX - 1), 0);
	free(text);
	rsp_summary_ring_done(&ring);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_count_up_and_stay),
	cmocka_unit_test(only_clean_text_is_taken),
	cmocka_unit_test(the_limit_is_that_of_a_message),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
