/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations that the files of this folder share. Functions that return int return 0 or -ENOMEM.
 */
#ifndef RSP_LIB_REQUESTS_PARTS_H
#define RSP_LIB_REQUESTS_PARTS_H

#include "lib/base/idmap.h"
#include "lib/model/requests/requests.h"

/* The state of a connection. The index is that of the connection in found->connections. */
struct rsp_talk {
	__u64 arrival_ns; /* begin of the pending request or call */
	__u32 tid;	  /* caller of the pending call */
	__u32 flags;	  /* enum rsp_served_flags */
	/* index of the request or call that ended last, or RSP_NO_ROW */
	__u32 last;
	__u32 seq; /* sequence number of the next byte to arrive */
	bool is_pending, is_connecting;
	bool is_whole; /* the beginning of the connection was recorded */
	bool has_seq, has_heard, peer_closed;
	const struct rsp_ev_net
		*unasked; /* newest answer without a request, or NULL; in the trace's memory */
};

/*
 * The ports of this host, to find the ports with several peers, in recordings whose SOCKET records
 * have no flags.
 */
struct rsp_ports {
	/* maps a port to the hash of its only peer; 0: the port has several peers */
	struct rsp_idmap peer_of;
	struct rsp_idmap seen; /* SOCKET ids */
};

struct rsp_request_finder {
	const struct rsp_trace *trace;
	struct rsp_requests *found;
	struct rsp_ports ports;
	struct rsp_idmap talk_of; /* sk -> index */
	struct {
		struct rsp_talk *v;
		size_t cnt, cap;
	} talks;
	struct {
		const struct rsp_ev_lost **v; /* by time */
		size_t cnt, cap;
	} pauses;
	size_t pause;		     /* index of the next pause */
	__u64 reset_ns;		     /* the end of the last pause; 0: no pause yet */
	struct rsp_idmap row_of;     /* maps the hash of a row's key to the row's index */
	struct rsp_idmap process_of; /* hash of row and process */
	struct rsp_idmap flow_of;    /* maps the hash of an accepted connection's ends to its row */
};

/* The hash of one end's socket equals the swapped hash of the other end's socket. */
__u64 rsp_requests_flow(const struct rsp_ev_socket *sock, bool swapped);

int rsp_ports_find(const struct rsp_trace *trace, struct rsp_ports *ret);
bool rsp_ports_is_shared(const struct rsp_ports *p, __u16 port);

/* requests-rows.c: puts a request into its row if a process has already sent on its connection. */
int rsp_requests_row(struct rsp_request_finder *f, struct rsp_served *s);
/* Completes the rows after all requests are found. */
int rsp_requests_finish(struct rsp_request_finder *f);

#endif
