/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the owner of the file system that contains a mapped file. A process that accesses a file
 * system which a user mounted or serves may wait forever.
 */
#ifndef RSP_ORIGIN_BPF_H
#define RSP_ORIGIN_BPF_H

#include "bpf/rsp.bpf.h"
#include "rsp/unwind.h"

/*
 * Set for a file that the kernel opened for itself (include/linux/fs.h). A process can map such a
 * file only through a stacked file system; it is then a struct backing_file. FMODE_BACKING would be
 * more exact, but its value differs between releases.
 */
#define FMODE_NOACCOUNT 0x20000000

/* A file in a layer of an overlay. Since Linux 6.7, user_path is its path in the overlay. */
struct backing_file___67 {
	struct path user_path;
} __attribute__((preserve_access_index));

/* Returns the mount through which the process opened the file. */
static __always_inline struct vfsmount *mount_of_file(struct file *file)
{
	struct backing_file___67 *backing = (void *)file;

	if (bpf_core_field_exists(backing->user_path) &&
	    BPF_CORE_READ(file, f_mode) & FMODE_NOACCOUNT)
		return BPF_CORE_READ(backing, user_path.mnt);
	return BPF_CORE_READ(file, f_path.mnt);
}

/*
 * Returns the owner of the outermost user namespace that contains ns and is not the initial one, as
 * a uid of the initial namespace.
 */
static __always_inline __u32 maker_of(struct user_namespace *ns)
{
	for (int i = 0; i < USER_NS_LEVEL_MAX && BPF_CORE_READ(ns, level) > 1; i++)
		ns = BPF_CORE_READ(ns, parent);
	return BPF_CORE_READ(ns, owner.val);
}

static __always_inline void read_origin(struct file *file, struct rsp_binary_origin *ret)
{
	struct super_block *below = BPF_CORE_READ(file, f_inode, i_sb);
	struct vfsmount *mnt = mount_of_file(file);
	struct super_block *top = BPF_CORE_READ(mnt, mnt_sb);
	struct user_namespace *ns = BPF_CORE_READ(below, s_user_ns);
	const struct cred *cred = BPF_CORE_READ(bpf_get_current_task_btf(), cred);

	ret->magic = BPF_CORE_READ(below, s_magic);
	ret->top_magic = BPF_CORE_READ(top, s_magic);
	ret->mnt_id = BPF_CORE_READ(container_of(mnt, struct mount, mnt), mnt_id);
	if (!BPF_CORE_READ(ns, level))
		ns = BPF_CORE_READ(top, s_user_ns);
	ret->foreign = BPF_CORE_READ(ns, level) > 0;
	if (!ret->foreign)
		ns = BPF_CORE_READ(cred, user_ns);
	ret->uid = BPF_CORE_READ(ns, level) ? maker_of(ns) : BPF_CORE_READ(cred, uid.val);
}

#endif
