/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slo-function.h. */
#include "daemon/slo/slo-function.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/helper.h"
#include "daemon/base/privileges.h"
#include "daemon/worker/inquiry.h"
#include "lib/base/cleanup.h"

/* The result that the child sends. */
struct finding {
	int error; /* 0 or -errno */
	__u64 offset;
};

struct rsp_slo_function {
	char *file, *name;
	__u32 rule;
	int fd; /* the file that is being searched, or has the probes; -1: no file */
	struct stat looked;
	pid_t child; /* 0: no child */
	int pipe;
	int entry, return_; /* descriptors of the probes; -1: no probe */
	char why[160];
};

static void remove_probe(int *probe)
{
	if (*probe >= 0)
		close(*probe);
	*probe = -1;
}

static void detach(struct rsp_slo_function *f)
{
	remove_probe(&f->return_);
	remove_probe(&f->entry);
}

static bool is_attached(const struct rsp_slo_function *f)
{
	return f->return_ >= 0;
}

static void forget_child(struct rsp_slo_function *f)
{
	if (f->pipe >= 0)
		close(f->pipe);
	f->pipe = -1;
	if (!f->child)
		return;
	kill(f->child, SIGKILL);
	waitpid(f->child, NULL, 0);
	f->child = 0;
}

static void leave(struct rsp_slo_function *f)
{
	forget_child(f);
	detach(f);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

struct rsp_slo_function *rsp_slo_function_free(struct rsp_slo_function *f)
{
	if (!f)
		return NULL;
	leave(f);
	free(f->file);
	free(f->name);
	free(f);
	return NULL;
}

struct rsp_slo_function *rsp_slo_function_new(const char *file, const char *name, __u32 rule)
{
	struct rsp_slo_function *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->file = strdup(file);
	f->name = strdup(name);
	f->rule = rule;
	f->fd = f->pipe = f->entry = f->return_ = -1;
	return f->file && f->name ? f : rsp_slo_function_free(f);
}

/* --- in the child ----------------------------------------------------------------------------- */

/*
 * The Go toolchain writes this byte sequence into each program. rspd does not probe Go programs: Go
 * moves stacks, and a return address that a probe has replaced then crashes the program.
 */
static bool is_go(int fd)
{
	static const char mark[] = "\xff Go buildinf:";
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return false;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	return memmem(bytes, (size_t)st.st_size, mark, sizeof(mark) - 1) != NULL;
}

static void find_and_send(const struct rsp_slo_function *f, int pipe)
{
	struct finding finding = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (rsp_privileges_keep(RSP_PRIVILEGES_FIND) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-find");
	finding.error = is_go(f->fd) ? -EOPNOTSUPP
				     : rsp_inquiry_find_function(f->fd, f->name, &finding.offset);
	_exit(write(pipe, &finding, sizeof(finding)) == sizeof(finding) ? 0 : 1);
}

/* --- steps ------------------------------------------------------------------------------------ */

static int begin_search(struct rsp_slo_function *f)
{
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	f->pipe = pipes[0];
	f->child = fork();
	if (f->child == 0)
		find_and_send(f, pipes[1]);
	close(pipes[1]);
	if (f->child > 0)
		return 0;
	f->child = 0;
	forget_child(f);
	return -EAGAIN;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int open_file(struct rsp_slo_function *f)
{
	int fd = open(f->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &f->looked) < 0 || !S_ISREG(f->looked.st_mode)) {
		close(fd);
		return -ENOEXEC;
	}
	f->fd = fd;
	return 0;
}

static int add_probe(const struct rsp_slo_function *f, __u64 offset, bool returns, int *ret)
{
	const struct rsp_helper_probe probe = {
		.file = f->fd,
		.cnt = 1,
		.offsets = {offset},
		.cookies = {f->rule},
		.returns = returns,
	};
	int fd = rsp_helper_add_probe(&probe);

	if (fd < 0)
		return fd;
	*ret = fd;
	return 0;
}

static int attach(struct rsp_slo_function *f, __u64 offset)
{
	int r = add_probe(f, offset, false, &f->entry);

	return r < 0 ? r : add_probe(f, offset, true, &f->return_);
}

static const char *explain(struct rsp_slo_function *f, int error)
{
	if (error == -ENOENT)
		snprintf(f->why, sizeof(f->why), "%.60s has no function %.60s", f->file, f->name);
	else if (error == -EOPNOTSUPP)
		snprintf(f->why, sizeof(f->why), "%.80s is written in Go, which cannot be probed",
			 f->file);
	else
		snprintf(f->why, sizeof(f->why), "%.60s:%.60s cannot be probed: %s", f->file,
			 f->name, strerror(-error));
	return f->why;
}

static const char *take_finding(struct rsp_slo_function *f)
{
	struct finding finding = {.error = -EIO};
	ssize_t n = read(f->pipe, &finding, sizeof(finding));
	int r;

	if (n < 0 && errno == EAGAIN)
		return "its file is being examined";
	forget_child(f);
	r = n == sizeof(finding) ? finding.error : -EIO;
	if (r == 0)
		r = attach(f, finding.offset);
	if (r == 0) {
		f->why[0] = '\0';
		return NULL;
	}
	detach(f);
	/*
	 * ENOENT and EOPNOTSUPP are valid until the file changes. After other errors, the next
	 * check tries again.
	 */
	if (r != -ENOENT && r != -EOPNOTSUPP)
		leave(f);
	return explain(f, r);
}

const char *rsp_slo_function_look(struct rsp_slo_function *f)
{
	struct stat st;
	int r;

	if (f->fd >= 0 && (stat(f->file, &st) < 0 || !same_file(&st, &f->looked)))
		leave(f);
	if (f->child)
		return take_finding(f);
	if (f->fd >= 0)
		return is_attached(f) ? NULL : f->why;
	r = open_file(f);
	if (r == 0)
		r = begin_search(f);
	if (r == 0)
		return "its file is being examined";
	leave(f);
	snprintf(f->why, sizeof(f->why), "%.100s: %s", f->file, strerror(-r));
	return f->why;
}
