/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See opener.h. A process without rspd's descriptors forks one process per file. On a user's file
 * system any call on a file may hang, so each process checks the identity of the file before it
 * opens the file.
 */
#include "daemon/capture/opener.h"

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
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/journal.h"
#include "daemon/base/message.h"
#include "daemon/base/privileges.h"
#include "lib/base/cleanup.h"
#include "lib/files/regular.h"

struct rsp_opener {
	sd_event *event;
	rsp_opener_fn done;
	void *userdata;
	int socket;
	sd_event_source *answers;
	struct rsp_child *child;
};

struct request {
	__u32 number;
	__u32 keep;
	struct rsp_binary_wanted wanted;
};

/* --- in a process for one file ---------------------------------------------------------------- */

/*
 * The address may belong to another file now, even to a file with the same attributes on another
 * file system, so the mount is compared, too.
 */
static bool is_same(const struct rsp_binary_wanted *wanted, const struct statx *st)
{
	const struct rsp_binary_key *key = &wanted->key;

	return st->stx_mask & STATX_MNT_ID && st->stx_mnt_id == wanted->origin.mnt_id &&
	       st->stx_ino == key->ino && st->stx_size == key->size &&
	       st->stx_mtime.tv_sec == key->mtime_s && st->stx_mtime.tv_nsec == key->mtime_ns;
}

/* Reads the attributes that the kernel has cached, without a request to a file server. */
static int look_at(int path_fd, struct statx *ret)
{
	if (statx(path_fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID,
		  ret) < 0)
		return -errno;
	return 0;
}

static int read_link(const char *link, char ret[static PATH_MAX])
{
	ssize_t len = readlink(link, ret, PATH_MAX - 1);

	if (len < 0)
		return -errno;
	ret[len] = '\0';
	return 0;
}

static int open_mapped(const struct rsp_binary_wanted *wanted, struct rsp_opened *opened)
{
	_cleanup_close_ int path_fd = -1;
	struct statx st;
	char link[96];
	int r;

	snprintf(link, sizeof(link), "/proc/%u/map_files/%llx-%llx", wanted->tgid, wanted->start,
		 wanted->end);
	r = read_link(link, opened->path);
	if (r < 0)
		return r;
	path_fd = open(link, O_PATH | O_CLOEXEC);
	if (path_fd < 0)
		return -errno;
	r = look_at(path_fd, &st);
	if (r < 0)
		return r;
	if (!is_same(wanted, &st))
		return -ESTALE;
	opened->ino = st.stx_ino;
	opened->dev = st.stx_dev_major << 20 | st.stx_dev_minor;
	opened->mode = st.stx_mode;
	opened->uid = st.stx_uid;
	return rsp_regular_reopen(path_fd);
}

/*
 * The file is closed before the answer is sent, unless the request asks to keep it: if closing
 * hangs, there must be no answer.
 */
static int open_and_send(const struct request *request, int inlet, struct rsp_opened *opened)
{
	_cleanup_close_ int fd = open_mapped(&request->wanted, opened);
	int r;

	if (fd < 0)
		return rsp_take_fd(&fd);
	r = rsp_message_send(inlet, &request->number, sizeof(request->number), &fd, 1, 0);
	if (r == 0 && request->keep)
		opened->fd = rsp_take_fd(&fd);
	return r;
}

static void answer(int socket, const struct rsp_opened *opened)
{
	(void)rsp_message_send(socket, opened, sizeof(*opened), &opened->fd, opened->fd >= 0, 0);
}

/* --- in the opener process -------------------------------------------------------------------- */

static void fork_for(int socket, const struct request *request, int inlet)
{
	struct rsp_opened opened = {.number = request->number, .fd = -1};
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		opened.error = open_and_send(request, inlet, &opened);
		answer(socket, &opened);
		_exit(EXIT_SUCCESS);
	}
	if (pid < 0) {
		opened.error = -errno;
		answer(socket, &opened);
	}
}

static _Noreturn void serve(int socket, pid_t parent)
{
	struct request request;
	int fds[RSP_MESSAGE_FD_MAX];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* the parent ended before the prctl() */
		_exit(EXIT_FAILURE);
	if (rsp_privileges_keep(RSP_PRIVILEGES_OPEN) < 0)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "rspd-opener");
	signal(SIGCHLD, SIG_IGN); /* the kernel reaps all children */
	if (dup2(socket, STDIN_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		_exit(EXIT_FAILURE);
	while (rsp_message_receive(STDIN_FILENO, &request, sizeof(request), fds) == 0) {
		fork_for(STDIN_FILENO, &request, fds[0]);
		rsp_cleanup_close(&fds[0]);
	}
	_exit(EXIT_SUCCESS);
}

/* --- in the recorder -------------------------------------------------------------------------- */

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct rsp_opener *o = userdata;
	int fds[RSP_MESSAGE_FD_MAX];
	struct rsp_opened opened;
	int r = rsp_message_receive(fd, &opened, sizeof(opened), fds);

	if (r == -EPIPE) /* on_end() will be called when the process has ended */
		return sd_event_source_set_enabled(source, SD_EVENT_OFF);
	if (r < 0)
		return 0;
	opened.fd = fds[0];
	o->done(&opened, o->userdata);
	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		rsp_cleanup_close(&fds[i]);
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

int rsp_opener_submit(struct rsp_opener *o, __u32 number, const struct rsp_binary_wanted *wanted,
		      int inlet, bool keep)
{
	const struct request request = {.number = number, .keep = keep, .wanted = *wanted};

	return rsp_message_send(o->socket, &request, sizeof(request), &inlet, 1, MSG_DONTWAIT);
}

/* --- start and end ---------------------------------------------------------------------------- */

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
	rsp_child_abandon(o->child);
	sd_event_source_disable_unref(o->answers);
	if (o->socket >= 0)
		close(o->socket);
	free(o);
	return NULL;
}
