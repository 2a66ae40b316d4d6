/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See worker.h. One request is under way at a time, so that a death has one cause. All that can
 * fail happens in the event loop, when the timer asks for the next step.
 */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/unwind/table.h"
#include "worker-protocol.h"

#define MS 1000UL /* in µs, which sd-event counts */

/*
 * For one file, of anything: the worker bounds its CPU time itself, and much less. This is for one
 * that does not, or that waits for a file server which does not answer.
 */
#define PATIENCE_US (30000 * MS)

/* A process costs some milliseconds to start, and half a megabyte while it is there. */
#define IDLE_US (30000 * MS)

/* After a crash, doubled by each that follows until one file went well. */
#define REST_MIN_US (100 * MS)
#define REST_MAX_US (60000 * MS)

/* Of these each takes as long as dozens of others, which do not wait for them. */
#define LARGE_BYTES (16L << 20)

enum state {
	ABSENT,	 /* no process, nothing to do */
	RESTING, /* no process until the timer says so */
	IDLE,	 /* a process; with something in the queue: about to begin */
	BUSY,	 /* with the first of the queue */
};

struct request {
	uint32_t number;
	int fd;
	off_t bytes;
};

struct rsp_worker {
	sd_event *event;
	rsp_worker_fn done;
	void *userdata;
	enum state state;
	struct request queue[RSP_WORKER_QUEUE_MAX]; /* first the one under way */
	size_t cnt;
	sd_event_source *timer;
	uint64_t rest_us;	/* of the last crash; 0: none lately */
	uint64_t not_before_us; /* when the rest is over */
	/* Of the process, if there is one: */
	int socket;
	sd_event_source *replies, *child;
	int table; /* the memfd of the request under way */
};

static void answer_first(struct rsp_worker *w, int error, struct rsp_worker_answer answer)
{
	struct request request = w->queue[0];

	memmove(&w->queue[0], &w->queue[1], --w->cnt * sizeof(w->queue[0]));
	close(request.fd);
	w->done(request.number, error, &answer, w->userdata);
}

/* What is due comes as soon as the event loop is reached again. */
static void set_timer(struct rsp_worker *w, uint64_t at_us)
{
	sd_event_source_set_time(w->timer, at_us);
	sd_event_source_set_enabled(w->timer, SD_EVENT_ONESHOT);
}

static uint64_t now_us(const struct rsp_worker *w)
{
	uint64_t us = 0;

	sd_event_now(w->event, CLOCK_MONOTONIC, &us);
	return us;
}

/* --- the process --------------------------------------------------------------------------------
 */

static int on_exit_of_child(sd_event_source *source, const siginfo_t *info, void *userdata)
{
	sd_event_source_set_floating(source, false); /* the last reference, if we let go of it */
	return 0;
}

/* Without it; whenever it ends, the event loop reaps it, which may be never. */
static void let_go_of_child(struct rsp_worker *w)
{
	int running = 0;

	if (!w->child)
		return;
	sd_event_source_get_enabled(w->child, &running);
	if (running != SD_EVENT_OFF) {
		sd_event_source_send_child_signal(w->child, SIGKILL, NULL, 0);
		sd_event_source_set_floating(w->child, true);
	}
	w->child = sd_event_source_unref(w->child);
}

static void end_process(struct rsp_worker *w)
{
	let_go_of_child(w);
	w->replies = sd_event_source_disable_unref(w->replies);
	if (w->socket >= 0)
		close(w->socket);
	if (w->table >= 0)
		close(w->table);
	w->socket = w->table = -1;
}

/* Its stdin is the socket, and there is nothing else. Returns 0 or an errno, as posix_spawn(). */
static int spawn_with(posix_spawn_file_actions_t *files, posix_spawnattr_t *attr, int fd,
		      pid_t *ret_pid)
{
	char name[] = "rspd", arg[] = RSP_WORKER_ARG;
	char *argv[] = {name, arg, NULL}, *envp[] = {NULL};
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (r == 0)
		r = posix_spawnattr_setsigmask(attr, &none);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(attr, &all);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, fd, STDIN_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY,
						     0);
