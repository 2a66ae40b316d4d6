/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes records of tcp, udp and connected unix sockets. The arrival of data at a tcp or udp socket
 * becomes the cause of the wakeups that follow in the same interrupt.
 *
 * Some events have several programs: at a tracepoint (_tp), with fentry (_fe) or at a kprobe (_kp).
 * The daemon loads the programs of one method.
 */
#include "bpf/net-record.bpf.h"
#include "bpf/object.bpf.h"
#include "bpf/slo-request.bpf.h"
#include "bpf/unix.bpf.h"

/*
 * Returns the tcp_sock that begins with sk. If is_typed is set, the verifier requires a check of
 * the type; NULL: not a tcp socket.
 */
static __always_inline struct tcp_sock *tcp_sock_of(bool is_typed, struct sock *sk)
{
	return is_typed ? bpf_skc_to_tcp_sock(sk) : (struct tcp_sock *)sk;
}

/* --- handlers -------------------------------------------------------------------------------- */

/* include/net/tcp.h */
#define TCP_NAGLE_OFF  1
#define TCP_NAGLE_CORK 2

/*
 * Returns whether Nagle's algorithm or TCP_CORK holds back the last segment until an
 * acknowledgement arrives (see tcp_nagle_test()). By Minshall's rule, Nagle's algorithm holds it
 * back only if an earlier small segment is unacknowledged.
 */
static __always_inline bool is_nagled(bool is_typed, struct tcp_sock *tcp, __u32 bytes)
{
	__u32 mss, unsent, nagle;

	if (!has_part(RSP_PART_NAGLE) || !rsp_load(is_typed, tcp, packets_out))
		return false;
	nagle = is_typed ? BPF_CORE_READ_BITFIELD(tcp, nonagle)
			 : BPF_CORE_READ_BITFIELD_PROBED(tcp, nonagle);
	mss = rsp_load(is_typed, tcp, mss_cache);
	unsent = rsp_load(is_typed, tcp, write_seq) - rsp_load(is_typed, tcp, snd_nxt) + bytes;
	if (!mss || unsent % mss == 0)
		return false;
	if (nagle & TCP_NAGLE_CORK)
		return true;
	return !(nagle & TCP_NAGLE_OFF) &&
	       (__s32)(rsp_load(is_typed, tcp, snd_sml) - rsp_load(is_typed, tcp, snd_una)) > 0;
}

/*
 * left: number of bytes of the message that are not sent yet. bytes: size in the record; unless 0,
 * a request on the socket counts as answered (slo-request.bpf.h).
 */
static __always_inline int tcp_send(bool is_typed, struct sock *sk, struct tcp_sock *tcp,
				    __u32 left, __u32 bytes)
{
	__u64 socket = identity(sk);
	struct rsp_flow flow;

	if (!tcp || !flow_of(is_typed, sk, &flow))
		return 0;
	if (wants_requests() && bytes)
		slo_request_answered(socket, flow.local_port);
	return net_event(socket,
			 RSP_NET_SEND | (is_nagled(is_typed, tcp, left) ? RSP_NET_NAGLE : 0), bytes,
			 rsp_load(is_typed, tcp, write_seq), send_socket(socket, sk, &flow));
}

/*
 * The last message of each socket. The tracepoint fires once for each buffer that
 * tcp_sendmsg_locked() fills. The sequence number at the end of the message is the same each time.
 * Direct-mapped: after a collision, a message may be recorded more than once.
 */
#define MESSAGE_SLOTS (1 << 12)

struct message {
	__u64 socket;
	__u32 end_seq;
	/* the sender's number of voluntary switches, which increases when the sender waits */
	__u32 wait_cnt;
};

static struct message messages[MESSAGE_SLOTS];

enum progress {
	MESSAGE_BEGINS,
	MESSAGE_GOES_ON,
	MESSAGE_GOES_ON_AFTER_WAIT, /* the sender has waited since the last event */
};

/*
 * offset: position in the sender's buffer. At offset 0, the event counts as the beginning of a
 * message, although it may begin only another buffer of an iovec.
 */
static __always_inline enum progress progress_of(struct tcp_sock *tcp, __u32 left, __u64 offset)
{
	__u64 socket = identity(tcp);
	struct message *m = &messages[bounded_index(socket, MESSAGE_SLOTS - 1)];
	__u32 wait_cnt = bpf_get_current_task_btf()->nvcsw, end_seq = tcp->write_seq + left;
	bool goes_on = offset && m->socket == socket && m->end_seq == end_seq;

	if (goes_on && m->wait_cnt == wait_cnt)
		return MESSAGE_GOES_ON;
	*m = (struct message){socket, end_seq, wait_cnt};
	return goes_on ? MESSAGE_GOES_ON_AFTER_WAIT : MESSAGE_BEGINS;
}

