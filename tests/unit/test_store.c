/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests daemon/snapshots/store.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/snapshots/store.h"

#define KIB 1024

static struct rsp_stored_name removed;

static char root[] = "/tmp/rsp-store-XXXXXX";
static char dir[64];

static int set_up(void **state)
{
	strcpy(strrchr(root, '-'), "-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(dir, sizeof(dir), "%s/lib/snapshots", root);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) == 0 ? 0 : -1;
}

static int make_memfd(size_t size)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	return fd;
}

/* ret_deleted may be NULL. */
static int put_as(struct rsp_store_put put, const char *id, const char *slo, size_t size,
		  unsigned int *ret_deleted)
{
	unsigned int deleted = 77;
	char *path = NULL;
	int r;

	put.dir = dir;
	put.id = id;
	put.slo = slo;
	put.size = size;
	put.fd = make_memfd(size);
	r = rsp_store_put(&put, &path, &deleted);
	close(put.fd);
	if (r == 0) {
		struct stat st;

		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, size);
		assert_int_equal(st.st_mode, S_IFREG | 0640);
	} else {
		assert_null(path);
		assert_int_equal(deleted, 77);
	}
	free(path);
	if (ret_deleted)
		*ret_deleted = deleted;
	return r;
}

static void path_of(const char *name, char *ret, size_t size)
{
	snprintf(ret, size, "%s/%s", dir, name);
}

static bool exists(const char *name)
{
	char path[256];
	struct stat st;

	path_of(name, path, sizeof(path));
	return lstat(path, &st) == 0;
}

static void expect_files(unsigned int cnt)
{
	struct rsp_store_usage usage;

	assert_int_equal(rsp_store_get_usage(dir, &usage), 0);
	assert_int_equal(usage.files, cnt);
}

static void expect_no_temporary(void)
{
	struct dirent *entry;
	DIR *d = opendir(dir);

	assert_non_null(d);
	while ((entry = readdir(d)))
		if (strncmp(entry->d_name, ".rsp-", 5) == 0)
			fail_msg("%s is left", entry->d_name);
	closedir(d);
}

/*
 * Sets the time of a file to n seconds after a constant time. Otherwise, files that are made within
 * one tick of the clock would have equal times.
 */
static void set_age(const char *name, int n)
{
	struct timespec times[2] = {{1000000000 + n, 0}, {1000000000 + n, 0}};
	char path[256];

	path_of(name, path, sizeof(path));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* --- putting ---------------------------------------------------------------------------------- */

static void test_put(void **state)
{
	struct rsp_store_put put = {.dir = dir, .id = "abc", .slo = "slow_1"};
	struct rsp_store_usage usage;
	unsigned int deleted;
	char *path, bytes[8];
	struct stat st;
	int fd;

	put.fd = make_memfd(5000);
	put.size = 5000;
	assert_int_equal(pwrite(put.fd, "content", 7, 0), 7);
	assert_int_equal(lseek(put.fd, 100, SEEK_SET), 100);
	assert_int_equal(rsp_store_put(&put, &path, &deleted), 0);
	assert_int_equal(deleted, 0);
	assert_string_equal(path + strlen(dir), "/abc.slow_1.rsp");
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, bytes, 7), 7);
	assert_memory_equal(bytes, "content", 7);
	close(fd);
	close(put.fd);
	free(path);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0750);
	assert_int_equal(rsp_store_get_usage(dir, &usage), 0);
	assert_int_equal(usage.bytes, 5000);
	assert_int_equal(usage.files, 1);
	assert_true(usage.free_bytes > 0);
	expect_no_temporary();
}

