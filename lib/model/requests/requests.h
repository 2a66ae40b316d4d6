/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the requests on accepted TCP and unix connections and the calls on clients' connections
 * from the NET records of a trace, without a model. served.h explains the time of the threads
 * during a request.
 *
 * A request begins when data arrives while no request of its connection is pending. The first byte
 * that is sent after the arrival answers the request. Further data before the answer counts as part
 * of the same request, which then has the flag RSP_SERVED_MORE.
 *
 * All times are CLOCK_MONOTONIC in nanoseconds.
 */
#ifndef RSP_LIB_REQUESTS_H
#define RSP_LIB_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/trace/trace-container.h"

enum rsp_served_flags {
	RSP_SERVED_MORE = 1 << 0,      /* more data came before the answer */
	RSP_SERVED_EARLY = 1 << 1,     /* pending when the span began; not part of percentiles */
	RSP_SERVED_IN_FLIGHT = 1 << 2, /* no answer until the end of the span */
	RSP_SERVED_CLOSED = 1 << 3,    /* the connection ended without an answer */
};

#define RSP_NO_ROW UINT32_MAX

/*
 * Maximum time between two messages of an answer. A later message is a notification, or ends the
 * conversation.
 */
#define RSP_ANSWER_GAP_NS 1500000000ULL

/* A request or a call. A call begins with a send, and arriving data answers it. */
struct rsp_served {
	__u64 arrival_ns; /* arrival of the request, or send of the call; 0: before the recording */
	__u64 first_ns;	  /* first byte of the answer; 0: no answer */
	__u64 last_ns;	  /* last send before the next request; for a call, equal to first_ns */
	/*
	 * The last send that follows the previous send within RSP_ANSWER_GAP_NS or, without an
	 * answer, the end of the connection. 0: no end yet.
	 */
	__u64 until_ns;
	__u32 tid;	  /* the thread that answered or called; 0: no thread */
	__u32 connection; /* index */
	/* index of a row: the row of the server or, for a call, the row of the peer */
	__u32 row;
	__u32 flags; /* enum rsp_served_flags */
};

enum rsp_end {
	RSP_END_UNKNOWN,
	RSP_END_ACCEPTED,  /* on the server's side */
	RSP_END_CONNECTED, /* on the client's side */
};

/* A TCP or unix connection, seen from one of its two sockets. */
struct rsp_connection {
	const struct rsp_ev_socket *sock; /* the addresses, in the trace's memory; NULL: unknown */
	__u32 tid;			  /* first thread that sent; 0: no thread has sent */
	__u32 tgid;			  /* process of this thread; 0: unknown */
	/* index of the row of the connection's requests or calls, or RSP_NO_ROW */
	__u32 row;
	__u8 end; /* enum rsp_end */
	/* RSP inferred the value of end, because several connections share the port */
	bool inferred;
};

/*
 * All requests to one port or path of a program in one container, or all calls of the program to
 * one peer.
 */
struct rsp_request_row {
	char comm[RSP_COMM_MAX]; /* name of the process; "?": no process answered */
	__u32 tgid;		 /* ID of the row's first process; 0: unknown */
	/* the program's container, as rsp_container_print() writes it; "": no container is known */
	char container[RSP_CONTAINER_PRINTED_BYTES];
	__u32 process_cnt; /* number of processes in the row */
	__u16 port;	   /* port of the server; 0: a unix socket, or unknown */
	/* path of the server's unix socket, in the trace's memory; NULL: no path */
	const struct rsp_ev_object *path;
	const struct rsp_ev_socket *sock; /* of a row of calls: a socket with the peer's address */
	/* of a row of calls: the row of the server if it is on this host, or RSP_NO_ROW */
	__u32 server;
	/* for at least one connection, RSP inferred which end is the server */
	bool inferred;
	__u64 more_cnt, early_cnt, in_flight_cnt, closed_cnt;
	__u64 connection_cnt;
	/*
	 * Indices of the answered requests, except RSP_SERVED_EARLY, sorted by the time to the
	 * first byte, shortest first.
	 */
	__u32 *order;
	size_t cnt;
};

struct rsp_requests {
	__u64 since_ns, until_ns;
	bool has_network; /* there are NET records */
	bool has_closes;  /* the trace has records of closed unix sockets */
	/*
	 * length of the recorder's pauses; requests and calls that are pending in a pause are
	 * dropped
	 */
	__u64 paused_ns;
	__u64 dropped_cnt; /* number of dropped requests and calls */
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
 * Finds the requests and calls that begin within [since_ns, until_ns] or are pending at since_ns.
 * Returns 0 or -ENOMEM; on failure ret is unchanged.
 */
int rsp_requests_find(const struct rsp_trace *trace, __u64 since_ns, __u64 until_ns,
		      struct rsp_requests *ret);
void rsp_requests_done(struct rsp_requests *r);

/*
 * Returns whether lists of all servers or callers include the row. A row of the recorder is
 * included only if the snapshot is about the recorder.
 */
bool rsp_requests_lists(const struct rsp_trace *trace, const struct rsp_request_row *row);

/*
 * Finds the call that caused each request. ret gets an array of served.cnt indices in calls.
 * RSP_NO_ROW: no call was found. The caller frees the array. Returns 0 or -ENOMEM.
 */
int rsp_requests_callers(const struct rsp_requests *r, __u32 **ret);

static inline __u64 rsp_served_ns(const struct rsp_served *s)
{
	return s->first_ns - s->arrival_ns;
}

/*
 * Returns the quantile of the durations of the requests in row->order: the value of rank ceil(ppm *
 * cnt / 1000000), without interpolation. Returns 0 if the row has no such request.
 */
__u64 rsp_requests_quantile_ns(const struct rsp_exchange *x, const struct rsp_request_row *row,
			       __u32 ppm);

/* The requests that the process of interest served within the span. */
struct rsp_requests_sum {
	/*
	 * number of requests received and answered; the times below end with the first byte of the
	 * answer
	 */
	__u64 cnt;
	__u64 p50_ns, p99_ns, max_ns;
	/*
	 * Number of requests without an answer at the end, and the age of the oldest one. A request
	 * that was followed by more data does not count, because it may need no answer.
	 */
	__u64 pending_cnt, pending_ns;
	__u64 busy_ns; /* time in which at least one request or call was pending */
};

#endif
