/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See slice.h. */
#include "daemon/summaries/slice.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/child.h"
#include "daemon/base/clock.h"
#include "daemon/base/message.h"
#include "daemon/base/privileges.h"
#include "daemon/snapshots/analysis.h"
#include "daemon/snapshots/freeze.h"
#include "daemon/snapshots/image.h"
#include "lib/base/cleanup.h"
#include "rsp/summary.h"

/*
 * A summary takes some hundredths of a second of CPU time, but other tasks may need the CPUs, too.
 */
#define PATIENCE_S 20

/* Time limit for the child. */
#define LIFE_US (50 * 1000000ULL)

struct rsp_slice {
	rsp_slice_fn done;
	void *userdata;
	__u64 fork_ns; /* CPU time that the fork() took in the recorder */
	int socket;
	sd_event_source *answer, *timer;
	struct rsp_child *child;
};

struct answer {
	int error; /* 0: the message contains the descriptor of the summary */
	__u64 cpu_ns;
};

/* --- in the child ----------------------------------------------------------------------------- */

static __u64 cpu_ns(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (__u64)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ULL +
	       (__u64)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ULL;
}

static int freeze(const struct rsp_slice_request *request, int fd)
{
	__u64 now_ns = rsp_now_ns();
	const struct rsp_dump_request dump = {
		.meta = {.since_ns = request->since_ns,
			 .until_ns = request->until_ns,
			 .window_oldest_ns = rsp_window_oldest(request->window, request->since_ns),
			 .realtime_offset_ns = (int64_t)(rsp_clock_ns(CLOCK_REALTIME) - now_ns),
			 .cpu_cnt = (uint32_t)get_nprocs(),
			 .sample_hz = request->sample_hz,
			 .exit_status = -1},
		.events_since_ns = request->since_ns,
		.containers = request->containers,
		.memory = request->memory,
		.all_cgroups = true,
	};
	char candidates[RSP_CANDIDATES_BYTES]; /* unused: the snapshot is not about one process */
	struct rsp_meta meta;
	size_t size;
	int r = rsp_freeze(request->window, request->binaries, &dump, fd, -1, &meta, candidates);

	return r < 0 ? r : rsp_image_seal(fd, &size);
}

static int make(const struct rsp_slice_request *request, int *ret)
{
	_cleanup_close_ int snapshot = memfd_create("rsp-slice", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t len;
	int r = snapshot < 0 ? -errno : freeze(request, snapshot);

	/* After this, the recorder can write to its window without page copies by the kernel. */
	rsp_window_free(request->window);
	if (r < 0)
		return r;
	return rsp_analysis_summarize(snapshot, request->binaries, request->cpu_ns, PATIENCE_S, ret,
				      &len);
}

/* Does not free everything, since the process ends here. */
static _Noreturn void child(const struct rsp_slice_request *request, int socket, pid_t parent)
{
	struct answer answer = {0};
	int fd = -1;

	rsp_image_begin(parent, RSP_PRIVILEGES_FIND, "rspd-summary");
	answer.error = make(request, &fd);
	/* The worker has been reaped, so RUSAGE_CHILDREN contains its CPU time. */
	answer.cpu_ns = cpu_ns(RUSAGE_SELF) + cpu_ns(RUSAGE_CHILDREN);
	(void)rsp_message_send(socket, &answer, sizeof(answer), &fd, answer.error == 0, 0);
	_exit(EXIT_SUCCESS);
}

/* --- in the recorder -------------------------------------------------------------------------- */

struct rsp_slice *rsp_slice_cancel(struct rsp_slice *slice)
{
	if (!slice)
		return NULL;
	rsp_child_abandon(slice->child);
	sd_event_source_disable_unref(slice->answer);
	sd_event_source_disable_unref(slice->timer);
	if (slice->socket >= 0)
		close(slice->socket);
	free(slice);
	return NULL;
}

static void finish(struct rsp_slice *slice, int error, struct rsp_slice_result result)
{
	rsp_slice_fn done = slice->done;
	void *userdata = slice->userdata;

	result.cpu_ns += slice->fork_ns;
	rsp_slice_cancel(slice);
	done(error, &result, userdata);
}

/* Copies the summary, because the worker may still have the memfd and could change it. */
static int copy_text(int fd, char **ret, size_t *ret_len)
{
	_cleanup_free_ char *text = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -EIO;
	if (st.st_size <= 0 || st.st_size > RSP_SUMMARY_BYTES_MAX)
		return -EIO;
	text = malloc((size_t)st.st_size);
	if (!text)
		return -ENOMEM;
	if (pread(fd, text, (size_t)st.st_size, 0) != st.st_size)
		return -EIO;
	*ret = rsp_take_ptr(text);
	*ret_len = (size_t)st.st_size;
	return 0;
}

/* Returns false if there is no answer. */
static bool take_answer(struct rsp_slice *slice)
{
	_cleanup_free_ char *text = NULL;
	int fds[RSP_MESSAGE_FD_MAX];
	struct answer answer;
	size_t len = 0;

	if (rsp_message_receive(slice->socket, &answer, sizeof(answer), fds) < 0)
		return false;
	if (answer.error == 0)
		answer.error = copy_text(fds[0], &text, &len);
	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	finish(slice, answer.error, (struct rsp_slice_result){text, len, answer.cpu_ns});
	return true;
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	if (!take_answer(userdata)) /* the child has died; on_end() will report this */
		(void)sd_event_source_set_enabled(source, SD_EVENT_OFF);
	return 0;
}

static void on_end(const siginfo_t *info, void *userdata)
{
	struct rsp_slice *slice = userdata;
	bool killed = info->si_code != CLD_EXITED;

	if (take_answer(slice)) /* the answer was still in the socket */
		return;
	finish(slice, killed && info->si_status == SIGALRM ? -ETIMEDOUT : -EIO,
	       (struct rsp_slice_result){0});
}

static int on_timer(sd_event_source *source, uint64_t us, void *userdata)
{
	finish(userdata, -ETIMEDOUT, (struct rsp_slice_result){0});
	return 0;
}

static int watch(struct rsp_slice *slice, sd_event *event, pid_t pid)
{
	int r = rsp_child_watch(event, pid, on_end, slice, &slice->child);

	if (r == 0)
		r = sd_event_add_time_relative(event, &slice->timer, CLOCK_MONOTONIC, LIFE_US, 0,
					       on_timer, slice);
	if (r >= 0)
		r = sd_event_add_io(event, &slice->answer, slice->socket, EPOLLIN, on_answer,
				    slice);
	return r < 0 ? r : 0;
}

int rsp_slice_start(sd_event *event, const struct rsp_slice_request *request, rsp_slice_fn done,
		    void *userdata, struct rsp_slice **ret)
{
	struct rsp_slice *slice = calloc(1, sizeof(*slice));
	__u64 begun_ns = rsp_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	pid_t parent = getpid(), pid;
	int fds[2], r;

	if (!slice)
		return -ENOMEM;
	*slice = (struct rsp_slice){.done = done, .userdata = userdata, .socket = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) < 0) {
		r = -errno;
		rsp_slice_cancel(slice);
		return r;
	}
	slice->socket = fds[0];
	pid = fork();
	if (pid == 0)
		child(request, fds[1], parent);
	r = pid < 0 ? -errno : 0;
	close(fds[1]);
	if (r == 0)
		r = watch(slice, event, pid);
	if (r < 0) {
		rsp_slice_cancel(slice);
		return r;
	}
	slice->fork_ns = rsp_clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun_ns;
	*ret = slice;
	return 0;
}
