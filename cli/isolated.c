/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See isolated.h. */
#include "cli/isolated.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/file-server.h"
#include "cli/rspctl.h"
#include "lib/base/cleanup.h"
#include "lib/base/syscalls.h"
#include "lib/sandbox/sandbox.h"

#define NAMES_MAX 8

#define MEMORY_BYTES_MIN      (256UL << 20)
/* used instead if the child may request files, which may be large binaries with DWARF */
#define NAMING_BYTES_MIN      (2UL << 30)
#define MEMORY_BYTES_PER_BYTE 128
#define MEMORY_BYTES_MAX      (2UL << 30)

#define FILE_BYTES_MIN	     (64UL << 20)
/* for a job with is_large: JSON of regular records is some 40 times as large as the snapshot */
#define LARGE_BYTES_PER_BYTE 256

/* --- forbidden system calls ------------------------------------------------------------------- */

/*
 * One byte per system call: not 0 if the child made this call although the sandbox forbids it. The
 * child may be hostile, so a byte may have any value. NULL: no memory.
 */
static volatile char *forbidden;

static void share_notes(void)
{
	void *notes;

	if (forbidden)
		return;
	notes = mmap(NULL, RSP_SANDBOX_NR_MAX * sizeof(*forbidden), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (notes != MAP_FAILED)
		forbidden = notes;
}

/* Runs in the handler of SIGSYS. */
static void note(int nr, void *userdata)
{
	if (forbidden && nr >= 0 && nr < RSP_SANDBOX_NR_MAX)
		forbidden[nr] = 1;
}

/*
 * Lists up to NAMES_MAX of the noted calls that no earlier list contains. Returns the number of all
 * these calls.
 */
static size_t list_forbidden(char *ret, size_t size)
{
	static bool listed[RSP_SANDBOX_NR_MAX];
	size_t cnt = 0, len = 0;
	char buf[32];

	ret[0] = '\0';
	for (int nr = 0; forbidden && nr < RSP_SANDBOX_NR_MAX; nr++) {
		if (!forbidden[nr] || listed[nr])
			continue;
		listed[nr] = true;
		if (cnt++ < NAMES_MAX)
			len += (size_t)snprintf(ret + len, size - len, "%s'%s'", len ? ", " : "",
						rsp_syscall_label(nr, buf, sizeof(buf)));
	}
	if (cnt > NAMES_MAX)
		snprintf(ret + len, size - len, " and %zu more", cnt - NAMES_MAX);
	return cnt;
}

static const char *plural(size_t cnt)
{
	return cnt > 1 ? "s" : "";
}

/* ---------------------------------------------------------------------------------------------- */

static bool is_needed(const struct rsp_isolated *job, int fd)
{
	for (size_t i = 0; i < job->more_cnt; i++)
		if (fd == job->more[i])
			return true;
	return fd <= STDERR_FILENO || fd == job->input || fd == job->output;
}

/* Closes all descriptors that the job does not need: one may be a connection to the recorder. */
static int close_others(const struct rsp_isolated *job)
{
	int last = job->input > job->output ? job->input : job->output;

	for (size_t i = 0; i < job->more_cnt; i++)
		last = job->more[i] > last ? job->more[i] : last;
	for (int fd = 0; fd < last; fd++)
		if (!is_needed(job, fd))
			close(fd);
	if (last < STDERR_FILENO)
		last = STDERR_FILENO;
	return close_range((unsigned int)last + 1, ~0U, 0) < 0 ? -errno : 0;
}

/* The child must not read the user's input. */
static int replace_stdin(int server)
{
	_cleanup_close_ int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return null < 0 || dup2(server < 0 ? null : server, STDIN_FILENO) < 0 ? -errno : 0;
}

/* Returns 0 if the size is unknown. */
static size_t input_bytes(const struct rsp_isolated *job)
{
	struct stat st;
	size_t most = fstat(job->input, &st) == 0 ? (size_t)st.st_size : 0;

	for (size_t i = 0; i < job->more_cnt; i++)
		if (fstat(job->more[i], &st) == 0 && (size_t)st.st_size > most)
			most = (size_t)st.st_size;
	return most;
}

/*
 * Explaining a record needs some 250 bytes of memory. In the snapshot, a record takes 4 bytes, or 2
 * if records are very regular. On a machine with more than 4 GiB, large snapshots may use half of
 * the memory.
 */
static size_t memory_bytes(const struct rsp_isolated *job)
{
	size_t half = (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
	size_t max = half > MEMORY_BYTES_MAX ? half : MEMORY_BYTES_MAX;
	size_t bytes = input_bytes(job);

	if (!bytes || bytes > max / MEMORY_BYTES_PER_BYTE)
		return max;
	return (job->server ? NAMING_BYTES_MIN : MEMORY_BYTES_MIN) + bytes * MEMORY_BYTES_PER_BYTE;
}

/*
 * A section of names is rarely larger than a tenth of its snapshot. A page is rarely larger than
 * its snapshot.
 */
static size_t file_bytes(const struct rsp_isolated *job)
{
	size_t bytes = job->output < 0 ? 0 : input_bytes(job);

	return bytes ? FILE_BYTES_MIN + bytes * (job->is_large ? LARGE_BYTES_PER_BYTE : 2)
		     : SIZE_MAX;
}

static _Noreturn void in_sandbox(const struct rsp_isolated *job, int server)
{
	int r;

	/* Without TZ, each mktime() would open the file of the time zone again. */
	setenv("TZ", ":/etc/localtime", 0);
	tzset(); /* reads a file */
	r = replace_stdin(server);
	if (r == 0)
		r = close_others(job);
	if (r == 0)
		r = rsp_sandbox_enter(memory_bytes(job), file_bytes(job), note, NULL);
	r = r < 0 ? rsp_fail(r, "cannot enter the sandbox: %m") : job->work(job->userdata);
	/* At exit, libraries may make system calls that the sandbox forbids. */
	fflush(stdout);
	_exit(r);
}

static int fail_killed(const char *name, int signal)
{
	char calls[NAMES_MAX * 40];
	size_t cnt = list_forbidden(calls, sizeof(calls));

	if (cnt)
		return rsp_fail(
			0,
			"the process that reads %s was killed by signal %d (%s) after a library had used "
			"the system call%s %s, which the sandbox does not allow: please report "
			"this",
			name, signal, strsignal(signal), plural(cnt), calls);
	return rsp_fail(
		0,
		"the process that reads %s was killed by signal %d (%s): the file may be damaged, or memory may be short",
		name, signal, strsignal(signal));
}

static void warn_forbidden(void)
{
	char calls[NAMES_MAX * 40];
	size_t cnt = list_forbidden(calls, sizeof(calls));

	if (cnt)
		rsp_warn("warning: a library used the system call%s %s, which the sandbox does not "
			 "allow: names may be missing from the output; please report this",
			 plural(cnt), calls);
}

static int result_of(pid_t pid, const char *name)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return rsp_fail(-errno, "cannot wait for the process that reads %s: %m",
					name);
	if (WIFEXITED(status)) {
		warn_forbidden();
		return WEXITSTATUS(status);
	}
	/*
	 * If SIGPIPE ended the child, the reader of stdout has closed the pipe. rspctl then ends in
	 * the same way.
	 */
	if (WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE);
	return fail_killed(name, WTERMSIG(status));
}

/*
 * The file server is a process of its own, because open() may hang in a file system that a user's
 * process implements (FUSE), and not even SIGKILL interrupts this open().
 */
static _Noreturn void serve(const struct rsp_file_server *server, int socket)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		_exit(EXIT_FAILURE);
	rsp_file_server_run(server, socket);
	_exit(EXIT_SUCCESS);
}

/* The file server ends when all copies of the returned descriptor are closed. */
static int start_server(const struct rsp_file_server *server)
{
	_cleanup_close_ int ours = -1, theirs = -1;
	int sockets[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	ours = sockets[0];
	theirs = sockets[1];
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		close(theirs);
		serve(server, ours);
	}
	return rsp_take_fd(&theirs);
}

int rsp_isolated_begin(const struct rsp_isolated *job, pid_t *ret)
{
	_cleanup_close_ int server = -1;
	pid_t pid;

	share_notes();
	fflush(NULL);
	if (job->server) {
		server = start_server(job->server);
		if (server < 0)
			return rsp_fail(server, "cannot start a process that opens files: %m");
	}
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot start a process that reads %s: %m", job->name);
	if (pid == 0)
		in_sandbox(job, server);
	*ret = pid;
	return RSP_EXIT_OK;
}

int rsp_isolated(const struct rsp_isolated *job)
{
	pid_t pid;
	int r = rsp_isolated_begin(job, &pid);

	return r ? r : result_of(pid, job->name);
}
