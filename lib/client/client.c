/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See client.h. Messages have the format of varlink: JSON objects, each followed by a NUL. */
#include "lib/client/client.h"

#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/json.h"

/* The recorder's replies have at most 64 KiB. */
#define REPLY_MAX (1024 * 1024)

struct rsp_client {
	int fd;
	int received_fd;  /* -1: none */
	char error[1200]; /* error text of the last -EREMOTEIO or -ENOTUNIQ; "": none */
	size_t len;
	char in[REPLY_MAX];
};

int rsp_client_adopt(int fd, struct rsp_client **ret)
{
	struct rsp_client *client = malloc(sizeof(*client));

	if (!client) {
		close(fd);
		return -ENOMEM;
	}
	client->fd = fd;
	client->received_fd = -1;
	client->error[0] = '\0';
	client->len = 0;
	*ret = client;
	return 0;
}

int rsp_client_connect(const char *path, struct rsp_client **ret)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (fd < 0)
		return -errno;
	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	return rsp_client_adopt(rsp_take_fd(&fd), ret);
}

struct rsp_client *rsp_client_free(struct rsp_client *client)
{
	if (!client)
		return NULL;
	close(client->fd);
	if (client->received_fd >= 0)
		close(client->received_fd);
	free(client);
	return NULL;
}

int rsp_client_fd(const struct rsp_client *client)
{
	return client->fd;
}

/* --- messages --------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static int wait_for(const struct rsp_client *client, short events, int64_t deadline_ms)
{
	struct pollfd p = {.fd = client->fd, .events = events};

	for (;;) {
		int64_t left = deadline_ms - now_ms();
		int n = poll(&p, 1, left > 0 ? (int)left : 0);

		if (n > 0)
			return 0;
		if (n == 0)
			return -ETIMEDOUT;
		if (errno != EINTR)
			return -errno;
	}
}

static int send_all(const struct rsp_client *client, const char *bytes, size_t len,
		    int64_t deadline_ms)
{
	while (len > 0) {
		ssize_t n;
		int r = wait_for(client, POLLOUT, deadline_ms);

		if (r < 0)
			return r;
		n = send(client->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0)
			return errno == EPIPE ? -ECONNRESET : -errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Keeps the first received descriptor, and closes all others. */
static void take_fds(struct rsp_client *client, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t cnt = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < cnt; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (client->received_fd < 0)
				client->received_fd = fd;
			else
				close(fd);
		}
	}
}

static int receive_some(struct rsp_client *client, int64_t deadline_ms)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec iov = {client->in + client->len, sizeof(client->in) - client->len};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;
	int r;

	if (iov.iov_len == 0)
		return -EBADMSG;
	r = wait_for(client, POLLIN, deadline_ms);
	if (r < 0)
		return r;
	n = recvmsg(client->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (n == 0)
		return -ECONNRESET;
	take_fds(client, &msg);
	client->len += (size_t)n;
	return 0;
}

static int receive_message(struct rsp_client *client, int64_t deadline_ms, struct json_object **ret)
{
	const char *end;
	int r;

	while (!(end = memchr(client->in, '\0', client->len))) {
		r = receive_some(client, deadline_ms);
		if (r < 0)
			return r;
	}
	r = rsp_json_parse(client->in, (size_t)(end - client->in), JSON_TOKENER_DEFAULT_DEPTH, ret);
	client->len -= (size_t)(end + 1 - client->in);
	memmove(client->in, end + 1, client->len);
	return r;
}

/* --- calls ------------------------------------------------------------------------------------ */

static int send_call(struct rsp_client *client, const char *method, struct json_object *parameters,
		     int64_t deadline_ms)
{
	struct json_object *message = json_object_new_object();
	const char *text;
	size_t len;
	int r;

	json_object_object_add(message, "method", json_object_new_string(method));
	json_object_object_add(message, "parameters", parameters);
	text = json_object_to_json_string_length(message, JSON_C_TO_STRING_PLAIN, &len);
	r = text ? send_all(client, text, len + 1, deadline_ms) : -ENOMEM;
	json_object_put(message);
	return r;
}

