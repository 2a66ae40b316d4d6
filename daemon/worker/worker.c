/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See worker.h. The worker handles one request at a time, so that only one file can have caused a
 * crash. Steps that can fail run only in handlers of the event loop, so rsp_worker_submit() never
 * calls done.
 */
#include "daemon/worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/forbidden.h"
#include "daemon/base/message.h"
#include "daemon/worker/worker-protocol.h"
#include "daemon/worker/worker-spawn.h"
#include "lib/base/cleanup.h"
#include "lib/symbols/symcopy-read.h"
#include "lib/unwind/table.h"

#define MS 1000UL /* a millisecond in microseconds, the unit of sd-event */

/* Limit of CPU time for one file. The largest files of a Debian system take some 0.2 seconds. */
#define FILE_CPU_S 5

/*
 * Half of this address space suffices for the largest .eh_frame, its entries and the largest table,
 * each twice while it grows.
 */
#define MEMORY_BYTES (1UL << 30)

#define TABLE_BYTES_MAX ((size_t)RSP_UNWIND_BLOCK_MAX * RSP_UNWIND_BLOCK_BYTES)

/* A new process takes some milliseconds to start; an idle process takes half a megabyte. */
#define IDLE_US (30000 * MS)

/*
 * Delay after a crash before a new process starts. Each further crash doubles the delay until a
 * file succeeds.
 */
#define REST_MIN_US (100 * MS)
#define REST_MAX_US (60000 * MS)

enum state {
	ABSENT,	 /* no process, and no file that needs one */
	RESTING, /* no process until the timer expires */
	IDLE,	 /* a process, which waits for files */
	BUSY,	 /* a process that handles the first file of the queue */
};

/* A process that rspd has killed, and that has not ended yet. */
struct left {
	struct rsp_worker *worker;
	struct rsp_child *child; /* NULL: none */
};

struct rsp_worker {
	sd_event *event;
	struct rsp_worker_options options;
	enum state state;
	uint32_t queue[RSP_WORKER_QUEUE_MAX]; /* numbers of files; the process handles the first */
	size_t cnt;
	bool wanted; /* a caller waits for a process */
	sd_event_source *timer;
	uint64_t rest_us;	/* 0: no crash since the last success */
	uint64_t not_before_us; /* end of this delay */
	struct left left[RSP_WORKER_LEFT_MAX];
	/* The following fields are for the current process; without one, descriptors are -1. */
	uint32_t process;
	int socket, inlet;
	sd_event_source *replies;
	struct rsp_child *child;
	unsigned int forbidden_cnt; /* reports of forbidden system calls */
	int table, symbols;	    /* memfds of the current request */
};

static void answer_first(struct rsp_worker *w, int error, struct rsp_worker_answer answer)
{
	uint32_t number = w->queue[0];

	memmove(&w->queue[0], &w->queue[1], --w->cnt * sizeof(w->queue[0]));
	w->options.done(number, error, &answer, w->options.userdata);
}

/* If at_us is in the past, the event loop runs the timer at once. */
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

/* --- the process ------------------------------------------------------------------------------ */

static void on_end_of_left(const siginfo_t *info, void *userdata)
{
	struct left *left = userdata;
	struct rsp_worker *w = left->worker;

	left->child = rsp_child_abandon(left->child);
	if (w->wanted)
		set_timer(w, w->not_before_us);
}

static struct left *free_left(struct rsp_worker *w)
{
	for (size_t i = 0; i < w->options.left_max; i++)
		if (!w->left[i].child)
			return &w->left[i];
	return NULL;
}

bool rsp_worker_hangs(const struct rsp_worker *w)
{
	for (size_t i = 0; i < w->options.left_max; i++)
		if (!w->left[i].child)
			return false;
	return true;
}

static void close_fds(struct rsp_worker *w)
{
	rsp_cleanup_close(&w->socket);
	rsp_cleanup_close(&w->inlet);
	rsp_cleanup_close(&w->table);
	rsp_cleanup_close(&w->symbols);
	w->socket = w->inlet = w->table = w->symbols = -1;
}

/* w->left has a free entry: otherwise start_wanted() would not have started the process. */
static void end_process(struct rsp_worker *w)
{
	struct left *left = w->child ? free_left(w) : NULL;

	if (left) {
		rsp_child_kill(w->child);
		left->child = w->child;
		left->worker = w;
		rsp_child_set_ended(w->child, on_end_of_left, left);
	}
	w->child = NULL;
	w->replies = sd_event_source_disable_unref(w->replies);
	close_fds(w);
	w->forbidden_cnt = 0;
}

