/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the id of a cgroup's OBJECT record, which contains the path of the cgroup. */
#ifndef RSP_CGROUP_BPF_H
#define RSP_CGROUP_BPF_H

#include "bpf/object.bpf.h"

struct kernfs_node___rcu {
	struct kernfs_node *__parent; /* called parent until 6.14 */
} __attribute__((preserve_access_index));

struct kernfs_node___old {
	struct kernfs_node *parent;
} __attribute__((preserve_access_index));

/* Cgroups are rarely nested more deeply. */
#define CGROUP_DEPTH_MAX 16

static __always_inline struct kernfs_node *parent_directory(struct kernfs_node *kn)
{
	if (bpf_core_field_exists(struct kernfs_node___rcu, __parent))
		return BPF_CORE_READ((struct kernfs_node___rcu *)kn, __parent);
	return BPF_CORE_READ((struct kernfs_node___old *)kn, parent);
}

static __always_inline void append_cgroup_path(struct rsp_scratch *scratch, struct kernfs_node *kn)
{
	for (int i = 0; i < CGROUP_DEPTH_MAX; i++) {
		struct kernfs_node *parent = parent_directory(kn);

		if (!parent || !append_component(scratch, BPF_CORE_READ(kn, name)))
			return;
		kn = parent;
	}
	if (parent_directory(kn))
		scratch->object.hdr.flags = RSP_OBJ_TRUNCATED;
}

static __always_inline __u64 cgroup_object_id(const void *kn, __u64 inode, __u32 hash)
{
	return mix(mix(identity(kn), inode), hash);
}

/*
 * Returns the id of a cgroup's OBJECT record, and sends the record if it was not sent in this
 * epoch; 0: unknown. level: scratch memory to use (rsp.bpf.h). kn may be NULL.
 */
static __always_inline __u64 cgroup_object(__u32 level, struct kernfs_node *kn)
{
	struct rsp_scratch *scratch = scratch_of(level);
	__u64 id;

	if (!scratch || !kn)
		return 0;
	id = cgroup_object_id(kn, BPF_CORE_READ(kn, id), BPF_CORE_READ(kn, hash));
	if (was_sent(id))
		return id;
	begin_object(scratch, RSP_OBJ_CGROUP, id);
	append_cgroup_path(scratch, kn);
	scratch->object.ino = BPF_CORE_READ(kn, id);
	send_object(scratch);
	return id;
}

#endif
