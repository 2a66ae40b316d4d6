/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which files the broker opens for a worker, and which requests it refuses. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/capture/binaries.h"
#include "daemon/snapshots/broker.h"
#include "lib/base/cleanup.h"

#define NUMBER	  7
#define OTHER_UID 4242
#define PROGRAM	  "\177ELF, as far as anybody looks"
#define PERF_PATH "/tmp/perf-%u.map"
#define NS_TGID	  4000000001U /* larger than any PID of the kernel, so no process has this PID */
#define WHOEVER	  ((uid_t)-1)

static union {
	struct rsp_ev_binary record;
	char bytes[sizeof(struct rsp_ev_binary) + 256];
} known;

const struct rsp_ev_binary *rsp_binaries_find(const struct rsp_binaries *b, __u32 number)
{
	return number == NUMBER ? &known.record : NULL;
}

static int kept = -1;

int rsp_binaries_kept(const struct rsp_binaries *b, __u32 number)
{
	return number == NUMBER ? kept : -1;
}

bool rsp_binaries_is_local(const struct rsp_binaries *b, __u32 number)
{
	return false;
}

static struct {
	const char *bytes; /* NULL: none */
	__u32 mode;
} symbols;

const void *rsp_binaries_symbols(const struct rsp_binaries *b, __u32 number,
				 struct rsp_symbols_origin *ret)
{
	if (number != NUMBER || !symbols.bytes)
		return NULL;
	*ret = (struct rsp_symbols_origin){.len = strlen(symbols.bytes), .mode = symbols.mode};
	return symbols.bytes;
}

static bool unchanged = true;

bool rsp_binaries_is_unchanged(const struct rsp_binaries *b, __u32 number, const struct stat *st)
{
	return unchanged;
}

static char *dir;

static void put_path(char *ret, size_t size, const char *name)
{
	snprintf(ret, size, "%s/%s", dir, name);
}

static void put_file(const char *name, const char *content, mode_t mode)
{
	char path[256];
	int fd;

	put_path(path, sizeof(path), name);
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void know(const char *name)
{
	char path[256];
	struct stat st;

	put_path(path, sizeof(path), name);
	assert_int_equal(stat(path, &st), 0);
	known.record.number = NUMBER;
	known.record.tgid = (__u32)getpid();
	known.record.ino = st.st_ino;
	known.record.dev = major(st.st_dev) << 20 | minor(st.st_dev);
	strcpy(known.bytes + offsetof(struct rsp_ev_binary, path), path);
}

static int setup(void **state)
{
	dir = strdup("/tmp/test_broker.XXXXXX");
	if (!dir || !mkdtemp(dir))
		return -1;
	put_file("prog", PROGRAM, 0644);
	know("prog");
	return 0;
}

static int teardown(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	free(dir);
	return system(command);
}

/*
 * Requests a file. Returns 0 or -errno. uid: the file must be readable for this user; WHOEVER: for
 * any user.
 */
static int get(const struct rsp_file_request *file, uid_t uid)
{
	const struct rsp_broker broker = {.only_readable = uid != WHOEVER, .uid = uid};
	int fd = rsp_broker_open(&broker, file);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int get_binary(enum rsp_file_kind kind)
{
	return get(&(struct rsp_file_request){.kind = kind, .binary = NUMBER}, WHOEVER);
}

static int get_link(const char *name)
{
	struct rsp_file_request file = {.kind = RSP_FILE_BESIDE, .binary = NUMBER};

	snprintf(file.name, sizeof(file.name), "%s", name);
	return get(&file, WHOEVER);
}

static void test_binaries_of_the_list(void **state)
{
	struct rsp_file_request file = {.kind = RSP_FILE_IN_ROOT, .binary = NUMBER};

	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), 0);
	assert_int_equal(get_binary(RSP_FILE_HERE), 0);
	for (file.kind = RSP_FILE_IN_ROOT; file.kind <= RSP_FILE_DWZ; file.kind++) {
		file.binary = NUMBER + 1;
		file.build_id_len = 20;
		strcpy(file.name, "prog");
		assert_int_equal(get(&file, WHOEVER), -ENOENT);
	}
}

