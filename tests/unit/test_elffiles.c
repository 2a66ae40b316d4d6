/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the search for the file of a mapping. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/cleanup.h"
#include "lib/symbols/elffiles.h"

#define GONE_TGID 0x7fffffff /* above any limit of the kernel */

union record {
	struct rsp_ev_binary binary;
	char bytes[sizeof(struct rsp_ev_binary) + 4096];
};

static union record make_record(const char *path, const struct stat *st)
{
	union record rec = {.binary = {.ino = st->st_ino,
				       .dev = major(st->st_dev) << 20 | minor(st->st_dev),
				       .tgid = (__u32)getpid()}};

	strcpy(rec.binary.path, path);
	return rec;
}

static int setup(void **state)
{
	*state = strdup("/tmp/test_elffiles.XXXXXX");
	return *state && mkdtemp(*state) ? 0 : -1;
}

static int teardown(void **state)
{
	char file[64];

	snprintf(file, sizeof(file), "%s/file", (char *)*state);
	unlink(file);
	rmdir(*state);
	free(*state);
	return 0;
}

static void put_path(void **state, char *ret, size_t size)
{
	snprintf(ret, size, "%s/file", (char *)*state);
}

static void test_file_of_living_and_gone(void **state)
{
	_cleanup_close_ int file_fd = -1;
	union record rec;
	struct stat st, got;
	char path[64];
	int fd;

	put_path(state, path, sizeof(path));
	file_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(fstat(file_fd, &st), 0);
	rec = make_record(path, &st);
	for (int gone = 0; gone < 2; gone++) {
		if (gone)
			rec.binary.tgid = GONE_TGID;
		fd = rsp_elffiles_open(&rsp_files_direct, &rec.binary, false);
		assert_true(fd >= 0);
		assert_int_equal(fstat(fd, &got), 0);
		assert_int_equal(got.st_ino, st.st_ino);
		close(fd);
	}
	rec.binary.dev ^= 1;
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ESTALE);
	rec.binary.dev ^= 1;
	rec.binary.ino = 0;
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ESTALE);
	unlink(path);
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ENOENT);
}

/*
 * Only regular files are opened: open() of a pipe would wait for a writer, and open() of a device
 * can have any effect.
 */
static void test_only_regular_files(void **state)
{
	union record rec;
	struct stat st;
	char path[64];

	put_path(state, path, sizeof(path));
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(stat(path, &st), 0);
	rec = make_record(path, &st);
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ESTALE);

	assert_int_equal(stat("/dev/null", &st), 0);
	rec = make_record("/dev/null", &st);
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ESTALE);

	assert_int_equal(stat("/proc/self/exe", &st), 0);
	rec = make_record("/proc/self/exe", &st);
	rec.binary.tgid = GONE_TGID;
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false), -ELOOP);
}

/*
 * The path of a file in a container, and the links in this path, are resolved in the root of the
 * container.
 */
static void test_file_in_another_root(void **state)
{
	static const char *const paths[] = {"/file", "/link", "/../../file"};
	char path[64], link[64];
	int ready[2], fd;
	union record rec;
	struct stat st;
	pid_t child;
	char byte;

	put_path(state, path, sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	snprintf(link, sizeof(link), "%s/link", (char *)*state);
	assert_int_equal(symlink("/file", link), 0);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		byte = chroot(*state) == 0 ? 'y' : 'n';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (size_t i = 0; i < 3 && byte == 'y'; i++) {
		rec = make_record(paths[i], &st);
		rec.binary.tgid = (__u32)child;
		fd = rsp_elffiles_open(&rsp_files_direct, &rec.binary, false);
		if (fd < 0)
			fail_msg("%s: %s", paths[i], strerror(-fd));
		close(fd);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	unlink(link);
	if (byte != 'y') {
		print_message("skipped: another root takes privileges\n");
		skip();
	}
}

/*
 * The file of a mapping can be read even if it has been deleted, as after an upgrade of a library.
 */
static void test_deleted_file_through_its_mapping(void **state)
{
	_cleanup_close_ int file_fd = -1;
	char path[64], deleted[96], place[96];
	struct stat st, got;
	union record rec;
	void *memory;
	int fd;

	put_path(state, path, sizeof(path));
	file_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(file_fd, 4096), 0);
	assert_int_equal(fstat(file_fd, &st), 0);
	memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file_fd, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	unlink(path);
	snprintf(place, sizeof(place), "/proc/self/map_files/%lx-%lx", (unsigned long)memory,
		 (unsigned long)memory + 4096);
	fd = open(place, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		munmap(memory, 4096);
		print_message("skipped: map_files takes privileges: %s\n", strerror(errno));
		skip();
	}
	close(fd);
	snprintf(deleted, sizeof(deleted), "%s (deleted)", path);
	rec = make_record(deleted, &st);
	fd = rsp_elffiles_open(&rsp_files_direct, &rec.binary, false);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &got), 0);
	assert_int_equal(got.st_ino, st.st_ino);
	close(fd);
	assert_true(rsp_elffiles_open(&rsp_files_direct, &rec.binary, true) < 0);
	rec.binary.build_id_len = 20;
	assert_true(rsp_elffiles_open(&rsp_files_direct, &rec.binary, false) < 0);
	munmap(memory, 4096);
}

static void test_elsewhere_inodes_prove_nothing(void **state)
{
	_cleanup_close_ int file_fd = -1;
	union record rec;
	struct stat st;
	char path[64];

	put_path(state, path, sizeof(path));
	file_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(fstat(file_fd, &st), 0);
	rec = make_record(path, &st);
	assert_int_equal(rsp_elffiles_open(&rsp_files_direct, &rec.binary, true), -ESTALE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file_of_living_and_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_only_regular_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file_in_another_root, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deleted_file_through_its_mapping, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_elsewhere_inodes_prove_nothing, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
