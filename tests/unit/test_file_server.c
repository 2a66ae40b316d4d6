/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which files a process in the sandbox gets from the file server. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/file-server.h"
#include "lib/symbols/debugdirs.h"

static char dir[] = "/tmp/test_file_server.XXXXXX";
static pid_t server_pid;

static union {
	struct rsp_ev_binary record;
	char bytes[sizeof(struct rsp_ev_binary) + 2 * PATH_MAX];
} binary;

static void put_file(const char *name, const void *bytes, size_t len)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static int setup(void **state)
{
	char path[256];

	if (!mkdtemp(dir))
		return -1;
	put_file("elf", "\177ELF and more", 13);
	put_file("elf.debug", "\177ELF", 4);
	put_file("text", "text", 4);
	snprintf(path, sizeof(path), "%s/pipe", dir);
	return mkfifo(path, 0600);
}

static int teardown(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command);
}

/*
 * Starts the file server in a child process. This process plays the sandboxed process, whose stdin
 * is the connection to the server.
 */
static void start_server(bool with_dirs)
{
	const char *dirs[] = {dir};
	struct rsp_file_server server = {0};
	int sockets[2];

	if (with_dirs)
		assert_int_equal(rsp_debugdirs_new(dirs, 1, &server.dirs), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
	server_pid = fork();
	assert_true(server_pid >= 0);
	if (server_pid == 0) {
		close(sockets[1]);
		rsp_file_server_run(&server, sockets[0]);
		_exit(EXIT_SUCCESS);
	}
	rsp_debugdirs_free(server.dirs);
	close(sockets[0]);
	assert_int_equal(dup2(sockets[1], STDIN_FILENO), STDIN_FILENO);
	close(sockets[1]);
}

static void end_server(void)
{
	int status;

	close(STDIN_FILENO);
	assert_int_equal(waitpid(server_pid, &status, 0), server_pid);
	assert_int_equal(status, 0);
}

/* Returns 0 if the server sends a file; otherwise -errno. */
static int request_file(__u32 kind, const char *path, const char *name, __u32 nth)
{
	struct rsp_file_request file = {.kind = kind, .nth = nth, .tgid = (__u32)getpid()};
	int fd;

	file.ns_tgid = file.tgid;
	binary.record.tgid = (__u32)getpid();
	snprintf(binary.record.path, PATH_MAX, "%s", path);
	snprintf(file.name, sizeof(file.name), "%s", name);
	fd = rsp_file_server_files.open(&file, &binary.record, NULL);
	if (fd < 0)
		return fd;
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	close(fd);
	return 0;
}

static void test_requests(void **state)
{
	static const struct {
		__u32 kind;
		const char *path, *name;
		int want;
	} cases[] = {
		{RSP_FILE_IN_ROOT, "./elf", "", 0},
		{RSP_FILE_HERE, "./elf", "", 0},
		{RSP_FILE_BESIDE, "./elf", "elf.debug", 0},
		{RSP_FILE_HERE, "./missing", "", -ENOENT},
		/* Files that are not ELF are refused. */
		{RSP_FILE_HERE, "./text", "", -ESTALE},
		{RSP_FILE_HERE, "./pipe", "", -ESTALE},
		{RSP_FILE_HERE, "/", "", -ESTALE},
		{RSP_FILE_HERE, "/dev/null", "", -ESTALE},
		{RSP_FILE_HERE, "/proc/self/exe", "", -ELOOP},
		{RSP_FILE_BESIDE, "./elf", "text", -ESTALE},
		{RSP_FILE_BESIDE, "./elf", "../etc/passwd", -EINVAL},
		{RSP_FILE_DWZ, "./elf", "../../x", -EINVAL},
		{RSP_FILE_BY_BUILD_ID, "./elf", "", -EINVAL}, /* without one */
		/*
		 * Files of running processes are refused: after the recording, a process may have
		 * other files.
		 */
		{RSP_FILE_MAPPED, "./elf", "", -EACCES},
		{RSP_FILE_PERF_MAP, "./elf", "", -EACCES},
		{RSP_FILE_CODE, "./elf", "", -EACCES},
		{RSP_FILE_LISTED, "./elf", "", -ENODATA},
		{RSP_FILE_DWZ_THERE, "./elf", "x", -ENODATA},
		{0, "./elf", "", -EINVAL},
		{RSP_FILE_KIND_MAX, "./elf", "", -EINVAL},
		{UINT32_MAX, "./elf", "", -EINVAL},
	};

	start_server(false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *path = cases[i].path + (*cases[i].path == '.');
		char whole[PATH_MAX];
		int r;

		snprintf(whole, sizeof(whole), "%s%s", *cases[i].path == '.' ? dir : "", path);
		r = request_file(cases[i].kind, whole, cases[i].name, 0);
		if (r != cases[i].want)
			fail_msg("case %zu (%s): %d, not %d", i, whole, r, cases[i].want);
	}
	end_server();
}

static void test_the_users_directories(void **state)
{
	size_t files = 0;
	int r;

	start_server(true);
	for (__u32 nth = 0; (r = request_file(RSP_FILE_LISTED, "/", "", nth)) != -ENODATA; nth++) {
		assert_true(r == 0 || r == -ESTALE);
		files += r == 0;
	}
	assert_int_equal(files, 2);
	end_server();
}

static void test_a_path_that_is_too_long(void **state)
{
	const struct rsp_file_request file = {.kind = RSP_FILE_HERE};

	start_server(false);
	memset(binary.record.path, '/', PATH_MAX);
	binary.record.path[PATH_MAX] = '\0';
	assert_int_equal(rsp_file_server_files.open(&file, &binary.record, NULL), -ENAMETOOLONG);
	end_server();
}

static void test_a_message_of_another_length(void **state)
{
	start_server(false);
	assert_int_equal(send(STDIN_FILENO, "x", 1, MSG_NOSIGNAL), 1);
	end_server();
}

static void test_the_other_end_is_gone(void **state)
{
	start_server(false);
	assert_int_equal(send(STDIN_FILENO, "x", 1, MSG_NOSIGNAL), 1);
	assert_int_equal(waitpid(server_pid, NULL, 0), server_pid);
	assert_true(request_file(RSP_FILE_HERE, "/", "", 0) < 0);
	close(STDIN_FILENO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_the_users_directories),
		cmocka_unit_test(test_a_path_that_is_too_long),
		cmocka_unit_test(test_a_message_of_another_length),
		cmocka_unit_test(test_the_other_end_is_gone),
	};

	return cmocka_run_group_tests_name("file server", tests, setup, teardown);
}
