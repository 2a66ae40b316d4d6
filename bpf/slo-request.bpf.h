/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data that arrives on an accepted TCP connection, and the first byte sent back -> how long a
 * request waited for its answer. Needs no memory of how a connection came to be, so that those
 * which are older than the recorder count, too.
 */
#ifndef RSP_SLO_REQUEST_BPF_H
#define RSP_SLO_REQUEST_BPF_H

#include "slo.bpf.h"

#define SOCK_BINDPORT_LOCK 8

static __always_inline bool wants_requests(void)
{
	return rsp_slo_active.request && has_part(RSP_PART_LIMITS);
}

/*
 * A connection that was accepted shares the port of its listener, which bound it. The kernel marks
 * ports it chose for connections with a negative fastreuse (__inet_hash_connect()), and sockets
 * that bound a port themselves; the latter mark is not inherited from a listener
 * (sk_clone_lock()).
 */
static __always_inline bool slo_is_accepted(bool is_typed, struct tcp_sock *tcp)
{
	struct inet_bind_bucket *bucket;
	struct sock *sk = (struct sock *)tcp;
	__u32 locks;

	if (rsp_load(is_typed, tcp, inet_conn.icsk_inet.sk.__sk_common.skc_state) == BPF_TCP_LISTEN)
		return false;
	locks = is_typed ? BPF_CORE_READ_BITFIELD(sk, sk_userlocks)
			 : BPF_CORE_READ_BITFIELD_PROBED(sk, sk_userlocks);
	bucket = rsp_load(is_typed, tcp, inet_conn.icsk_bind_hash);
	return !(locks & SOCK_BINDPORT_LOCK) && bucket &&
	       rsp_load(is_typed, bucket, fastreuse) >= 0;
}

/* Something to read; the end of the stream takes a number, too, and is nothing to answer. */
static __always_inline bool slo_has_unread(bool is_typed, struct tcp_sock *tcp)
{
	__u32 unread = rsp_load(is_typed, tcp, rcv_nxt) - rsp_load(is_typed, tcp, copied_seq);
	__u32 shutdown = rsp_load(is_typed, tcp, inet_conn.icsk_inet.sk.sk_shutdown);

	return unread > (shutdown & RCV_SHUTDOWN);
}

/* socket: its identity. */
static __noinline int slo_request_arrives(bool is_typed, struct tcp_sock *tcp, __u64 socket)
{
	if (slo_find(socket) || !slo_has_unread(is_typed, tcp) || !slo_is_accepted(is_typed, tcp))
		return 0;
	/* Who will answer is not known yet: all rules miss it. */
	if (!slo_begin(socket, bpf_ktime_get_ns()))
		rsp_slo_miss(rsp_slo_active.request);
	return 0;
}

/* Or given up: the end of its wait. */
static __noinline int slo_request_answered(__u64 socket, __u32 port)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct slo_pending *request = slo_find(socket);
	__u64 start_ns;

	if (!request)
		return 0;
	start_ns = request->start_ns;
	request->key = 0;
	rsp_slo_note(slo_matching(task, rsp_slo_active.request, port), slo_who(task), start_ns,
		     bpf_ktime_get_ns());
	return 0;
}

/* It will not be answered any more. */
static __always_inline void slo_request_dropped(__u64 socket)
{
	struct slo_pending *request = slo_find(socket);

	if (request)
		request->key = 0;
}

#endif
