/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api-harness: serves the recorder's socket (daemon/api) without a recorder, and tests what happens
 * when memory runs out. It sends each kind of request many times, with a limit on memory that rises
 * from round to round. After each round, the server must still serve the next client.
 *
 * Prints a line for each kind of request: its name, the number of rounds with a failed allocation,
 * and in how many of these rounds the request got an answer.
 */
#include <err.h>
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-event.h>
#include <unistd.h>

#include "daemon/api/api.h"
#include "daemon/api/status-json.h"
#include "lib/base/json.h"

#define SKIPPED 77

/* --- allocations ------------------------------------------------------------------------------ */

static bool limited;
/* allocated bytes; if `limited`, an allocation that would exceed limit fails */
static size_t used, limit;
/* limit with which the first failed allocation would have succeeded; 0: no allocation failed */
static size_t lacked;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t cnt, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

/* the left-th allocation from now fails, regardless of the limit; 0: none */
static unsigned long left;

static bool fails(size_t size)
{
	if (left && !--left) {
		lacked = used + size;
		return true;
	}
	if (!limited || used + size <= limit)
		return false;
	if (!lacked)
		lacked = used + size;
	errno = ENOMEM;
	return true;
}

#ifndef __SANITIZE_ADDRESS__ /* AddressSanitizer has its own malloc() */
static void *count(void *p)
{
	used += p ? malloc_usable_size(p) : 0;
	return p;
}

void *malloc(size_t size)
{
	return fails(size) ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t cnt, size_t size)
{
	return fails(cnt * size) ? NULL : count(__libc_calloc(cnt, size));
}

void *realloc(void *p, size_t size)
{
	size_t before = p ? malloc_usable_size(p) : 0;
	void *ret = fails(size > before ? size - before : 0) ? NULL : __libc_realloc(p, size);

	if (!ret)
		return NULL;
	used -= before;
	return count(ret);
}

void free(void *p)
{
	used -= p ? malloc_usable_size(p) : 0;
	__libc_free(p);
}
#endif

/* --- the recorder's operations ---------------------------------------------------------------- */

static const struct rsp_ability abilities[] = {{"sched", "tp_btf", "there is BTF", true},
					       {"tcp", "none", "no \"BTF\"", false}};
static struct rsp_slo_config slo_config = {.name = "checkout", .unit = "checkout.service"};
static struct rsp_slo_state slo = {.config = &slo_config, .measured = true, .buckets = {1, 2, 3}};

static const struct rsp_summary_ring *summaries(void *ctx)
{
	static struct rsp_summary_ring ring = {.boot = "harness"};

	if (!ring.made)
		(void)rsp_summary_ring_put(&ring, "{}", 2);
	return &ring;
}

static void get_status(void *ctx, struct rsp_status *ret)
{
	*ret = (struct rsp_status){
		.abilities = abilities, .ability_cnt = 2, .slos = &slo, .slo_cnt = 1};
	ret->cost.program_cnt = 1;
	ret->cost.programs[0] = (struct rsp_program_cost){"on_switch", 3, 4};
}

static int snapshot(void *ctx, const struct rsp_snapshot_request *req, rsp_snapshot_done_fn done,
		    void *userdata, struct rsp_job **ret)
{
	return req->target.pid == 1 ? -ESRCH : -EIO;
}

static void cancel(void *ctx, struct rsp_job *job)
{
}

static int act(void *ctx, const char *name, const struct rsp_peer *peer)
{
	return strcmp(name, "good") == 0 ? 0 : -ENOTUNIQ;
}

static bool users_may_ask(void *ctx)
{
	return true;
}

static int recent(void *ctx, uint64_t position, struct rsp_recent *ret)
{
	*ret = (struct rsp_recent){.fd = memfd_create("recent", MFD_CLOEXEC), .position = 8};
	return ret->fd < 0 ? -errno : 0;
}

static unsigned int prepare(void *ctx, pid_t pid)
{
	return pid < 0 ? 0 : 7;
}

static void stand_aside(void *ctx, bool aside)
{
}

static unsigned int watch_cnt;

static int watch(void *ctx, const struct rsp_watch_request *request, uint64_t limit_ns,
		 unsigned int *ret_number)
{
	*ret_number = 1;
	return watch_cnt++ ? -EBUSY : 0;
}

static void unwatch(void *ctx, unsigned int number)
{
	watch_cnt--;
}

static int pause_recording(void *ctx, const char *reason, uint64_t for_ns,
			   const struct rsp_peer *peer, int *ret_unkept)
{
	*ret_unkept = strcmp(reason, "unkept") == 0 ? -ENOSPC : 0;
	return strcmp(reason, "bad") == 0 ? -EIO : 0;
}

static int resume_recording(void *ctx, const struct rsp_peer *peer)
{
	return 0;
}

