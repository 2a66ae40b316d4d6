/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See dump.h. The child answers with one message and, on success, a descriptor: the snapshot, or a
 * pipe for it.
 */
#include "daemon/snapshots/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/cgroups.h"
#include "daemon/base/child.h"
#include "daemon/base/clock.h"
#include "daemon/base/message.h"
#include "daemon/base/privileges.h"
#include "daemon/snapshots/analysis.h"
#include "daemon/snapshots/freeze.h"
#include "daemon/snapshots/image.h"
#include "lib/base/cleanup.h"

/* The largest snapshots, of programs with many libraries, take seconds. */
#define PATIENCE_S 120

/*
 * If a child waits for a file system that never answers, it cannot even be killed, and rspd
 * abandons it.
 */
#define LIFE_US (300 * 1000000ULL)

/* Time limit for handing over the result. The child ends by itself earlier. */
#define HANDOVER_US ((RSP_HANDOVER_S + 10) * 1000000ULL)

struct rsp_dump {
	/* NULL: done was called, and the child is still handing over the result */
	rsp_dump_fn done;
	void *userdata;
	void (*ended)(void *userdata);
	void *ended_userdata;
	bool hands_over;
	int socket;
	sd_event_source *answer, *timer;
	struct rsp_child *child;
};

struct answer {
	int error;
	struct rsp_dump_result result; /* the descriptor in result.fd is sent with the message */
};

/* --- in the child ----------------------------------------------------------------------------- */

/*
 * If the worker fails, the snapshot has no names, which rspctl can add later; a snapshot that must
 * be redacted is then not returned.
 */
static int analyse(const struct rsp_binaries *binaries, const struct rsp_dump_request *req,
		   const struct rsp_meta *meta, int naming, struct rsp_dump_result *result)
{
	struct rsp_analysis_request request = {
		.snapshot = result->fd,
		.naming = naming,
		.binaries = binaries,
		.redact = req->own_only,
		.uid = req->uid,
		.choose = !meta->target_pid,
		.headline = req->store || !req->no_headline,
		.patience_s = PATIENCE_S,
		.broker_places = req->broker_places,
	};
	struct rsp_analysis analysis = {.fd = -1};
	int r = rsp_analyse(&request, &analysis);

	if (r < 0) {
		result->analysis_error = r;
		return req->own_only ? r : 0;
	}
	close(result->fd);
	result->fd = analysis.fd;
	result->size = analysis.size;
	result->left_out_cnt = analysis.left_out_cnt;
	memcpy(result->headline, analysis.headline, sizeof(result->headline));
	return 0;
}

static void store(const struct rsp_dump_request *req, const struct rsp_meta *meta,
		  struct rsp_dump_result *result)
{
	struct rsp_store_put put = req->put;
	_cleanup_free_ char *path = NULL;

	put.id = meta->id;
	put.fd = result->fd;
	put.size = result->size;
	result->store_error = rsp_store_put(&put, &path, &result->deleted_cnt);
	if (result->store_error == 0 && strlen(path) < sizeof(result->path))
		strcpy(result->path, path);
}

/*
 * If the cgroup is gone, the list contains only its own ID, since records in the window may contain
 * it.
 */
