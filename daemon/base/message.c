/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See message.h. */
#include "daemon/base/message.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/base/clock.h"

#define NS_PER_MS 1000000ULL

union control {
	char buf[CMSG_SPACE(RSP_MESSAGE_FD_MAX * sizeof(int))];
	struct cmsghdr header;
};

int rsp_message_send(int socket, const void *data, size_t len, const int *fds, size_t fd_cnt,
		     int flags)
{
	struct iovec iov = {(void *)data, len};
	union control control = {0};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	size_t bytes = fd_cnt * sizeof(int);

	if (fd_cnt > RSP_MESSAGE_FD_MAX)
		return -EINVAL;
	if (fd_cnt) {
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(bytes),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), fds, bytes);
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(bytes);
	}
	return sendmsg(socket, &msg, flags | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void take_fds(struct msghdr *msg, int ret[RSP_MESSAGE_FD_MAX])
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);

	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		ret[i] = -1;
	if (cmsg && cmsg->cmsg_level == SOL_SOCKET && cmsg->cmsg_type == SCM_RIGHTS)
		memcpy(ret, CMSG_DATA(cmsg), cmsg->cmsg_len - CMSG_LEN(0));
}

int rsp_message_receive(int socket, void *data, size_t len, int ret_fds[RSP_MESSAGE_FD_MAX])
{
	struct iovec iov = {data, len};
	union control control;
	struct msghdr msg = {.msg_iov = &iov,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof(control)};
	int fds[RSP_MESSAGE_FD_MAX];
	ssize_t n;

	n = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC | MSG_TRUNC);
	if (n <= 0)
		return n < 0 ? -errno : -EPIPE;
	take_fds(&msg, fds);
	if ((size_t)n == len && !(msg.msg_flags & MSG_CTRUNC)) {
		memcpy(ret_fds, fds, sizeof(fds));
		return 0;
	}
	for (size_t i = 0; i < RSP_MESSAGE_FD_MAX; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return -EBADMSG;
}

int rsp_message_await(int socket, __u64 until_ns)
{
	struct pollfd pollfd = {.fd = socket, .events = POLLIN};
	int r;

	do {
		__u64 now_ns = rsp_now_ns();

		if (now_ns >= until_ns)
			return -ETIME;
		r = poll(&pollfd, 1, (int)((until_ns - now_ns) / NS_PER_MS) + 1);
	} while (r == 0 || (r < 0 && errno == EINTR));
	return r < 0 ? -errno : 0;
}
