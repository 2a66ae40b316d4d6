/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes MESSAGE, NET and SOCKET records for connected unix sockets of the types stream and
 * seqpacket.
 *
 * A sender puts its message straight into the queue of the receiver's socket. The kernel then calls
 * sock_def_readable() for this socket, while the sender is still the current task. So one record of
 * the message contains both sockets. Neither socket can be freed meanwhile: the sender holds a
 * reference to its own socket, and each socket to its peer.
 */
#ifndef RSP_UNIX_BPF_H
#define RSP_UNIX_BPF_H

#include "bpf/net-record.bpf.h"
#include "bpf/object.bpf.h"

/* include/linux/net.h */
#define SOCK_STREAM    1
#define SOCK_SEQPACKET 5

#define SHUTDOWN_MASK 3 /* include/net/sock.h */

/* --- accepted or connected -------------------------------------------------------------------- */

/*
 * Returns the unix_sock that begins with sk. If is_typed is set, the verifier requires a check of
 * the type; NULL: not a unix socket.
 */
static __always_inline struct unix_sock *unix_sock_of(bool is_typed, struct sock *sk)
{
	return is_typed ? bpf_skc_to_unix_sock(sk) : (struct unix_sock *)sk;
}

/* include/net/af_unix.h: the largest hash of a socket that is in no table of abstract names */
#define UNIX_HASH_MOD 255

/*
 * Returns whether bind() gave the socket its address: bind() puts the socket into a kernel table,
 * by inode or by the hash of the abstract name. An accepted socket has the address of its listener
 * (unix_stream_connect()), but is in neither table.
 */
static __always_inline bool is_bound(bool is_typed, struct sock *sk, struct unix_address *addr)
{
	char first = 0;

	bpf_probe_read_kernel(&first, sizeof(first), addr->name[0].sun_path);
	if (!first)
		return rsp_load(is_typed, sk, __sk_common.skc_hash) > UNIX_HASH_MOD;
	return rsp_load(is_typed, sk, __sk_common.skc_bind_node.pprev);
}

/* Clients, and sockets from socketpair(), have no address, unless bind() gave them one. */
static __always_inline bool is_accepted(bool is_typed, struct sock *sk, struct unix_address *addr)
{
	return addr && !is_bound(is_typed, sk, addr);
}

/* Returns the inode number of a socket's file; 0: the socket has no file or is being closed. */
static __always_inline __u64 inode_of(bool is_typed, struct sock *sk)
{
	if (is_typed)
		return sk->sk_socket->file->f_inode->i_ino;
	return BPF_CORE_READ(sk, sk_socket, file, f_inode, i_ino);
}

/*
 * Returns the inode number of the client's socket; 0: unknown, because the client is being closed,
 * or because socketpair() made both ends. In most connections, only the accepted end has an
 * address, so the other end is the client.
 */
static __always_inline __u64 connection_of(bool is_typed, struct sock *sk, struct sock *peer,
					   struct unix_address *addr,
					   struct unix_address *peer_addr)
{
	bool peer_has_addr = peer_addr, accepted;

	/*
	 * Without this barrier, the compiler combines both pointers into one number, which the
	 * verifier forbids.
	 */
	barrier_var(peer_has_addr);
	if (!addr && !peer_has_addr)
		return 0;
	accepted = addr && (!peer_has_addr || is_accepted(is_typed, sk, addr));
	return inode_of(is_typed, accepted ? peer : sk);
}

/* --- SOCKET records --------------------------------------------------------------------------- */

/*
 * The id depends on a secret: otherwise a user could choose a path with the id of another object.
 */
static __always_inline __u64 path_id(const struct rsp_scratch *scratch)
{
	const __u64 *words = (const void *)scratch->object.name;
	__u64 id = mix(rsp_secret, RSP_OBJ_UNIX);

	for (int i = 0; i < RSP_UNIX_NAME_MAX / 8; i++)
		id = mix(id, words[i]);
	return mix(id, rsp_secret);
}

/*
 * Returns the id of the OBJECT record of the address, and sends the record if it was not sent in
 * this epoch; 0: no scratch memory is free.
 */
