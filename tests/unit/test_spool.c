/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests export/spool.h. A spool must stay consistent if its process is killed at any moment: a
 * child process works with the spool, and ends at its first, second, … system call that changes the
 * disk (the Makefile wraps these calls).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "export/spool-state.h"
#include "export/spool.h"

#define BOOT  "00112233445566778899aabbccddeeff"
#define BOOT2 "ffeeddccbbaa99887766554433221100"

static char root[] = "/tmp/rsp-spool-XXXXXX";
static char dir[64];

static int set_up(void **state)
{
	strcpy(strrchr(root, '-'), "-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(dir, sizeof(dir), "%s/spool", root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) == 0 ? 0 : -1;
}

/* --- ending at a step ------------------------------------------------------------------------- */

/* steps_left: number of wrapped calls until the process ends; 0: it does not end. */
static unsigned int steps_left;
static bool ends_after;

static void before(void)
{
	if (steps_left == 1 && !ends_after)
		_exit(1);
}

static void after(void)
{
	if (steps_left > 0 && --steps_left == 0)
		_exit(1);
}

ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __real_unlinkat(int at, const char *name, int flags);
int __wrap_unlinkat(int at, const char *name, int flags);
int __real_openat(int at, const char *name, int flags, ...);
int __wrap_openat(int at, const char *name, int flags, ...);

static int write_error, fsync_error; /* the next such call fails */

/* A process that is to end before this write() first writes half of the bytes. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	ssize_t n;

	if (write_error) {
		errno = write_error;
		return -1;
	}
	if (steps_left == 1 && !ends_after)
		n = __real_write(fd, bytes, len / 2);
	before();
	n = __real_write(fd, bytes, len);
	after();
	return n;
}

int __wrap_fsync(int fd)
{
	int r;

	before();
	r = __real_fsync(fd);
	after();
	if (fsync_error) {
		struct stat st;

		/*
		 * Only the fsync() of a folder fails: if the fsync() of the file failed, the test
		 * would not reach the fsync() of the folder.
		 */
		if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
			errno = fsync_error;
			return -1;
		}
	}
	return r;
}

int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	int r;

	before();
	r = __real_renameat(from_dir, from, to_dir, to);
	after();
	return r;
}

int __wrap_unlinkat(int at, const char *name, int flags)
{
	int r;

	before();
	r = __real_unlinkat(at, name, flags);
	after();
	return r;
}

int __wrap_openat(int at, const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;
	int fd;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (!(flags & O_CREAT))
		return __real_openat(at, name, flags);
	before();
	fd = __real_openat(at, name, flags, mode);
	after();
	return fd;
}

/* --- helpers ---------------------------------------------------------------------------------- */

static struct rsp_spool *open_spool(void)
{
	struct rsp_spool *s = NULL;

	assert_int_equal(rsp_spool_open(dir, &s), 0);
	return s;
}

static int put(struct rsp_spool *s, const char *boot, uint64_t first, uint64_t last)
{
	const struct rsp_spool_content content = {.boot = boot, .first = first, .last = last};
	char bytes[64];

	snprintf(bytes, sizeof(bytes), "%s %llu", boot, (unsigned long long)first);
	return rsp_spool_put(s, &content, bytes, strlen(bytes));
}

static int put_snapshot(struct rsp_spool *s, const char *id)
{
	const struct rsp_spool_content content = {.id = id};

	return rsp_spool_put(s, &content, "snapshot", 8);
}

static void check_oldest(const struct rsp_spool *s, const char *unique)
{
	assert_non_null(rsp_spool_oldest(s));
	assert_string_equal(strchr(rsp_spool_oldest(s)->name, '-') + 1, unique);
}

static size_t count_files(const char *prefix)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	size_t cnt = 0;

	assert_non_null(d);
	while ((entry = readdir(d)))
		cnt += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	closedir(d);
	return cnt;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void keeps_order_and_cursor(void **state)
{
	struct rsp_spool *s = open_spool();
	char *bytes;

	assert_string_equal(rsp_spool_cursor(s)->boot, "");
	assert_null(rsp_spool_oldest(s));
	assert_int_equal(put(s, BOOT, 1, 10), 0);
	assert_int_equal(put(s, BOOT, 11, 11), 0);
	assert_int_equal(put_snapshot(s, "abc1"), 0);
	assert_int_equal(put(s, BOOT2, 1, 2), 0);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(rsp_spool_cnt(s), 4);
		assert_string_equal(rsp_spool_cursor(s)->boot, BOOT2);
		assert_int_equal(rsp_spool_cursor(s)->number, 2);
		assert_true(rsp_spool_has_snapshot(s, "abc1"));
		assert_false(rsp_spool_has_snapshot(s, "abc"));
		check_oldest(s, BOOT "-1-10");
		rsp_spool_free(s);
		s = open_spool();
	}
	assert_int_equal(rsp_spool_read(s, rsp_spool_oldest(s), &bytes), 0);
	assert_string_equal(bytes, BOOT " 1");
	free(bytes);
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	check_oldest(s, BOOT "-11-11");
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	check_oldest(s, "snapshot-abc1");
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	check_oldest(s, BOOT2 "-1-2");
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	assert_int_equal(rsp_spool_remove_oldest(s), -ENOENT);
	assert_int_equal(rsp_spool_bytes(s), 0);
	rsp_spool_free(s);
	/* The spool's file `state` still contains the cursor, although all batches are removed. */
	s = open_spool();
	assert_string_equal(rsp_spool_cursor(s)->boot, BOOT2);
	assert_int_equal(rsp_spool_cursor(s)->number, 2);
	assert_true(rsp_spool_has_snapshot(s, "abc1"));
	rsp_spool_free(s);
}

