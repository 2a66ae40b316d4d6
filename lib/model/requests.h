/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NET records -> the requests that each accepted TCP connection brought, and the calls that each
 * client's connection made. Needs no model, only a trace; linear in its records. What threads did
 * meanwhile is for served.h to explain.
 *
 * A request begins when data arrives while no request of its connection is pending. The first byte
 * that is sent after it answers it; what is sent until the next arrival belongs to the answer. A
 * connection carries no marks between requests: further data before the answer belongs to the same
 * request, be it the rest of a large one, a pipelined one, or another stream of HTTP/2. Such
 * requests are marked (RSP_SERVED_MORE): their time is that of a busy period of the connection.
 *
 * All times are CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef RSP_LIB_REQUESTS_H
#define RSP_LIB_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/trace/trace.h"

enum rsp_served_flags {
	RSP_SERVED_MORE = 1 << 0,      /* more data came before the answer */
	RSP_SERVED_EARLY = 1 << 1,     /* pending when the span began; not part of percentiles */
	RSP_SERVED_IN_FLIGHT = 1 << 2, /* no answer by the end of the span */
	RSP_SERVED_CLOSED = 1 << 3,    /* the connection ended without an answer */
};

#define RSP_NO_ROW UINT32_MAX

/* A request, or a call: then it begins with what is sent, and the answer is what arrives. */
struct rsp_served {
	__u64 arrival_ns; /* 0: before the recording */
	__u64 first_ns;	  /* first byte of the answer; 0: none */
	__u64 last_ns;	  /* last send of it; of a call the same as first_ns */
	__u32 tid;	  /* the thread that answered, or called; 0: none did */
	__u32 connection; /* index */
	__u32 row;	  /* index of its server or peer */
	__u32 flags;	  /* enum rsp_served_flags */
};

enum rsp_end {
	RSP_END_UNKNOWN,
	RSP_END_ACCEPTED,  /* a server's */
	RSP_END_CONNECTED, /* a client's */
};

/* One TCP connection, as one of its sockets sees it. */
struct rsp_connection {
	const struct rsp_ev_socket *sock; /* its addresses; NULL: unknown. The trace's */
	__u32 tid;			  /* that sent first; 0: none did */
	__u32 tgid;			  /* its process; 0: unknown */
	__u32 row;			  /* of its newest request; RSP_NO_ROW */
	__u8 end;			  /* enum rsp_end */
	bool inferred; /* end is: an old recorder did not tell, but others share its port */
};

/* All requests to one port of one program, or all calls of one program to one peer. */
struct rsp_request_row {
	char comm[RSP_TASK_COMM_LEN];	  /* of the process; "?": nobody answered */
	__u32 tgid;			  /* of the process that answered first; 0: unknown */
	__u32 process_cnt;		  /* more than 1: it is one of several of that name */
	__u16 port;			  /* the server's */
	const struct rsp_ev_socket *sock; /* calls: one with the peer's address */
	__u32 server;			  /* calls: the row of the server, if on this host; or
					   * RSP_NO_ROW */
	bool inferred;			  /* some connection's end is */
	__u64 more_cnt, early_cnt, in_flight_cnt, closed_cnt;
	__u64 connection_cnt;
	/* Those with an answer, by time to its first byte: indices, ascending. */
	__u32 *order;
	size_t cnt;
};

struct rsp_requests {
	__u64 since_ns, until_ns;
	bool has_network;  /* there are NET records */
	__u64 paused_ns;   /* pauses of the recorder: what was pending then is dropped */
	__u64 dropped_cnt; /* how many requests and calls that were */
	struct rsp_exchange {
		struct rsp_served *v; /* in order of arrival_ns, nearly */
		size_t cnt, cap;
		struct {
			struct rsp_request_row *v; /* most answers first */
			size_t cnt, cap;
		} rows;
	} served, calls;
	struct {
		struct rsp_connection *v;
		size_t cnt, cap;
	} connections;
};

/*
 * Finds those that arrive within [since_ns, until_ns], or are pending at its beginning. 0 or
 * -ENOMEM; then ret is unchanged.
 */
int rsp_requests_find(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_requests *ret);
void rsp_requests_done(struct rsp_requests *r);

static inline __u64 rsp_served_ns(const struct rsp_served *s)
{
	return s->first_ns - s->arrival_ns;
}

/*
 * The time that the given share of the answered requests took at most: the value of rank
 * ceil(ppm * cnt), exact. 1000000 is the maximum. 0 if none was answered.
 */
__u64 rsp_requests_quantile_ns(const struct rsp_exchange *x, const struct rsp_request_row *row,
			       __u32 ppm);

#endif