static const struct rsp_recorder_ops ops = {
	.get_status = get_status,
	.summaries = summaries,
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
	.pause = pause_recording,
	.resume = resume_recording,
	.users_may_ask = users_may_ask,
};

/* --- a client --------------------------------------------------------------------------------- */

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_len = sizeof(sa_family_t);
static sd_event *event;

static int make_listener(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, address_len) < 0 || listen(fd, 8) < 0)
		err(1, "socket");
	address_len = sizeof(address);
	if (getsockname(fd, (struct sockaddr *)&address, &address_len) < 0)
		err(1, "getsockname");
	return fd;
}

static bool call(const char *request, char *buf, size_t size)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t n;

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, address_len) < 0 ||
	    send(fd, request, strlen(request) + 1, MSG_NOSIGNAL) < 0)
		err(1, "cannot connect");
	for (int runs = 0; poll(&p, 1, 0) == 0; runs++) {
		int r = sd_event_run(event, 1000000);

		if (r == -ENOMEM && limited) /* rspd tries again, too: see loop() */
			limit += 64;
		else if (r < 0)
			errx(1, "the event loop failed: %s", strerror(-r));
		if (runs > 1000)
			errx(1, "no answer to %s", request);
	}
	n = recv(fd, buf, size - 1, 0);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static void starve(const char *name, const char *request, const char *answer)
{
	static char buf[1 << 17];
	unsigned long cnt, answered = 0;
	bool good;

	limit = used;
	for (cnt = 0;; cnt++) {
		lacked = 0;
		limited = true;
		good = call(request, buf, sizeof(buf));
		limited = false;
		if (!lacked)
			break;
		answered += good;
		limit = limit > lacked ? limit : lacked;
		if (!call("{\"method\":\"org.varlink.service.GetInfo\"}", buf, sizeof(buf)) ||
		    !strstr(buf, "\"product\":\"RSP\""))
			errx(1, "%s: after it lacked memory the next client gets '%s'", name, buf);
	}
	if (!good || !strstr(buf, answer))
		errx(1, "%s: the answer is '%s'", name, buf);
	printf("%s: %lu limits of memory, %lu times there was an answer\n", name, cnt, answered);
	if (!cnt)
		errx(1, "%s: it never lacked memory", name);
}

/* In round n, the n-th allocation fails, and so must the conversion. */
static void starve_builder(void)
{
	struct json_object *o;
	struct rsp_status status;
	unsigned long n = 0;

	get_status(NULL, &status);
	do {
		lacked = 0;
		left = ++n;
		o = rsp_status_to_json(&status);
		left = 0;
		if (!o != !!lacked)
			errx(1, "a status without allocation %lu is not refused", n);
		json_object_put(o);
	} while (lacked);
	printf("status: %lu allocations failed\n", n - 1);
	if (n == 1)
		errx(1, "status: no allocation failed");
}

int main(void)
{
	struct rsp_api *api;

#ifdef __SANITIZE_ADDRESS__
	puts("the address sanitizer has its own malloc()");
	return SKIPPED;
#endif
	if (sd_event_default(&event) < 0 || rsp_api_new(event, event, &ops, NULL, &api) < 0 ||
	    rsp_api_listen_fd(api, make_listener()) < 0)
		errx(1, "cannot serve");
	starve("GetInfo", "{\"method\":\"org.varlink.service.GetInfo\"}", "\"version\"");
	starve("GetInterfaceDescription",
	       "{\"method\":\"org.varlink.service.GetInterfaceDescription\","
	       "\"parameters\":{\"interface\":\"io.rsp.Recorder\"}}",
	       "method GetStatus");
	starve("GetStatus", "{\"method\":\"io.rsp.Recorder.GetStatus\"}", "\"by_kind\"");
	starve("Snapshot", "{\"method\":\"io.rsp.Recorder.Snapshot\",\"parameters\":{\"pid\":1}}",
	       "NoSuchProcess");
	starve("Snapshot, failed",
	       "{\"method\":\"io.rsp.Recorder.Snapshot\",\"parameters\":{\"pid\":2}}",
	       "\"reason\"");
	starve("Snapshot, invalid",
	       "{\"method\":\"io.rsp.Recorder.Snapshot\",\"parameters\":{\"pdi\":1}}", "pdi");
	starve("Delete", "{\"method\":\"io.rsp.Recorder.Delete\",\"parameters\":{\"id\":\"good\"}}",
	       "\"parameters\"");
	starve("Recent", "{\"method\":\"io.rsp.Recorder.Recent\",\"parameters\":{}}",
	       "\"position\"");
	starve("no such method", "{\"method\":\"io.rsp.Recorder.Sing\"}", "MethodNotFound");
	starve_builder();
	rsp_api_free(api);
	sd_event_unref(event);
	return 0;
}
