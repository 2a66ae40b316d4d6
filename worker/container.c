/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the names of a container from a file of its container runtime. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/containers/state.h"
#include "worker/commands.h"

static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size && (n = pread(fd, buf + len, size - len, (off_t)len)) != 0) {
		if (n < 0)
			return -errno;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

int rsp_command_container(const struct rsp_worker_request *request,
			  const int fds[RSP_WORKER_FD_MAX], struct rsp_worker_message *reply)
{
	_cleanup_free_ char *text = malloc(RSP_CONTAINER_STATE_BYTES_MAX);
	struct rsp_ev_container names = {0};
	ssize_t len;
	int r;

	if (!text)
		return -ENOMEM;
	if (!request->flags || request->flags >= RSP_CONTAINER_STATE_MAX)
		return -EINVAL;
	len = read_all(fds[RSP_WORKER_INPUT], text, RSP_CONTAINER_STATE_BYTES_MAX);
	if (len < 0)
		return (int)len;
	r = rsp_container_state_read(request->flags, text, (size_t)len, request->name, &names);
	if (r == 0)
		reply->container = names;
	return r;
}
