/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the ids of OBJECT and SOCKET records, and sends records that were not sent in this epoch
 * (rsp.bpf.h). Reads kernel structures without locks: if a file is closed or renamed meanwhile, the
 * name may be wrong, but no page fault occurs.
 */
#ifndef RSP_OBJECT_BPF_H
#define RSP_OBJECT_BPF_H

#include "bpf/rsp.bpf.h"

#define AF_UNIX	    1
#define AF_INET	    2
#define AF_INET6    10
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define ETH_P_IP    0x0800

#define RCV_SHUTDOWN 1 /* include/net/sock.h */

/*
 * Paths are built from the leaf to the root. Returns false if no further component can be appended.
 */
static __always_inline bool append_component(struct rsp_scratch *scratch, const void *name)
{
	__u64 off = scratch->object.name_len;
	long len;

	if (off > RSP_NAME_MAX) /* never true, but the verifier cannot prove this */
		return false;
	len = bpf_probe_read_kernel_str(&scratch->object.name[off], 256, name);
	if (len <= 0)
		return false;
	if (off + len > RSP_NAME_MAX) {
		scratch->object.hdr.flags = RSP_OBJ_TRUNCATED;
		scratch->object.name[off] = 0;
		return false;
	}
	scratch->object.name_len = off + len;
	return true;
}

static __always_inline void append_string(struct rsp_scratch *scratch, const void *str)
{
	long len = bpf_probe_read_kernel_str(scratch->object.name, RSP_NAME_MAX, str);

	scratch->object.name_len = len > 0 ? len : 0;
}

/* Size of the longest unix socket name with a NUL (109 bytes), rounded up to words. */
#define RSP_UNIX_NAME_MAX 112

/*
 * Sets the object's name to the address of a unix socket: a path, or "@" and an abstract name,
 * which may contain NULs.
 */
static __always_inline void append_unix_name(struct rsp_scratch *scratch, struct unix_address *addr)
{
	char *name = scratch->object.name;
	__u32 len;

	append_string(scratch, addr->name[0].sun_path);
	if (name[0])
		return;
	len = BPF_CORE_READ(addr, len) - sizeof(addr->name[0].sun_family) - 1;
	if (len >= sizeof(addr->name[0].sun_path))
		return;
	name[0] = '@';
	bpf_probe_read_kernel(name + 1, bounded_index(len, 127), addr->name[0].sun_path + 1);
	scratch->object.name_len = len + 2;
}

static __always_inline void begin_object(struct rsp_scratch *scratch, __u32 type, __u64 id)
{
	__builtin_memset(scratch->object.name, 0, sizeof(scratch->object.name));
	fill_header(&scratch->object.hdr, RSP_EV_OBJECT, sizeof(scratch->object), 0,
		    bpf_ktime_get_ns());
	scratch->object.id = id;
	scratch->object.ino = 0;
	scratch->object.dev = 0;
	scratch->object.type = type;
	scratch->object.name_len = 0;
	scratch->object.pad = 0;
}

static __always_inline void send_object(struct rsp_scratch *scratch)
{
	send_once(&scratch->object, sizeof(scratch->object), scratch->object.id, RSP_EV_OBJECT);
}

/* --- sockets --------------------------------------------------------------------------------- */

struct rsp_flow {
	__u16 family;
	__u16 protocol;
	__u16 local_port;
	__u16 remote_port;
	__u64 local[2];
	__u64 remote[2];
};

/* Returns whether the address is an IPv4-mapped IPv6 address, ::ffff:a.b.c.d. */
static __always_inline bool is_mapped(const __u64 address[2])
{
	return !address[0] && (__u32)address[1] == 0xffff0000;
}

static __always_inline void addresses_of(bool is_typed, struct sock *sk, struct rsp_flow *flow)
{
#define HALF(address, i)                                                                           \
	(rsp_load(is_typed, sk, __sk_common.address.in6_u.u6_addr32[2 * (i)]) |                    \
	 (__u64)rsp_load(is_typed, sk, __sk_common.address.in6_u.u6_addr32[2 * (i) + 1]) << 32)
	if (flow->family == AF_INET6) {
		flow->local[0] = HALF(skc_v6_rcv_saddr, 0);
		flow->local[1] = HALF(skc_v6_rcv_saddr, 1);
		flow->remote[0] = HALF(skc_v6_daddr, 0);
		flow->remote[1] = HALF(skc_v6_daddr, 1);
		if (!is_mapped(flow->remote))
			return;
		flow->family = AF_INET;
	}
	flow->local[0] = rsp_load(is_typed, sk, __sk_common.skc_rcv_saddr);
	flow->remote[0] = rsp_load(is_typed, sk, __sk_common.skc_daddr);
	flow->local[1] = flow->remote[1] = 0;
#undef HALF
}

