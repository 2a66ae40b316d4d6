/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the messages between two hosts. A message is an arrival on one host, and the system call on
 * the other host that sent the data. Only TCP counts, because its sequence numbers are the same at
 * both ends. Older recorders did not record sequence numbers, so only the first message of a
 * connection in their recordings counts.
 */
#ifndef RSP_LIB_MERGE_CROSSINGS_H
#define RSP_LIB_MERGE_CROSSINGS_H

#include "lib/base/idmap.h"
#include "lib/merge/clock.h"

struct rsp_packet {
	__u64 flow; /* key of the sender's flow */
	__u64 ts_ns;
	__u32 seq, bytes;
	__u32 peer; /* the other host */
};

struct rsp_packets {
	struct rsp_packet *v;
	size_t cnt, cap;
};

struct rsp_traffic {
	struct rsp_packets sends, arrivals;
	/* addresses (sk) of the sockets whose connection began in the recording */
	struct rsp_idmap begun;
	/* flows without sequence numbers whose first message was already seen */
	struct rsp_idmap sent, arrived;
};

/* sock: the socket of the record. peer: the number of the other host. Returns 0 or -ENOMEM. */
int rsp_traffic_note(struct rsp_traffic *t, const struct rsp_ev_net *net,
		     const struct rsp_ev_socket *sock, __u32 peer);
/* Must be called after the last record. */
void rsp_traffic_sort(struct rsp_traffic *t);
void rsp_traffic_done(struct rsp_traffic *t);

/* Each time in *ret is by the clock of its host. Returns 0 or -ENOMEM; the caller frees *ret. */
int rsp_crossings_find(const struct rsp_traffic *here, __u32 here_host,
		       const struct rsp_traffic *there, __u32 there_host, struct rsp_crossing **ret,
		       size_t *ret_cnt);

#endif