static __always_inline void set_remote(struct rsp_flow *flow, struct sk_buff *skb, bool received)
{
	unsigned char *head = BPF_CORE_READ(skb, head);
	void *ip = head + BPF_CORE_READ(skb, network_header);
	struct udphdr udp = {};

	bpf_probe_read_kernel(&udp, sizeof(udp), head + BPF_CORE_READ(skb, transport_header));
	flow->remote_port = bpf_ntohs(received ? udp.source : udp.dest);
	if (bpf_ntohs(BPF_CORE_READ(skb, protocol)) == ETH_P_IP) {
		struct iphdr *ip4 = ip;

		flow->family = AF_INET;
		flow->local[1] = flow->remote[1] = 0;
		flow->remote[0] = received ? BPF_CORE_READ(ip4, saddr) : BPF_CORE_READ(ip4, daddr);
	} else {
		struct ipv6hdr *ip6 = ip;

		if (received)
			BPF_CORE_READ_INTO(&flow->remote, ip6, saddr);
		else
			BPF_CORE_READ_INTO(&flow->remote, ip6, daddr);
	}
}

/*
 * Runs before the kernel wakes the receiver. An unconnected socket does not know its peer; the
 * peer's address is in the last datagram of the queue.
 */
static __always_inline int data_ready(bool is_typed, struct sock *sk)
{
	struct rsp_flow flow;
	__u64 socket;
	__u32 seq = 0;

	if (!flow_of(is_typed, sk, &flow))
		return flow.family == AF_UNIX ? unix_data_ready(is_typed, sk) : 0;
	socket = identity(sk);
	if (flow.protocol == IPPROTO_TCP) {
		struct tcp_sock *tcp = tcp_sock_of(is_typed, sk);

		if (tcp && wants_requests())
			slo_request_arrives(is_typed, tcp, socket);
		seq = tcp ? rsp_load(is_typed, tcp, rcv_nxt) : 0;
	} else if (!flow.remote_port) {
		struct sk_buff *skb = BPF_CORE_READ(sk, sk_receive_queue.prev);

		if ((void *)skb != (void *)&sk->sk_receive_queue)
			set_remote(&flow, skb, true);
	}
	set_special(RSP_WAKE_NET, socket);
	return net_event(socket, RSP_NET_READY, 0, seq, send_socket(socket, sk, &flow));
}

/* If the socket is not connected, msg contains the destination. */
static __always_inline int udp_send(bool is_typed, struct sock *sk, struct msghdr *msg, __u32 bytes)
{
	void *name = BPF_CORE_READ(msg, msg_name);
	__u64 socket = identity(sk);
	struct rsp_flow flow;

	if (!flow_of(is_typed, sk, &flow))
		return 0;
	if (name && flow.family == AF_INET) {
		flow.remote_port = bpf_ntohs(BPF_CORE_READ((struct sockaddr_in *)name, sin_port));
		flow.remote[0] = BPF_CORE_READ((struct sockaddr_in *)name, sin_addr.s_addr);
	} else if (name) {
		flow.remote_port = bpf_ntohs(BPF_CORE_READ((struct sockaddr_in6 *)name, sin6_port));
		BPF_CORE_READ_INTO(&flow.remote, (struct sockaddr_in6 *)name, sin6_addr);
		/*
		 * udpv6_sendmsg() passes an IPv4-mapped address to udp_sendmsg(), whose program
		 * records the datagram
		 */
		if (is_mapped(flow.remote))
			return 0;
	}
	return net_event(socket, RSP_NET_SEND, bytes, 0, send_socket(socket, sk, &flow));
}

/* Ignores packets that are not udp: the tracepoint fires for every outgoing packet. */
static __always_inline int udp_transmit(struct sk_buff *skb)
{
	struct sock *sk = skb->sk;
	struct rsp_flow flow;
	__u64 socket;

	if (!sk || sk->sk_protocol != IPPROTO_UDP || !flow_of(true, sk, &flow))
		return 0;
	socket = identity(sk);
	set_remote(&flow, skb, false);
	return net_event(socket, RSP_NET_SEND, skb->len, 0, send_socket(socket, sk, &flow));
}

static __always_inline __u16 flag_of_state(int state)
{
	switch (state) {
	case BPF_TCP_SYN_SENT:
		return RSP_NET_CONNECT;
	case BPF_TCP_ESTABLISHED:
		return RSP_NET_ESTABLISHED;
	case BPF_TCP_CLOSE_WAIT:
	case BPF_TCP_CLOSE:
		return RSP_NET_CLOSE;
	default:
		return 0;
	}
}

/* --- tcp states: a tracepoint of all supported kernels ---------------------------------------- */

SEC("tp_btf/inet_sock_set_state")
int RSP_PROG(on_tcp_state, struct sock *sk, int old, int new)
{
	__u16 flags = flag_of_state(new);
	struct rsp_flow flow;
	__u64 socket;

	/*
	 * The server closes the connection after the client has closed it. This ends a request
	 * without an answer.
	 */
	if (new == BPF_TCP_LAST_ACK && wants_requests())
		slo_request_answered(identity(sk), sk->__sk_common.skc_num);
	if (!flags || sk->sk_protocol != IPPROTO_TCP || !flow_of(true, sk, &flow))
		return 0;
	socket = identity(sk);
	if (new == BPF_TCP_CLOSE && wants_requests())
		slo_request_dropped(socket);
	if (flags != RSP_NET_CONNECT)
		set_special(RSP_WAKE_NET, socket);
	return net_event(socket, flags, 0, 0, send_socket(socket, sk, &flow));
}