#ifndef __SANITIZE_ADDRESS__ /* reports there */
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO);
#endif
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
	if (r == 0)
		r = posix_spawn(ret_pid, "/proc/self/exe", files, attr, argv, envp);
	return r;
}

static int spawn(int fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int r = posix_spawn_file_actions_init(&files);

	if (r)
		return -r;
	r = posix_spawnattr_init(&attr);
	if (r == 0) {
		r = spawn_with(&files, &attr, fd, ret_pid);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return -r;
}

static int on_reply(sd_event_source *source, int fd, uint32_t events, void *userdata);

static int watch(struct rsp_worker *w, pid_t pid)
{
	int r = sd_event_add_child(w->event, &w->child, pid, WEXITED, on_exit_of_child, NULL);

	if (r < 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return r;
	}
	r = sd_event_add_io(w->event, &w->replies, w->socket, EPOLLIN, on_reply, w);
	return r < 0 ? r : 0;
}

static int start_process(struct rsp_worker *w)
{
	int fds[2], r;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -errno;
	w->socket = fds[0];
	r = spawn(fds[1], &pid);
	close(fds[1]);
	if (r == 0)
		r = watch(w, pid);
	if (r < 0)
		end_process(w);
	else
		w->state = IDLE;
	return r;
}

/* --- steps --------------------------------------------------------------------------------------
 */

static int send_request(struct rsp_worker *w)
{
	const struct request *first = &w->queue[0];
	struct rsp_worker_request request = {first->number};
	int fds[RSP_WORKER_FD_CNT];
	union {
		char buf[CMSG_SPACE(sizeof(fds))];
		struct cmsghdr header;
	} control = {0};
	struct iovec iov = {&request, sizeof(request)};
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};

	w->table = memfd_create("rsp-unwind-table", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (w->table < 0)
		return -errno;
	control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(fds)),
					  .cmsg_level = SOL_SOCKET,
					  .cmsg_type = SCM_RIGHTS};
	fds[RSP_WORKER_FILE] = first->fd;
	fds[RSP_WORKER_TABLE] = w->table;
	memcpy(CMSG_DATA(&control.header), fds, sizeof(fds));
	return sendmsg(w->socket, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

/* The first of the queue is lost, and so is the process, if there is one. */
static void crash(struct rsp_worker *w, int error)
{
	end_process(w);
	w->rest_us = w->rest_us ? w->rest_us * 2 : REST_MIN_US;
	if (w->rest_us > REST_MAX_US)
		w->rest_us = REST_MAX_US;
	w->not_before_us = now_us(w) + w->rest_us;
	w->state = RESTING;
	set_timer(w, w->not_before_us);
	if (w->cnt)
		answer_first(w, error, (struct rsp_worker_answer){0});
}

static void choose_first(struct rsp_worker *w)
{
	struct request chosen;
	size_t at = 0;

	while (at < w->cnt && w->queue[at].bytes > LARGE_BYTES)
		at++;
	if (at == w->cnt)
		return;
	chosen = w->queue[at];
	memmove(&w->queue[1], &w->queue[0], at * sizeof(w->queue[0]));
	w->queue[0] = chosen;
}

static void begin_next(struct rsp_worker *w)
{
	int r = w->socket < 0 ? start_process(w) : 0;

	choose_first(w);
	if (r == 0)
		r = send_request(w);
	if (r < 0) {
		crash(w, r);
		return;
	}
	w->state = BUSY;
	set_timer(w, now_us(w) + PATIENCE_US);
}

static void go_on(struct rsp_worker *w)
{
	if (w->cnt) {
		begin_next(w);
		return;
	}
	w->state = w->socket < 0 ? ABSENT : IDLE;
	if (w->state == IDLE)
		set_timer(w, now_us(w) + IDLE_US);
}

static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	struct rsp_worker *w = userdata;

	if (w->state == BUSY) {
		crash(w, -EIO);
	} else if (w->state == IDLE && !w->cnt) {
		end_process(w);
		w->state = ABSENT;
	} else {
		go_on(w);
	}
	return 0;
}

/* --- replies ------------------------------------------------------------------------------------
 */

