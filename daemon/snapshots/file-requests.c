/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See file-requests.h. */
#include "daemon/snapshots/file-requests.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/message.h"
#include "daemon/base/places.h"
#include "daemon/base/privileges.h"
#include "daemon/capture/binaries.h"
#include "lib/base/cleanup.h"

/* Time limit for one file: overloaded disks take tenths of a second. */
#define FILE_NS 5000000000ULL

/*
 * The broker moves its own descriptors to this number and above. The descriptor places is then
 * higher than those of the files that the broker opens, as rsp_places_take() requires.
 */
#define OWN_FDS 1000

struct request {
	__u32 number;
	struct rsp_file_request file;
};

struct answer {
	__u32 number;
	int error;
};

/* --- in the broker's process ------------------------------------------------------------------ */

struct desk {
	const struct rsp_broker *broker;
	int socket, inlet, places;
	int place; /* number of its place, or -errno */
};

/*
 * Takes a place, and closes inherited descriptors: while these are open in this process, processes
 * at their other ends do not notice that rspd has closed them.
 */
static int move_in(struct desk *d)
{
	int *const own[] = {&d->socket, &d->inlet, &d->places};
	int last = OWN_FDS;

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (*own[i] < 0)
			continue;
		*own[i] = last = fcntl(*own[i], F_DUPFD_CLOEXEC, OWN_FDS);
		if (last < 0)
			return -errno;
	}
	if (close_range(STDERR_FILENO + 1, OWN_FDS - 1, 0) < 0 ||
	    close_range((unsigned int)last + 1, RSP_KEPT_FD_MIN - 1, 0) < 0)
		return -errno;
	d->place = d->places < 0 ? 0 : rsp_places_take(d->places);
	return 0;
}

/* Closes the file before the answer is sent: if closing hangs, there must be no answer. */
static int grant(const struct desk *d, const struct request *request)
{
	_cleanup_close_ int fd = -1;

	if (d->place < 0)
		return d->place;
	if (d->places >= 0 &&
	    !rsp_places_use(d->places, d->place, rsp_broker_owner(d->broker, &request->file)))
		return -EBUSY;
	fd = rsp_broker_open(d->broker, &request->file);
	if (fd < 0)
		return rsp_take_fd(&fd);
	return rsp_message_send(d->inlet, &request->number, sizeof(request->number), &fd, 1, 0);
}

static _Noreturn void serve(struct desk d)
{
	int fds[RSP_MESSAGE_FD_MAX];
	struct request request;
	struct answer answer;
	int r = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-broker");
	if (move_in(&d) < 0)
		_exit(EXIT_FAILURE);
	while (r == 0 && rsp_message_receive(d.socket, &request, sizeof(request), fds) == 0) {
		answer = (struct answer){request.number, grant(&d, &request)};
		r = rsp_message_send(d.socket, &answer, sizeof(answer), NULL, 0, 0);
	}
	_exit(EXIT_SUCCESS);
}

/* --- in the process of the snapshot ----------------------------------------------------------- */

static int start(struct rsp_file_requests *w)
{
	int fds[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	w->pid = fork();
	if (w->pid == 0)
		serve((struct desk){w->broker, fds[1], w->inlet, w->places, 0});
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

static int ask(const struct rsp_file_requests *w, const struct request *request, __u64 until_ns)
{
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct answer answer;

	r = rsp_message_send(w->socket, request, sizeof(*request), NULL, 0, MSG_DONTWAIT);
	if (r == 0)
		r = rsp_message_await(w->socket, until_ns);
	if (r == 0)
		r = rsp_message_receive(w->socket, &answer, sizeof(answer), fds);
	return r < 0 ? r : answer.error;
}

/*
 * If too many brokers hang, no user gets more files. If a file of a user other than root hung,
 * other files of this user would probably hang as well.
 */
static bool is_given_up(const struct rsp_file_requests *w, uid_t uid)
{
	for (unsigned int i = 0; i < w->hung_cnt; i++)
		if (w->hung_uids[i] == uid && uid != 0)
			return true;
	return w->hung_cnt == RSP_FILE_REQUESTS_HUNG_MAX;
}

static int grant_in_time(struct rsp_file_requests *w, const struct rsp_file_request *file,
			 __u64 until_ns)
{
	const struct request request = {++w->number, *file};
	uid_t uid = rsp_broker_owner(w->broker, file);
	__u64 now_ns = rsp_now_ns();
	int r;

	if (now_ns >= until_ns || is_given_up(w, uid))
		return -ETIME;
	r = w->pid ? 0 : start(w);
	if (r < 0)
		return r;
	r = ask(w, &request, until_ns - now_ns < FILE_NS ? until_ns : now_ns + FILE_NS);
	if (r == -ETIME || r == -EPIPE)
		rsp_file_requests_done(w);
	if (r == -ETIME && w->hung_cnt < RSP_FILE_REQUESTS_HUNG_MAX)
		w->hung_uids[w->hung_cnt++] = uid;
	return r;
}

int rsp_file_requests_grant(struct rsp_file_requests *w, const struct rsp_file_request *file,
			    __u64 until_ns, __u32 *ret_number)
{
	int r = grant_in_time(w, file, until_ns);

	w->left_out_cnt += r == -ETIME || r == -EBUSY;
	if (r == 0)
		*ret_number = w->number;
	return r;
}

/* Kills the broker, but does not wait for its end, because it may hang forever. */
void rsp_file_requests_done(struct rsp_file_requests *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, WNOHANG);
	close(w->socket);
	w->pid = 0;
}
