/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A path -> a listening unix socket that is ours alone. A lock file beside it tells a second
 * recorder from the socket that a killed one left behind; both files go when we do.
 */
#ifndef RSP_DAEMON_LISTENER_H
#define RSP_DAEMON_LISTENER_H

struct rsp_listener;

/* Whoever comes next waits behind so many. The same is in systemd/rspd.socket. */
#define RSP_LISTENER_BACKLOG 1024

/*
 * *ret_fd: the socket, mode 0660, owned by the caller. Its directory is made (0755) if it is
 * missing. -EADDRINUSE: another process listens there; -ENAMETOOLONG; other -errno.
 */
int rsp_listener_new(const char *path, struct rsp_listener **ret, int *ret_fd);
/* Removes socket and lock; the descriptor itself is the caller's to close. */
struct rsp_listener *rsp_listener_free(struct rsp_listener *listener);

#endif
