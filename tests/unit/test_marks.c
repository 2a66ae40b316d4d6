/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the texts and the limits of marks. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/machine/marks.h"
#include "lib/snapshot/decode.h"

#define S 1000000000ULL

struct got {
	struct rsp_ev_mark v[512];
	size_t cnt;
};

static void sink(const void *record, size_t len, void *userdata)
{
	struct got *got = userdata;

	assert_int_equal(rsp_record_check(record, len), 0);
	assert_true(got->cnt < sizeof(got->v) / sizeof(got->v[0]));
	memcpy(&got->v[got->cnt++], record, len);
}

static const struct rsp_ev_mark text = {.hdr = {.ts_ns = 7, .flags = RSP_MARK_TEXT}, .uid = 1000};
static const struct rsp_ev_mark unit = {.hdr = {.ts_ns = 7, .flags = RSP_MARK_STARTED}};

static void test_texts(void **state)
{
	char longest[RSP_MARK_TEXT_MAX + 1];

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[RSP_MARK_TEXT_MAX] = '\0';
	assert_false(rsp_mark_text_is_valid(longest));
	longest[RSP_MARK_TEXT_MAX - 1] = '\0';
	assert_true(rsp_mark_text_is_valid(longest));
	assert_true(rsp_mark_text_is_valid("v2.1 é"));
	assert_false(rsp_mark_text_is_valid(""));
	assert_false(rsp_mark_text_is_valid("a\nb"));
	assert_false(rsp_mark_text_is_valid("a\x1b[31m"));
	assert_false(rsp_mark_text_is_valid("\xff"));
	assert_false(rsp_mark_text_is_valid("\xe2\x80\xae")); /* bidi control */
}

static void test_a_mark_is_recorded(void **state)
{
	static struct got got;
	struct rsp_marks m = {.sink = sink, .userdata = &got};

	(void)state;
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_USERS, &text, "v2", 100 * S), 0);
	assert_int_equal(got.cnt, 1);
	assert_int_equal(got.v[0].hdr.ts_ns, 7);
	assert_int_equal(got.v[0].uid, 1000);
	assert_string_equal(got.v[0].text, "v2");
}

/*
 * The text contains only printable characters, even if a unit has a name that systemd would not
 * allow.
 */
static void test_names_are_cleaned_and_cut(void **state)
{
	static struct got got;
	struct rsp_marks m = {.sink = sink, .userdata = &got};
	char name[300];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	memcpy(name, "\x1b", 1);
	/* The limit on the length falls within this character. */
	memcpy(name + RSP_MARK_TEXT_MAX - 2, "é", 2);
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_UNITS, &unit, name, 100 * S), 0);
	assert_int_equal(got.v[0].text[0], '?');
	assert_int_equal(got.v[0].text[RSP_MARK_TEXT_MAX - 2], '?');
	assert_int_equal(strlen(got.v[0].text), RSP_MARK_TEXT_MAX - 1);
}

static size_t put_many(struct rsp_marks *m, enum rsp_mark_source source,
		       const struct rsp_ev_mark *mark, size_t cnt, __u64 now_ns)
{
	size_t done = 0;

	for (size_t i = 0; i < cnt; i++) {
		int r = rsp_marks_put(m, source, mark, "x", now_ns);

		assert_true(r == 0 || r == -EBUSY);
		done += r == 0;
	}
	return done;
}

/* A flood from one source must not drop marks of another source. */
static void test_floods_are_refused(void **state)
{
	static struct got got;
	struct rsp_marks m = {.sink = sink, .userdata = &got};

	(void)state;
	assert_int_equal(put_many(&m, RSP_MARKS_OF_USERS, &text, 100, 1000 * S), 20);
	assert_int_equal(put_many(&m, RSP_MARKS_OF_USERS, &text, 100, 1003 * S), 3);
	/* refused marks of users are not counted, because the user gets an error */
	assert_int_equal(got.cnt, 23);
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_SLOS, &text, "x", 1003 * S), 0);
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_UNITS, &unit, "x", 1003 * S), 0);
}

static void test_dropped_marks_are_counted(void **state)
{
	static struct got got;
	struct rsp_marks m = {.sink = sink, .userdata = &got};

	(void)state;
	assert_int_equal(put_many(&m, RSP_MARKS_OF_UNITS, &unit, 105, 1000 * S), 100);
	assert_int_equal(put_many(&m, RSP_MARKS_OF_UNITS, &unit, 2, 1000 * S + 1), 0);
	assert_int_equal(got.cnt, 100);
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_UNITS, &unit, "x", 1001 * S), 0);
	assert_int_equal(got.cnt, 102);
	assert_int_equal(got.v[100].hdr.flags, RSP_MARK_DROPPED);
	assert_int_equal(got.v[100].cnt, 7);
	assert_int_equal(got.v[100].from_ns, 1000 * S);
	assert_int_equal(got.v[101].hdr.flags, RSP_MARK_STARTED);
	assert_int_equal(rsp_marks_put(&m, RSP_MARKS_OF_UNITS, &unit, "x", 1001 * S), 0);
	assert_int_equal(got.cnt, 103);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_a_mark_is_recorded),
		cmocka_unit_test(test_names_are_cleaned_and_cut),
		cmocka_unit_test(test_floods_are_refused),
		cmocka_unit_test(test_dropped_marks_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
