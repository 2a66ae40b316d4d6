/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See analysis.h. One worker cuts the snapshot down. Another worker, which sees only the result,
 * looks for names. Its names are added to the snapshot here.
 */
#include "daemon/snapshots/analysis.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/snapshots/wishes.h"
#include "daemon/base/clock.h"
#include "daemon/base/forbidden.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/snapshot/container.h"
#include "lib/snapshot/snapshot.h"
#include "daemon/base/message.h"
#include "daemon/worker/worker-protocol.h"
#include "daemon/worker/worker-spawn.h"

#define NS_PER_S 1000000000ULL

/*
 * Memory for the largest binaries with all their DWARF, and for a trace: a record takes some 4
 * bytes of a snapshot, and 250 when it is explained. Doubled for snapshots that compress better
 * than most.
 */
#define MEMORY_BYTES_MIN      (1UL << 30)
#define MEMORY_BYTES_PER_BYTE 128

/* Names are rarely more than a tenth of a snapshot. */
#define RESULT_BYTES(snapshot_bytes) (2 * (snapshot_bytes) + (64UL << 20))

#define FIND_PATIENCE_S 5

/* Time after the deadline until SIGALRM ends this process. */
#define ALARM_SLACK_S 15

/* Time for a killed worker to end; the kernel must free its memory. */
#define END_NS	(5 * NS_PER_S)
#define LOOK_NS 1000000

/* --- one worker ------------------------------------------------------------------------------- */

struct session {
	struct rsp_worker_process process;
	__u64 deadline_ns;
	struct rsp_wishes wishes; /* without a broker, no wishes are granted */
	/* grants only copies of symbols, without another process: no file is opened */
	bool only_symbols;
	__u64 wishes_until_ns;	    /* no wish is granted after this time */
	__u32 number;		    /* of the last request */
	unsigned int forbidden_cnt; /* reports of forbidden system calls */
};

/* Waits for a limited time only: the process that reaps us will reap the worker, too. */
static void reap(pid_t pid)
{
	__u64 until_ns = rsp_now_ns() + END_NS;

	while (waitpid(pid, NULL, WNOHANG) == 0 && rsp_now_ns() < until_ns)
		nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
}

static void end(struct session *s)
{
	rsp_wishes_done(&s->wishes);
	if (s->process.pid <= 0)
		return;
	kill(s->process.pid, SIGKILL);
	close(s->process.socket);
	close(s->process.inlet);
	reap(s->process.pid);
}

static int start(struct session *s, size_t snapshot_bytes)
{
	const struct rsp_worker_limits limits = {
		.memory_bytes = MEMORY_BYTES_MIN + MEMORY_BYTES_PER_BYTE * snapshot_bytes,
		.file_bytes = RESULT_BYTES(snapshot_bytes),
	};

	int r = rsp_worker_spawn(&limits, &s->process);

	s->wishes.inlet = s->process.inlet;
	return r;
}

static __u64 left_ns(const struct session *s)
{
	__u64 now_ns = rsp_now_ns();

	return now_ns < s->deadline_ns ? s->deadline_ns - now_ns : 0;
}

static int receive_any(const struct session *s, struct rsp_worker_message *ret)
{
	int r = rsp_message_await(s->process.socket, s->deadline_ns);

	if (r < 0)
		return r == -ETIME ? -ETIMEDOUT : r;
	/* The kernel drops descriptors in the message, since there is no room for them. */
	if (recv(s->process.socket, ret, sizeof(*ret), MSG_TRUNC) != (ssize_t)sizeof(*ret))
		return -EIO;
	return ret->number == s->number ? 0 : -EIO;
}

/* Receives the next message that does not report a forbidden call. */
static int receive(struct session *s, struct rsp_worker_message *ret)
{
	int r;

	while ((r = receive_any(s, ret)) == 0 && ret->says == RSP_WORKER_FORBIDDEN) {
		if (s->forbidden_cnt++ == RSP_WORKER_FORBIDDEN_MAX)
			return -EIO;
		rsp_forbidden_log(ret->syscall);
	}
	return r;
}

static int grant_symbols(struct session *s, const struct rsp_file_wish *wish, __u32 *ret_number)
{
	_cleanup_close_ int fd = -1;

	if (wish->kind != RSP_FILE_SYMBOLS)
		return -EACCES;
	fd = rsp_broker_open(s->wishes.broker, wish);
	if (fd < 0)
		return rsp_take_fd(&fd);
	*ret_number = ++s->wishes.number;
	return rsp_message_send(s->process.inlet, ret_number, sizeof(*ret_number), &fd, 1,
				MSG_DONTWAIT);
}

/* A worker that gets no more files ends with the names found so far, which is better than none. */
static int grant(struct session *s, const struct rsp_file_wish *wish)
{
	struct rsp_worker_file answer = {0};
	int r;

	if (s->only_symbols)
		answer.error = grant_symbols(s, wish, &answer.number);
	else
		answer.error = rsp_wishes_grant(&s->wishes, wish, s->wishes_until_ns,
						&answer.number);
	r = rsp_message_send(s->process.socket, &answer, sizeof(answer), NULL, 0, MSG_DONTWAIT);
	return r < 0 ? -EIO : 0;
}

