/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See remote.h. */
#include "cli/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/forwarded.h"
#include "cli/frames.h"
#include "cli/fresh.h"
#include "cli/save.h"
#include "lib/base/cleanup.h"

/* Maximum size of a received file. */
#define FILE_BYTES_MAX (4ULL << 30)

/* The exit status of ssh for its own errors. No verb of rspctl returns this status. */
#define SSH_FAILED 255

struct arriving {
	const char *path; /* NULL: the user did not ask for this file */
	int fd;		  /* a memfd; -1: nothing has been received yet */
	uint64_t bytes;
	bool is_whole;
};

/* --- ssh -------------------------------------------------------------------------------------- */

static bool needs_terminal(const struct rsp_verb *verb, const struct rsp_options *opt)
{
	return !strcmp(verb->name, "top") && !opt->once && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO);
}

/*
 * The remote shell expands nothing, because the string words contains only letters, digits, '-' and
 * '='.
 */
static _Noreturn void become_ssh(const struct rsp_options *opt, bool terminal, const char *words)
{
	const char *ssh = getenv("RSP_SSH");

	if (!ssh || !*ssh)
		ssh = "ssh";
	execlp(ssh, ssh, "-x", terminal ? "-t" : "-T", "-o", "ConnectTimeout=15", "--", opt->host,
	       "rspctl", words, (char *)NULL);
	rsp_fail(-errno, "cannot run %s: %m: install an ssh client (openssh-client)", ssh);
	_exit(SSH_FAILED);
}

static char *make_words(int argc, char *const argv[], bool with_files)
{
	_cleanup_free_ char *digits = rsp_forwarded_encode(argc - 1, argv + 1);
	char *ret = NULL;

	if (!digits ||
	    asprintf(&ret, "%s%s", with_files ? RSP_FORWARDED_FILES : RSP_FORWARDED, digits) < 0)
		return NULL;
	return ret;
}

/* --- receiving -------------------------------------------------------------------------------- */

static int read_exactly(int fd, void *bytes, size_t len)
{
	char *p = bytes;

	while (len > 0) {
		ssize_t n = read(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return p == (char *)bytes ? -ENODATA : -EBADMSG;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int take_piece(struct arriving *file, const void *bytes, size_t len)
{
	if (!file->path || file->is_whole)
		return -EBADMSG;
	if (file->fd < 0)
		file->fd = memfd_create("rsp-arriving", MFD_CLOEXEC);
	if (file->fd < 0)
		return -errno;
	file->bytes += len;
	if (file->bytes > FILE_BYTES_MAX)
		return -EFBIG;
	return write(file->fd, bytes, len) == (ssize_t)len ? 0 : -EIO;
}

static int end_file(struct arriving *file)
{
	if (file->fd < 0)
		return -EBADMSG;
	file->is_whole = true;
	return 0;
}

static int take_frame(uint32_t channel, const void *bytes, size_t len, struct arriving files[2])
{
	uint32_t ended;

	switch (channel) {
	case RSP_FRAME_STDOUT:
		if (fwrite(bytes, 1, len, stdout) != len || fflush(stdout) != 0)
			return -errno;
		return 0;
	case RSP_FRAME_FILE_OUTPUT:
	case RSP_FRAME_FILE_HTML:
		return take_piece(&files[channel - RSP_FRAME_FILE_OUTPUT], bytes, len);
	case RSP_FRAME_FILE_END:
		if (len != sizeof(ended))
			return -EBADMSG;
		memcpy(&ended, bytes, sizeof(ended));
		if (ended != RSP_FRAME_FILE_OUTPUT && ended != RSP_FRAME_FILE_HTML)
			return -EBADMSG;
		return end_file(&files[ended - RSP_FRAME_FILE_OUTPUT]);
	default:
		return -EBADMSG;
	}
}

static int take_frames(int fd, struct arriving files[2])
{
	_cleanup_free_ char *buf = malloc(RSP_FRAME_BYTES);
	struct rsp_frame_header header;
	int r = buf ? 0 : -ENOMEM;

	while (r == 0) {
		r = read_exactly(fd, &header, sizeof(header));
		if (r < 0)
			break;
		if (header.len > RSP_FRAME_BYTES)
			return -EBADMSG;
		r = read_exactly(fd, buf, header.len);
		if (r == 0)
			r = take_frame(header.channel, buf, header.len, files);
	}
	return r == -ENODATA ? 0 : r;
}

/* --- running ---------------------------------------------------------------------------------- */

static int await_ssh(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return rsp_fail(-errno, "cannot wait for ssh: %m");
	if (WIFSIGNALED(status))
		return rsp_fail(0, "ssh was killed by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) == SSH_FAILED)
		return RSP_EXIT_FAILURE; /* ssh has reported the error */
	if (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126)
		return rsp_fail(0, "cannot run rspctl on the other host: install RSP there, and "
				   "check the PATH");
	return WEXITSTATUS(status);
}

static int save(const struct arriving *file, int status)
{
	int r;

	if (!file->path || !file->is_whole)
		return status;
	r = rsp_save(file->fd, file->path);
	return r < 0 ? rsp_fail(r, "cannot save %s: %m", file->path) : status;
}

static int run_with_files(const struct rsp_options *opt, const char *words)
{
	struct arriving files[2] = {{.path = opt->output, .fd = -1}, {.path = opt->html, .fd = -1}};
	int pipes[2], r, status;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return rsp_fail(-errno, "cannot run ssh: %m");
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot run ssh: %m");
	if (pid == 0) {
		if (dup2(pipes[1], STDOUT_FILENO) < 0)
			_exit(SSH_FAILED);
		become_ssh(opt, false, words);
	}
	close(pipes[1]);
	r = take_frames(pipes[0], files);
	close(pipes[0]);
	status = await_ssh(pid);
	if (r < 0 && (status == RSP_EXIT_OK || status == RSP_EXIT_LOSSY))
		status = rsp_fail(r, "cannot read the output from %s: %m", opt->host);
	for (size_t i = 0; i < 2; i++) {
		if (r == 0)
			status = save(&files[i], status);
		rsp_cleanup_close(&files[i].fd);
	}
	return status;
}

static int run_plain(const struct rsp_options *opt, bool terminal, const char *words)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot run ssh: %m");
	if (pid == 0)
		become_ssh(opt, terminal, words);
	return await_ssh(pid);
}

int rsp_remote_run(const struct rsp_verb *verb, const struct rsp_options *opt, int argc,
		   char *const argv[])
{
	bool with_files = opt->output || opt->html;
	_cleanup_free_ char *words = make_words(argc, argv, with_files);

	if (!words)
		return rsp_fail(-ENOMEM, "cannot run ssh: %m");
	if (with_files)
		return run_with_files(opt, words);
	return run_plain(opt, needs_terminal(verb, opt), words);
}