/*
 * Runs before the kernel processes a received packet, and removes the cause that the previous
 * packet set.
 */
SEC("tp_btf/netif_receive_skb")
int RSP_PROG(on_packet)
{
	set_special(0, 0);
	return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int RSP_PROG(on_tcp_retransmit, struct sock *sk)
{
	bool connects = sk->__sk_common.skc_state == BPF_TCP_SYN_SENT;
	__u64 socket = identity(sk);
	struct rsp_ev_delay *rec;
	struct rsp_flow flow;
	__u64 object;

	if (!flow_of(true, sk, &flow))
		return 0;
	object = send_socket(socket, sk, &flow);
	rec = rsp_reserve(rsp_ev_delay, RSP_EV_DELAY,
			  connects ? RSP_DELAY_CONNECT : RSP_DELAY_RETRANSMIT);
	if (!rec)
		return 0;
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->pad = 0;
	rec->from_ns = 0;
	rec->subject = socket;
	rec->object = object;
	rsp_submit(rec);
	return 0;
}

/* --- programs at tracepoints ------------------------------------------------------------------ */

SEC("?tp_btf/tcp_sendmsg_locked")
int RSP_PROG(on_tcp_send_tp, struct sock *sk, struct msghdr *msg)
{
	struct tcp_sock *tcp = bpf_skc_to_tcp_sock(sk);
	__u32 left = msg->msg_iter.count;
	enum progress progress;

	if (!tcp)
		return 0;
	progress = progress_of(tcp, left, msg->msg_iter.iov_offset);
	if (progress == MESSAGE_GOES_ON)
		return 0;
	return tcp_send(true, sk, tcp, left, progress == MESSAGE_BEGINS ? left : 0);
}

SEC("?tp_btf/net_dev_queue")
int RSP_PROG(on_udp_send_tp, struct sk_buff *skb)
{
	return udp_transmit(skb);
}

SEC("?tp_btf/sk_data_ready")
int RSP_PROG(on_data_ready_tp, struct sock *sk)
{
	return data_ready(true, sk);
}

/*
 * --- programs for fentry ------------------------------------------------------------------------
 *
 * Unlike programs at tracepoints and kprobes, programs for fentry can be preempted. So the programs
 * for udp and for closed unix sockets disable preemption. The programs for tcp cannot: they call
 * global functions, which the verifier rejects while preemption is disabled.
 */

SEC("?fentry/tcp_sendmsg")
int RSP_PROG(on_tcp_send_fe, struct sock *sk, struct msghdr *msg, size_t size)
{
	return tcp_send(true, sk, tcp_sock_of(true, sk), size, size);
}

SEC("?fentry/udp_sendmsg")
int RSP_PROG(on_udp_send_fe, struct sock *sk, struct msghdr *msg, size_t size)
{
	forbid_preemption();
	udp_send(true, sk, msg, size);
	return allow_preemption();
}

SEC("?fentry/udpv6_sendmsg")
int RSP_PROG(on_udp6_send_fe, struct sock *sk, struct msghdr *msg, size_t size)
{
	forbid_preemption();
	udp_send(true, sk, msg, size);
	return allow_preemption();
}

SEC("?fentry/sock_def_readable")
int RSP_PROG(on_data_ready_fe, struct sock *sk)
{
	return data_ready(true, sk);
}

SEC("?fentry/unix_release")
int RSP_PROG(on_unix_close_fe, struct socket *socket)
{
	forbid_preemption();
	unix_closes(socket->sk);
	return allow_preemption();
}

/* --- programs at kprobes ---------------------------------------------------------------------- */

SEC("?kprobe/tcp_sendmsg")
int RSP_KPROBE(on_tcp_send_kp, struct sock *sk, struct msghdr *msg, size_t size)
{
	return tcp_send(false, sk, tcp_sock_of(false, sk), size, size);
}

SEC("?kprobe/udp_sendmsg")
int RSP_KPROBE(on_udp_send_kp, struct sock *sk, struct msghdr *msg, size_t size)
{
	return udp_send(false, sk, msg, size);
}

SEC("?kprobe/udpv6_sendmsg")
int RSP_KPROBE(on_udp6_send_kp, struct sock *sk, struct msghdr *msg, size_t size)
{
	return udp_send(false, sk, msg, size);
}

SEC("?kprobe/sock_def_readable")
int RSP_KPROBE(on_data_ready_kp, struct sock *sk)
{
	return data_ready(false, sk);
}

SEC("?kprobe/unix_release")
int RSP_KPROBE(on_unix_close_kp, struct socket *socket)
{
	return unix_closes(BPF_CORE_READ(socket, sk));
}