static int error_to_errno(struct rsp_client *client, struct json_object *name,
			  struct json_object *parameters)
{
	static const struct {
		const char *name;
		int error;
	} known[] = {
		{"io.rsp.Recorder.NoSuchProcess", -ESRCH},
		{"io.rsp.Recorder.TooLongAgo", -ESTALE},
		{"io.rsp.Recorder.PermissionDenied", -EACCES},
		{"io.rsp.Recorder.Busy", -EBUSY},
		{"io.rsp.Recorder.NotFound", -ENOENT},
		{"io.rsp.Recorder.Ambiguous", -ENOTUNIQ},
		{"io.rsp.Recorder.OutOfMemory", -ENOMEM},
		{"io.rsp.Recorder.Paused", -ESHUTDOWN},
	};
	struct json_object *detail;
	const char *error;

	if (!json_object_is_type(name, json_type_string))
		return -EBADMSG;
	error = json_object_get_string(name);
	client->error[0] = '\0';
	if (json_object_object_get_ex(parameters, "candidates", &detail) && detail)
		snprintf(client->error, sizeof(client->error),
			 "several containers match: %s: give more of the ID, or NAMESPACE/POD/NAME",
			 json_object_get_string(detail));
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(error, known[i].name))
			return known[i].error;
	if (json_object_object_get_ex(parameters, "reason", &detail) && detail)
		error = json_object_get_string(detail);
	snprintf(client->error, sizeof(client->error), "%s", error);
	return -EREMOTEIO;
}

int rsp_client_call(struct rsp_client *client, const char *method, struct json_object *parameters,
		    int timeout_ms, struct json_object **ret, int *ret_fd)
{
	int64_t deadline_ms = now_ms() + timeout_ms;
	struct json_object *message, *error, *reply = NULL;
	int r;

	r = send_call(client, method, parameters, deadline_ms);
	/*
	 * A recorder that rejects a client sends an error before it closes the connection, so still
	 * read after -ECONNRESET.
	 */
	if (r < 0 && r != -ECONNRESET)
		return r;
	r = receive_message(client, deadline_ms, &message);
	if (r < 0)
		return r;
	json_object_object_get_ex(message, "parameters", &reply);
	if (json_object_object_get_ex(message, "error", &error))
		r = error_to_errno(client, error, reply);
	else if (!json_object_is_type(reply, json_type_object))
		r = -EBADMSG;
	if (r == 0) {
		*ret = json_object_get(reply);
		if (ret_fd)
			*ret_fd = rsp_take_fd(&client->received_fd);
	}
	json_object_put(message);
	return r;
}

int rsp_client_ping(struct rsp_client *client, int timeout_ms)
{
	struct json_object *reply;
	int r;

	r = rsp_client_call(client, "io.rsp.Recorder.GetStatus", json_object_new_object(),
			    timeout_ms, &reply, NULL);
	if (r == 0)
		json_object_put(reply);
	return r;
}

const char *rsp_client_error(const struct rsp_client *client, int error)
{
	switch (error) {
	case -ESRCH:
		return "the recorder's window contains no such process";
	case -EBUSY:
		return "the recorder has too many requests of this kind: try again later";
	case -ESTALE:
		return "the recorder's window does not reach back so far";
	case -EACCES:
		return "only root and members of group rsp may do this: use sudo, or join the "
		       "group";
	case -ENOENT:
		return "there is no such unit, cgroup, SLO or snapshot";
	case -ENOTUNIQ:
		return *client->error ? client->error
				      : "several IDs begin with these digits: give more digits";
	case -ENOMEM:
		return "out of memory";
	case -ESHUTDOWN:
		return "recording is paused: 'rspctl status' shows by whom and why, 'rspctl "
		       "resume' resumes it";
	case -EREMOTEIO:
		return client->error;
	case -ETIMEDOUT:
		return "the recorder does not answer";
	case -ECONNRESET:
		return "the recorder closed the connection";
	case -EBADMSG:
		return "the server at this socket does not speak the recorder's protocol";
	default:
		return strerror(-error);
	}
}