static int list_cgroups(struct rsp_wanted *wanted)
{
	__u64 *v;

	if (!wanted->cgroup)
		return 0;
	if (rsp_cgroups_list(wanted->cgroup, &wanted->cgroup_ids, &wanted->cgroup_cnt) < 0)
		wanted->cgroup_cnt = 0;
	v = realloc(wanted->cgroup_ids, (wanted->cgroup_cnt + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	v[wanted->cgroup_cnt++] = wanted->cgroup_id;
	wanted->cgroup_ids = v;
	return 0;
}

static int make(struct rsp_window *win, const struct rsp_binaries *binaries,
		struct rsp_dump_request *req, struct rsp_dump_result *result)
{
	_cleanup_close_ int naming = memfd_create("rsp-naming", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct rsp_meta meta;
	int r = list_cgroups(&req->wanted);

	if (r < 0)
		return r;
	result->fd = memfd_create("rsp-snapshot", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (result->fd < 0 || naming < 0)
		return -errno;
	r = rsp_freeze(win, binaries, req, result->fd, naming, &meta, result->candidates);
	/* After this, the recorder can write to its window without page copies by the kernel. */
	rsp_window_free(win);
	if (r == 0)
		r = rsp_image_seal(naming, &result->size);
	if (r == 0)
		r = rsp_image_seal(result->fd, &result->size);
	if (r < 0)
		return r;
	result->target_pid = meta.target_pid;
	r = analyse(binaries, req, &meta, naming, result);
	if (r == 0 && req->store)
		store(req, &meta, result);
	return r;
}

#define LOOK_MS 50

static bool write_in_time(int memfd, int pipe_fd, size_t size, __u64 until_ns)
{
	struct pollfd p = {.fd = pipe_fd, .events = POLLOUT};
	off_t off = 0;

	while ((size_t)off < size) {
		__u64 now_ns = rsp_now_ns();

		if (now_ns >= until_ns ||
		    poll(&p, 1, (int)((until_ns - now_ns) / 1000000) + 1) <= 0)
			return false;
		if (sendfile(pipe_fd, memfd, &off, size - (size_t)off) < 0 && errno != EAGAIN)
			return false;
	}
	return true;
}

/* poll() reports only that the client has closed the pipe, not that the pipe is empty. */
static void await_reader(int pipe_fd, __u64 until_ns)
{
	struct pollfd p = {.fd = pipe_fd};
	int unread = 0;

	while (rsp_now_ns() < until_ns && ioctl(pipe_fd, FIONREAD, &unread) == 0 && unread > 0 &&
	       poll(&p, 1, LOOK_MS) == 0)
		;
}

/*
 * The kernel charges bytes in the pipe to the recorder until the client reads them or closes the
 * pipe.
 */
static void take_back(int pipe_fd)
{
	_cleanup_close_ int reader = -1;
	char path[32], bytes[4096];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", pipe_fd);
	reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	while (reader >= 0 && read(reader, bytes, sizeof(bytes)) > 0)
		;
}

static void hand_over(int memfd, int pipe_fd, size_t size)
{
	__u64 until_ns = rsp_now_ns() + RSP_HANDOVER_S * 1000000000ULL;

	if (write_in_time(memfd, pipe_fd, size, until_ns))
		await_reader(pipe_fd, until_ns);
	take_back(pipe_fd);
}

static void answer_by_pipe(int socket, struct answer *answer)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0 || fcntl(fds[1], F_SETFL, O_NONBLOCK) < 0) {
		answer->error = -errno;
		(void)rsp_message_send(socket, answer, sizeof(*answer), NULL, 0, 0);
		return;
	}
	if (rsp_message_send(socket, answer, sizeof(*answer), &fds[0], 1, 0) < 0)
		return;
	/*
	 * Close inherited descriptors. While these are open in this process, processes at their
	 * other ends do not notice that rspd or the client has closed them.
	 */
	if (dup2(answer->result.fd, STDIN_FILENO) >= 0 && dup2(fds[1], STDOUT_FILENO) >= 0 &&
	    close_range(STDERR_FILENO + 1, ~0U, 0) == 0)
		hand_over(STDIN_FILENO, STDOUT_FILENO, answer->result.size);
}

/* Does not free everything, since the process ends here. */
static _Noreturn void child(struct rsp_window *win, const struct rsp_binaries *binaries,
			    const struct rsp_dump_request *req, int socket, pid_t parent)
{
	struct answer answer = {.result.fd = -1};
	struct rsp_dump_request own = *req;

	rsp_image_begin(parent, RSP_PRIVILEGES_RECORD, "rspd-dump");
	answer.error = make(win, binaries, &own, &answer.result);
	if (answer.error == 0 && req->own_only)
		answer_by_pipe(socket, &answer);
	else
		(void)rsp_message_send(socket, &answer, sizeof(answer), &answer.result.fd,
				       answer.error == 0, 0);
	_exit(EXIT_SUCCESS);
}

/* --- in the recorder -------------------------------------------------------------------------- */

static void dump_free(struct rsp_dump *dump)
{
	rsp_child_abandon(dump->child);
	sd_event_source_disable_unref(dump->answer);
	sd_event_source_disable_unref(dump->timer);
	if (dump->socket >= 0)
		close(dump->socket);
	if (dump->ended)
		dump->ended(dump->ended_userdata);
	free(dump);
}

static int error_of_exit(const siginfo_t *info)
{
	if (info->si_code == CLD_EXITED)
		return -EIO;
	switch (info->si_status) {
	case SIGKILL: /* by the OOM killer, which kills this process first */
		return -ENOMEM;
	case SIGALRM: /* see rsp_analyse() */
		return -ETIMEDOUT;
	default:
		return -EIO;
	}
}

static int receive_answer(const struct rsp_dump *dump, struct answer *ret)
{
	int fds[RSP_MESSAGE_FD_MAX];
	int r = rsp_message_receive(dump->socket, ret, sizeof(*ret), fds);

	if (r < 0)
		return r;
	for (size_t i = 1; i < RSP_MESSAGE_FD_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	ret->result.fd = fds[0];
	return 0;
}

static int begin_handover(struct rsp_dump *dump)
{
	int r = sd_event_source_set_enabled(dump->answer, SD_EVENT_OFF);

	if (r >= 0)
		r = sd_event_source_set_time_relative(dump->timer, HANDOVER_US);
	dump->done = NULL;
	return r;
}

static void finish(struct rsp_dump *dump, int error, const struct answer *answer, bool child_ended)
{
	rsp_dump_fn done = dump->done;
	void *userdata = dump->userdata;

	if (child_ended || error < 0 || !dump->hands_over || begin_handover(dump) < 0)
		dump_free(dump);
	done(error, error == 0 || error == -ENOTUNIQ ? &answer->result : NULL, userdata);
	if (answer->result.fd >= 0)
		close(answer->result.fd);
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct rsp_dump *dump = userdata;
	struct answer answer = {.result.fd = -1};
	int r = receive_answer(dump, &answer);

	if (r == 0)
		finish(dump, answer.error, &answer, false);
	else /* the child has died; on_end() will report the reason */
		(void)sd_event_source_set_enabled(source, SD_EVENT_OFF);
	return 0;
}

static void on_end(const siginfo_t *info, void *userdata)
{
	struct rsp_dump *dump = userdata;
	struct answer answer = {.result.fd = -1};
	int r;

	if (!dump->done) {
		dump_free(dump);
		return;
	}
	/* The child's answer may still be in the socket. */
	r = receive_answer(dump, &answer);
	finish(dump, r == 0 ? answer.error : error_of_exit(info), &answer, true);
}

static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	struct rsp_dump *dump = userdata;
	struct answer none = {.result.fd = -1};

	if (dump->done)
		finish(dump, -ETIMEDOUT, &none, false);
	else
		dump_free(dump);
	return 0;
}

static int watch(struct rsp_dump *dump, sd_event *event, pid_t pid)
{
	int r = rsp_child_watch(event, pid, on_end, dump, &dump->child);

	if (r == 0)
		r = sd_event_add_time_relative(event, &dump->timer, CLOCK_MONOTONIC, LIFE_US, 0,
					       on_timer, dump);
	if (r == 0)
		r = sd_event_add_io(event, &dump->answer, dump->socket, EPOLLIN, on_answer, dump);
	return r < 0 ? r : 0;
}

int rsp_dump_start(sd_event *event, struct rsp_window *win, const struct rsp_binaries *binaries,
		   const struct rsp_dump_request *req, rsp_dump_fn done, void *userdata,
		   void (*ended)(void *userdata), void *ended_userdata, struct rsp_dump **ret)
{
	struct rsp_dump *dump = calloc(1, sizeof(*dump));
	pid_t parent = getpid(), pid;
	int fds[2], r;

	if (!dump)
		return -ENOMEM;
	*dump = (struct rsp_dump){
		.done = done, .userdata = userdata, .hands_over = req->own_only, .socket = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) < 0) {
		r = -errno;
		dump_free(dump);
		return r;
	}
	dump->socket = fds[0];
	pid = fork();
	if (pid == 0)
		child(win, binaries, req, fds[1], parent);
	r = pid < 0 ? -errno : 0;
	close(fds[1]);
	if (r == 0)
		r = watch(dump, event, pid);
	if (r < 0) {
		dump_free(dump);
		return r;
	}
	dump->ended = ended;
	dump->ended_userdata = ended_userdata;
	*ret = dump;
	return 0;
}

void rsp_dump_cancel(struct rsp_dump *dump)
{
	dump_free(dump);
}

const char *rsp_dump_error_text(int error)
{
	switch (error) {
	case -EIO:
		return "the process that made it died";
	case -ENOMEM:
		return "out of memory";
	case -ETIMEDOUT:
		return "it took too long";
	case -ESRCH:
		return "no such process was seen in that time";
	case -ESTALE:
		return "the window no longer contains that time: increase WindowSize=";
	default:
		return strerror(-error);
	}
}
