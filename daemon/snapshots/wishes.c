/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See wishes.h. */
#include "wishes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/clock.h"
#include "daemon/message.h"
#include "daemon/privileges.h"
#include "lib/files/copy.h"

/* For one file: disks that are overloaded take tenths of a second. */
#define FILE_NS 5000000000ULL

struct answer {
	int error;
};

/* --- in the process -----------------------------------------------------------------------------
 */

static _Noreturn void serve(const struct rsp_broker *broker, int socket)
{
	struct rsp_file_wish wish;
	int fds[RSP_MESSAGE_FD_MAX];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-broker");
	/* Nobody is to wait for what it inherited. */
	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	while (rsp_message_receive(STDIN_FILENO, &wish, sizeof(wish), fds) == 0) {
		int fd = rsp_broker_open(broker, &wish);
		struct answer answer;

		if (fd >= 0)
			fd = rsp_file_detach(fd);
		answer.error = fd < 0 ? fd : 0;
		if (rsp_message_send(STDIN_FILENO, &answer, sizeof(answer), &fd, fd >= 0, 0) < 0)
			break;
		if (fd >= 0)
			close(fd);
	}
	_exit(EXIT_SUCCESS);
}

/* --- beside it ----------------------------------------------------------------------------------
 */

static int start(struct rsp_wishes *w)
{
	int fds[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	w->pid = fork();
	if (w->pid == 0)
		serve(w->broker, fds[1]);
	r = w->pid < 0 ? -errno : 0;
	close(fds[1]);
	if (r < 0) {
		close(fds[0]);
		w->pid = 0;
	} else {
		w->socket = fds[0];
	}
	return r;
}

static int ask(const struct rsp_wishes *w, const struct rsp_file_wish *wish, __u64 until_ns)
{
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct answer answer;

	r = rsp_message_send(w->socket, wish, sizeof(*wish), NULL, 0, MSG_DONTWAIT);
	if (r == 0)
		r = rsp_message_await(w->socket, until_ns);
	if (r == 0)
		r = rsp_message_receive(w->socket, &answer, sizeof(answer), fds);
	if (r < 0)
		return r;
	return fds[0] >= 0 ? fds[0] : answer.error;
}

int rsp_wishes_open(struct rsp_wishes *w, const struct rsp_file_wish *wish, __u64 until_ns)
{
	__u64 now_ns = rsp_now_ns();
	int r;

	if (now_ns >= until_ns)
		return -ETIME;
	r = w->pid ? 0 : start(w);
	if (r < 0)
		return r;
	r = ask(w, wish, until_ns - now_ns < FILE_NS ? until_ns : now_ns + FILE_NS);
	if (r == -ETIME || r == -EPIPE)
		rsp_wishes_done(w);
	return r;
}

/* It is not waited for: that may be for ever. Whoever reaps us reaps it. */
void rsp_wishes_done(struct rsp_wishes *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, WNOHANG);
	close(w->socket);
	w->pid = 0;
}
