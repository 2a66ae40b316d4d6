/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client of the recorder. Makes one call at a time. Each call has a timeout. */
#ifndef RSP_LIB_CLIENT_H
#define RSP_LIB_CLIENT_H

struct json_object;
struct rsp_client;

/*
 * Connects to the socket at path. Returns 0 or -errno of connect(2). -ENOENT and -ECONNREFUSED mean
 * that no recorder is running.
 */
int rsp_client_connect(const char *path, struct rsp_client **ret);
/* Takes ownership of fd, even on failure. Returns 0 or -errno. */
int rsp_client_adopt(int fd, struct rsp_client **ret);
struct rsp_client *rsp_client_free(struct rsp_client *client);

/* The client owns the descriptor. poll() reports POLLHUP when the recorder has ended. */
int rsp_client_fd(const struct rsp_client *client);

/*
 * Takes ownership of parameters. *ret: the parameters of the reply. *ret_fd: the received
 * descriptor, or -1; ret_fd may be NULL. Returns 0; -ESRCH: the window does not contain the
 * process; -ESTALE: the window does not reach back far enough; -EACCES; -EBUSY; -ENOENT; -ENOTUNIQ;
 * -ESHUTDOWN: recording is paused; -ENOMEM; -EREMOTEIO: any other error of the recorder, see
 * rsp_client_error(); -ETIMEDOUT; -ECONNRESET: the recorder closed the connection; -EBADMSG: the
 * reply is invalid. After -ETIMEDOUT, -ECONNRESET and -EBADMSG, the connection is unusable.
 */
int rsp_client_call(struct rsp_client *client, const char *method, struct json_object *parameters,
		    int timeout_ms, struct json_object **ret, int *ret_fd);

/* Finds out whether the recorder answers. Returns the same errors as rsp_client_call(). */
int rsp_client_ping(struct rsp_client *client, int timeout_ms);

/* The text is valid until the next call. */
const char *rsp_client_error(const struct rsp_client *client, int error);

#endif
