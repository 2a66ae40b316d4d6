/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See inquiry.h. */
#include "daemon/worker/inquiry.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "daemon/base/clock.h"
#include "daemon/worker/session.h"
#include "lib/snapshot/container.h"

#define PATIENCE_NS (5 * 1000000000ULL)

static int query_file(struct rsp_worker_request *request, int fd, struct rsp_worker_message *reply)
{
	struct rsp_session s = {.deadline_ns = rsp_now_ns() + PATIENCE_NS};
	int r = rsp_session_start(&s, 0);

	if (r == 0)
		r = rsp_session_query(&s, request, &fd, 1, reply);
	rsp_session_end(&s);
	return r;
}

int rsp_inquiry_find_function(int fd, const char *function, __u64 *ret_offset)
{
	struct rsp_worker_request request = {.command = RSP_WORKER_FIND};
	struct rsp_worker_message reply;
	int r;

	if (strlen(function) >= sizeof(request.name))
		return -ENOENT;
	strcpy(request.name, function);
	r = query_file(&request, fd, &reply);
	if (r == 0)
		*ret_offset = reply.file_off;
	return r;
}

int rsp_inquiry_find_allocator(int fd, __u64 ret_offsets[RSP_ALLOC_CNT])
{
	struct rsp_worker_request request = {.command = RSP_WORKER_ALLOCATOR};
	struct rsp_worker_message reply;
	int r = query_file(&request, fd, &reply);

	if (r == 0)
		memcpy(ret_offsets, reply.offsets, sizeof(reply.offsets));
	return r;
}

/* Copies the name only if it is valid, since the worker is not trusted. */
static void take_name(const char *name, size_t size, char *ret)
{
	if (rsp_container_name_ok(name, size))
		memcpy(ret, name, size);
	else
		*ret = '\0';
}

int rsp_inquiry_name_container(int fd, enum rsp_container_state form, const char *id,
			       struct rsp_ev_container *ret)
{
	struct rsp_worker_request request = {.command = RSP_WORKER_CONTAINER, .flags = form};
	struct rsp_worker_message reply;
	int r;

	snprintf(request.name, sizeof(request.name), "%s", id);
	r = query_file(&request, fd, &reply);
	if (r < 0)
		return r;
	take_name(reply.container.name, sizeof(ret->name), ret->name);
	take_name(reply.container.pod, sizeof(ret->pod), ret->pod);
	take_name(reply.container.name_space, sizeof(ret->name_space), ret->name_space);
	return 0;
}
