/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns BLOCK records into disk requests with their times. Turns NET records into arrivals at
 * sockets, and finds the thread of this host that sent the packet. Takes records in order of time.
 */
#ifndef RSP_LIB_OPS_H
#define RSP_LIB_OPS_H

#include <stddef.h>

#include "lib/base/idmap.h"
#include "lib/trace/trace.h"

/*
 * Maximum number of requests that are considered for one wait. A thread usually has fewer requests
 * at a device.
 */
#define RSP_IN_FLIGHT_MAX 64

#define RSP_NO_THREAD UINT32_MAX

#define RSP_NO_REQUEST UINT32_MAX

struct rsp_request {
	__u64 insert_ns; /* 0: handed to the device directly, or not recorded */
	__u64 issue_ns;	 /* 0: not recorded */
	__u64 done_ns;	 /* 0: not recorded */
	__u64 object;	 /* OBJECT id of the file of the first page; 0: no file */
	__u64 bytes;
	__u32 op_flags; /* as in rsp_ev_block */
	__u32 dev;
	__u32 issuer; /* thread, or RSP_NO_THREAD */
	/* the request for which this request had to wait in the queue, or RSP_NO_REQUEST */
	__u32 ahead;
	/*
	 * a request of the same issuer that was in flight when this request began, or
	 * RSP_NO_REQUEST
	 */
	__u32 former;
	bool is_metadata;
	/*
	 * The DELAY record if the I/O limit of a cgroup held the request back before its insertion
	 * or issue; or NULL.
	 */
	const struct rsp_ev_delay *held;
};

/*
 * A wait for a disk. request: the request whose completion ended the wait or, if the end was not
 * recorded, a request in flight.
 */
struct rsp_disk_wait {
	__u32 request;
	/*
	 * the newest request that the waiting thread had begun; RSP_NO_REQUEST: request belongs to
	 * another thread
	 */
	__u32 newest;
};

/* A segment or a SYN that TCP sent again, once or more, because nothing acknowledged it. */
struct rsp_resend {
	__u64 from_ns, to_ns; /* times of the first and last transmission; both 0: no resend */
	bool connects;
};

/* An arrival at a socket that woke a thread, or that answered a request (request.c). */
struct rsp_arrival {
	const struct rsp_ev_socket *sock; /* NULL: unknown */
	/* the sending thread, if it is on this host; or RSP_NO_THREAD */
	__u32 sender;
	/* the thread that the arrival woke, or RSP_NO_THREAD */
	__u32 receiver;
	/*
	 * A client may have sent the arrival. A thread of the receiver's process or of a child
	 * process is no client.
	 */
	bool is_of_client;
	/*
	 * the arrival is a client's request: this end serves, and listens or has answered all
	 * earlier requests
	 */
	bool is_request;
	__u64 send_ns;
	__u64 ts_ns;	/* time of the arrival */
	bool is_nagled; /* TCP held the packet back at the sender */
	/*
	 * The time at which this end sent its request, and the time at which the request arrived at
	 * the sender. Both 0: unknown, or less than PASSAGE_NS_MIN apart.
	 */
	__u64 request_sent_ns, request_arrived_ns;
	bool request_is_nagled;	  /* TCP held the request back */
	struct rsp_resend resend; /* the last resend before the arrival, by either end */
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
	/* maps a disk to the request that was last issued to the disk */
	struct rsp_idmap issued_of;
	struct rsp_idmap done_of;   /* maps a disk to the request that the disk completed last */
	struct rsp_idmap line_of;   /* sk -> index into lines */
	struct rsp_idmap sender_of; /* maps a flow (see ops.c) to an index into senders */
	struct rsp_idmap end_of;    /* maps the address of a SOCKET record to an index into ends */
	struct rsp_idmap resend_of; /* maps a flow (see ops.c) to an index into resends */
	/* maps a socket (sk) to the time at which it began to connect */
	struct rsp_idmap connect_of;
	/* maps a protocol and a port of this host to the thread that serves the port */
	struct rsp_idmap server_of;
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
		struct rsp_sent_request *v;
		size_t cnt, cap;
	} sent_requests;
	/* maps a thread to the index of its newest request in sent_requests */
	struct rsp_idmap sent_request_of;
	/* maps a thread to the SOCKET record of its last send; 0: not TCP, or a connect followed */
	struct rsp_idmap sent_on;
};