static __noinline __u64 unix_path(struct unix_address *addr)
{
	__u32 level = take_draft();
	struct rsp_scratch *scratch = scratch_of(level);
	__u64 id;

	if (!scratch)
		return 0;
	begin_object(scratch, RSP_OBJ_UNIX, 0);
	append_unix_name(scratch, addr);
	scratch->object.id = id = path_id(scratch);
	if (!was_sent(id))
		send_object(scratch);
	give_back_level(level);
	return id;
}

struct rsp_unix_ends {
	__u64 self, peer;
};

/* The result is mixed twice, because a single call of mix() can be inverted. */
static __always_inline __u64 unix_id(__u64 self, __u64 peer, __u64 connection)
{
	return mix(mix(rsp_secret, blend(self, peer, connection)), rsp_secret);
}

static __always_inline struct rsp_unix_ends unix_ends(struct sock *sk, struct sock *peer,
						      __u64 connection)
{
	__u64 self = address_of(sk), other = address_of(peer);

	return (struct rsp_unix_ends){unix_id(self, other, connection),
				      unix_id(other, self, connection)};
}

/* Sends the SOCKET record of sk. Returns false if the ring had no room. */
static __noinline int send_unix_socket(struct sock *sk, struct sock *peer, __u64 id,
				       __u64 connection)
{
	struct unix_address *addr = BPF_CORE_READ((struct unix_sock *)sk, addr);
	struct unix_address *peer_addr = BPF_CORE_READ((struct unix_sock *)peer, addr);
	struct rsp_ev_socket *rec;
	__u16 role = 0;
	__u64 path;

	if (is_accepted(false, sk, addr))
		role = RSP_SOCKET_ACCEPTED;
	else if (is_accepted(false, peer, peer_addr))
		role = RSP_SOCKET_CONNECTED;
	path = unix_path(role == RSP_SOCKET_ACCEPTED ? addr : peer_addr ? peer_addr : addr);
	rec = rsp_reserve(rsp_ev_socket, RSP_EV_SOCKET, role);
	if (!rec)
		return false;
	rec->id = id;
	rec->sk = identity(sk);
	rec->un.peer = identity(peer);
	rec->family = AF_UNIX;
	rec->protocol = 0;
	rec->local_port = 0;
	rec->remote_port = 0;
	rec->un.path = path;
	rec->un.connection = connection;
	rec->un.pad = 0;
	rsp_submit(rec);
	return true;
}

/* Both ends share one entry in rsp_seen, since most records refer to both. */
static __always_inline void send_unix_sockets(struct sock *sk, struct sock *peer,
					      const struct rsp_unix_ends *ends, __u64 connection)
{
	__u64 both = ends->self + ends->peer;

	if (was_sent(both))
		return;
	if (send_unix_socket(peer, sk, ends->peer, connection) &&
	    send_unix_socket(sk, peer, ends->self, connection))
		remember_sent(both);
}

/* --- MESSAGE and NET records ------------------------------------------------------------------ */

/*
 * Records that a client has connected. connect() has put the new socket at the end of the
 * listener's queue. If another thread has already accepted this socket, the connection gets no
 * record here.
 */
static __noinline int unix_connects(struct sock *listener)
{
	struct rsp_unix_ends ends;
	struct sock *sk, *peer;
	__u64 connection;

	if (!BPF_CORE_READ(listener, sk_receive_queue.qlen))
		return 0;
	sk = BPF_CORE_READ(listener, sk_receive_queue.prev, sk);
	peer = BPF_CORE_READ((struct unix_sock *)sk, peer);
	if (!peer || BPF_CORE_READ((struct unix_sock *)peer, peer) != sk)
		return 0;
	connection = inode_of(false, peer);
	if (!connection)
		return 0;
	ends = unix_ends(sk, peer, connection);
	send_unix_sockets(sk, peer, &ends, connection);
	return net_event(identity(sk), RSP_NET_ESTABLISHED, 0, 0, ends.self);
}

/* Returns the size of the message that was just queued; 0: the receiver has already taken it. */
static __always_inline __u32 newest_bytes(bool is_typed, struct sock *sk)
{
	if (!rsp_load(is_typed, sk, sk_receive_queue.qlen))
		return 0;
	return is_typed ? sk->sk_receive_queue.prev->len
			: BPF_CORE_READ(sk, sk_receive_queue.prev, len);
}