/* From here on the table cannot change any more; fails as long as the worker could change it. */
static int seal(int fd, size_t *ret_len)
{
	struct stat st;

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0 ||
	    fstat(fd, &st) < 0)
		return -errno;
	*ret_len = (size_t)st.st_size;
	return 0;
}

/* Maps the table of a reply that says there is one. */
static int map_table(struct rsp_worker *w, struct rsp_worker_answer *answer)
{
	size_t len = 0;
	void *p;

	if (seal(w->table, &len) < 0 || !len ||
	    len > (size_t)RSP_UNWIND_BLOCK_MAX * RSP_UNWIND_BLOCK_BYTES)
		return -EBADMSG;
	/* Private: before Linux 6.7 what is sealed cannot be shared, not even to be read. */
	p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, w->table, 0);
	if (p == MAP_FAILED)
		return -errno;
	if (rsp_unwind_table_check(p, len) < 0) {
		munmap(p, len);
		return -EBADMSG;
	}
	answer->table = p;
	answer->len = len;
	return 0;
}

static bool reply_ok(const struct rsp_worker *w, const struct rsp_worker_reply *reply)
{
	return w->state == BUSY && reply->number == w->queue[0].number &&
	       reply->build_id_len <= RSP_BUILD_ID_MAX && reply->error <= 0 && reply->error > -4096;
}

static void take_reply(struct rsp_worker *w, const struct rsp_worker_reply *reply)
{
	struct rsp_worker_answer answer = {.build_id_len = reply->build_id_len};

	/* A worker that breaks the protocol is no longer ours. */
	if (reply->error == 0 && map_table(w, &answer) < 0) {
		crash(w, -EIO);
		return;
	}
	memcpy(answer.build_id, reply->build_id, sizeof(answer.build_id));
	close(w->table);
	w->table = -1;
	w->state = IDLE;
	w->rest_us = 0;
	answer_first(w, reply->error, answer);
	if (answer.table)
		munmap((void *)answer.table, answer.len);
	go_on(w);
}

static int on_reply(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct rsp_worker *w = userdata;
	struct rsp_worker_reply reply;
	ssize_t n = recv(fd, &reply, sizeof(reply), MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n == (ssize_t)sizeof(reply) && reply_ok(w, &reply)) {
		take_reply(w, &reply);
	} else if (w->state == BUSY) {
		crash(w, -EIO);
	} else {
		/* It ended with nothing to do: no file is to blame. */
		end_process(w);
		w->state = RESTING;
		go_on(w);
	}
	return 0;
}

/* --- for others ---------------------------------------------------------------------------------
 */

int rsp_worker_new(sd_event *event, rsp_worker_fn done, void *userdata, struct rsp_worker **ret)
{
	struct rsp_worker *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->event = sd_event_ref(event);
	w->done = done;
	w->userdata = userdata;
	w->socket = w->table = -1;
	r = sd_event_add_time(event, &w->timer, CLOCK_MONOTONIC, 0, 0, on_timer, w);
	if (r >= 0)
		r = sd_event_source_set_enabled(w->timer, SD_EVENT_OFF);
	if (r < 0) {
		rsp_worker_free(w);
		return r;
	}
	if (start_process(w) == 0)
		set_timer(w, now_us(w) + IDLE_US);
	*ret = w;
	return 0;
}

struct rsp_worker *rsp_worker_free(struct rsp_worker *w)
{
	if (!w)
		return NULL;
	end_process(w);
	for (size_t i = 0; i < w->cnt; i++)
		close(w->queue[i].fd);
	sd_event_source_disable_unref(w->timer);
	sd_event_unref(w->event);
	free(w);
	return NULL;
}

int rsp_worker_submit(struct rsp_worker *w, uint32_t number, int fd)
{
	struct stat st;

	if (w->cnt == RSP_WORKER_QUEUE_MAX) {
		close(fd);
		return -EBUSY;
	}
	if (fstat(fd, &st) < 0)
		st.st_size = 0;
	w->queue[w->cnt++] = (struct request){number, fd, st.st_size};
	if (w->state == ABSENT) {
		w->state = RESTING;
		set_timer(w, w->not_before_us);
	} else if (w->state == IDLE && w->cnt == 1) {
		set_timer(w, 0);
	}
	return 0;
}
