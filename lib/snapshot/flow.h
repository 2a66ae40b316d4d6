/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets that a socket sends (a sent flow), and the packets that it receives (a wanted flow).
 * A packet that one socket sends may arrive at another socket if the sent flow of the first fits
 * the wanted flow of the second. IPv4 addresses are in IPv6 form, as an IPv6 socket has them. All
 * zeroes stand for any address.
 */
#ifndef RSP_LIB_FLOW_H
#define RSP_LIB_FLOW_H

#include "rsp/event.h"

struct rsp_socket_flow {
	__u8 local[16], remote[16]; /* local: of the sender; remote: of the receiver */
	__u16 local_port, remote_port, protocol;
	__u16 host; /* host of the receiver, in a merged snapshot */
};

/*
 * Return a flow of sock. The ends of a unix connection are identities of sockets, and the kernel
 * reuses these.
 */
struct rsp_socket_flow rsp_flow_sent(const struct rsp_ev_socket *sock);
struct rsp_socket_flow rsp_flow_wanted(const struct rsp_ev_socket *sock);

/* The parts of a flow that are compared, best match first. */
enum rsp_flow_match {
	RSP_FLOW_ALL,	/* both addresses and ports */
	RSP_FLOW_PORTS, /* one end is bound to all addresses */
	RSP_FLOW_DEST,	/* the receiver does not know the sender's address */
	RSP_FLOW_MATCH_MAX,
};

/* Returns a hash of the compared parts. Different flows may have the same key. */
__u64 rsp_flow_key(const struct rsp_socket_flow *f, enum rsp_flow_match match);
/* Returns a hash of the receiver's address, port and protocol. */
__u64 rsp_flow_end_key(const struct rsp_socket_flow *f);

#endif
