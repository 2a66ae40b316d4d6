/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends any bytes as a client of the recorder's socket. Each answer must be a JSON object that ends
 * in NUL. The bytes arrive in parts: a byte before each part is its length; length 0 stands for the
 * last part.
 */
#include <errno.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/snapshots/dump.h"
#include "lib/base/json.h"
#include "tests/fuzz/input.h"

/* --- the recorder ---------------------------------------------------------------------------- */

static void get_status(void *ctx, struct rsp_status *ret)
{
	*ret = (struct rsp_status){.uptime_ns = 1};
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *req, rsp_snapshot_done_fn done,
		    void *userdata, struct rsp_job **ret)
{
	const struct rsp_target *t = &req->target;

	must((t->pid != 0) + (t->port != 0) + !!t->unit + !!t->cgroup + !!t->comm == 1);
	must(t->pid >= 0 && req->until_ns >= req->since_ns && req->command);
	/* A return value of 0: the recorder answers later. This recorder never answers. */
	*ret = NULL;
	return t->pid % 2 ? 0 : -ESRCH;
}

static void cancel(void *ctx, struct rsp_job *job)
{
}

static int act(void *ctx, const char *name, const struct rsp_peer *peer)
{
	must(name && peer);
	return *name ? 0 : -ENOENT;
}

static bool users_may_ask(void *ctx)
{
	return true;
}

/* Replaces daemon/snapshots/dump.c, which needs a recorder. */
const char *rsp_dump_error_text(int error)
{
	return strerror(-error);
}

/*
 * The API looks up the group "rsp" at each start. The C library would search a dozen directories
 * for this group.
 */
struct group *getgrnam(const char *name)
{
	return NULL;
}

static int recent(void *ctx, uint64_t position, struct rsp_recent *ret)
{
	must(position <= INT64_MAX);
	if (position % 2)
		return -EIO;
	*ret = (struct rsp_recent){.fd = memfd_create("recent", MFD_CLOEXEC), .position = 8};
	return ret->fd < 0 ? -errno : 0;
}

static unsigned int prepare(void *ctx, pid_t pid)
{
	must(pid >= -1);
	return 7;
}

static void stand_aside(void *ctx, bool aside)
{
}

static unsigned int watch_cnt, watch_number;

static int watch(void *ctx, const struct rsp_watch_request *request, uint64_t limit_ns,
		 unsigned int *ret_number)
{
	must(limit_ns > 0 && limit_ns <= RSP_AFTER_MAX_NS);
	if (watch_cnt)
		return -EBUSY;
	watch_cnt++;
	*ret_number = ++watch_number;
	return 0;
}

static void unwatch(void *ctx, unsigned int number)
{
	must(watch_cnt == 1 && number == watch_number);
	watch_cnt--;
}

static const struct rsp_recorder_ops ops = {
	.get_status = get_status,
	.snapshot = snapshot,
	.cancel = cancel,
	.trigger = act,
	.mark = act,
	.delete = act,
	.recent = recent,
	.prepare = prepare,
	.stand_aside = stand_aside,
	.watch = watch,
	.unwatch = unwatch,
	.users_may_ask = users_may_ask,
};

/* --- the client ------------------------------------------------------------------------------ */

/* Reads the answers. Each of them must be complete, and JSON. */
static void check_answers(int fd)
{
	static char bytes[1 << 20];
	static size_t len;
	ssize_t n;

	for (len = 0; (n = recv(fd, bytes + len, sizeof(bytes) - len, MSG_DONTWAIT)) > 0;)
		len += (size_t)n;
	for (char *p = bytes, *end; (end = memchr(p, '\0', len)); p = end + 1) {
		struct json_object *o;

		must(rsp_json_parse(p, (size_t)(end - p), 64, &o) == 0);
		json_object_put(o);
		len -= (size_t)(end + 1 - p);
	}
	must(len == 0);
}

static void run(sd_event *event)
{
	while (sd_event_get_state(event) != SD_EVENT_FINISHED && sd_event_run(event, 0) > 0)
		;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct input in = {data, len};
	sd_event *event = NULL;
	struct rsp_api *api;
	int fds[2];

	must(sd_event_new(&event) >= 0 && rsp_api_new(event, event, &ops, NULL, &api) == 0);
	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) == 0);
	must(rsp_api_adopt(api, fds[0]) == 0);
	while (in.len > 0) {
		size_t part = take_u8(&in);

		if (part == 0 || part > in.len)
			part = in.len;
		if (send(fds[1], in.bytes, part, MSG_NOSIGNAL) < 0)
			break;
		in.bytes += part;
		in.len -= part;
		run(event);
		check_answers(fds[1]);
	}
	close(fds[1]);
	run(event);
	rsp_api_free(api);
	sd_event_unref(event);
	return 0;
}
