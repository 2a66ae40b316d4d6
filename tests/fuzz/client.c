/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes any bytes to rspctl's client (rsp_client_call()) as the recorder's answer. The client must
 * return a reply, or an error that it can print.
 */
#include <errno.h>
#include <json-c/json.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/client/client.h"
#include "tests/fuzz/input.h"

#define TIMEOUT_MS 10000
#define CALLS_MAX  3

static void put(int socket, struct input *in, bool with_fd)
{
	static int file = -1;
	char control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec iov = {(void *)in->bytes, in->len};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

	if (file < 0)
		file = memfd_create("snapshot", MFD_CLOEXEC);
	if (with_fd) {
		struct cmsghdr *cmsg = (void *)control;

		*cmsg = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
					 .cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(cmsg), &file, sizeof(file));
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
	}
	must(sendmsg(socket, &msg, 0) == (ssize_t)in->len);
}

static int call(struct rsp_client *client)
{
	struct json_object *reply = NULL;
	int fd = -1, r;

	r = rsp_client_call(client, "io.rsp.Recorder.Snapshot", json_object_new_object(),
			    TIMEOUT_MS, &reply, &fd);
	must(r == 0 ? json_object_is_type(reply, json_type_object) : !reply && fd < 0);
	must(r == 0 || strlen(rsp_client_error(client, r)) < 256);
	json_object_put(reply);
	if (fd >= 0)
		close(fd);
	return r;
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t len)
{
	struct input in = {data, len};
	bool with_fd = take_u8(&in) & 1;
	struct rsp_client *client;
	int fds[2];

	if (in.len == 0)
		return 0;
	must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
	put(fds[1], &in, with_fd);
	must(shutdown(fds[1], SHUT_WR) == 0);
	must(rsp_client_adopt(fds[0], &client) == 0);
	for (int i = 0; i < CALLS_MAX && call(client) == 0; i++)
		;
	rsp_client_free(client);
	close(fds[1]);
	return 0;
}