static __always_inline int unix_message(bool is_typed, struct sock *sk, struct sock *peer,
					__u64 connection)
{
	struct rsp_unix_ends ends = unix_ends(sk, peer, connection);
	struct rsp_ev_message *rec;
	__u64 now_ns;
	__u32 bytes;

	send_unix_sockets(sk, peer, &ends, connection);
	/*
	 * Read the clock first: if the message is still in the queue afterwards, the receiver takes
	 * it after this time.
	 */
	now_ns = bpf_ktime_get_ns();
	bytes = newest_bytes(is_typed, sk);
	rec = rsp_reserve_at(rsp_ev_message, RSP_EV_MESSAGE, bytes ? 0 : RSP_NET_LATE, now_ns);
	if (!rec)
		return 0;
	rec->tid = (__u32)bpf_get_current_pid_tgid();
	rec->bytes = bytes;
	rec->from = ends.peer;
	rec->to = ends.self;
	rsp_submit(rec);
	return 0;
}

static __always_inline int unix_arrives(bool is_typed, struct sock *sk)
{
	struct unix_sock *receiver, *sender;
	__u16 type = rsp_load(is_typed, sk, sk_type);
	__u64 connection;
	struct sock *peer;

	if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
		return 0;
	if (rsp_load(is_typed, sk, __sk_common.skc_state) == BPF_TCP_LISTEN)
		return unix_connects(sk);
	receiver = unix_sock_of(is_typed, sk);
	peer = receiver ? rsp_load(is_typed, receiver, peer) : NULL;
	sender = peer ? unix_sock_of(is_typed, peer) : NULL;
	if (!sender)
		return 0;
	connection = connection_of(is_typed, sk, peer, rsp_load(is_typed, receiver, addr),
				   rsp_load(is_typed, sender, addr));
	return connection ? unix_message(is_typed, sk, peer, connection) : 0;
}

/*
 * Called when no descriptor refers to the socket any more. Only the end that closes first has a
 * record, because its close also shuts down the other end.
 */
static __noinline int unix_closes(struct sock *sk)
{
	__u16 type = BPF_CORE_READ(sk, sk_type);
	struct unix_sock *self, *other;
	struct rsp_unix_ends ends;
	__u64 connection;

	if (!has_part(RSP_PART_UNIX) || (type != SOCK_STREAM && type != SOCK_SEQPACKET))
		return 0;
	self = (struct unix_sock *)sk;
	other = (struct unix_sock *)BPF_CORE_READ(self, peer);
	if (!other || BPF_CORE_READ(sk, sk_shutdown) == SHUTDOWN_MASK)
		return 0;
	connection = connection_of(false, sk, &other->sk, BPF_CORE_READ(self, addr),
				   BPF_CORE_READ(other, addr));
	if (!connection)
		return 0;
	ends = unix_ends(sk, &other->sk, connection);
	send_unix_sockets(sk, &other->sk, &ends, connection);
	return net_event(identity(sk), RSP_NET_CLOSE, 0, 0, ends.self);
}

static __noinline int unix_arrives_typed(struct sock *sk)
{
	return unix_arrives(true, sk);
}

static __noinline int unix_arrives_untyped(struct sock *sk)
{
	return unix_arrives(false, sk);
}

extern void bpf_local_irq_save(unsigned long *flags) __ksym __weak;
extern void bpf_local_irq_restore(unsigned long *flags) __ksym __weak;

const volatile bool rsp_forbids_interrupts = false;

/*
 * A message over a unix socket arrives within the sender's system call, with interrupts on. A
 * packet in an interrupt of this program would have no record, because the kernel does not run a
 * program on a CPU that is already running it. Since Linux 6.14, a program can disable interrupts.
 */
static __always_inline int unix_data_ready(bool is_typed, struct sock *sk)
{
	unsigned long flags;

	if (!has_part(RSP_PART_UNIX))
		return 0;
	if (!is_typed) /* programs at kprobes are not preempted */
		return unix_arrives_untyped(sk);
	if (rsp_forbids_interrupts) {
		bpf_local_irq_save(&flags);
		unix_arrives_typed(sk);
		bpf_local_irq_restore(&flags);
		return 0;
	}
	forbid_preemption();
	unix_arrives_typed(sk);
	return allow_preemption();
}

#endif
