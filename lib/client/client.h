/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of the recorder: sends a method and parameters, and receives the reply and a file
 * descriptor if the recorder sends one. Makes one call at a time. Every wait has a deadline.
 */
#ifndef RSP_LIB_CLIENT_H
#define RSP_LIB_CLIENT_H

struct json_object;
struct rsp_client;

/* Returns 0 or -errno of connect(2). -ENOENT and -ECONNREFUSED mean that no recorder is running. */
int rsp_client_connect(const char *path, struct rsp_client **ret);
/* Takes ownership of the connected fd, even on failure. Returns 0 or -errno. */
int rsp_client_adopt(int fd, struct rsp_client **ret);
struct rsp_client *rsp_client_free(struct rsp_client *client);

/*
 * Returns the descriptor of the connection, which the client owns. POLLHUP means that the recorder
 * has ended.
 */
int rsp_client_fd(const struct rsp_client *client);

/*
 * Takes ownership of parameters. *ret: the reply's parameters. *ret_fd: the received descriptor, or
 * -1; ret_fd may be NULL. Returns 0 or -ESRCH: the window contains no such process; -ESTALE: the
 * window does not reach back so far; -EACCES; -EBUSY; -ENOENT; -ENOTUNIQ; -ENOMEM; -EREMOTEIO:
 * another error, see rsp_client_error(); -ETIMEDOUT; -ECONNRESET: the recorder closed the
 * connection; -EBADMSG: the reply is invalid. After the last three the connection is unusable.
 */
int rsp_client_call(struct rsp_client *client, const char *method, struct json_object *parameters,
		    int timeout_ms, struct json_object **ret, int *ret_fd);

/* Calls GetStatus to find out whether the recorder answers. Errors as for rsp_client_call(). */
int rsp_client_ping(struct rsp_client *client, int timeout_ms);

/*
 * Returns a sentence about error, which the last call returned. The text is valid until the next
 * call.
 */
const char *rsp_client_error(const struct rsp_client *client, int error);

#endif
