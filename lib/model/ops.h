/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BLOCK and NET records -> disk requests with their times, and for a packet that arrived at a local
 * socket the thread on this host that sent it, if one did. Fed in time order.
 */
#ifndef RSP_LIB_OPS_H
#define RSP_LIB_OPS_H

#include <stddef.h>

#include "lib/base/idmap.h"
#include "lib/trace/trace.h"

#define RSP_NO_REQUEST UINT32_MAX

struct rsp_request {
	__u64 insert_ns; /* 0: handed to the device directly, or not recorded */
	__u64 issue_ns;	 /* 0: not recorded */
	__u64 done_ns;	 /* 0: not recorded */
	__u64 object;	 /* file of its first page, 0: none */
	__u64 bytes;
	__u32 op_flags; /* as in rsp_ev_block */
	__u32 dev;
	__u32 issuer; /* thread, or RSP_NO_THREAD */
	__u32 ahead;  /* the one that it had to wait for in the queue, or RSP_NO_REQUEST */
	__u32 former; /* of the same issuer, in flight when this one began; or RSP_NO_REQUEST */
	bool is_metadata;
	/* The I/O limit of a cgroup held it back before it was inserted or issued; NULL: none. */
	const struct rsp_ev_delay *held;
};

/* A wait that the completion of a request ended. */
struct rsp_disk_wait {
	__u32 request;
	__u32 newest; /* that its thread had begun by then; RSP_NO_REQUEST: request is another's */
};

/* A segment or a SYN that TCP sent again, once or more, because no answer came. */
struct rsp_resend {
	__u64 from_ns, to_ns; /* when it was sent first and last; 0, 0: never */
	bool connects;
};

/* Something came to a socket and woke a thread. */
struct rsp_arrival {
	const struct rsp_ev_socket *sock; /* NULL: unknown */
	__u32 sender;			  /* thread of this host that sent it, or RSP_NO_THREAD */
	bool is_request; /* a client's: this end serves, and has answered whatever came before */
	__u64 send_ns;
	__u64 ts_ns;	/* when it came */
	bool is_nagled; /* TCP kept it back at the sender */
	/*
	 * When this end had asked, and when that arrived at the sender. Both are 0 if it took no
	 * longer than a packet's normal way through the kernel.
	 */
	__u64 asked_ns, heard_ns;
	bool ask_is_nagled;	  /* TCP kept the question back */
	struct rsp_resend resend; /* the last one before, of either end */
};

struct rsp_ops {
	struct {
		struct rsp_request *v;
		size_t cnt, cap;
	} requests;
	struct {
		struct rsp_disk_wait *v;
		size_t cnt, cap;
	} disk_waits;
	struct {
		struct rsp_arrival *v;
		size_t cnt, cap;
	} arrivals;
	struct rsp_idmap request_of; /* identity -> newest index */
	struct rsp_idmap newest_of;  /* thread -> its newest request */
	struct rsp_idmap issued_of;  /* disk -> the request it was given last */
	struct rsp_idmap done_of;    /* disk -> the request it finished last */
	struct rsp_idmap line_of;    /* sk -> index into lines */
	struct rsp_idmap sender_of;  /* flow, see ops.c -> index into senders */
	struct rsp_idmap end_of;     /* address of a SOCKET record -> index into ends */
	struct rsp_idmap resend_of;  /* flow, see ops.c -> index into resends */
	struct rsp_idmap connect_of; /* sk -> when it began to connect */
	struct rsp_idmap server_of;  /* protocol and port of this host -> thread */
	struct {
		struct rsp_resend *v;
		size_t cnt, cap;
	} resends;
	struct {
		struct rsp_sender *v;
		size_t cnt, cap;
	} senders;
	struct {
		struct rsp_socket_end *v;
		size_t cnt, cap;
	} ends;
	struct {
		struct rsp_socket_line *v;
		size_t cnt, cap;
	} lines;
	struct {
		struct rsp_ask *v;
		size_t cnt, cap;
	} asks;
	struct rsp_idmap ask_of; /* thread -> index of its newest in asks */
};

/* A thread connected to a service, or sent to it. */
struct rsp_ask {
	const struct rsp_ev_socket *sock;
	__u64 ts_ns; /* the last time */
};

#define RSP_NO_ASK UINT32_MAX

void rsp_ops_done(struct rsp_ops *ops);

/* Both: 0 or -ENOMEM. thread: index of the one that was current. */
int rsp_ops_block(struct rsp_ops *ops, const struct rsp_ev_block *ev, __u32 thread);
int rsp_ops_net(struct rsp_ops *ops, const struct rsp_trace *trace, const struct rsp_ev_net *ev,
		__u32 thread);

/* Stores the reason why a request or a packet was late. 0 or -ENOMEM. */
int rsp_ops_delay(struct rsp_ops *ops, const struct rsp_trace *trace,
		  const struct rsp_ev_delay *ev);

/*
 * Notes that the completion of a request, by its identity, ended a wait of thread. 0, -ENOENT: no
 * such request was ever seen, -ENOMEM.
 */
int rsp_ops_complete(struct rsp_ops *ops, __u64 request, __u32 thread, __u32 *ret);

/*
 * The same for a wait of thread of which the end was not recorded: it was for what the thread has
 * in flight. -ENOENT: nothing.
 */
int rsp_ops_wait_unseen(struct rsp_ops *ops, __u32 thread, __u32 *ret);

/*
 * What a disk wait was for: the request that ended it, and whatever else its thread had in flight.
 * Returns how many were put into ret.
 */
size_t rsp_ops_in_flight(const struct rsp_ops *ops, const struct rsp_disk_wait *wait,
			 const struct rsp_request **ret, size_t max);

/*
 * The file that a request is for, as an OBJECT id; 0: none that is known, as of metadata. Direct
 * I/O has none of its own, but the system call has: out began a wait for it, or is NULL.
 */
__u64 rsp_ops_file(const struct rsp_trace *trace, const struct rsp_request *req,
		   const struct rsp_ev_switch *out);

/* Whether both ends are on this host: a thread has sent from the other one, or the addresses tell.
 */
bool rsp_ops_is_local(const struct rsp_ops *ops, const struct rsp_ev_socket *sock);
/*
 * The thread that serves the other end of sock: the last one that sent from it; where nobody did,
 * the first that sent from this port of this host. RSP_NO_THREAD: unknown.
 */
__u32 rsp_ops_server(const struct rsp_ops *ops, const struct rsp_ev_socket *sock);

/* The index in asks of the thread's newest request without an answer, or RSP_NO_ASK. */
__u32 rsp_ops_unanswered(const struct rsp_ops *ops, __u32 thread);

/* The newest addresses of a kernel socket, or NULL. */
const struct rsp_ev_socket *rsp_ops_socket(const struct rsp_ops *ops, __u64 sk);

/*
 * Notes an arrival at sock (may be NULL) at ts_ns. current is the thread the interrupt found: if it
 * is the other end's last sender, the packet never left this CPU and counts as sent just now.
 */
int rsp_ops_arrive(struct rsp_ops *ops, const struct rsp_ev_socket *sock, __u64 ts_ns,
		   __u32 current, __u32 *ret);

#endif
