/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the id of the OBJECT or SOCKET record of an open file or of an inode. on_switch often needs
 * the id of a file whose record was already sent, so the code for this case is inlined.
 */
#ifndef RSP_FILES_BPF_H
#define RSP_FILES_BPF_H

#include "bpf/object.bpf.h"
#include "bpf/typed.bpf.h"

#define S_IFMT	 0170000
#define S_IFSOCK 0140000
#define S_IFREG	 0100000
#define S_IFBLK	 0060000
#define S_IFDIR	 0040000
#define S_IFCHR	 0020000
#define S_IFIFO	 0010000

#define ANON_INODE_FS_MAGIC 0x09041934

#define PATH_DEPTH_MAX 24

/* --- paths ----------------------------------------------------------------------------------- */

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return container_of(mnt, struct mount, mnt);
}

/*
 * Appends the components of a path, leaf first. Walks up through mounts to the root of the
 * namespace, as d_path() does, but without its locks. Without vfsmnt, stops at the root of the file
 * system.
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

/* s_dev is major << 20 | minor; device numbers in records have the same form. */
static __always_inline void describe_inode(struct rsp_scratch *scratch, struct inode *inode)
{
	scratch->object.ino = BPF_CORE_READ(inode, i_ino);
	scratch->object.dev = BPF_CORE_READ(inode, i_sb, s_dev);
}

/* --- sockets --------------------------------------------------------------------------------- */

/*
 * Returns the kernel address of the name of a unix socket or, if the socket has none, of its peer;
 * 0: neither socket has a name.
 */
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
		return send_socket(identity(sk), sk, &flow);
	/*
	 * The id also depends on the inode number and the socket's name. The kernel reuses memory
	 * of inodes, and a socket gets its name only in bind() or connect().
	 */
	is_unix = LOAD(sk, __sk_common.skc_family) == AF_UNIX;
	if (is_unix)
		address = unix_address_of(sk);
	id = mix(mix(identity(inode), LOAD(inode, i_ino)), address);
	if (was_sent(id))
		return id;
	begin_object(scratch, is_unix ? RSP_OBJ_UNIX : RSP_OBJ_SOCKET, id);
	if (address)
		append_unix_name(scratch, (struct unix_address *)address);
	describe_inode(scratch, inode);
	send_object(scratch);
	return id;
}

/* --- files ----------------------------------------------------------------------------------- */

/*
 * Returns the kernel's hash of the file's name and of its directory's address. The hash changes
 * when the file is renamed.
 */
static __always_inline __u64 name_hash(struct dentry *dentry)
{
	return LOAD(dentry, d_name.hash_len);
}

static __always_inline __u64 magic_of(struct inode *inode)
{
	struct super_block *sb = LOAD(inode, i_sb);

	return LOAD(sb, s_magic);
}

static __always_inline __u32 format_of(struct inode *inode)
{
	__u32 format = LOAD(inode, i_mode) & S_IFMT;

	/*
	 * Since Linux 6.16, anonymous inodes are regular files. Before, their mode has no format
	 * bits.
	 */
	return format == S_IFREG && magic_of(inode) == ANON_INODE_FS_MAGIC ? 0 : format;
}

/*
 * Anonymous files may share one inode, so their ids contain the address of the open file instead.
 */
static __always_inline __u64 file_id(struct file *file, struct inode *inode, __u32 format)
{
	struct dentry *dentry = LOAD(file, f_path.dentry);

	return mix(mix(identity(format ? (void *)inode : (void *)file), LOAD(inode, i_ino)),
		   name_hash(dentry));
}

static __always_inline void send_file(struct rsp_scratch *scratch, struct file *file,
				      struct inode *inode, __u32 format, __u64 id)
{
	struct dentry *dentry = LOAD(file, f_path.dentry);

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
}

__u64 rsp_file_object(__u32 level, __u64 address)
{
	struct file *file = typed(struct file, address);
	struct rsp_scratch *scratch = scratch_of(level);
	struct inode *inode;
	__u32 format;
	__u64 id;

	if (!scratch || !has_part(RSP_PART_FILES))
		return 0;
	inode = LOAD(file, f_inode);
	if (!inode)
		return 0;
	format = format_of(inode);
	if (format == S_IFSOCK)
		return socket_file_object(scratch, file, inode);
	id = file_id(file, inode, format);
	if (!was_sent(id))
		send_file(scratch, file, inode, format, id);
	return id;
}

/*
 * Like rsp_file_object(), but calls no function for a file, other than a socket, whose record was
 * already sent.
 */
static __always_inline __u64 file_object(__u32 level, __u64 address)
{
	struct file *file = typed(struct file, address);
	struct inode *inode = LOAD(file, f_inode);
	__u32 format = format_of(inode);
	__u64 id = format == S_IFSOCK ? 0 : file_id(file, inode, format);

	return id && was_sent(id) ? id : rsp_file_object(level, address);
}

static __always_inline __u64 file_of_fd(struct task_struct *task, __u32 fd)
{
	struct fdtable *fdt = task->files->fdt;
	__u64 file = 0;

	if (!fdt || fd >= fdt->max_fds)
		return 0;
	if (rsp_reads_in_place)
		return word_in_place((__u64)fdt->fd + fd * sizeof(file));
	if (bpf_probe_read_kernel(&file, sizeof(file), fdt->fd + fd))
		return 0;
	return file;
}

static __always_inline __u64 fd_object_inlined(__u32 level, struct task_struct *task, __u32 fd)
{
	__u64 file = has_part(RSP_PART_FILES) ? file_of_fd(untrusted(task), fd) : 0;

	return file ? file_object(level, file) : 0;
}

struct dentry___71 {
	struct hlist_node d_alias; /* since Linux 7.1, a member of an anonymous union */
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
 * Returns the id of a file, found by its inode; 0: unknown. The path starts at the root of the file
 * system, because the mount is unknown. Pages with metadata of a file system may belong to the
 * inode of its block device, which has no name.
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
