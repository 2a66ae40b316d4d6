/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message of fixed length, with descriptors, over a SOCK_SEQPACKET socket. */
#ifndef RSP_DAEMON_MESSAGE_H
#define RSP_DAEMON_MESSAGE_H

#include <linux/types.h>
#include <stddef.h>

#define RSP_MESSAGE_FD_MAX 2

/* flags: as of sendmsg(). The descriptors stay the caller's. 0 or -errno. */
int rsp_message_send(int socket, const void *data, size_t len, const int *fds, size_t fd_cnt,
		     int flags);

/*
 * Waits for one. ret_fds: room for RSP_MESSAGE_FD_MAX, -1 where there is none; the caller's. 0;
 * -EPIPE: there are no more; -EBADMSG: of another length, or with more descriptors; -errno.
 */
int rsp_message_receive(int socket, void *data, size_t len, int ret_fds[RSP_MESSAGE_FD_MAX]);

/* Until there is one, or there will be none. 0; -ETIME: not before until_ns (CLOCK_MONOTONIC);
 * -errno. */
int rsp_message_await(int socket, __u64 until_ns);

#endif