static void test_another_file_in_its_place(void **state)
{
	char path[256];

	put_file("private", PROGRAM, 0600);
	put_path(path, sizeof(path), "prog");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("private", path), 0);
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -EACCES);
	assert_int_equal(get_binary(RSP_FILE_HERE), -EACCES);
	/* The vDSO (inode 0) has no file, even if a file with its name exists. */
	known.record.ino = 0;
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -EACCES);
}

static void test_kept_files(void **state)
{
	char path[256];

	put_path(path, sizeof(path), "prog");
	kept = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(kept >= 0);
	known.record.tgid = NS_TGID;
	assert_int_equal(unlink(path), 0);
	assert_int_equal(get_binary(RSP_FILE_MAPPED), 0);
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -ENOENT);
	known.record.ino++;
	assert_int_equal(get_binary(RSP_FILE_MAPPED), -EACCES);
	known.record.ino--;
	assert_int_equal(get_binary(RSP_FILE_MAPPED), 0);
	close(kept);
	kept = -1;
	assert_int_equal(get_binary(RSP_FILE_MAPPED), -ENOENT);
}

/*
 * If the binary has a build-id, the broker sends an overwritten file, because the worker compares
 * the build-ids.
 */
static void test_overwritten_in_place(void **state)
{
	unchanged = false;
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -EACCES);
	known.record.build_id_len = 20;
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), 0);
	known.record.build_id_len = 0;
	unchanged = true;
}

static void test_copies_of_symbols(void **state)
{
	const struct rsp_file_request file = {.kind = RSP_FILE_SYMBOLS, .binary = NUMBER};
	const struct rsp_broker broker = {0};
	char bytes[16] = "";
	int fd;

	assert_int_equal(get(&file, WHOEVER), -ENOENT);
	symbols.bytes = "not read here";
	symbols.mode = S_IFREG | 0711;
	fd = rsp_broker_open(&broker, &file);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, bytes, sizeof(bytes), 0), strlen(symbols.bytes));
	assert_string_equal(bytes, symbols.bytes);
	close(fd);
	/* The recorder's copy of the symbols of a file is only for users who may read the file. */
	assert_int_equal(get(&file, OTHER_UID), -EACCES);
	assert_int_equal(get(&file, 0), 0);
	symbols.mode = S_IFREG | 0755;
	assert_int_equal(get(&file, OTHER_UID), 0);
	symbols.bytes = NULL;
}

static void test_only_elf(void **state)
{
	put_file("prog", "root:x:0:0", 0644);
	know("prog");
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -EACCES);
	put_file("prog", "", 0644);
	know("prog");
	assert_int_equal(get_binary(RSP_FILE_IN_ROOT), -EACCES);
	put_file("text", "root:x:0:0", 0644);
	assert_int_equal(get_link("text"), -EACCES);
}