static void two_cannot_use_it(void **state)
{
	struct rsp_spool *s = open_spool(), *other;

	assert_int_equal(rsp_spool_open(dir, &other), -EBUSY);
	assert_int_equal(rsp_spool_peek(dir, &other), 0);
	rsp_spool_free(other);
	rsp_spool_free(s);
}

static void peeking_changes_nothing(void **state)
{
	struct rsp_spool *s;

	assert_int_equal(rsp_spool_peek(dir, &s), 0);
	assert_int_equal(rsp_spool_cnt(s), 0);
	rsp_spool_free(s);
	assert_int_equal(access(dir, F_OK), -1);
}

static void counts_the_bytes_of_a_day(void **state)
{
	const struct rsp_spool_content content = {.boot = BOOT, .first = 3, .last = 4};
	struct rsp_spool *s = open_spool();
	uint64_t bytes;

	assert_int_equal(put(s, BOOT, 1, 1), 0);
	assert_int_equal(put(s, BOOT, 2, 2), 0);
	bytes = rsp_spool_bytes(s);
	assert_int_equal(rsp_spool_day(s)->bytes, bytes);
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	rsp_spool_free(s);
	s = open_spool();
	/*
	 * The removed batch was not the newest batch, so the state was not saved. After the spool
	 * is opened again, the bytes of this batch are not counted.
	 */
	assert_in_range(rsp_spool_day(s)->bytes, 1, bytes);
	assert_int_equal(rsp_spool_remove_oldest(s), 0);
	bytes = rsp_spool_day(s)->bytes;
	rsp_spool_free(s);
	s = open_spool();
	assert_int_equal(rsp_spool_day(s)->bytes, bytes);
	assert_int_equal(rsp_spool_pass(s, &content), 0);
	rsp_spool_free(s);
	s = open_spool();
	assert_int_equal(rsp_spool_cursor(s)->number, 4);
	assert_int_equal(rsp_spool_cnt(s), 0);
	rsp_spool_free(s);
}

static bool is_b(const char *id, void *userdata)
{
	return strcmp(id, "b") == 0;
}

static void forgets_snapshots_that_are_gone(void **state)
{
	struct rsp_spool *s = open_spool();

	assert_int_equal(put_snapshot(s, "a"), 0);
	assert_int_equal(put_snapshot(s, "b"), 0);
	rsp_spool_forget(s, is_b, NULL);
	assert_false(rsp_spool_has_snapshot(s, "a"));
	assert_true(rsp_spool_has_snapshot(s, "b"));
	rsp_spool_free(s);
}

static void failed_writes_change_nothing(void **state)
{
	struct rsp_spool *s = open_spool();
	char *bytes;

	assert_int_equal(put(s, BOOT, 1, 1), 0);
	write_error = ENOSPC;
	assert_int_equal(put(s, BOOT, 2, 2), -ENOSPC);
	assert_int_equal(rsp_spool_cursor(s)->number, 1);
	assert_int_equal(rsp_spool_cnt(s), 1);
	assert_int_equal(rsp_spool_remove_oldest(s), -ENOSPC);
	assert_int_equal(rsp_spool_cnt(s), 1);
	write_error = 0;
	assert_int_equal(rsp_spool_read(s, rsp_spool_oldest(s), &bytes), 0);
	free(bytes);
	assert_int_equal(count_files(".rsp-"), 0);
	assert_int_equal(put(s, BOOT, 2, 2), 0);
	assert_int_equal(rsp_spool_cursor(s)->number, 2);
	rsp_spool_free(s);
}

/*
 * The fsync() of the folder fails when the file already has its final name. rsp_spool_put() must
 * succeed, because a second attempt would add the batch twice.
 */
static void late_errors_do_not_double_a_batch(void **state)
{
	struct rsp_spool *s = open_spool();

	fsync_error = EIO;
	assert_int_equal(put(s, BOOT, 1, 1), 0);
	fsync_error = 0;
	assert_int_equal(rsp_spool_cnt(s), 1);
	assert_int_equal(rsp_spool_cursor(s)->number, 1);
	rsp_spool_free(s);
}

static void refuses_damaged_state(void **state)
{
	static const char *const texts[] = {"seq", "cursor xyz 1", "nonsense 1\n", "seq 1 2\n",
					    "snapshot ../x\n"};
	struct rsp_spool *s = open_spool();
	char path[128];

	rsp_spool_free(s);
	snprintf(path, sizeof(path), "%s/state", dir);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		FILE *f = fopen(path, "we");

		assert_non_null(f);
		fputs(texts[i], f);
		fclose(f);
		assert_int_equal(rsp_spool_open(dir, &s), -EBADMSG);
	}
}

