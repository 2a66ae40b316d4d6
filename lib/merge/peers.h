/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the host of the other end of a connection. Both ends have the same addresses and ports,
 * swapped. If a socket of the same host matches, it is the other end. So private networks with the
 * same addresses on several hosts are not mixed up.
 */
#ifndef RSP_LIB_MERGE_PEERS_H
#define RSP_LIB_MERGE_PEERS_H

#include <stddef.h>

#include "lib/base/idmap.h"
#include "rsp/event.h"

struct rsp_merge_sockets {
	struct rsp_idmap of_id; /* SOCKET id -> record */
	struct rsp_idmap flows; /* set of the flows that sockets of the host send */
	struct rsp_idmap ends;	/* set of the addresses and ports of the host's sockets */
};

/* The socket must outlive s. Returns 0 or -ENOMEM. */
int rsp_merge_sockets_note(struct rsp_merge_sockets *s, const struct rsp_ev_socket *sock);
void rsp_merge_sockets_done(struct rsp_merge_sockets *s);

/*
 * Returns the host of the other end of sock, which is a socket of host. Returns host itself if no
 * other host fits.
 */
__u32 rsp_merge_peer(const struct rsp_merge_sockets *hosts, size_t cnt, __u32 host,
		     const struct rsp_ev_socket *sock);

#endif
