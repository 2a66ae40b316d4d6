/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sent flow describes the packets that a socket sends, and a wanted flow the packets that a
 * socket receives. If the sent flow of one socket fits the wanted flow of another, the packets of
 * the first may arrive at the second. IPv4 addresses are in IPv6 form (::ffff:a.b.c.d). An address
 * of zeroes stands for any address.
 */
#ifndef RSP_LIB_FLOW_H
#define RSP_LIB_FLOW_H

#include "rsp/event.h"

struct rsp_socket_flow {
	__u8 local[16],
		remote[16]; /* local: address of the sender; remote: address of the receiver */
	__u16 local_port, remote_port, protocol;
	__u16 host; /* host of the receiver, in a merged snapshot */
};

/*
 * For a unix socket, an address is the identity of a socket and the number of the connection,
 * because the kernel reuses identities.
 */
struct rsp_socket_flow rsp_flow_sent(const struct rsp_ev_socket *sock);
struct rsp_socket_flow rsp_flow_wanted(const struct rsp_ev_socket *sock);

/* The parts that are equal in two flows, besides protocol and host; the best match comes first. */
enum rsp_flow_match {
	RSP_FLOW_ALL,	/* both addresses and both ports */
	RSP_FLOW_PORTS, /* both ports; one end may be bound to all addresses */
	/* the receiver's port; the receiver may not know the sender's address */
	RSP_FLOW_DEST,
	RSP_FLOW_MATCH_MAX,
};

/* Returns a hash of the parts that `match` compares. */
__u64 rsp_flow_key(const struct rsp_socket_flow *f, enum rsp_flow_match match);
/* Returns a hash of the receiver's address, port and protocol. */
__u64 rsp_flow_end_key(const struct rsp_socket_flow *f);

#endif
