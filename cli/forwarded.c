/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See forwarded.h. A child runs the verb. The parent sends the child's output as frames. */
#include "cli/forwarded.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/frames.h"
#include "lib/base/cleanup.h"

/* --- the command line ------------------------------------------------------------------------- */

char *rsp_forwarded_encode(int argc, char *const argv[])
{
	static const char digits[] = "0123456789abcdef";
	size_t len = 0;
	char *ret, *to;

	for (int i = 0; i < argc; i++)
		len += 2 * (strlen(argv[i]) + 1);
	ret = to = malloc(len + 1);
	for (int i = 0; ret && i < argc; i++)
		for (const char *p = argv[i];; p++) {
			*to++ = digits[(unsigned char)*p >> 4];
			*to++ = digits[*p & 15];
			if (!*p)
				break;
		}
	if (ret)
		*to = '\0';
	return ret;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Decodes the hexadecimal digits to the words of a command line; each word ends with a NUL. The
 * caller frees *ret. Returns the length of all words in bytes, or -errno.
 */
static ssize_t decode_bytes(const char *text, char **ret)
{
	size_t len = strlen(text) / 2;
	_cleanup_free_ char *bytes = malloc(len + 1);

	if (!bytes)
		return -ENOMEM;
	if (strlen(text) % 2 || !len)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return -EINVAL;
		bytes[i] = (char)(high << 4 | low);
	}
	if (bytes[len - 1])
		return -EINVAL;
	*ret = rsp_take_ptr(bytes);
	return (ssize_t)len;
}

static const char *encoded(int argc, char **argv, bool *ret_files)
{
	if (argc != 2)
		return NULL;
	*ret_files = !strncmp(argv[1], RSP_FORWARDED_FILES, strlen(RSP_FORWARDED_FILES));
	if (*ret_files)
		return argv[1] + strlen(RSP_FORWARDED_FILES);
	if (!strncmp(argv[1], RSP_FORWARDED, strlen(RSP_FORWARDED)))
		return argv[1] + strlen(RSP_FORWARDED);
	return NULL;
}

int rsp_forwarded_decode(int *argc, char ***argv, bool *ret_files)
{
	const char *text = encoded(*argc, *argv, ret_files);
	char **words, *bytes;
	int cnt = 1;
	ssize_t len;

	if (!text)
		return 0;
	len = decode_bytes(text, &bytes);
	if (len < 0)
		return (int)len;
	for (ssize_t i = 0; i < len; i++)
		cnt += !bytes[i];
	words = calloc((size_t)cnt + 1, sizeof(*words));
	if (!words) {
		free(bytes);
		return -ENOMEM;
	}
	words[0] = (*argv)[0];
	for (int i = 1; i < cnt; i++, bytes += strlen(bytes) + 1)
		words[i] = bytes;
	*argc = cnt;
	*argv = words;
	return 1;
}

/* --- files: in the child ---------------------------------------------------------------------- */

static struct {
	int fd; /* pipe for frames; -1: files are saved on this host */
	const char *output, *html;
} files = {.fd = -1};

static int write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int put_frame(int fd, uint32_t channel, const void *bytes, size_t len)
{
	struct rsp_frame_header header = {channel, (uint32_t)len};
	int r = write_all(fd, &header, sizeof(header));

	return r < 0 ? r : write_all(fd, bytes, len);
}

static uint32_t channel_of(const char *path)
{
	if (files.fd < 0)
		return 0;
	if (files.output && !strcmp(path, files.output))
		return RSP_FRAME_FILE_OUTPUT;
	return files.html && !strcmp(path, files.html) ? RSP_FRAME_FILE_HTML : 0;
}

bool rsp_forwarded_takes(const char *path)
{
	return channel_of(path) != 0;
}

int rsp_forwarded_save(int fd, const char *path)
{
	_cleanup_free_ char *buf = malloc(RSP_FRAME_BYTES);
	uint32_t channel = channel_of(path);
	off_t off = 0;
	ssize_t n;
	int r = buf ? 0 : -ENOMEM;

	while (r == 0 && (n = pread(fd, buf, RSP_FRAME_BYTES, off)) != 0) {
		if (n < 0)
			return -errno;
		r = put_frame(files.fd, channel, buf, (size_t)n);
		off += n;
	}
	return r < 0 ? r : put_frame(files.fd, RSP_FRAME_FILE_END, &channel, sizeof(channel));
}

static _Noreturn void run_verb(int (*verb)(const struct rsp_options *opt),
			       const struct rsp_options *opt, int out, int file_pipe)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	files.fd = file_pipe;
	files.output = opt->output;
	files.html = opt->html;
	if (dup2(out, STDOUT_FILENO) < 0)
		_exit(RSP_EXIT_FAILURE);
	close(out);
	exit(verb(opt));
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Returns false at the end of the output and on failure. */
static bool relay_output(int from)
{
	char buf[RSP_FRAME_BYTES];
	ssize_t n = read(from, buf, sizeof(buf));

	if (n < 0 && errno == EINTR)
		return true;
	return n > 0 && put_frame(STDOUT_FILENO, RSP_FRAME_STDOUT, buf, (size_t)n) == 0;
}

static int read_all(int fd, void *bytes, size_t len)
{
	char *p = bytes;

	while (len > 0) {
		ssize_t n = read(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/*
 * Copies one complete frame from the pipe to stdout, so that no frame of the standard output
 * appears within it.
 */
static bool relay_frame(int from)
{
	static char buf[RSP_FRAME_BYTES];
	struct rsp_frame_header header;

	return read_all(from, &header, sizeof(header)) == 0 && header.len <= sizeof(buf) &&
	       read_all(from, buf, header.len) == 0 &&
	       put_frame(STDOUT_FILENO, header.channel, buf, header.len) == 0;
}

static void relay_both(int out, int file_pipe)
{
	struct pollfd p[2] = {{out, POLLIN, 0}, {file_pipe, POLLIN, 0}};

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		if (poll(p, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		for (int i = 0; i < 2; i++) {
			if (p[i].fd < 0 || !p[i].revents)
				continue;
			if (!(i ? relay_frame(p[i].fd) : relay_output(p[i].fd)))
				p[i].fd = -1;
		}
	}
}

int rsp_forwarded_run(int (*verb)(const struct rsp_options *opt), const struct rsp_options *opt)
{
	int out[2], file_pipe[2], status;
	pid_t pid;

	if (pipe(out) < 0 || pipe(file_pipe) < 0)
		return rsp_fail(-errno, "cannot send files: %m");
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return rsp_fail(-errno, "cannot send files: %m");
	if (pid == 0) {
		close(out[0]);
		close(file_pipe[0]);
		run_verb(verb, opt, out[1], file_pipe[1]);
	}
	close(out[1]);
	close(file_pipe[1]);
	relay_both(out[0], file_pipe[0]);
	/* If the child is still writing, closing the pipe ends it with SIGPIPE. */
	close(out[0]);
	close(file_pipe[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return RSP_EXIT_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : RSP_EXIT_FAILURE;
}
