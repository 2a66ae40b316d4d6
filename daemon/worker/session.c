/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See session.h. */
#include "daemon/worker/session.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/forbidden.h"
#include "daemon/base/message.h"

#define NS_PER_S 1000000000ULL

/*
 * Address space of a worker, for the largest binaries with all their DWARF, and for the worker's
 * decoded form of the snapshot. A record takes some 4 bytes in the snapshot, and 250 in decoded
 * form. The second constant is twice this ratio, for snapshots that compress better than most.
 */
#define MEMORY_BYTES_MIN      (1UL << 30)
#define MEMORY_BYTES_PER_BYTE 128

/* Time limit for the end of a killed worker: the kernel must free its memory. */
#define END_NS	(5 * NS_PER_S)
#define LOOK_NS 1000000

/* Names are rarely more than a tenth of a snapshot, so this size is ample. */
size_t rsp_session_result_bytes(size_t snapshot_bytes)
{
	return 2 * snapshot_bytes + (64UL << 20);
}

/* If a worker takes longer than END_NS to end, init reaps it after the end of this process. */
static void reap(pid_t pid)
{
	__u64 until_ns = rsp_now_ns() + END_NS;

	while (waitpid(pid, NULL, WNOHANG) == 0 && rsp_now_ns() < until_ns)
		nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}

void rsp_session_end(struct rsp_session *s)
{
	if (s->process.pid <= 0)
		return;
	kill(s->process.pid, SIGKILL);
	close(s->process.socket);
	close(s->process.inlet);
	reap(s->process.pid);
}

int rsp_session_start(struct rsp_session *s, size_t snapshot_bytes)
{
	const struct rsp_worker_limits limits = {
		.memory_bytes = MEMORY_BYTES_MIN + MEMORY_BYTES_PER_BYTE * snapshot_bytes,
		.file_bytes = rsp_session_result_bytes(snapshot_bytes),
	};

	return rsp_worker_spawn(&limits, &s->process);
}

static __u64 left_ns(const struct rsp_session *s)
{
	__u64 now_ns = rsp_now_ns();

	return now_ns < s->deadline_ns ? s->deadline_ns - now_ns : 0;
}

static int receive_any(const struct rsp_session *s, struct rsp_worker_message *ret)
{
	int r = rsp_message_await(s->process.socket, s->deadline_ns);

	if (r < 0)
		return r == -ETIME ? -ETIMEDOUT : r;
	/* recv() has no buffer for descriptors, so the kernel closes those in the message. */
	if (recv(s->process.socket, ret, sizeof(*ret), MSG_TRUNC) != (ssize_t)sizeof(*ret))
		return -EIO;
	return ret->number == s->number ? 0 : -EIO;
}

static int receive(struct rsp_session *s, struct rsp_worker_message *ret)
{
	int r;

	while ((r = receive_any(s, ret)) == 0 && ret->says == RSP_WORKER_FORBIDDEN) {
		if (s->forbidden_cnt++ == RSP_WORKER_FORBIDDEN_MAX)
			return -EIO;
		rsp_forbidden_log(ret->syscall);
	}
	return r;
}

/*
 * If grant refuses the file, the worker continues without it, and returns the names that it has
 * found.
 */
static int grant(const struct rsp_session *s, const struct rsp_file_request *file)
{
	struct rsp_worker_file answer = {0};
	int r;

	answer.error = s->grant(file, &answer.number, s->userdata);
	r = rsp_message_send(s->process.socket, &answer, sizeof(answer), NULL, 0, MSG_DONTWAIT);
	return r < 0 ? -EIO : 0;
}

int rsp_session_query(struct rsp_session *s, struct rsp_worker_request *request, const int *fds,
		      size_t fd_cnt, struct rsp_worker_message *ret)
{
	int r;

	request->number = ++s->number;
	request->cpu_s = (__u32)(left_ns(s) / NS_PER_S) + 1;
	if (rsp_message_send(s->process.socket, request, sizeof(*request), fds, fd_cnt,
			     MSG_DONTWAIT) < 0)
		return -EIO;
	for (;;) {
		r = receive(s, ret);
		if (r < 0)
			return r;
		if (ret->says == RSP_WORKER_DONE)
			return ret->error <= 0 && ret->error > -4096 ? ret->error : -EIO;
		if (ret->says != RSP_WORKER_REQUESTS_FILE || !s->grant)
			return -EIO;
		r = grant(s, &ret->file);
		if (r < 0)
			return r;
	}
}
