/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets that a socket sends, and those that it receives. A packet that one socket sends may
 * arrive at another if the flow that the first one sends fits the flow that the second one wants.
 * IPv4 addresses are in IPv6 form, as an IPv6 socket has them. All zeroes stand for any address.
 */
#ifndef RSP_LIB_FLOW_H
#define RSP_LIB_FLOW_H

#include "rsp/event.h"

struct rsp_socket_flow {
	__u8 local[16], remote[16]; /* of the sender, of the receiver */
	__u16 local_port, remote_port, protocol;
	__u16 host; /* of the receiver, in a merged snapshot */
};

/* The ends of a unix connection are identities of sockets, and the kernel reuses these. */
struct rsp_socket_flow rsp_flow_sent(const struct rsp_ev_socket *sock);
struct rsp_socket_flow rsp_flow_wanted(const struct rsp_ev_socket *sock);

/* How much of a flow is compared, best first. */
enum rsp_flow_match {
	RSP_FLOW_ALL,	/* both addresses and ports */
	RSP_FLOW_PORTS, /* one end is bound to all addresses */
	RSP_FLOW_DEST,	/* the receiver does not know the sender's address */
	RSP_FLOW_MATCH_MAX,
};

/* A hash: different flows may have the same key. */
__u64 rsp_flow_key(const struct rsp_socket_flow *f, enum rsp_flow_match match);
/* A hash of the receiver's address, port and protocol. */
__u64 rsp_flow_end_key(const struct rsp_socket_flow *f);

#endif
