/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See analysis.h. If the snapshot must be redacted or needs a process, one worker cuts it. Another
 * worker, which sees only the result, finds the names. This process adds the names to the snapshot.
 */
#include "daemon/snapshots/analysis.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/base/clock.h"
#include "daemon/base/message.h"
#include "daemon/snapshots/file-requests.h"
#include "daemon/worker/session.h"
#include "lib/base/cleanup.h"
#include "lib/base/text.h"
#include "lib/snapshot/container.h"
#include "lib/snapshot/snapshot.h"

#define NS_PER_S 1000000000ULL

/* Time in seconds from the deadline until SIGALRM ends this process, in case it hangs. */
#define ALARM_SLACK_S 15

/* --- requests for files ----------------------------------------------------------------------- */

struct granting {
	struct rsp_file_requests file_requests;
	__u64 until_ns; /* time after which no file is granted */
};

static int grant(const struct rsp_file_request *file, __u32 *ret_number, void *userdata)
{
	struct granting *g = userdata;

	return rsp_file_requests_grant(&g->file_requests, file, g->until_ns, ret_number);
}

struct symbols_granting {
	const struct rsp_broker *broker;
	const struct rsp_session *session;
	__u32 number; /* number of the last file */
};

/* Opens no file, so it needs no broker process. */
static int grant_symbols(const struct rsp_file_request *file, __u32 *ret_number, void *userdata)
{
	struct symbols_granting *g = userdata;
	_cleanup_close_ int fd = -1;

	if (file->kind != RSP_FILE_SYMBOLS)
		return -EACCES;
	fd = rsp_broker_open(g->broker, file);
	if (fd < 0)
		return rsp_take_fd(&fd);
	*ret_number = ++g->number;
	return rsp_message_send(g->session->process.inlet, ret_number, sizeof(*ret_number), &fd, 1,
				MSG_DONTWAIT);
}

/* --- the result of a worker ------------------------------------------------------------------- */

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

/* Fails while a worker can still change it. */
static int seal_result(int fd, size_t snapshot_bytes, size_t *ret_size)
{
	size_t size = 0;
	int r;

	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
		return -errno;
	r = size_of(fd, &size);
	if (r < 0)
		return r;
	if (!size || size > rsp_session_result_bytes(snapshot_bytes))
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
	struct rsp_session s = {.deadline_ns = deadline_ns};
	struct rsp_worker_message reply;
	int r = make_result(&ret->fd);

	if (r == 0)
		r = rsp_session_start(&s, size);
	if (r == 0)
		r = rsp_session_query(&s, &request, (const int[]){how->snapshot, ret->fd}, 2,
				      &reply);
	rsp_session_end(&s);
	return r < 0 ? r : seal_result(ret->fd, size, &ret->size);
}

/* Ignores errors, because the snapshot with names is useful even without a headline. */
static void get_headline(struct rsp_session *s, int fd, char ret[RSP_HEADLINE_MAX])
{
	struct rsp_worker_request request = {.command = RSP_WORKER_HEADLINE};
	struct rsp_worker_message reply;

	if (rsp_session_query(s, &request, &fd, 1, &reply) < 0)
		return;
	memcpy(ret, reply.headline, RSP_HEADLINE_MAX);
	ret[RSP_HEADLINE_MAX - 1] = '\0';
	rsp_text_clean(ret);
}

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

/* The worker reads naming, which may be a smaller version of the snapshot. */
static int name(const struct rsp_analysis_request *how, __u64 deadline_ns, int naming, int snapshot,
		size_t size, struct rsp_analysis *ret)
{
	_cleanup_close_ int names = -1;
	const struct rsp_broker broker = {how->binaries, how->redact, how->uid};
	__u64 now_ns = rsp_now_ns();
	struct granting granting = {
		.file_requests = {.broker = &broker, .places = how->broker_places},
		.until_ns = now_ns + (deadline_ns - now_ns) / 2};
	struct rsp_session s = {.deadline_ns = deadline_ns, .grant = grant, .userdata = &granting};
	struct rsp_worker_request request = {.command = RSP_WORKER_NAME};
	struct rsp_worker_message reply;
	int r = make_result(&names);

	if (r == 0)
		r = rsp_session_start(&s, size);
	granting.file_requests.inlet = s.process.inlet;
	if (r == 0)
		r = rsp_session_query(&s, &request, (const int[]){naming, names}, 2, &reply);
	ret->left_out_cnt = granting.file_requests.left_out_cnt;
	if (r == 0)
		r = add_names(snapshot, size, names, ret);
	if (r == 0 && how->headline)
		get_headline(&s, ret->fd, ret->headline);
	rsp_file_requests_done(&granting.file_requests);
	rsp_session_end(&s);
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
	struct symbols_granting granting = {.broker = broker};
	struct rsp_session s = {
		.deadline_ns = deadline_ns, .grant = grant_symbols, .userdata = &granting};
	struct rsp_worker_message reply;
	size_t size = 0;
	int r = size_of(snapshot, &size);

	granting.session = &s;
	if (r == 0)
		r = rsp_session_start(&s, size);
	if (r == 0)
		r = rsp_session_query(&s, &request, (const int[]){snapshot, result}, 2, &reply);
	rsp_session_end(&s);
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