/* Also returns the worker's -errno. */
static int ask(struct session *s, struct rsp_worker_request *request, const int *fds, size_t fd_cnt,
	       struct rsp_worker_message *ret)
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
		if (ret->says != RSP_WORKER_WISHES || !s->wishes.broker)
			return -EIO;
		r = grant(s, &ret->wish);
		if (r < 0)
			return r;
	}
}

/* --- its result ------------------------------------------------------------------------------- */

static int size_of(int fd, size_t *ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret = (size_t)st.st_size;
	return 0;
}

static int make_result(int *ret)
{
	*ret = memfd_create("rsp-snapshot", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return *ret < 0 ? -errno : 0;
}

/* Makes the result immutable. Fails as long as a worker could change it. */
static int seal_result(int fd, size_t snapshot_bytes, size_t *ret_size)
{
	size_t size = 0;
	int r;

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
		return -errno;
	r = size_of(fd, &size);
	if (r < 0)
		return r;
	if (!size || size > RESULT_BYTES(snapshot_bytes))
		return -EIO;
	*ret_size = size;
	return 0;
}

/* --- a snapshot ------------------------------------------------------------------------------- */

static int cut(const struct rsp_analysis_request *how, __u64 deadline_ns, size_t size,
	       struct rsp_analysis *ret)
{
	struct rsp_worker_request request = {
		.command = RSP_WORKER_CUT,
		.flags = (how->redact ? RSP_WORKER_REDACT : 0) |
			 (how->choose ? RSP_WORKER_CHOOSE : 0),
		.uid = how->uid,
	};
	struct session s = {.deadline_ns = deadline_ns};
	struct rsp_worker_message reply;
	int r = make_result(&ret->fd);

	if (r == 0)
		r = start(&s, size);
	if (r == 0)
		r = ask(&s, &request, (const int[]){how->snapshot, ret->fd}, 2, &reply);
	end(&s);
	return r < 0 ? r : seal_result(ret->fd, size, &ret->size);
}

/* If this fails, the snapshot with names is still useful. */
static void get_headline(struct session *s, int fd, char ret[RSP_HEADLINE_MAX])
{
	struct rsp_worker_request request = {.command = RSP_WORKER_HEADLINE};
	struct rsp_worker_message reply;

	if (ask(s, &request, &fd, 1, &reply) < 0)
		return;
	memcpy(ret, reply.headline, RSP_HEADLINE_MAX);
	ret[RSP_HEADLINE_MAX - 1] = '\0';
	rsp_text_clean(ret);
}

/* Copies a whole file into an empty one. */
static int copy(int from, int to, size_t size)
{
	off_t off = 0;
	ssize_t n = 1;

	while ((size_t)off < size && n > 0)
		n = sendfile(to, from, &off, size - (size_t)off);
	if (n < 0)
		return -errno;
	return n > 0 ? 0 : -EIO;
}

/* Copies the snapshot and adds the worker's names, unchecked, as one section. */
static int add_names(int snapshot, size_t size, int names, struct rsp_analysis *ret)
{
	size_t names_len = 0;
	void *bytes;
	int r = seal_result(names, size, &names_len);

	if (r == 0)
		r = make_result(&ret->fd);
	if (r == 0)
		r = copy(snapshot, ret->fd, size);
	if (r < 0)
		return r;
	bytes = mmap(NULL, names_len, PROT_READ, MAP_SHARED, names, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	r = rsp_snapshot_append(ret->fd, RSP_SEC_SYMBOLS, bytes, names_len);
	munmap(bytes, names_len);
	return r < 0 ? r : seal_result(ret->fd, size, &ret->size);
}

/* Names the functions of a snapshot of size bytes. naming may be a smaller version of it. */
static int name(const struct rsp_analysis_request *how, __u64 deadline_ns, int naming, int snapshot,
		size_t size, struct rsp_analysis *ret)
{
	_cleanup_close_ int names = -1;
	const struct rsp_broker broker = {how->binaries, how->redact, how->uid};
	struct session s = {.deadline_ns = deadline_ns,
			    .wishes = {.broker = &broker, .places = how->broker_places}};
	__u64 now_ns = rsp_now_ns();
	struct rsp_worker_request request = {.command = RSP_WORKER_NAME};
	struct rsp_worker_message reply;
	int r = make_result(&names);

	s.wishes_until_ns = now_ns + (deadline_ns - now_ns) / 2;
	if (r == 0)
		r = start(&s, size);
	if (r == 0)
		r = ask(&s, &request, (const int[]){naming, names}, 2, &reply);
	ret->left_out_cnt = s.wishes.left_out_cnt;
	if (r == 0)
		r = add_names(snapshot, size, names, ret);
	if (r == 0 && how->headline)
		get_headline(&s, ret->fd, ret->headline);
	end(&s);
	return r;
}

static void done(struct rsp_analysis *analysis)
{
	rsp_cleanup_close(&analysis->fd);
}

static int analyse(const struct rsp_analysis_request *request, struct rsp_analysis *ret)
{
	_cleanup_(done) struct rsp_analysis cutting = {.fd = -1}, named = {.fd = -1};
	__u64 deadline_ns = rsp_now_ns() + request->patience_s * NS_PER_S;
	int snapshot = request->snapshot, naming = request->naming, r;
	size_t size = 0;

	r = size_of(snapshot, &size);
	if (r == 0 && (request->redact || request->choose)) {
		r = cut(request, deadline_ns, size, &cutting);
		snapshot = naming = cutting.fd;
		size = cutting.size;
	}
	if (r == 0)
		r = name(request, deadline_ns, naming, snapshot, size, &named);
	if (r < 0)
		return r;
	*ret = named;
	named.fd = -1;
	return 0;
}

/* SIGALRM ends this process if it hangs. */
static void arm(unsigned int patience_s)
{
	sigset_t alarm_only;

	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
	alarm(patience_s + ALARM_SLACK_S);
}

int rsp_analyse(const struct rsp_analysis_request *request, struct rsp_analysis *ret)
{
	int r;

	arm(request->patience_s);
	r = analyse(request, ret);
	alarm(0);
	return r;
}

/* --- a summary -------------------------------------------------------------------------------- */

static int summarize(int snapshot, const struct rsp_broker *broker, __u64 cpu_ns, __u64 deadline_ns,
		     int result, size_t *ret_len)
{
	struct rsp_worker_request request = {.command = RSP_WORKER_SUMMARY, .cpu_ns = cpu_ns};
	struct session s = {
		.deadline_ns = deadline_ns, .wishes = {.broker = broker}, .only_symbols = true};
	struct rsp_worker_message reply;
	size_t size = 0;
	int r = size_of(snapshot, &size);

	if (r == 0)
		r = start(&s, size);
	if (r == 0)
		r = ask(&s, &request, (const int[]){snapshot, result}, 2, &reply);
	end(&s);
	return r == 0 ? seal_result(result, size, ret_len) : r;
}

int rsp_analysis_summarize(int snapshot, const struct rsp_binaries *binaries, __u64 cpu_ns,
			   unsigned int patience_s, int *ret, size_t *ret_len)
{
	const struct rsp_broker broker = {.binaries = binaries};
	_cleanup_close_ int result = -1;
	int r = make_result(&result);

	arm(patience_s);
	if (r == 0)
		r = summarize(snapshot, &broker, cpu_ns, rsp_now_ns() + patience_s * NS_PER_S,
			      result, ret_len);
	alarm(0);
	if (r == 0)
		*ret = rsp_take_fd(&result);
	return r;
}

/* --- a file --------------------------------------------------------------------------------- */

static int ask_about_file(struct rsp_worker_request *request, int fd,
			  struct rsp_worker_message *reply)
{
	struct session s = {.deadline_ns = rsp_now_ns() + FIND_PATIENCE_S * NS_PER_S};
	int r = start(&s, 0);

	if (r == 0)
		r = ask(&s, request, &fd, 1, reply);
	end(&s);
	return r;
}

int rsp_analysis_find_function(int fd, const char *function, __u64 *ret_offset)
{
	struct rsp_worker_request request = {.command = RSP_WORKER_FIND};
	struct rsp_worker_message reply;
	int r;

	if (strlen(function) >= sizeof(request.name))
		return -ENOENT;
	strcpy(request.name, function);
	r = ask_about_file(&request, fd, &reply);
	if (r == 0)
		*ret_offset = reply.file_off;
	return r;
}

int rsp_analysis_find_allocator(int fd, __u64 ret_offsets[RSP_ALLOC_CNT])
{
	struct rsp_worker_request request = {.command = RSP_WORKER_ALLOCATOR};
	struct rsp_worker_message reply;
	int r = ask_about_file(&request, fd, &reply);

	if (r == 0)
		memcpy(ret_offsets, reply.offsets, sizeof(reply.offsets));
	return r;
}

/* Trusts no name from the worker. */
static void take_name(const char *name, size_t size, char *ret)
{
	if (rsp_container_name_ok(name, size))
		memcpy(ret, name, size);
	else
		*ret = '\0';
}

int rsp_analysis_name_container(int fd, enum rsp_container_state form, const char *id,
				struct rsp_ev_container *ret)
{
	struct rsp_worker_request request = {.command = RSP_WORKER_CONTAINER, .flags = form};
	struct rsp_worker_message reply;
	int r;

	snprintf(request.name, sizeof(request.name), "%s", id);
	r = ask_about_file(&request, fd, &reply);
	if (r < 0)
		return r;
	take_name(reply.container.name, sizeof(ret->name), ret->name);
	take_name(reply.container.pod, sizeof(ret->pod), ret->pod);
	take_name(reply.container.name_space, sizeof(ret->name_space), ret->name_space);
	return 0;
}
