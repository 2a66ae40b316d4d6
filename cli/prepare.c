/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See prepare.h. The dynamic loader (ld.so --list) lists the libraries of a program without running
 * the program's code. rspctl maps these libraries, and the recorder opens the files that rspctl has
 * mapped.
 */
#include "cli/prepare.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/command-file.h"
#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/json.h"

/*
 * Limits for the time of making unwind tables: of the command, and of all other running programs.
 * The recorder makes the table of one binary in some milliseconds, or of a large program in some
 * tenths of a second.
 */
#define COMMAND_MS 5000
#define OTHERS_MS  1000
#define LOOK_NS	   2000000
#define CALL_MS	   5000

/* The interpreter of a script may be a script, too. */
#define SCRIPTS_MAX 4

#define HEAD_BYTES 4096

extern char **environ;

struct mapped {
	void **v;
	size_t cnt, cap;
};

static void mapped_done(struct mapped *m)
{
	for (size_t i = 0; i < m->cnt; i++)
		munmap(m->v[i], 1);
	free(m->v);
}

/* Maps one page of the file: that is enough for the recorder to find the file. */
static void map(struct mapped *m, int fd)
{
	void *at = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0), **slot;

	if (at == MAP_FAILED)
		return;
	slot = rsp_array_add(m);
	if (slot)
		*slot = at;
	else
		munmap(at, 1);
}

/* --- programs --------------------------------------------------------------------------------- */

/*
 * For "#!/usr/bin/env NAME", the interpreter is NAME. Returns false if the file is not a script, or
 * if its interpreter is not found.
 */
static bool find_interpreter(const char *head, char ret[static PATH_MAX])
{
	char path[256] = "", argument[256] = "";
	const char *base;

	if (strncmp(head, "#!", 2) != 0 ||
	    sscanf(head + 2, " %255[^ \t\n] %255[^ \t\n]", path, argument) < 1)
		return false;
	base = strrchr(path, '/');
	if (base && strcmp(base, "/env") == 0 && *argument)
		return rsp_command_path(argument, ret);
	return rsp_command_path(path, ret);
}

static bool find_loader(int fd, const char *head, size_t len, char ret[static PATH_MAX])
{
	const Elf64_Ehdr *elf = (const void *)head;

	if (len < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf->e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (unsigned int i = 0; i < elf->e_phnum; i++) {
		Elf64_Phdr ph;
		ssize_t n = pread(fd, &ph, sizeof(ph), (off_t)(elf->e_phoff + i * sizeof(ph)));

		if (n != sizeof(ph))
			return false;
		if (ph.p_type != PT_INTERP || ph.p_filesz >= PATH_MAX)
			continue;
		n = pread(fd, ret, ph.p_filesz, (off_t)ph.p_offset);
		ret[n > 0 ? n : 0] = '\0';
		return n > 0;
	}
	return false;
}

/* --- libraries -------------------------------------------------------------------------------- */

/*
 * Maps the library in a line like "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f…)" or
 * "\t/lib64/ld-linux-x86-64.so.2 (0x…)".
 */
static void map_listed(struct mapped *m, char *line)
{
	char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;
	_cleanup_close_ int fd = -1;

	if (!end)
		return;
	*end = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		map(m, fd);
}

/* Returns a pipe with the loader's standard output, or -1 if the loader cannot be run. */
static int run_loader(char *loader, char *program, pid_t *ret_pid)
{
	char list[] = "--list", *argv[] = {loader, list, program, NULL};
	posix_spawn_file_actions_t files;
	int fds[2], r;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	r = posix_spawn(ret_pid, loader, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	close(fds[1]);
	if (r == 0)
		return fds[0];
	close(fds[0]);
	return -1;
}

static void map_libraries(struct mapped *m, char *loader, char *program)
{
	_cleanup_free_ char *line = NULL;
	size_t size = 0;
	pid_t pid;
	FILE *f;
	int fd = run_loader(loader, program, &pid);

	if (fd < 0)
		return;
	f = fdopen(fd, "r");
	while (f && getline(&line, &size, f) > 0)
		map_listed(m, line);
	if (f)
		fclose(f);
	else
		close(fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void map_program(struct mapped *m, const char *name)
{
	char path[PATH_MAX], next[PATH_MAX], head[HEAD_BYTES + 1];

	if (!rsp_command_path(name, path))
		return;
	for (int i = 0; i < SCRIPTS_MAX; i++) {
		_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len = fd < 0 ? -1 : pread(fd, head, HEAD_BYTES, 0);

		if (len < 0)
			return;
		head[len] = '\0';
		if (find_interpreter(head, next)) {
			memcpy(path, next, sizeof(path));
			continue;
		}
		map(m, fd);
		if (find_loader(fd, head, (size_t)len, next))
			map_libraries(m, next, path);
		return;
	}
}

/* --- the recorder ----------------------------------------------------------------------------- */

/*
 * Returns the number of pending unwind tables, plus 1 if probes of allocators are pending; or
 * -errno.
 */
static long long call(struct rsp_client *client, struct json_object *parameters)
{
	_cleanup_json_ struct json_object *reply = NULL;
	struct json_object *pending;
	int r = parameters ? rsp_client_call(client, "io.rsp.Recorder.Prepare", parameters, CALL_MS,
					     &reply, NULL)
			   : -ENOMEM;

	if (r < 0)
		return r;
	return json_object_object_get_ex(reply, "pending", &pending)
		       ? json_object_get_int64(pending)
		       : -EBADMSG;
}

/* pid 0: all processes; negative: requests no tables. Returns the same values as call(). */
static long long ask(struct rsp_client *client, long long pid)
{
	struct json_object *parameters = json_object_new_object();

	if (parameters && pid >= 0)
		json_object_object_add(parameters, "pid", json_object_new_int64(pid));
	return call(client, parameters);
}

static void stand_aside(struct rsp_client *client, bool aside)
{
	struct json_object *parameters = json_object_new_object();

	if (parameters)
		json_object_object_add(parameters, "aside", json_object_new_boolean(aside));
	(void)call(client, parameters);
}

static unsigned long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (unsigned long long)ts.tv_sec * 1000 + (unsigned long long)ts.tv_nsec / 1000000;
}

/* pid: as for ask(). Waits for the tables, at the latest until until_ms. */
static void make_tables(struct rsp_client *client, pid_t pid, unsigned long long until_ms)
{
	long long pending = ask(client, pid);

	while (pending > 0 && now_ms() < until_ms) {
		nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
		pending = ask(client, -1);
	}
}

void rsp_prepare_begin(const struct rsp_recorder *rec, char *const argv[])
{
	_cleanup_(mapped_done) struct mapped mapped = {0};

	map_program(&mapped, argv[0]);
	make_tables(rec->client, getpid(), now_ms() + COMMAND_MS);
	if (rec->private.pid <= 0)
		return;
	make_tables(rec->client, 0, now_ms() + OTHERS_MS);
	stand_aside(rec->client, true);
}

void rsp_prepare_end(const struct rsp_recorder *rec)
{
	if (rec->private.pid > 0)
		stand_aside(rec->client, false);
}

void rsp_prepare_map(char *const argv[])
{
	struct mapped mapped = {0};

	map_program(&mapped, argv[0]);
	free(mapped.v);
}

void rsp_prepare_wait(struct rsp_client *client)
{
	unsigned long long until_ms = now_ms() + COMMAND_MS;

	while (ask(client, -1) > 0 && now_ms() < until_ms)
		nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}
