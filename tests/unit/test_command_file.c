/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that cli/command-file.h finds the same files as execvp(). */
#include <errno.h>
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

#include "cli/command-file.h"

static const char *const files[] = {"near", "bin/near", "bin/far", "data/far", "dir/far"};

static int set_up(void **state)
{
	char *folder = strdup("/tmp/rsp-test-command-XXXXXX");

	if (!folder || !mkdtemp(folder) || chdir(folder))
		return -1;
	if (mkdir("bin", 0700) || mkdir("data", 0700) || mkdir("dir", 0700) ||
	    mkdir("dir/far", 0700))
		return -1;
	for (size_t i = 0; i + 1 < sizeof(files) / sizeof(files[0]); i++) {
		FILE *f = fopen(files[i], "w");

		if (!f || fprintf(f, "#!/bin/sh\necho %s\n", files[i]) < 0 || fclose(f) ||
		    chmod(files[i], strcmp(files[i], "data/far") ? 0700 : 0600))
			return -1;
	}
	*state = folder;
	return 0;
}

static int tear_down(void **state)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		remove(files[i]);
	if (rmdir("bin") || rmdir("data") || rmdir("dir") || chdir("/") || rmdir(*state))
		return -1;
	free(*state);
	return 0;
}

static bool execute(const char *name, char *out, size_t len)
{
	int fds[2], status;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		execlp(name, name, NULL);
		_exit(99);
	}
	close(fds[1]);
	n = read(fds[0], out, len - 1);
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(n >= 0);
	out[n ? n - 1 : 0] = '\0';
	return WEXITSTATUS(status) != 99;
}

static void test_like_execvp(void **state)
{
	static const struct {
		const char *path, *name, *found; /* NULL if there is no such program */
	} rows[] = {
		{"bin", "far", "bin/far"},
		{"none:bin", "far", "bin/far"},
		{"data:dir:bin", "far", "bin/far"},
		{"data:dir", "far", NULL},
		{"bin", "near", "bin/near"},
		{"bin:", "near", "bin/near"},
		/* an empty entry is the current folder */
		{":bin", "near", "./near"},
		{"none::bin", "near", "./near"},
		{"none:", "near", "./near"},
		{"", "near", "./near"},
		{"none", "near", NULL},
		{NULL, "near", NULL},
		{"none", "bin/far", "bin/far"},
		{"bin", "./far", NULL},
		{":bin", "", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char got[PATH_MAX], output[64];
		bool is_found;

		if (rows[i].path)
			setenv("PATH", rows[i].path, 1);
		else
			unsetenv("PATH");
		is_found = rsp_command_path(rows[i].name, got);
		if (is_found != (rows[i].found != NULL) || (is_found && strcmp(got, rows[i].found)))
			fail_msg("row %zu: %s", i, is_found ? got : "nothing");
		assert_int_equal(execute(rows[i].name, output, sizeof(output)), is_found);
		if (is_found)
			assert_string_equal(output, strncmp(got, "./", 2) ? got : got + 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_execvp)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