static void names_are_checked(void **state)
{
	static const char seq[] = "0000000000000001-";
	static const char *const bad[] = {"",		"x-1-2",       BOOT "-2-1", BOOT "-1",
					  BOOT "-1-2x", "-1-2",	       "snapshot-", "snapshot-g",
					  BOOT "0-1-1", "snapshot-a-1"};
	char name[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", seq, bad[i]);
		assert_false(rsp_spool_name_is_valid(name));
	}
	assert_true(rsp_spool_name_is_valid("0000000000000001-" BOOT "-1-1"));
	assert_true(rsp_spool_name_is_valid("00000000000000ff-snapshot-abc"));
	assert_false(rsp_spool_name_is_valid("1-" BOOT "-1-1"));
	assert_false(rsp_spool_name_is_valid("state"));
}

/* --- a process that ends at any step ---------------------------------------------------------- */

/*
 * Adds batches up to number LAST, and sends the oldest batch: writes it to the log. Returns 0 when
 * all batches are sent.
 */
#define LAST 6

static int work(const char *log_path)
{
	struct rsp_spool *s;

	if (rsp_spool_open(dir, &s) < 0)
		return 2;
	while (rsp_spool_cursor(s)->number < LAST || rsp_spool_cnt(s) > 0) {
		uint64_t number = rsp_spool_cursor(s)->number;
		char *bytes;
		int fd;

		if (number < LAST && put(s, BOOT, number + 1, number + 1) < 0)
			return 3;
		if (number % 2 == 0 && number < LAST)
			continue;
		if (rsp_spool_read(s, rsp_spool_oldest(s), &bytes) < 0)
			return 4;
		/*
		 * Sends the batch. If the process ends before the batch is removed, the batch is
		 * sent again.
		 */
		fd = open(log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
		dprintf(fd, "%s\n", bytes);
		close(fd);
		free(bytes);
		if (rsp_spool_remove_oldest(s) < 0)
			return 5;
	}
	rsp_spool_free(s);
	return 0;
}

/*
 * Checks that each batch was sent, in order. If the process ended `ends` times, at most that many
 * batches may have been sent twice.
 */
static void check_log(const char *log_path, unsigned int ends)
{
	FILE *f = fopen(log_path, "re");
	unsigned int last = 0, number, repeated = 0;

	assert_non_null(f);
	while (fscanf(f, BOOT " %u\n", &number) == 1) {
		assert_true(number == last || number == last + 1);
		repeated += number == last;
		last = number;
	}
	fclose(f);
	assert_int_equal(last, LAST);
	assert_true(repeated <= ends);
}

static int work_in_child(const char *log_path, unsigned int steps, bool late)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		steps_left = steps;
		ends_after = late;
		_exit(work(log_path) ? 9 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void survives_the_end_at_any_step(void **state)
{
	unsigned int ended = 0;

	for (unsigned int step = 1;; step++) {
		int status = 0;

		for (int late = 0; late < 2; late++) {
			char log_path[128];
			struct rsp_spool *s;

			snprintf(log_path, sizeof(log_path), "%s/log", root);
			unlink(log_path);
			status = work_in_child(log_path, step, late);
			assert_true(status == 0 || status == 1);
			ended += status == 1;
			assert_int_equal(work_in_child(log_path, 0, false), 0);
			check_log(log_path, 1);
			assert_int_equal(count_files(".rsp-"), 0);
			s = open_spool();
			assert_int_equal(rsp_spool_cnt(s), 0);
			assert_int_equal(rsp_spool_cursor(s)->number, LAST);
			rsp_spool_free(s);
			tear_down(NULL);
			assert_int_equal(set_up(NULL), 0);
		}
		if (status == 0)
			break;
	}
	/*
	 * Six batches take five wrapped calls each, and saving the state takes more calls. The
	 * process ended before and after each call.
	 */
	assert_true(ended > 60);
}

static void survives_many_ends(void **state)
{
	char log_path[128];
	unsigned int ends = 0;

	snprintf(log_path, sizeof(log_path), "%s/log", root);
	for (unsigned int step = 7; work_in_child(log_path, step, ends % 2) != 0; ends++)
		assert_true(ends < 100);
	assert_true(ends > 3);
	check_log(log_path, ends);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(keeps_order_and_cursor, set_up, tear_down),
		cmocka_unit_test_setup_teardown(two_cannot_use_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(peeking_changes_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(counts_the_bytes_of_a_day, set_up, tear_down),
		cmocka_unit_test_setup_teardown(forgets_snapshots_that_are_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(failed_writes_change_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(late_errors_do_not_double_a_batch, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(refuses_damaged_state, set_up, tear_down),
		cmocka_unit_test(names_are_checked),
		cmocka_unit_test_setup_teardown(survives_the_end_at_any_step, set_up, tear_down),
		cmocka_unit_test_setup_teardown(survives_many_ends, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