static void test_names_that_lead_elsewhere(void **state)
{
	static const char *const names[] = {"", ".", "..", "../prog", "/etc/passwd", "a/b"};
	struct rsp_file_request file = {.kind = RSP_FILE_DWZ, .binary = NUMBER};

	put_file("prog.debug", PROGRAM, 0644);
	assert_int_equal(get_link("prog.debug"), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(get_link(names[i]), -EINVAL);
	strcpy(file.name, "x86_64-linux-gnu/../../../../etc/passwd");
	assert_int_equal(get(&file, WHOEVER), -EINVAL);
	file.kind = RSP_FILE_BESIDE;
	memset(file.name, 'x', sizeof(file.name));
	assert_int_equal(get(&file, WHOEVER), -EINVAL);
}

static void test_invalid_requests(void **state)
{
	struct rsp_file_request file = {.kind = RSP_FILE_BY_BUILD_ID, .binary = NUMBER};

	assert_int_equal(get(&file, WHOEVER), -EINVAL);
	file.build_id_len = RSP_BUILD_ID_MAX + 1;
	assert_int_equal(get(&file, WHOEVER), -EINVAL);
	file = (struct rsp_file_request){.binary = NUMBER};
	assert_int_equal(get(&file, WHOEVER), -EINVAL);
	file.kind = RSP_FILE_KIND_MAX;
	assert_int_equal(get(&file, WHOEVER), -EINVAL);
}

/* Returns false without the privileges to change the owner. */
static bool give_away(const char *name, uid_t uid)
{
	char path[256];

	put_path(path, sizeof(path), name);
	if (chown(path, uid, uid) == 0)
		return true;
	print_message("skipped: giving files away takes privileges\n");
	return false;
}

static void test_debug_files_of_others(void **state)
{
	put_file("prog.debug", PROGRAM, 0644);
	if (!give_away("prog.debug", OTHER_UID))
		skip();
	assert_int_equal(get_link("prog.debug"), -EACCES);
	assert_true(give_away("prog.debug", 0));
	assert_int_equal(get_link("prog.debug"), 0);
}

static void test_what_a_user_may_read(void **state)
{
	const struct rsp_file_request file = {.kind = RSP_FILE_IN_ROOT, .binary = NUMBER};
	static const struct {
		mode_t mode;
		bool own;
		int want;
	} cases[] = {
		{0644, false, 0},	{0640, false, -EACCES}, {0600, false, -EACCES},
		{0111, false, -EACCES}, {0600, true, 0},	{0044, true, -EACCES},
	};

	if (geteuid() != 0) {
		print_message("skipped: to open what others may not takes privileges\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_file("prog", PROGRAM, cases[i].mode);
		know("prog");
		assert_true(give_away("prog", cases[i].own ? OTHER_UID : 0));
		if (get(&file, OTHER_UID) != cases[i].want)
			fail_msg("case %zu", i);
		assert_int_equal(get(&file, WHOEVER), 0);
	}
}

static void test_perf_maps(void **state)
{
	struct rsp_file_request file = {
		.kind = RSP_FILE_PERF_MAP, .tgid = (__u32)getpid(), .ns_tgid = NS_TGID};
	char map[64], path[256];

	snprintf(map, sizeof(map), PERF_PATH, NS_TGID);
	put_path(path, sizeof(path), "prog");
	unlink(map);
	assert_int_equal(get(&file, WHOEVER), -ENOENT);
	assert_int_equal(symlink(path, map), 0);
	assert_int_equal(get(&file, WHOEVER), -ESTALE);
	unlink(map);
	assert_int_equal(link(path, map), 0);
	assert_int_equal(get(&file, WHOEVER), -EACCES);
	unlink(path);
	assert_int_equal(get(&file, WHOEVER), 0);
	assert_int_equal(get(&file, geteuid()), 0);
	assert_int_equal(chmod(map, 0600), 0);
	assert_int_equal(get(&file, OTHER_UID), -EACCES);
	unlink(map);
	assert_int_equal(mkfifo(map, 0644), 0);
	assert_int_equal(get(&file, WHOEVER), -ESTALE);
	unlink(map);
}

static void test_code_ranges(void **state)
{
	const struct rsp_file_request file = {.kind = RSP_FILE_CODE, .tgid = (__u32)getpid()};
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	_cleanup_close_ int fd = rsp_broker_open(&(struct rsp_broker){0}, &file);
	struct rsp_code_range range;
	bool found = false;

	assert_ptr_not_equal(code, MAP_FAILED);
	assert_true(fd >= 0);
	for (off_t off = 0; pread(fd, &range, sizeof(range), off) == sizeof(range);
	     off += sizeof(range)) {
		found |= range.start <= (uintptr_t)code && range.end > (uintptr_t)code;
		assert_false(range.start <= (uintptr_t)&range && range.end > (uintptr_t)&range);
	}
	assert_true(found);
	munmap(code, 4096);
	assert_int_equal(get(&file, geteuid()), 0);
	assert_int_equal(get(&file, OTHER_UID), -EACCES);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_binaries_of_the_list),
		TEST(test_another_file_in_its_place),
		TEST(test_kept_files),
		TEST(test_overwritten_in_place),
		TEST(test_copies_of_symbols),
		TEST(test_only_elf),
		TEST(test_names_that_lead_elsewhere),
		TEST(test_invalid_requests),
		TEST(test_debug_files_of_others),
		TEST(test_what_a_user_may_read),
		TEST(test_perf_maps),
		TEST(test_code_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
