/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A listening unix socket at a path. A lock on a file beside the socket shows whether a recorder
 * serves the socket, or a killed recorder left it behind.
 */
#ifndef RSP_DAEMON_LISTENER_H
#define RSP_DAEMON_LISTENER_H

struct rsp_listener;

/* Length of the queue of connections. systemd/rspd.socket has the same value. */
#define RSP_LISTENER_BACKLOG 1024

/*
 * Listens at path. *ret_fd is the socket, with mode 0666; the caller must close it. Returns 0;
 * -EADDRINUSE: another process listens at path; -ENAMETOOLONG; other -errno.
 */
int rsp_listener_new(const char *path, struct rsp_listener **ret, int *ret_fd);
/*
 * Removes the socket and its lock. Does not close the descriptor that rsp_listener_new() returned.
 */
struct rsp_listener *rsp_listener_free(struct rsp_listener *listener);

#endif
