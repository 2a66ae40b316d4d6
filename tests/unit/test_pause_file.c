/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/snapshots/pause-file.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/snapshots/pause-file.h"

struct place {
	char dir[64], file[80];
};

static int make_place(void **state)
{
	static struct place place;

	strcpy(place.dir, "/tmp/rsp-pause-XXXXXX");
	assert_non_null(mkdtemp(place.dir));
	snprintf(place.file, sizeof(place.file), "%s/paused", place.dir);
	*state = &place;
	return 0;
}

static int remove_place(void **state)
{
	const struct place *place = *state;

	unlink(place->file);
	rmdir(place->file);
	return rmdir(place->dir);
}

static void put(const struct place *place, const char *text, size_t len)
{
	FILE *f = fopen(place->file, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(place->file, 0600), 0);
}

static void test_written_is_read(void **state)
{
	const struct place *place = *state;
	struct rsp_pause pause = {.since_usec = 7, .until_usec = 99, .uid = 4294967294U}, got;
	struct stat st;

	assert_int_equal(rsp_pause_read(place->dir, &got), -ENOENT);
	memset(pause.reason, 'x', sizeof(pause.reason) - 1);
	assert_int_equal(rsp_pause_write(place->dir, &pause), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), 0);
	assert_memory_equal(&got, &pause, sizeof(got));
	assert_int_equal(stat(place->file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	strcpy(pause.reason, "é = \"b\"");
	pause.until_usec = 0;
	assert_int_equal(rsp_pause_write(place->dir, &pause), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), 0);
	assert_string_equal(got.reason, "é = \"b\"");
	assert_int_equal(got.until_usec, 0);
	assert_int_equal(rsp_pause_remove(place->dir), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), -ENOENT);
	assert_int_equal(rsp_pause_remove(place->dir), 0);
}

static void test_damage_still_pauses(void **state)
{
	static const struct {
		const char *text;
		size_t len;
	} rows[] = {
		{"", 0},
		{"\0since=5\n", 9},
		{"since=-5\nuntil=1x\nuid=4294967296\nreason=a\x1b[31m\n", 46},
		{"until=99999999999999999999\nsince= 5\n", 36},
	};
	const struct place *place = *state;
	struct rsp_pause got;
	char long_text[5000];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put(place, rows[i].text, rows[i].len);
		assert_int_equal(rsp_pause_read(place->dir, &got), 0);
		assert_true(got.since_usec > 1000000);
		assert_int_equal(got.until_usec, 0);
		assert_int_equal(got.uid, geteuid());
		assert_string_equal(got.reason, "");
	}
	memset(long_text, 'a', sizeof(long_text));
	memcpy(long_text, "reason=", 7);
	put(place, long_text, sizeof(long_text));
	assert_int_equal(rsp_pause_read(place->dir, &got), 0);
	assert_string_equal(got.reason, "");
	assert_int_equal(unlink(place->file), 0);
	assert_int_equal(mkdir(place->file, 0700), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), 0);
}

static void test_others_may_not_write_it(void **state)
{
	const struct place *place = *state;
	struct rsp_pause got;

	put(place, "since=5\n", 8);
	assert_int_equal(chmod(place->file, 0620), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), -EPERM);
	assert_int_equal(chmod(place->file, 0602), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), -EPERM);
	assert_int_equal(chmod(place->file, 0644), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), 0);
	if (geteuid() != 0)
		return;
	assert_int_equal(chown(place->file, 65534, 65534), 0);
	assert_int_equal(rsp_pause_read(place->dir, &got), -EPERM);
}

static void test_a_link_is_not_followed(void **state)
{
	const struct place *place = *state;
	struct rsp_pause got;

	assert_int_equal(symlink("/etc/passwd", place->file), 0);
	/* Links have mode 0777. */
	assert_int_equal(rsp_pause_read(place->dir, &got), -EPERM);
}

static void test_reasons(void **state)
{
	char text[RSP_PAUSE_REASON_MAX + 1];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[RSP_PAUSE_REASON_MAX] = '\0';
	assert_false(rsp_pause_reason_is_valid(text));
	text[RSP_PAUSE_REASON_MAX - 1] = '\0';
	assert_true(rsp_pause_reason_is_valid(text));
	assert_true(rsp_pause_reason_is_valid(""));
	assert_false(rsp_pause_reason_is_valid("a\nuid=0"));
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_written_is_read),	    TEST(test_damage_still_pauses),
		TEST(test_others_may_not_write_it), TEST(test_a_link_is_not_followed),
		cmocka_unit_test(test_reasons),
	};

	return cmocka_run_group_tests_name("pause_file", tests, NULL, NULL);
}
