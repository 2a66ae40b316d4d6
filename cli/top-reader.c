/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See top-reader.h. The reader processes one order at a time, and answers each order. */
#include "cli/top-reader.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/file-server.h"
#include "cli/isolated.h"
#include "cli/rspctl.h"
#include "cli/when.h"
#include "daemon/base/message.h"
#include "lib/base/cleanup.h"
#include "lib/live/names.h"
#include "lib/snapshot/snapshot.h"

/* Maximum time until the reader answers. */
#define ANSWER_TIMEOUT_NS 120000000000ULL

/* Maximum number of bytes that the reader keeps of a file. /proc/kallsyms has 10 to 20 MB. */
#define BYTES_MAX (256UL << 20)

enum kind {
	KERNEL,
	SNAPSHOT,
	RECORDS,
	LOOK,
	RESET,
	RESTART,
};

struct order {
	uint32_t kind; /* enum kind */
	uint32_t pad;
	uint64_t since_ns;
	struct rsp_live_how how;
};

struct answer {
	int32_t error;
	uint32_t pad;
	uint64_t until_ns;
};

struct rsp_top_reader {
	int socket;
	pid_t pid;
	clockid_t clock; /* measures the CPU time of the reader */
	struct rsp_live_view *shared;
};

/* --- in the sandbox --------------------------------------------------------------------------- */

struct work {
	int socket;
	struct rsp_live_view *shared;
	struct rsp_live_names *names;
	struct rsp_live *live;
	char *bytes; /* content of the current file */
	size_t len, cap;
};

static int reserve(struct work *w, size_t cap)
{
	char *p;

	if (cap <= w->cap)
		return 0;
	if (cap > BYTES_MAX)
		return -EFBIG;
	p = realloc(w->bytes, cap);
	if (!p)
		return -ENOMEM;
	w->bytes = p;
	w->cap = cap;
	return 0;
}

/* Reads until the end, since fstat() returns no size for files of /proc. */
static int read_all(struct work *w, int fd)
{
	ssize_t n;
	int r;

	w->len = 0;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	do {
		r = reserve(w, w->len + (1 << 20));
		if (r < 0)
			return r;
		n = read(fd, w->bytes + w->len, w->cap - w->len);
		if (n < 0 && errno != EINTR)
			return -errno;
		w->len += n > 0 ? (size_t)n : 0;
	} while (n != 0);
	return 0;
}

static int take_kernel(struct work *w, int fd)
{
	int r = read_all(w, fd);

	return r < 0 ? r : rsp_live_names_kernel(w->names, w->bytes, w->len);
}

static int take_records(struct work *w, int fd, uint64_t since_ns)
{
	int r = read_all(w, fd);

	return r < 0 ? r : rsp_live_feed(w->live, w->bytes, w->len, since_ns);
}

/* The sections are not ordered by time, so rsp_live_feed() gets their events in one call. */
static int feed_sections(struct work *w, const struct rsp_snapshot *snap)
{
	int r = 0;

	w->len = 0;
	for (size_t i = 0; i < snap->section_cnt && r == 0; i++) {
		const struct rsp_section *s = &snap->sections[i];

		if (s->type != RSP_SEC_EVENTS)
			continue;
		r = reserve(w, w->len + s->len);
		if (r == 0) {
			memcpy(w->bytes + w->len, s->data, s->len);
			w->len += s->len;
		}
	}
	return r < 0 ? r : rsp_live_feed(w->live, w->bytes, w->len, 0);
}

static int take_snapshot(struct work *w, int fd, uint64_t *ret_until_ns)
{
	struct rsp_snapshot *snap;
	int r = rsp_snapshot_open_fd(fd, &snap);

	if (r < 0)
		return r;
	*ret_until_ns = snap->meta.events_until_ns ? snap->meta.events_until_ns
						   : snap->meta.until_ns;
	rsp_live_begin(w->live, snap->meta.since_ns > snap->meta.window_oldest_ns
					? snap->meta.since_ns
					: snap->meta.window_oldest_ns);
	r = rsp_live_names_learn(w->names, snap);
	if (r == 0)
		r = feed_sections(w, snap);
	rsp_snapshot_free(snap);
	return r;
}

static int restart(struct work *w)
{
	struct rsp_live_namer namer = rsp_live_names_namer(w->names);

	w->live = rsp_live_free(w->live);
	return rsp_live_new(&namer, &w->live);
}

static int perform(struct work *w, const struct order *order, int fd, uint64_t *ret_until_ns)
{
	switch (order->kind) {
	case KERNEL:
		return take_kernel(w, fd);
	case SNAPSHOT:
		return take_snapshot(w, fd, ret_until_ns);
	case RECORDS:
		return take_records(w, fd, order->since_ns);
	case LOOK:
		rsp_live_look(w->live, &order->how, w->shared);
		return 0;
	case RESET:
		rsp_live_reset(w->live);
		return 0;
	default:
		return restart(w);
	}
}

