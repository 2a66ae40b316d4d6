/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends and receives messages of fixed length, with descriptors, over a SOCK_SEQPACKET socket. */
#ifndef RSP_DAEMON_MESSAGE_H
#define RSP_DAEMON_MESSAGE_H

#include <linux/types.h>
#include <stddef.h>

#define RSP_MESSAGE_FD_MAX 2

/* flags: as for sendmsg(). The caller keeps the descriptors. Returns 0 or -errno. */
int rsp_message_send(int socket, const void *data, size_t len, const int *fds, size_t fd_cnt,
		     int flags);

/*
 * ret_fds: an array of RSP_MESSAGE_FD_MAX descriptors, which the caller must close; -1: no
 * descriptor. Returns 0; -EPIPE: there are no more messages; -EBADMSG: the length is wrong, or
 * there are too many descriptors; -errno.
 */
int rsp_message_receive(int socket, void *data, size_t len, int ret_fds[RSP_MESSAGE_FD_MAX]);

/*
 * Waits until there is a message or the peer has closed the socket. Returns 0; -ETIME: the time
 * limit until_ns (CLOCK_MONOTONIC) has passed; -errno.
 */
int rsp_message_await(int socket, __u64 until_ns);

#endif