static int on_reply(sd_event_source *source, int fd, uint32_t events, void *userdata);

static int watch(struct rsp_worker *w, pid_t pid)
{
	int r = rsp_child_watch(w->event, pid, NULL, NULL, &w->child);

	if (r == 0)
		r = sd_event_add_io(w->event, &w->replies, w->socket, EPOLLIN, on_reply, w);
	return r < 0 ? r : 0;
}

static int start_process(struct rsp_worker *w)
{
	static const struct rsp_worker_limits limits = {MEMORY_BYTES, TABLE_BYTES_MAX};
	struct rsp_worker_process process;
	int r;

	r = rsp_worker_spawn(&limits, &process);
	if (r < 0)
		return r;
	w->socket = process.socket;
	w->inlet = process.inlet;
	w->process++;
	r = watch(w, process.pid);
	if (r < 0)
		end_process(w);
	return r;
}

/* --- steps ------------------------------------------------------------------------------------ */

static int send_request(struct rsp_worker *w)
{
	const struct rsp_worker_request request = {
		.command = RSP_WORKER_UNWIND,
		.number = w->queue[0],
		.cpu_s = FILE_CPU_S,
	};

	w->table = memfd_create("rsp-unwind-table", MFD_CLOEXEC);
	if (w->table < 0)
		return -errno;
	if (w->options.copies_symbols) {
		w->symbols = memfd_create("rsp-symbols", MFD_CLOEXEC);
		if (w->symbols < 0)
			return -errno;
	}
	return rsp_message_send(w->socket, &request, sizeof(request),
				(const int[]){w->table, w->symbols}, w->symbols < 0 ? 1 : 2,
				MSG_DONTWAIT);
}

static void rest(struct rsp_worker *w)
{
	w->rest_us = w->rest_us ? w->rest_us * 2 : REST_MIN_US;
	if (w->rest_us > REST_MAX_US)
		w->rest_us = REST_MAX_US;
	w->not_before_us = now_us(w) + w->rest_us;
	w->state = RESTING;
	set_timer(w, w->not_before_us);
}

/* The other files in the queue were sent to the process that crashed, so they are lost, too. */
static void crash(struct rsp_worker *w, int error)
{
	size_t cnt = w->cnt;

	end_process(w);
	rest(w);
	for (size_t i = 0; i < cnt; i++)
		answer_first(w, i ? -EAGAIN : error, (struct rsp_worker_answer){0});
}

static void begin_next(struct rsp_worker *w)
{
	int r = send_request(w);

	if (r < 0) {
		crash(w, r);
		return;
	}
	w->state = BUSY;
	set_timer(w, now_us(w) + w->options.patience_us);
}

static void go_on(struct rsp_worker *w)
{
	if (w->cnt) {
		begin_next(w);
		return;
	}
	w->state = IDLE;
	set_timer(w, now_us(w) + IDLE_US);
}

static void start_wanted(struct rsp_worker *w)
{
	int r;

	if (rsp_worker_hangs(w)) /* on_end_of_left() sets the timer again */
		return;
	r = start_process(w);
	w->wanted = false;
	if (r < 0)
		rest(w);
	else
		go_on(w);
	w->options.ready(r, w->options.userdata);
}

static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	struct rsp_worker *w = userdata;

	if (w->state == BUSY) {
		crash(w, -EIO);
	} else if (w->cnt) {
		begin_next(w);
	} else if (w->wanted) {
		start_wanted(w);
	} else {
		end_process(w);
		w->state = ABSENT;
	}
	return 0;
}

/* --- replies ---------------------------------------------------------------------------------- */

/*
 * Copies a result of the worker, so that the worker cannot change it any more. Sealing the file
 * would wait for other CPUs, and rspd would not drain the rings in the meantime.
 */
static int copy_result(int fd, size_t max, void **ret, size_t *ret_len)
{
	_cleanup_free_ void *result = NULL;
	struct stat st;
	size_t len;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size <= 0 || (size_t)st.st_size > max)
		return st.st_size ? -EBADMSG : -ENODATA;
	len = (size_t)st.st_size;
	result = malloc(len);
	if (!result)
		return -ENOMEM;
	if (pread(fd, result, len, 0) != (ssize_t)len)
		return -EBADMSG;
	*ret = rsp_take_ptr(result);
	*ret_len = len;
	return 0;
}

static int copy_table(const struct rsp_worker *w, void **ret, size_t *ret_len)
{
	_cleanup_free_ void *table = NULL;
	size_t len;
	int r = copy_result(w->table, TABLE_BYTES_MAX, &table, &len);

	if (r < 0 || rsp_unwind_table_check(table, len) < 0)
		return -EBADMSG;
	*ret = rsp_take_ptr(table);
	*ret_len = len;
	return 0;
}