/*
 * Returns false if the socket is neither tcp nor udp. A connection over IPv4 gets the family
 * AF_INET at both ends, even if a socket was created for IPv6.
 */
static __always_inline bool flow_of(bool is_typed, struct sock *sk, struct rsp_flow *flow)
{
	flow->family = rsp_load(is_typed, sk, __sk_common.skc_family);
	if (flow->family != AF_INET && flow->family != AF_INET6)
		return false;
	flow->protocol = rsp_load(is_typed, sk, sk_protocol);
	if (flow->protocol != IPPROTO_TCP && flow->protocol != IPPROTO_UDP)
		return false;
	flow->local_port = rsp_load(is_typed, sk, __sk_common.skc_num);
	flow->remote_port = bpf_ntohs(rsp_load(is_typed, sk, __sk_common.skc_dport));
	addresses_of(is_typed, sk, flow);
	return true;
}

/* sk: identity of the socket. */
static __always_inline __u64 socket_id(__u64 sk, const struct rsp_flow *flow)
{
	__u64 id = mix(sk, (__u64)flow->family << 48 | (__u64)flow->protocol << 32 |
				   flow->local_port << 16 | flow->remote_port);

	if (flow->family == AF_INET)
		return mix(id, flow->local[0] << 32 | flow->remote[0]);
	id = mix(mix(id, flow->local[0]), flow->local[1]);
	return mix(mix(id, flow->remote[0]), flow->remote[1]);
}

/* include/net/sock.h */
#define SOCK_BINDPORT_LOCK 8

/*
 * Returns RSP_SOCKET_ACCEPTED, RSP_SOCKET_CONNECTED, or 0 if the socket listens or no longer has a
 * port.
 *
 * An accepted socket uses the port of its listener. If connect() chose the port, the port's
 * fastreuse is negative (__inet_hash_connect()). If the program bound the socket itself to a port,
 * the socket has SOCK_BINDPORT_LOCK, which accepted sockets do not inherit (sk_clone_lock()). A
 * client that binds an address but no port is taken for accepted.
 */
static __always_inline __u16 socket_role(bool is_typed, struct tcp_sock *tcp)
{
	struct inet_bind_bucket *bucket;
	struct sock *sk = (struct sock *)tcp;
	__u32 locks;

	if (rsp_load(is_typed, tcp, inet_conn.icsk_inet.sk.__sk_common.skc_state) == BPF_TCP_LISTEN)
		return 0;
	locks = is_typed ? BPF_CORE_READ_BITFIELD(sk, sk_userlocks)
			 : BPF_CORE_READ_BITFIELD_PROBED(sk, sk_userlocks);
	bucket = rsp_load(is_typed, tcp, inet_conn.icsk_bind_hash);
	if (!bucket)
		return 0;
	return !(locks & SOCK_BINDPORT_LOCK) && rsp_load(is_typed, bucket, fastreuse) >= 0
		       ? RSP_SOCKET_ACCEPTED
		       : RSP_SOCKET_CONNECTED;
}

/*
 * Returns the id of the SOCKET record, and sends the record if it was not sent in this epoch.
 * socket: identity of sk.
 */
static __always_inline __u64 send_socket(__u64 socket, struct sock *sk, const struct rsp_flow *flow)
{
	__u64 id = socket_id(socket, flow);
	struct rsp_ev_socket *rec;
	__u16 role = 0;

	if (was_sent(id))
		return id;
	if (flow->protocol == IPPROTO_TCP)
		role = socket_role(false, (struct tcp_sock *)sk);
	rec = rsp_reserve(rsp_ev_socket, RSP_EV_SOCKET, role);
	if (!rec)
		return id;
	rec->id = id;
	rec->sk = socket;
	rec->family = flow->family;
	rec->protocol = flow->protocol;
	rec->local_port = flow->local_port;
	rec->remote_port = flow->remote_port;
	__builtin_memcpy(rec->local, flow->local, sizeof(rec->local));
	__builtin_memcpy(rec->remote, flow->remote, sizeof(rec->remote));
	rsp_submit(rec);
	remember_sent(id);
	return id;
}

/* --- files ----------------------------------------------------------------------------------- */

/*
 * These functions return the id of the file's record, or 0, and send the record if it was not sent
 * in this epoch. file: address of a struct file. inode: address of a struct inode. level: scratch
 * memory. Defined in files.bpf.h.
 */
__u64 rsp_file_object(__u32 level, __u64 file);
__u64 rsp_inode_object(__u32 level, __u64 inode);

static __always_inline __u64 fd_object(__u32 level, struct task_struct *task, __u32 fd)
{
	struct fdtable *fdt;
	__u64 file = 0;

	if (!has_part(RSP_PART_FILES))
		return 0;
	fdt = task->files->fdt;
	if (!fdt || fd >= fdt->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), fdt->fd + fd) || !file)
		return 0;
	return rsp_file_object(level, file);
}

#endif