static int serve(void *userdata)
{
	struct work *w = userdata;
	int fds[RSP_MESSAGE_FD_MAX], r;
	struct order order;

	r = rsp_live_names_new(&rsp_file_server_files, &w->names);
	if (r == 0)
		r = restart(w);
	while (r == 0 && rsp_message_receive(w->socket, &order, sizeof(order), fds) == 0) {
		struct answer answer = {0};

		answer.error = perform(w, &order, fds[0], &answer.until_ns);
		for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
			rsp_cleanup_close(&fds[i]);
		r = rsp_message_send(w->socket, &answer, sizeof(answer), NULL, 0, 0);
	}
	return r < 0 ? RSP_EXIT_FAILURE : RSP_EXIT_OK;
}

/* --- outside ---------------------------------------------------------------------------------- */

int rsp_top_reader_start(struct rsp_top_reader **ret)
{
	static const struct rsp_file_server server;
	struct rsp_top_reader *reader = calloc(1, sizeof(*reader));
	struct work w = {.socket = -1};
	struct rsp_isolated job = {.work = serve,
				   .userdata = &w,
				   .name = "the records",
				   .output = -1,
				   .server = &server};
	int sockets[2];

	if (!reader)
		return -ENOMEM;
	reader->shared = mmap(NULL, sizeof(*reader->shared), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reader->shared == MAP_FAILED ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0) {
		free(reader);
		return -errno;
	}
	w = (struct work){.socket = sockets[1], .shared = reader->shared};
	job.input = sockets[1];
	if (rsp_isolated_begin(&job, &reader->pid) != 0) {
		close(sockets[0]);
		close(sockets[1]);
		munmap(reader->shared, sizeof(*reader->shared));
		free(reader);
		return -EAGAIN;
	}
	close(sockets[1]);
	reader->socket = sockets[0];
	if (clock_getcpuclockid(reader->pid, &reader->clock) != 0)
		reader->clock = CLOCK_PROCESS_CPUTIME_ID;
	*ret = reader;
	return 0;
}

struct rsp_top_reader *rsp_top_reader_free(struct rsp_top_reader *reader)
{
	if (!reader)
		return NULL;
	close(reader->socket);
	kill(reader->pid, SIGKILL); /* the reader may be busy with a large file */
	while (waitpid(reader->pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(reader->shared, sizeof(*reader->shared));
	free(reader);
	return NULL;
}

static int ask(struct rsp_top_reader *reader, const struct order *order, int fd, struct answer *ret)
{
	int fds[RSP_MESSAGE_FD_MAX];
	int r = rsp_message_send(reader->socket, order, sizeof(*order), &fd, fd >= 0, MSG_NOSIGNAL);

	if (r == 0)
		r = rsp_message_await(reader->socket, rsp_when_now_ns() + ANSWER_TIMEOUT_NS);
	if (r == 0)
		r = rsp_message_receive(reader->socket, ret, sizeof(*ret), fds);
	if (r < 0)
		return r;
	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		rsp_cleanup_close(&fds[i]);
	return ret->error > 0 ? -EBADMSG : ret->error;
}

int rsp_top_reader_kernel(struct rsp_top_reader *reader, int fd)
{
	return ask(reader, &(struct order){.kind = KERNEL}, fd, &(struct answer){0});
}

int rsp_top_reader_snapshot(struct rsp_top_reader *reader, int fd, uint64_t *ret_until_ns)
{
	struct answer answer;
	int r = ask(reader, &(struct order){.kind = SNAPSHOT}, fd, &answer);

	if (r == 0)
		*ret_until_ns = answer.until_ns;
	return r;
}

int rsp_top_reader_records(struct rsp_top_reader *reader, int fd, uint64_t since_ns)
{
	return ask(reader, &(struct order){.kind = RECORDS, .since_ns = since_ns}, fd,
		   &(struct answer){0});
}

int rsp_top_reader_look(struct rsp_top_reader *reader, const struct rsp_live_how *how,
			struct rsp_live_view *ret)
{
	int r = ask(reader, &(struct order){.kind = LOOK, .how = *how}, -1, &(struct answer){0});

	if (r < 0)
		return r;
	/*
	 * A hostile file may control the reader, which can write to the shared memory at any time.
	 * So copy the view first.
	 */
	memcpy(ret, reader->shared, sizeof(*ret));
	rsp_live_view_clean(ret);
	return 0;
}

int rsp_top_reader_reset(struct rsp_top_reader *reader)
{
	return ask(reader, &(struct order){.kind = RESET}, -1, &(struct answer){0});
}

int rsp_top_reader_restart(struct rsp_top_reader *reader)
{
	return ask(reader, &(struct order){.kind = RESTART}, -1, &(struct answer){0});
}

uint64_t rsp_top_reader_cpu_ns(const struct rsp_top_reader *reader)
{
	struct timespec ts;

	if (clock_gettime(reader->clock, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}
