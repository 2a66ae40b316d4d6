/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open files -> ids of OBJECT and SOCKET records; of files known by their inode alone, too. Asked
 * at nearly every switch, about files whose records were sent long ago: getting to the id is what
 * counts. Only kstack.bpf.c includes it: bpftool 7.1 cannot link two objects that call
 * bpf_rdonly_cast().
 */
#ifndef RSP_FILES_BPF_H
#define RSP_FILES_BPF_H

#include "object.bpf.h"

#define S_IFMT	 0170000
#define S_IFSOCK 0140000
#define S_IFREG	 0100000
#define S_IFBLK	 0060000
#define S_IFDIR	 0040000
#define S_IFCHR	 0020000
#define S_IFIFO	 0010000

#define ANON_INODE_FS_MAGIC 0x09041934

#define PATH_DEPTH_MAX 24

/*
 * An address with a type: the verifier allows loads through it, which yield 0 where nothing is
 * mapped.
 */
#define typed(type, address)                                                                       \
	(rsp_reads_in_place                                                                        \
		 ? (type *)bpf_rdonly_cast((const void *)(address), bpf_core_type_id_kernel(type)) \
		 : (type *)(address))

#define LOAD(pointer, member) rsp_load(rsp_reads_in_place, pointer, member)

/* --- paths ----------------------------------------------------------------------------------- */

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return container_of(mnt, struct mount, mnt);
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

/* The kernel's dev_t is major << 20 | minor, and so is ours. */
static __always_inline void describe_inode(struct rsp_scratch *scratch, struct inode *inode)
{
	scratch->object.ino = BPF_CORE_READ(inode, i_ino);
	scratch->object.dev = BPF_CORE_READ(inode, i_sb, s_dev);
}

/* --- sockets --------------------------------------------------------------------------------- */

/* Where a unix socket is bound, or else its peer; 0: neither is. */
static __always_inline __u64 unix_address_of(struct sock *sk)
{
	struct unix_sock *self = typed(struct unix_sock, sk);
	struct unix_address *addr = LOAD(self, addr);
	struct unix_sock *peer;

	if (addr)
		return address_of(addr);
	peer = typed(struct unix_sock, LOAD(self, peer));
	addr = LOAD(peer, addr);
	return addr ? address_of(addr) : 0;
}

static __always_inline __u64 socket_file_object(struct rsp_scratch *scratch, struct file *file,
						struct inode *inode)
{
	struct socket *socket = typed(struct socket, LOAD(file, private_data));
	struct sock *sk = LOAD(socket, sk);
	__u64 id, address = 0;
	struct rsp_flow flow;
	bool is_unix;

	if (flow_of(rsp_reads_in_place, sk, &flow))
		return send_socket(identity(sk), &flow);
	/* Inodes are used again, and a socket gets its name only when it is bound or connected. */
	is_unix = LOAD(sk, __sk_common.skc_family) == AF_UNIX;
	if (is_unix)
		address = unix_address_of(sk);
	id = mix(mix(identity(inode), LOAD(inode, i_ino)), address);
	if (was_sent(id))
		return id;
	begin_object(scratch, is_unix ? RSP_OBJ_UNIX : RSP_OBJ_SOCKET, id);
	if (address)
		append_string(scratch, ((struct unix_address *)address)->name->sun_path);
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

/* --- files ----------------------------------------------------------------------------------- */

/* Changes with a rename: the kernel hashes the name together with the directory's address. */
static __always_inline __u64 name_hash(struct dentry *dentry)
{
	return LOAD(dentry, d_name.hash_len);
}

static __always_inline __u64 magic_of(struct inode *inode)
{
	struct super_block *sb = LOAD(inode, i_sb);

	return LOAD(sb, s_magic);
}

__u64 rsp_file_object(__u32 level, __u64 address)
{
	struct file *file = typed(struct file, address);
	struct rsp_scratch *scratch = scratch_of(level);
	struct dentry *dentry;
	struct inode *inode;
	__u32 format;
	__u64 id;

	if (!scratch || !has_part(RSP_PART_FILES))
		return 0;
	inode = LOAD(file, f_inode);
	dentry = LOAD(file, f_path.dentry);
	format = LOAD(inode, i_mode) & S_IFMT;
	if (!inode)
		return 0;
	/* Their own format was none, until kernel 6.16 made them regular files. */
	if (format == S_IFREG && magic_of(inode) == ANON_INODE_FS_MAGIC)
		format = 0;
	if (format == S_IFSOCK)
		return socket_file_object(scratch, file, inode);
	/* All anonymous inodes may be one: the open file tells them apart. */
	id = mix(mix(identity(format ? (void *)inode : (void *)file), LOAD(inode, i_ino)),
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

struct dentry___71 {
	struct hlist_node d_alias; /* in an anonymous union since 7.1 */
} __attribute__((preserve_access_index));

struct dentry___old {
	union {
		struct hlist_node d_alias;
	} d_u;
} __attribute__((preserve_access_index));

static __always_inline __u64 alias_offset(void)
{
	if (bpf_core_field_exists(struct dentry___71, d_alias))
		return bpf_core_field_offset(struct dentry___71, d_alias);
	return bpf_core_field_offset(struct dentry___old, d_u);
}

/*
 * A file known by its inode alone, as pages know it: the path starts at its file system's root. The
 * pages of a file system's metadata are of its block device, whose inode names nothing.
 */
__u64 rsp_inode_object(__u32 level, __u64 address)
{
	struct inode *inode = typed(struct inode, address);
	struct rsp_scratch *scratch = scratch_of(level);
	struct hlist_node *alias;
	struct dentry *dentry;
	__u64 id;

	if (!scratch || !has_part(RSP_PART_PAGES))
		return 0;
	alias = BPF_CORE_READ(inode, i_dentry.first);
	if (!alias || (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return 0;
	dentry = typed(struct dentry, (__u64)alias - alias_offset());
	id = mix(mix(identity(inode), BPF_CORE_READ(inode, i_ino)), ~name_hash(dentry));
	if (was_sent(id))
		return id;
	begin_object(scratch, RSP_OBJ_FILE, id);
	append_path(scratch, dentry, NULL);
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

#endif
