/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See command.h. */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/text.h"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void our_signals(sigset_t *ret)
{
	sigemptyset(ret);
	sigaddset(ret, SIGINT);
	sigaddset(ret, SIGTERM);
	sigaddset(ret, SIGCHLD);
}

/* If the pipe ends without a byte, the parent has died or abandoned the command. */
static _Noreturn void become(char *const argv[], int go_fd, int errno_fd, bool stdout_to_stderr,
			     const sigset_t *mask)
{
	int error;
	char go;

	sigprocmask(SIG_SETMASK, mask, NULL);
	if (stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (read(go_fd, &go, 1) == 1) {
		execvp(argv[0], argv);
		error = errno;
		if (write(errno_fd, &error, sizeof(error)) < 0)
			_exit(126);
	}
	_exit(127);
}

/*
 * Gives the child the command's name. Otherwise, reports would attribute the time between fork and
 * exec to rspctl.
 */
static pid_t fork_named(const char *name)
{
	char ours[16] = "";
	pid_t pid;

	prctl(PR_GET_NAME, ours);
	prctl(PR_SET_NAME, name);
	pid = fork();
	if (pid != 0)
		prctl(PR_SET_NAME, ours);
	return pid;
}

int rsp_command_fork(char *const argv[], bool stdout_to_stderr, struct rsp_command *ret)
{
	int go[2] = {-1, -1}, err[2] = {-1, -1}, r;
	sigset_t ours, old_mask;
	pid_t pid = -1;

	/*
	 * If the parent of rspctl ignores SIGCHLD, rspctl inherits this, and waitpid() finds no
	 * child.
	 */
	signal(SIGCHLD, SIG_DFL);
	our_signals(&ours);
	sigprocmask(SIG_BLOCK, &ours, &old_mask);
	if (pipe2(go, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0)
		pid = fork_named(basename(argv[0]));
	r = -errno;
	if (pid == 0) {
		close(go[1]);
		become(argv, go[0], err[1], stdout_to_stderr, &old_mask);
	}
	rsp_cleanup_close(&go[0]);
	rsp_cleanup_close(&err[1]);
	if (pid < 0) {
		rsp_cleanup_close(&go[1]);
		rsp_cleanup_close(&err[0]);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
		return r;
	}
	*ret = (struct rsp_command){
		.pid = pid, .go_fd = go[1], .errno_fd = err[0], .old_mask = old_mask};
	return 0;
}

int rsp_command_release(struct rsp_command *c, uint64_t *ret_since_ns)
{
	uint64_t since_ns = now_ns();
	sighandler_t old;
	int error = 0;
	ssize_t n;

	/*
	 * If the child is dead, write() raises SIGPIPE, which must not end rspctl:
	 * rsp_command_wait() reports the death later.
	 */
	old = signal(SIGPIPE, SIG_IGN);
	n = write(c->go_fd, "", 1);
	signal(SIGPIPE, old);
	close(c->go_fd);
	if (n == 1)
		n = read(c->errno_fd, &error, sizeof(error));
	close(c->errno_fd);
	if (n == sizeof(error)) {
		waitpid(c->pid, NULL, 0);
		sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
		return -error;
	}
	*ret_since_ns = since_ns;
	return 0;
}

void rsp_command_abandon(struct rsp_command *c)
{
	close(c->go_fd);
	close(c->errno_fd);
	waitpid(c->pid, NULL, 0);
	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
}

void rsp_command_wait(struct rsp_command *c, int *ret_status, uint64_t *ret_until_ns)
{
	siginfo_t info;
	sigset_t ours;
	int status;

	our_signals(&ours);
	while (waitpid(c->pid, &status, WNOHANG) == 0) {
		int sig = sigwaitinfo(&ours, &info);

		/*
		 * The command needs no copy of a Ctrl-C (SI_KERNEL): the terminal sends this signal
		 * to all processes of its foreground group.
		 */
		if ((sig == SIGINT || sig == SIGTERM) && info.si_code != SI_KERNEL)
			kill(c->pid, sig);
	}
	*ret_until_ns = now_ns();
	*ret_status = status;
	sigprocmask(SIG_SETMASK, &c->old_mask, NULL);
}

/* --- the command as a line of text ------------------------------------------------------------ */

struct line {
	char *buf;
	size_t len, used; /* used also counts bytes beyond len */
};

static void put(struct line *line, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++, line->used++)
		if (line->used + 1 < line->len)
			line->buf[line->used] = s[i];
}

static void put_word(struct line *line, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789%+,-./:=@_";

	if (*word && !word[strspn(word, plain)]) {
		put(line, word, strlen(word));
		return;
	}
	put(line, "'", 1);
	for (; *word; word++)
		put(line, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
	put(line, "'", 1);
}

void rsp_command_line(char *const argv[], char *buf, size_t len)
{
	static const char cut[] = "…";
	struct line line = {.buf = buf, .len = len};

	for (size_t i = 0; argv[i]; i++) {
		put(&line, " ", i > 0);
		put_word(&line, argv[i]);
	}
	if (line.used < len)
		buf[line.used] = '\0';
	else
		memcpy(buf + len - sizeof(cut), cut, sizeof(cut));
	rsp_text_clean(buf);
}
