/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the latency of requests to a server: from the arrival of data on an accepted TCP
 * connection to the first byte that the server sends back. Connections that are older than the
 * recorder count, too.
 */
#ifndef RSP_SLO_REQUEST_BPF_H
#define RSP_SLO_REQUEST_BPF_H

#include "bpf/object.bpf.h"
#include "bpf/slo.bpf.h"

static __always_inline bool wants_requests(void)
{
	return rsp_slo_active.request && has_part(RSP_PART_LIMITS);
}

/* The end of the stream (FIN) also takes a sequence number, but does not count as data. */
static __always_inline bool slo_has_unread(bool is_typed, struct tcp_sock *tcp)
{
	__u32 unread = rsp_load(is_typed, tcp, rcv_nxt) - rsp_load(is_typed, tcp, copied_seq);
	__u32 shutdown = rsp_load(is_typed, tcp, inet_conn.icsk_inet.sk.sk_shutdown);

	return unread > (shutdown & RCV_SHUTDOWN);
}

/*
 * Begins to measure a request, unless one is already being measured. socket: identity of the
 * socket.
 */
static __noinline int slo_request_arrives(bool is_typed, struct tcp_sock *tcp, __u64 socket)
{
	if (slo_find(socket) || !slo_has_unread(is_typed, tcp) ||
	    socket_role(is_typed, tcp) != RSP_SOCKET_ACCEPTED)
		return 0;
	/* The task that will answer is unknown, so each rule counts the request as not measured. */
	if (!slo_begin(socket, bpf_ktime_get_ns()))
		rsp_slo_miss(rsp_slo_active.request);
	return 0;
}

/*
 * Ends the measurement of the socket's request. Called when the server answers, or closes the
 * connection without an answer.
 */
static __noinline int slo_request_answered(__u64 socket, __u32 port)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct slo_pending *request = slo_find(socket);
	__u64 start_ns;

	if (!request)
		return 0;
	start_ns = request->start_ns;
	request->key = 0;
	rsp_slo_note(slo_matching(task, rsp_slo_active.request, port), slo_pid_tgid(task), start_ns,
		     bpf_ktime_get_ns());
	return 0;
}

/* Drops the socket's request without counting its latency. */
static __always_inline void slo_request_dropped(__u64 socket)
{
	struct slo_pending *request = slo_find(socket);

	if (request)
		request->key = 0;
}

#endif