/* The newest request that a thread sent to a service; a connect counts as a request. */
struct rsp_sent_request {
	const struct rsp_ev_socket *sock;
	__u64 ts_ns;
};

#define RSP_NO_SENT_REQUEST UINT32_MAX

void rsp_ops_done(struct rsp_ops *ops);

/* thread: index of the current thread. Both functions return 0 or -ENOMEM. */
int rsp_ops_block(struct rsp_ops *ops, const struct rsp_ev_block *ev, __u32 thread);
int rsp_ops_net(struct rsp_ops *ops, const struct rsp_trace *trace, const struct rsp_ev_net *ev,
		__u32 thread);

/* Stores the reason why a request or a packet was late. Returns 0 or -ENOMEM. */
int rsp_ops_delay(struct rsp_ops *ops, const struct rsp_trace *trace,
		  const struct rsp_ev_delay *ev);

/*
 * Notes that the completion of the request with this identity ended a wait of thread. Sets *ret to
 * the index of the wait in disk_waits. Returns 0, -ENOMEM, or -ENOENT if no such request was seen.
 */
int rsp_ops_complete(struct rsp_ops *ops, __u64 request, __u32 thread, __u32 *ret);

/*
 * Notes a wait of the thread whose end was not recorded, as a wait for the thread's requests in
 * flight. Returns 0, -ENOMEM, or -ENOENT if the thread has no request in flight.
 */
int rsp_ops_wait_unseen(struct rsp_ops *ops, __u32 thread, __u32 *ret);

/*
 * Finds the requests of a disk wait: first wait->request, then the other requests that the thread
 * had in flight, max in all. Returns the number of requests in ret.
 */
size_t rsp_ops_in_flight(const struct rsp_ops *ops, const struct rsp_disk_wait *wait,
			 const struct rsp_request **ret, size_t max);

/*
 * Returns the OBJECT id of the file that a disk request reads or writes, or 0. The record of a
 * direct I/O request contains no file; for it, returns the file or device of the system call that
 * waited. out: the switch at which this wait began, or NULL.
 */
__u64 rsp_ops_file(const struct rsp_trace *trace, const struct rsp_request *req,
		   const struct rsp_ev_switch *out);

/*
 * Returns whether both ends are on this host: a thread has sent from the other end, or the
 * addresses show it.
 */
bool rsp_ops_is_local(const struct rsp_ops *ops, const struct rsp_ev_socket *sock);
/*
 * Returns the thread that serves the other end of sock: the last thread that sent from the other
 * end. If no thread has sent, and both ends have the same IP address, returns the first thread that
 * sent from the same port of this host. RSP_NO_THREAD: unknown.
 */
__u32 rsp_ops_server(const struct rsp_ops *ops, const struct rsp_ev_socket *sock);

/*
 * Returns the index in sent_requests of the thread's newest request if it has no answer yet, or
 * RSP_NO_SENT_REQUEST.
 */
__u32 rsp_ops_unanswered(const struct rsp_ops *ops, __u32 thread);

/* Returns the TCP socket of the thread's last send, or NULL if the thread has connected since. */
const struct rsp_ev_socket *rsp_ops_sent_on(const struct rsp_ops *ops, __u32 thread);

/* Returns the newest addresses of a kernel socket, or NULL. */
const struct rsp_ev_socket *rsp_ops_socket(const struct rsp_ops *ops, __u64 sk);

/*
 * Notes an arrival at sock (may be NULL) at ts_ns. current: the thread that the interrupt found. If
 * it is the last sender at the other end, the packet counts as sent at ts_ns. Returns 0 or -ENOMEM.
 */
int rsp_ops_arrive(struct rsp_ops *ops, const struct rsp_ev_socket *sock, __u64 ts_ns,
		   __u32 current, __u32 *ret);

#endif