static void test_names(void **state)
{
	static const struct {
		const char *id, *slo;
		int r;
	} cases[] = {
		{"0123456789abcdef", NULL, 0},
		{"a", "A-b_9", 0},
		{"", NULL, -EINVAL},
		{"xyz", NULL, -EINVAL},
		{"ABC", NULL, -EINVAL},
		{"../a", NULL, -EINVAL},
		{"a", "", -EINVAL},
		{"a", "../b", -EINVAL},
		{"a", "b.c", -EINVAL},
		{"a", "b/c", -EINVAL},
		{"a.rsp", NULL, -EINVAL},
	};
	const struct rsp_store_put put = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(put_as(put, cases[i].id, cases[i].slo, 10, NULL), cases[i].r);
}

static void fill(const char *const *names, size_t cnt)
{
	for (size_t i = 0; i < cnt; i++) {
		char id[16] = "", slo[64] = "";

		sscanf(names[i], "%15[0-9a-f].%63[a-zA-Z]", id, slo);
		assert_int_equal(put_as((struct rsp_store_put){0}, id,
					strcmp(slo, "rsp") != 0 ? slo : NULL, 10 * KIB, NULL),
				 0);
		set_age(names[i], (int)i);
	}
}

static void test_limits(void **state)
{
	static const char *const old[] = {"5.rsp", "4.X.rsp", "3.rsp", "2.X.rsp", "1.Y.rsp"};
	static const struct {
		struct rsp_store_limits all, of_slo;
		const char *slo;
		size_t kib;
		int r;
		const char *gone; /* digits */
	} cases[] = {
		{{0}, {0}, "X", 10, 0, ""},
		{{.max_files = 6}, {0}, NULL, 10, 0, ""},
		{{.max_files = 5}, {0}, NULL, 10, 0, "5"},
		{{.max_files = 1}, {0}, NULL, 10, 0, "54321"},
		{{.max_use_bytes = 60 * KIB}, {0}, NULL, 10, 0, ""},
		{{.max_use_bytes = 60 * KIB - 1}, {0}, NULL, 10, 0, "5"},
		{{.max_use_bytes = 50 * KIB}, {0}, NULL, 21, 0, "543"},
		{{.max_use_bytes = 50 * KIB}, {0}, NULL, 50, 0, "54321"},
		{{.max_use_bytes = 50 * KIB}, {0}, NULL, 51, -E2BIG, ""},
		{{0}, {.max_files = 2}, "X", 10, 0, "4"},
		{{0}, {.max_files = 1}, "X", 10, 0, "42"},
		{{0}, {.max_files = 1}, "Z", 10, 0, ""},
		{{0}, {.max_files = 1}, NULL, 10, 0, ""},
		{{0}, {.max_use_bytes = 20 * KIB}, "X", 10, 0, "4"},
		{{0}, {.max_use_bytes = 20 * KIB}, "X", 21, -E2BIG, ""},
		{{.max_files = 5}, {.max_files = 2}, "X", 10, 0, "4"}, /* enough for both limits */
		{{.max_files = 4}, {.max_files = 2}, "X", 10, 0, "45"},
		{{.keep_free_bytes = 1ULL << 60}, {0}, NULL, 10, -ENOSPC, ""},
		{{.keep_free_bytes = 1ULL << 60}, {.max_files = 1}, "X", 10, -ENOSPC, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rsp_store_put put = {.limits = cases[i].all, .slo_limits = cases[i].of_slo};
		unsigned int deleted;
		int r;

		fill(old, 5);
		r = put_as(put, "f", cases[i].slo, cases[i].kib * KIB, &deleted);
		if (r != cases[i].r || (r == 0 && deleted != strlen(cases[i].gone)))
			fail_msg("case %zu: %d, %u deleted", i, r, deleted);
		for (size_t k = 0; k < 5; k++)
			if (exists(old[k]) == !!strchr(cases[i].gone, old[k][0]))
				fail_msg("case %zu: %s", i, old[k]);
		expect_files(5 - (unsigned int)strlen(cases[i].gone) + (r == 0));
		if (r == 0)
			assert_int_equal(rsp_store_delete(dir, "f", &removed), 0);
	}
}

static void test_at_once(void **state)
{
	struct rsp_store_put put = {.limits = {.max_files = 3}};
	pid_t pids[8];

	for (size_t i = 0; i < 8; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			char id[2] = {(char)('0' + i), '\0'};

			_exit(put_as(put, id, NULL, 10 * KIB, NULL) ? 1 : 0);
		}
	}
	for (size_t i = 0; i < 8; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	expect_files(3);
	expect_no_temporary();
}

/* --- strangers -------------------------------------------------------------------------------- */

static void touch(const char *name)
{
	char path[256];
	int fd;

	path_of(name, path, sizeof(path));
	fd = open(path, O_CREAT | O_WRONLY | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void test_other_files(void **state)
{
	static const char *const strangers[] = {"README",    "a.txt",  ".rsp",	    "x.rsp",
						"a.rsp.bak", "a..rsp", "a.b.c.rsp", "A.rsp"};
	struct rsp_store_put put = {.limits = {.max_files = 1}};
	char path[256];

	fill((const char *const[]){"1.rsp"}, 1);
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		touch(strangers[i]);
	path_of("b.rsp", path, sizeof(path));
	assert_int_equal(mkdir(path, 0700), 0);
	path_of("c.rsp", path, sizeof(path));
	assert_int_equal(symlink("/etc/passwd", path), 0);
	path_of("d.rsp", path, sizeof(path));
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(put_as(put, "e", NULL, 10, NULL), 0);
	expect_files(1);
	rsp_store_clean(dir);
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		assert_true(exists(strangers[i]));
	assert_true(exists("b.rsp") && exists("c.rsp") && exists("d.rsp"));
	assert_int_equal(rsp_store_delete(dir, "c", &removed), -ENOENT);
}

/* --- crashes ---------------------------------------------------------------------------------- */

static void test_clean(void **state)
{
	char path[256];
	int fd;

	fill((const char *const[]){"1.rsp"}, 1);
	touch(".rsp-0123456789abcdef");
	touch(".rsp-fedcba9876543210");
	path_of(".rsp-fedcba9876543210", path, sizeof(path));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0); /* as the process that writes it */
	path_of(".rsp-link", path, sizeof(path));
	assert_int_equal(symlink("1.rsp", path), 0);
	rsp_store_clean(dir);
	assert_false(exists(".rsp-0123456789abcdef"));
	assert_true(exists(".rsp-fedcba9876543210"));
	assert_true(exists(".rsp-link"));
	assert_true(exists("1.rsp"));
	close(fd);
	rsp_store_clean(dir);
	assert_false(exists(".rsp-fedcba9876543210"));
	rsp_store_clean("/nonexistent");
}

/* A child process was killed while it wrote a dump. The recorder removes the partial file. */
static void test_clean_when_putting(void **state)
{
	struct rsp_store_put put = {0};

	fill((const char *const[]){"1.rsp"}, 1);
	touch(".rsp-0123456789abcdef");
	assert_int_equal(put_as(put, "2", NULL, 10, NULL), 0);
	assert_false(exists(".rsp-0123456789abcdef"));
	expect_files(2);
}

/* On failure, prints the reason and returns false. */
static bool mount_small(void)
{
	char parent[128];

	snprintf(parent, sizeof(parent), "%s/lib", root);
	if (mkdir(parent, 0755) < 0 || mkdir(dir, 0750) < 0)
		return false;
	if (mount("tmpfs", dir, "tmpfs", 0, "size=1m") == 0)
		return true;
	print_message("no small file system to fill: mount: %s\n", strerror(errno));
	return false;
}

static void test_disk_full(void **state)
{
	struct rsp_store_put put = {0};
	unsigned int deleted;

	if (!mount_small())
		skip();
	fill((const char *const[]){"5.rsp", "4.rsp", "3.rsp"}, 3);
	assert_int_equal(put_as(put, "6", NULL, 900 * KIB, &deleted), 0);
	assert_int_equal(deleted, 0);
	set_age("6.rsp", 6);
	assert_int_equal(put_as(put, "7", NULL, 100 * KIB, &deleted), 0);
	assert_int_equal(deleted, 1); /* 88 KiB were free */
	assert_false(exists("5.rsp"));
	assert_int_equal(put_as(put, "8", NULL, 1100 * KIB, &deleted), -ENOSPC);
	expect_files(4); /* no file is deleted, because deleting all would not make enough room */
	put.limits.keep_free_bytes = 1000 * KIB;
	assert_int_equal(put_as(put, "8", NULL, 30 * KIB, &deleted), -ENOSPC);
	expect_files(4);
	put.limits.keep_free_bytes = 900 * KIB;
	assert_int_equal(put_as(put, "8", NULL, 10 * KIB, &deleted), 0);
	assert_int_equal(deleted, 3);
	assert_true(exists("7.rsp"));
	expect_no_temporary();
	assert_int_equal(umount(dir), 0);
}

/* RLIMIT_FSIZE makes write() fail, as a full disk does. */
static void test_write_fails(void **state)
{
	static const struct rlimit limit = {20 * KIB, 20 * KIB};
	int status;
	pid_t pid;

	fill((const char *const[]){"1.rsp"}, 1);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct rsp_store_put put = {.dir = dir, .id = "2", .size = 30 * KIB};
		unsigned int deleted;
		char *path;

		put.fd = make_memfd(put.size);
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(rsp_store_put(&put, &path, &deleted) == -EFBIG ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_files(1);
	expect_no_temporary();
}

/* --- the rest --------------------------------------------------------------------------------- */

static void test_delete(void **state)
{
	fill((const char *const[]){"abc1.rsp", "abd2.Slow.rsp", "abd3.rsp"}, 3);
	assert_int_equal(rsp_store_delete(dir, "ab", &removed), -ENOTUNIQ);
	assert_int_equal(rsp_store_delete(dir, "b", &removed), -ENOENT);
	assert_int_equal(rsp_store_delete(dir, "", &removed), -ENOENT);
	assert_int_equal(rsp_store_delete(dir, "../abc1", &removed), -ENOENT);
	expect_files(3);
	assert_int_equal(rsp_store_delete(dir, "abd2", &removed), 0);
	assert_false(exists("abd2.Slow.rsp"));
	assert_int_equal(rsp_store_delete(dir, "abd", &removed), 0);
	assert_string_equal(removed.id, "abd3");
	expect_files(1);
	assert_int_equal(rsp_store_delete("/nonexistent", "a", &removed), -ENOENT);
}

/*
 * Root has stored a snapshot, so root owns the lock file of the store. The owner of the store must
 * still be able to store snapshots.
 */
static void test_owner(void **state)
{
	struct rsp_store_put put = {.limits = {.max_files = 1}};
	uid_t nobody = 65534;
	int r;

	if (geteuid() != 0) {
		print_message("skip store of another user: not root\n");
		skip();
	}
	assert_int_equal(put_as(put, "1", NULL, 10, NULL), 0);
	assert_true(exists(".lock"));
	assert_int_equal(chmod(root, 0711), 0);
	assert_int_equal(chown(dir, nobody, nobody), 0);
	assert_int_equal(setegid(nobody), 0);
	assert_int_equal(seteuid(nobody), 0);
	r = put_as(put, "2", NULL, 10, NULL);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(setegid(0), 0);
	assert_int_equal(r, 0);
	assert_true(exists("2.rsp"));
	expect_files(1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_put),
		TEST(test_names),
		TEST(test_limits),
		TEST(test_at_once),
		TEST(test_other_files),
		TEST(test_clean),
		TEST(test_clean_when_putting),
		TEST(test_disk_full),
		TEST(test_write_fails),
		TEST(test_delete),
		TEST(test_owner),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
