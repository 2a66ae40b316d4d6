/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See opener.h. A process that holds nothing of the recorder's forks one for each file; these
 * answer over the one socket that they all share.
 */
#include "opener.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/child.h"
#include "daemon/clock.h"
#include "daemon/journal.h"
#include "daemon/message.h"
#include "daemon/privileges.h"
#include "lib/base/cleanup.h"
#include "lib/files/copy.h"

/* Files that may hang at a time before no more are opened. */
#define PROCESSES_MAX 16

/* As many as the worker has place for. */
#define QUEUE_MAX 256

/* With a full queue and no answer for so long they hang. */
#define STUCK_NS 1000000000ULL

struct rsp_opener {
	sd_event *event;
	rsp_opener_fn done;
	void *userdata;
	int socket;
	sd_event_source *answers;
	struct rsp_child *child;
	unsigned int process_cnt;
	struct rsp_binary_wanted queue[QUEUE_MAX];
	size_t queue_cnt;
	__u64 moved_ns; /* the last answer, or the first request after all were answered */
	bool stuck;	/* and that has been told */
};

/* --- in a process for one file ---------------------------------------------------------------- */

/* The inode may have changed since the kernel programs looked, and the address be another file's.
 */
static bool is_same(const struct rsp_binary_key *key, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_ino == key->ino && (__u64)st->st_size == key->size &&
	       st->st_mtim.tv_sec == key->mtime_s && st->st_mtim.tv_nsec == key->mtime_ns;
}

static int open_mapped(struct rsp_opened *opened)
{
	const struct rsp_binary_wanted *wanted = &opened->wanted;
	_cleanup_close_ int fd = -1;
	char link[96];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/map_files/%llx-%llx", wanted->tgid, wanted->start,
		 wanted->end);
	len = readlink(link, opened->path, sizeof(opened->path) - 1);
	if (len < 0)
		return -errno;
	opened->path[len] = '\0';
	fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &opened->st) < 0)
		return -errno;
	return is_same(&wanted->key, &opened->st) ? rsp_file_detach(rsp_take_fd(&fd)) : -ESTALE;
}

static void answer(int socket, struct rsp_opened *opened)
{
	int fd = open_mapped(opened);

	opened->error = fd < 0 ? fd : 0;
	rsp_message_send(socket, opened, sizeof(*opened), &fd, fd >= 0, 0);
}

/* --- in the process that forks those ---------------------------------------------------------- */

static void fork_for(int socket, struct rsp_opened *opened)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		answer(socket, opened);
		_exit(EXIT_SUCCESS);
	}
	if (pid < 0) {
		opened->error = -errno;
		rsp_message_send(socket, opened, sizeof(*opened), NULL, 0, 0);
	}
}

static _Noreturn void serve(int socket, pid_t parent)
{
	struct rsp_opened opened = {0};
	int fds[RSP_MESSAGE_FD_MAX];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it was faster */
		_exit(EXIT_FAILURE);
	if (rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-opener");
	signal(SIGCHLD, SIG_IGN); /* none needs to be waited for */
	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	while (rsp_message_receive(STDIN_FILENO, &opened.wanted, sizeof(opened.wanted), fds) == 0)
		fork_for(STDIN_FILENO, &opened);
	_exit(EXIT_SUCCESS);
}

/* --- in the recorder -------------------------------------------------------------------------- */

static int send_request(struct rsp_opener *o, const struct rsp_binary_wanted *wanted)
{
	int r = rsp_message_send(o->socket, wanted, sizeof(*wanted), NULL, 0, MSG_DONTWAIT);

	if (r < 0)
		return r;
	if (!o->process_cnt++)
		o->moved_ns = rsp_now_ns();
	return 0;
}

static void send_next(struct rsp_opener *o)
{
	while (o->queue_cnt && o->process_cnt < PROCESSES_MAX && send_request(o, &o->queue[0]) == 0)
		memmove(&o->queue[0], &o->queue[1], --o->queue_cnt * sizeof(o->queue[0]));
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	int fds[RSP_MESSAGE_FD_MAX] = {-1};
	struct rsp_opener *o = userdata;
	struct rsp_opened opened;
	int r = rsp_message_receive(fd, &opened, sizeof(opened), fds);

	if (r == -EPIPE) /* the end of the process will be heard of */
		return sd_event_source_set_enabled(source, SD_EVENT_OFF);
	o->process_cnt--;
	o->moved_ns = rsp_now_ns();
	o->stuck = false;
	if (r == 0)
		o->done(&opened, fds[0], o->userdata);
	send_next(o);
	return 0;
}

static void on_end(const siginfo_t *info, void *userdata)
{
	struct rsp_opener *o = userdata;

	rsp_log(LOG_ERR, "the process that opens binaries has died");
	sd_event_exit(o->event, -EIO);
}

void rsp_opener_set_receiver(struct rsp_opener *o, rsp_opener_fn done, void *userdata)
{
	o->done = done;
	o->userdata = userdata;
}

static bool is_stuck(struct rsp_opener *o)
{
	if (!o->stuck && rsp_now_ns() - o->moved_ns > STUCK_NS) {
		o->stuck = true;
		rsp_log(LOG_WARNING,
			"binaries cannot be opened, a file system does not answer: stacks of "
			"programs that begin now are not whole");
	}
	return o->stuck;
}

int rsp_opener_submit(struct rsp_opener *o, const struct rsp_binary_wanted *wanted)
{
	if (o->queue_cnt == QUEUE_MAX)
		return is_stuck(o) ? -ETIME : -EBUSY;
	o->queue[o->queue_cnt++] = *wanted;
	send_next(o);
	return 0;
}

/* --- life ------------------------------------------------------------------------------------- */

static int start(struct rsp_opener *o)
{
	pid_t parent = getpid(), pid;
	int fds[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		serve(fds[1], parent);
	r = pid < 0 ? -errno : 0;
	close(fds[1]);
	o->socket = fds[0];
	if (r == 0)
		r = rsp_child_watch(o->event, pid, on_end, o, &o->child);
	if (r == 0)
		r = sd_event_add_io(o->event, &o->answers, o->socket, EPOLLIN, on_answer, o);
	return r < 0 ? r : 0;
}

int rsp_opener_new(sd_event *event, struct rsp_opener **ret)
{
	struct rsp_opener *o = calloc(1, sizeof(*o));
	int r;

	if (!o)
		return -ENOMEM;
	o->event = event;
	o->socket = -1;
	r = start(o);
	if (r < 0)
		rsp_opener_free(o);
	else
		*ret = o;
	return r;
}

struct rsp_opener *rsp_opener_free(struct rsp_opener *o)
{
	if (!o)
		return NULL;
	rsp_child_let_go(o->child);
	sd_event_source_disable_unref(o->answers);
	if (o->socket >= 0)
		close(o->socket);
	free(o);
	return NULL;
}
