/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other end of the recorder's socket: method and parameters -> reply, and a file descriptor if
 * one comes along. One call at a time; every wait has a deadline.
 */
#ifndef RSP_CLI_CLIENT_H
#define RSP_CLI_CLIENT_H

struct json_object;
struct rsp_client;

/* 0 or -errno of connect(2): -ENOENT and -ECONNREFUSED mean that nobody serves the path. */
int rsp_client_connect(const char *path, struct rsp_client **ret);
/* Takes the connected fd, even on failure. */
int rsp_client_adopt(int fd, struct rsp_client **ret);
struct rsp_client *rsp_client_free(struct rsp_client *client);

/* The connection, to poll for the end of the recorder (POLLHUP). It stays the client's. */
int rsp_client_fd(const struct rsp_client *client);

/*
 * Takes parameters. *ret: the reply's parameters. *ret_fd: what came along, -1 if nothing did; may
 * be NULL. -ESRCH: the recorder knows no such process; -ESTALE: not for so long; -EACCES; -EBUSY;
 * -ENOENT; -ENOTUNIQ; -ENOMEM; -EREMOTEIO: another error, see rsp_client_error(); -ETIMEDOUT;
 * -ECONNRESET: it hung up; -EBADMSG: it answered nonsense. After the last three the connection is
 * of no use any more.
 */
int rsp_client_call(struct rsp_client *client, const char *method, struct json_object *parameters,
		    int timeout_ms, struct json_object **ret, int *ret_fd);

/* Calls GetStatus for the sake of an answer: the recorder is there and records. */
int rsp_client_ping(struct rsp_client *client, int timeout_ms);

/* A sentence about what the last call returned; valid until the next one. */
const char *rsp_client_error(const struct rsp_client *client, int error);

#endif
