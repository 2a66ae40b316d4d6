/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open files and sockets -> ids of OBJECT and SOCKET records, sent at first sight. Reads the
 * kernel's structures without locks: a file closed or renamed under our feet gives an odd name,
 * never a fault.
 */
#ifndef RSP_OBJECT_BPF_H
#define RSP_OBJECT_BPF_H

#include "rsp.bpf.h"

#define S_IFMT	 0170000
#define S_IFSOCK 0140000
#define S_IFREG	 0100000
#define S_IFBLK	 0060000
#define S_IFDIR	 0040000
#define S_IFCHR	 0020000
#define S_IFIFO	 0010000

#define ANON_INODE_FS_MAGIC 0x09041934

#define AF_UNIX	    1
#define AF_INET	    2
#define AF_INET6    10
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define ETH_P_IP    0x0800

#define PATH_DEPTH_MAX 24

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return container_of(mnt, struct mount, mnt);
}

/* One component of a path, behind those nearer to the leaf. False: the path ends here. */
static __always_inline bool append_component(struct rsp_scratch *scratch, const void *name)
{
	__u64 off = scratch->object.name_len;
	long len;

	if (off > RSP_NAME_MAX) /* never, but the verifier cannot know */
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

/*
 * Appends the path's components to the scratch object, leaf first, walking up through mounts to the
 * root of the namespace (as d_path does, without its locks).
 */
static __always_inline void append_path(struct rsp_scratch *scratch, struct dentry *dentry,
					struct vfsmount *vfsmnt)
{
	struct mount *mnt = vfsmnt ? mount_of(vfsmnt) : NULL;
	struct dentry *root = vfsmnt ? BPF_CORE_READ(vfsmnt, mnt_root) : NULL;
	int i;

	for (i = 0; i < PATH_DEPTH_MAX; i++) {
		struct dentry *parent;

		if (mnt && dentry == root) {
			struct mount *up = BPF_CORE_READ(mnt, mnt_parent);

			if (up == mnt)
				break;
			dentry = BPF_CORE_READ(mnt, mnt_mountpoint);
			mnt = up;
			root = BPF_CORE_READ(mnt, mnt.mnt_root);
			continue;
		}
		parent = BPF_CORE_READ(dentry, d_parent);
		if (parent == dentry)
			break;
		if (!append_component(scratch, BPF_CORE_READ(dentry, d_name.name)))
			break;
		dentry = parent;
	}
	if (i == PATH_DEPTH_MAX)
		scratch->object.hdr.flags = RSP_OBJ_TRUNCATED;
}

static __always_inline void append_string(struct rsp_scratch *scratch, const void *str)
{
	long len = bpf_probe_read_kernel_str(scratch->object.name, RSP_NAME_MAX, str);

	scratch->object.name_len = len > 0 ? len : 0;
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

/* The kernel's dev_t is major << 20 | minor, and so is ours. */
static __always_inline void describe_inode(struct rsp_scratch *scratch, struct inode *inode)
{
	scratch->object.ino = BPF_CORE_READ(inode, i_ino);
	scratch->object.dev = BPF_CORE_READ(inode, i_sb, s_dev);
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

/* ::ffff:a.b.c.d, an IPv4 peer of an IPv6 socket: the upper half is 0, then 00 00 ff ff. */
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
 * False for anything but tcp and udp. Both ends of a connection get the same family, whatever the
 * socket was made for. (sk_protocol was a bit field before 5.6; RSP needs 6.1.)
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
static __always_inline __u64 send_socket(__u64 sk, const struct rsp_flow *flow)
{
	__u64 id = mix(sk, (__u64)flow->family << 48 | (__u64)flow->protocol << 32 |
				   flow->local_port << 16 | flow->remote_port);
	struct rsp_ev_socket *rec;

	if (flow->family == AF_INET) {
		id = mix(id, flow->local[0] << 32 | flow->remote[0]);
	} else {
		id = mix(mix(id, flow->local[0]), flow->local[1]);
		id = mix(mix(id, flow->remote[0]), flow->remote[1]);
	}
	if (was_sent(id))
		return id;
	rec = rsp_reserve(rsp_ev_socket, RSP_EV_SOCKET, 0);
	if (!rec)
		return id;
	rec->id = id;
	rec->sk = sk;
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

/* Where a unix socket is bound, or else its peer. NULL: neither is, or it is no unix socket. */
static __always_inline struct unix_address *unix_address_of(struct sock *sk)
{
	struct unix_sock *self = (struct unix_sock *)sk;
	struct unix_address *addr;
	struct unix_sock *peer;

	if (BPF_CORE_READ(sk, __sk_common.skc_family) != AF_UNIX)
		return NULL;
	addr = BPF_CORE_READ(self, addr);
	if (addr)
		return addr;
	peer = (struct unix_sock *)BPF_CORE_READ(self, peer);
	return BPF_CORE_READ(peer, addr);
}

/* --- files ----------------------------------------------------------------------------------- */

static __always_inline __u64 socket_file_object(struct rsp_scratch *scratch, struct file *file,
						struct inode *inode)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);
	struct unix_address *addr;
	struct rsp_flow flow;
	__u64 id;

	if (flow_of(false, sk, &flow))
		return send_socket(identity(sk), &flow);
	/* Inodes are used again, and a socket gets its name only when it is bound or connected. */
	addr = unix_address_of(sk);
	id = mix(mix(identity(inode), BPF_CORE_READ(inode, i_ino)), (__u64)addr);
	if (was_sent(id))
		return id;
	if (BPF_CORE_READ(sk, __sk_common.skc_family) == AF_UNIX)
		begin_object(scratch, RSP_OBJ_UNIX, id);
	else
		begin_object(scratch, RSP_OBJ_SOCKET, id);
	if (addr)
		append_string(scratch, addr->name->sun_path);
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

/* Changes with a rename: the kernel hashes the name together with the directory's address. */
static __always_inline __u64 name_hash(struct dentry *dentry)
{
	return BPF_CORE_READ(dentry, d_name.hash_len);
}

static __always_inline __u64 file_object(__u32 level, struct file *file)
{
	struct rsp_scratch *scratch = scratch_of(level);
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	struct dentry *dentry = BPF_CORE_READ(file, f_path.dentry);
	__u32 format = BPF_CORE_READ(inode, i_mode) & S_IFMT;
	__u64 id;

	if (!scratch || !inode)
		return 0;
	/* Their own format was none, until kernel 6.16 made them regular files. */
	if (format == S_IFREG && BPF_CORE_READ(inode, i_sb, s_magic) == ANON_INODE_FS_MAGIC)
		format = 0;
	if (format == S_IFSOCK)
		return socket_file_object(scratch, file, inode);
	/* All anonymous inodes may be one: the open file tells them apart. */
	id = mix(mix(identity(format ? (void *)inode : (void *)file), BPF_CORE_READ(inode, i_ino)),
		 name_hash(dentry));
	if (was_sent(id))
		return id;
	if (format == S_IFIFO) {
		begin_object(scratch, RSP_OBJ_PIPE, id);
	} else if (!format) {
		begin_object(scratch, RSP_OBJ_ANON, id);
		append_string(scratch, BPF_CORE_READ(dentry, d_name.name));
	} else {
		begin_object(scratch,
			     format == S_IFBLK || format == S_IFCHR ? RSP_OBJ_DEVICE : RSP_OBJ_FILE,
			     id);
		append_path(scratch, dentry, BPF_CORE_READ(file, f_path.mnt));
	}
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

/*
 * A file known by its inode alone, as pages know it: the path starts at its file system's root. The
 * pages of a file system's metadata are of its block device, whose inode names nothing.
 */
static __always_inline __u64 inode_object(__u32 level, struct inode *inode)
{
	struct rsp_scratch *scratch = scratch_of(level);
	struct hlist_node *alias = BPF_CORE_READ(inode, i_dentry.first);
	struct dentry *dentry;
	__u64 id;

	if (!scratch || !alias || (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return 0;
	dentry = container_of((void *)alias, struct dentry, d_u);
	id = mix(mix(identity(inode), BPF_CORE_READ(inode, i_ino)), ~name_hash(dentry));
	if (was_sent(id))
		return id;
	begin_object(scratch, RSP_OBJ_FILE, id);
	append_path(scratch, dentry, NULL);
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

static __always_inline __u64 fd_object(__u32 level, struct task_struct *task, __u32 fd)
{
	struct fdtable *fdt = task->files->fdt;
	struct file *file = NULL;

	if (!fdt || fd >= fdt->max_fds ||
	    bpf_probe_read_kernel(&file, sizeof(file), fdt->fd + fd) || !file)
		return 0;
	return file_object(level, file);
}

#endif