/* Checks only the size of the copy, since only another worker reads its content. */
static int copy_symbols(const struct rsp_worker *w, void **ret, size_t *ret_len)
{
	int r = w->symbols < 0 ? -ENODATA
			       : copy_result(w->symbols, RSP_SYMCOPY_BYTES_MAX, ret, ret_len);

	return r == -EBADMSG ? r : 0;
}

static bool reply_ok(const struct rsp_worker *w, const struct rsp_worker_message *reply)
{
	return w->state == BUSY && reply->says == RSP_WORKER_DONE && reply->number == w->queue[0] &&
	       reply->build_id_len <= RSP_BUILD_ID_MAX && reply->error <= 0 && reply->error > -4096;
}

static void take_reply(struct rsp_worker *w, const struct rsp_worker_message *reply)
{
	struct rsp_worker_answer answer = {.build_id_len = reply->build_id_len};
	_cleanup_free_ void *table = NULL, *symbols = NULL;

	/* The worker has violated the protocol and is not trusted any more, so rspd kills it. */
	if ((reply->error == 0 && copy_table(w, &table, &answer.len) < 0) ||
	    copy_symbols(w, &symbols, &answer.symbols_len) < 0) {
		crash(w, -EIO);
		return;
	}
	answer.table = table;
	answer.symbols = symbols;
	memcpy(answer.build_id, reply->build_id, sizeof(answer.build_id));
	rsp_cleanup_close(&w->table);
	rsp_cleanup_close(&w->symbols);
	w->table = w->symbols = -1;
	w->state = IDLE;
	w->rest_us = 0;
	answer_first(w, reply->error, answer);
	go_on(w);
}

static bool forbidden_ok(struct rsp_worker *w, const struct rsp_worker_message *message)
{
	return message->says == RSP_WORKER_FORBIDDEN &&
	       w->forbidden_cnt++ < RSP_WORKER_FORBIDDEN_MAX;
}

static int on_reply(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct rsp_worker *w = userdata;
	struct rsp_worker_message reply;
	ssize_t n = recv(fd, &reply, sizeof(reply), MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n == (ssize_t)sizeof(reply) && reply_ok(w, &reply)) {
		take_reply(w, &reply);
	} else if (n == (ssize_t)sizeof(reply) && forbidden_ok(w, &reply)) {
		rsp_forbidden_log(reply.syscall);
	} else if (w->state == BUSY) {
		crash(w, -EIO);
	} else {
		/* The process ended while it was idle, so no file caused the end. */
		end_process(w);
		w->state = ABSENT;
	}
	return 0;
}

/* --- interface -------------------------------------------------------------------------------- */

int rsp_worker_new(sd_event *event, const struct rsp_worker_options *options,
		   struct rsp_worker **ret)
{
	struct rsp_worker *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return -ENOMEM;
	w->event = sd_event_ref(event);
	w->options = *options;
	w->socket = w->inlet = w->table = w->symbols = -1;
	r = sd_event_add_time(event, &w->timer, CLOCK_MONOTONIC, 0, 0, on_timer, w);
	if (r >= 0)
		r = sd_event_source_set_enabled(w->timer, SD_EVENT_OFF);
	if (r < 0) {
		rsp_worker_free(w);
		return r;
	}
	*ret = w;
	return 0;
}

struct rsp_worker *rsp_worker_free(struct rsp_worker *w)
{
	if (!w)
		return NULL;
	rsp_child_abandon(w->child);
	for (size_t i = 0; i < RSP_WORKER_LEFT_MAX; i++)
		rsp_child_abandon(w->left[i].child);
	sd_event_source_disable_unref(w->replies);
	close_fds(w);
	sd_event_source_disable_unref(w->timer);
	sd_event_unref(w->event);
	free(w);
	return NULL;
}

int rsp_worker_inlet(struct rsp_worker *w, uint32_t *ret_process)
{
	if (w->socket >= 0) {
		*ret_process = w->process;
		return w->inlet;
	}
	w->wanted = true;
	if (w->state == ABSENT) {
		w->state = RESTING;
		set_timer(w, w->not_before_us);
	}
	return -EAGAIN;
}

int rsp_worker_submit(struct rsp_worker *w, uint32_t number, uint32_t process)
{
	if (w->socket < 0 || w->process != process)
		return -EAGAIN;
	if (w->cnt == RSP_WORKER_QUEUE_MAX)
		return -EBUSY;
	w->queue[w->cnt++] = number;
	if (w->state == IDLE)
		set_timer(w, 0);
	return 0;
}
