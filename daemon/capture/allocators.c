/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See allocators.h. */
#include "allocators.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "daemon/child.h"
#include "daemon/helper.h"
#include "daemon/privileges.h"
#include "daemon/snapshots/analysis.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"

/* Files that are looked at. A browser maps about 200 libraries. */
#define FILE_MAX 512

struct mapped {
	unsigned long long start, end, ino;
	unsigned int major, minor;
};

/* --- in the process that holds the probes ----------------------------------------------------- */

/* A line of /proc/PID/maps. Returns whether it is an executable mapping of a file. */
static bool parse_line(const char *line, struct mapped *ret)
{
	char mode[5] = "";

	return sscanf(line, "%llx-%llx %4s %*x %x:%x %llu", &ret->start, &ret->end, mode,
		      &ret->major, &ret->minor, &ret->ino) == 6 &&
	       mode[2] == 'x' && ret->ino;
}

static bool is_known(const struct mapped *files, size_t cnt, const struct mapped *m)
{
	for (size_t i = 0; i < cnt; i++)
		if (files[i].ino == m->ino && files[i].major == m->major &&
		    files[i].minor == m->minor)
			return true;
	return false;
}

static size_t list_files(pid_t pid, struct mapped files[static FILE_MAX])
{
	_cleanup_free_ char *line = NULL;
	size_t cnt = 0, cap = 0;
	char path[32];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	while (f && cnt < FILE_MAX && getline(&line, &cap, f) > 0)
		if (parse_line(line, &files[cnt]) && !is_known(files, cnt, &files[cnt]))
			cnt++;
	if (f)
		fclose(f);
	return cnt;
}

static int open_mapped(pid_t pid, const struct mapped *m)
{
	_cleanup_close_ int path_fd = -1;
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", (int)pid, m->start, m->end);
	path_fd = open(path, O_PATH | O_CLOEXEC);
	return path_fd < 0 ? -errno : rsp_regular_reopen(path_fd);
}

/* The probe at the return comes first, so that no call has a begin without an end. */
static bool probe_function(int file, pid_t pid, __u32 function, __u64 offset)
{
	struct rsp_helper_probe probe = {.file = file,
					 .offset = offset,
					 .cookie = function,
					 .set = RSP_HELPER_ALLOCATORS,
					 .pid = pid,
					 .returns = true};

	/* The descriptors stay open until the process ends. */
	if (function < RSP_ALLOC_FREE && rsp_helper_add_probe(&probe) < 0)
		return false;
	probe.returns = false;
	return rsp_helper_add_probe(&probe) >= 0;
}

static __u32 probe_file(int file, pid_t pid)
{
	__u64 offsets[RSP_ALLOC_CNT];
	__u32 cnt = 0;

	if (rsp_analysis_find_allocator(file, offsets) < 0)
		return 0;
	for (__u32 i = 0; i < RSP_ALLOC_CNT; i++)
		cnt += offsets[i] && probe_function(file, pid, i, offsets[i]);
	return cnt;
}

static _Noreturn void probe_all(pid_t pid, pid_t parent, int pipe)
{
	struct mapped *files = calloc(FILE_MAX, sizeof(*files));
	size_t file_cnt;
	__u32 cnt = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!files || getppid() != parent || rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-probes");
	file_cnt = list_files(pid, files);
	for (size_t i = 0; i < file_cnt; i++) {
		_cleanup_close_ int file = open_mapped(pid, &files[i]);

		if (file >= 0)
			cnt += probe_file(file, pid);
	}
	if (write(pipe, &cnt, sizeof(cnt)) != sizeof(cnt))
		_exit(EXIT_FAILURE);
	close(pipe);
	for (;;)
		pause();
}

/* --- beside it -------------------------------------------------------------------------------- */

static void on_end(const siginfo_t *info, void *userdata)
{
}

int rsp_allocators_begin(struct rsp_allocators *a, sd_event *event, pid_t pid)
{
	pid_t parent = getpid(), child;
	int pipes[2], r;

	*a = (struct rsp_allocators){.pipe = -1};
	if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	child = fork();
	if (child == 0)
		probe_all(pid, parent, pipes[1]);
	r = child < 0 ? -errno : 0;
	close(pipes[1]);
	if (r == 0)
		r = rsp_child_watch(event, child, on_end, NULL, &a->child);
	if (r < 0)
		close(pipes[0]);
	else
		a->pipe = pipes[0];
	return r;
}

bool rsp_allocators_are_busy(struct rsp_allocators *a)
{
	__u32 cnt = 0;
	ssize_t n;

	if (!a->child || a->pipe < 0)
		return false;
	n = read(a->pipe, &cnt, sizeof(cnt));
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n == sizeof(cnt))
		a->function_cnt = cnt;
	close(a->pipe);
	a->pipe = -1;
	return false;
}

void rsp_allocators_end(struct rsp_allocators *a)
{
	if (a->child && a->pipe >= 0)
		close(a->pipe);
	a->child = rsp_child_let_go(a->child);
	a->pipe = -1;
}
