/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether the owner of a task (its effective uid) may inspect the task, like the kernel's
 * check for ptrace (PTRACE_MODE_READ, kernel/ptrace.c) of a caller without capabilities. If the
 * kernel lacks a field that is needed here, the owner may not inspect the task.
 */
#ifndef RSP_OWNER_BPF_H
#define RSP_OWNER_BPF_H

#include "bpf/rsp.bpf.h"

#define SUID_DUMP_USER	  1
#define MMF_DUMPABLE_MASK 3

/* Until Linux 6.17, the flags of an mm_struct are one word. Since 6.18, they are a bitmap. */
struct mm_struct___word {
	unsigned long flags;
} __attribute__((preserve_access_index));

struct rsp_mm_flags {
	unsigned long __mm_flags[1];
} __attribute__((preserve_access_index));

struct mm_struct___bitmap {
	struct rsp_mm_flags flags;
} __attribute__((preserve_access_index));

struct mm_struct___with_user_ns {
	struct user_namespace *user_ns;
} __attribute__((preserve_access_index));

/* Linux 7.2 moved dumpable and user_ns from mm_struct to the task. */
enum task_dumpable___rsp {
	TASK_DUMPABLE_OWNER___rsp = 1,
};

struct task_exec_state___rsp {
	enum task_dumpable___rsp dumpable;
	struct user_namespace *user_ns;
} __attribute__((preserve_access_index));

struct task_struct___with_exec_state {
	struct task_exec_state___rsp *exec_state;
} __attribute__((preserve_access_index));

struct image {
	__u64 dumpable;
	struct user_namespace *user_ns;
};

static __always_inline void image_of_task(struct task_struct *task, struct image *ret)
{
	struct mm_struct *mm = task->mm;
	struct mm_struct___word *word = (void *)mm;
	struct mm_struct___bitmap *bitmap = (void *)mm;
	struct mm_struct___with_user_ns *with_user_ns = (void *)mm;
	struct task_struct___with_exec_state *with_state = (void *)task;

	*ret = (struct image){};
	if (bpf_core_field_exists(with_state->exec_state)) {
		if (bpf_core_field_exists(struct task_exec_state___rsp, dumpable))
			ret->dumpable = BPF_CORE_READ(with_state, exec_state, dumpable);
		if (bpf_core_field_exists(struct task_exec_state___rsp, user_ns))
			ret->user_ns = BPF_CORE_READ(with_state, exec_state, user_ns);
		return;
	}
	if (!mm)
		return;
	if (bpf_core_field_exists(word->flags))
		ret->dumpable = BPF_CORE_READ(word, flags) & MMF_DUMPABLE_MASK;
	else if (bpf_core_field_exists(bitmap->flags.__mm_flags))
		ret->dumpable = BPF_CORE_READ(bitmap, flags.__mm_flags[0]) & MMF_DUMPABLE_MASK;
	if (bpf_core_field_exists(with_user_ns->user_ns))
		ret->user_ns = BPF_CORE_READ(with_user_ns, user_ns);
}

/*
 * Returns whether uid created the outermost ancestor of ns below the initial namespace. The creator
 * of a user namespace has all capabilities in it and in its descendants.
 */
static __always_inline bool is_namespace_of(struct user_namespace *ns, __u32 uid)
{
	for (int i = 0; i < USER_NS_LEVEL_MAX; i++) {
		int level = ns ? BPF_CORE_READ(ns, level) : 0;

		if (level <= 0)
			return false;
		if (level == 1)
			return BPF_CORE_READ(ns, owner.val) == uid;
		ns = BPF_CORE_READ(ns, parent);
	}
	return false;
}

static __always_inline bool is_initial(struct user_namespace *ns)
{
	return ns && BPF_CORE_READ(ns, level) == 0;
}

static __always_inline bool has_plain_cred(const struct cred *cred)
{
	__u32 uid = BPF_CORE_READ(cred, euid.val), gid = BPF_CORE_READ(cred, egid.val);
	__u64 permitted = ~0ULL;

	/* The capabilities are two words of 32 bits up to Linux 6.2, later one word of 64 bits. */
	bpf_core_read(&permitted, sizeof(permitted), &cred->cap_permitted);
	return is_initial(BPF_CORE_READ(cred, user_ns)) && !permitted &&
	       BPF_CORE_READ(cred, uid.val) == uid && BPF_CORE_READ(cred, suid.val) == uid &&
	       BPF_CORE_READ(cred, gid.val) == gid && BPF_CORE_READ(cred, sgid.val) == gid;
}

static __always_inline bool is_closed(struct task_struct *task)
{
	const struct cred *cred = BPF_CORE_READ(task, real_cred);
	__u32 uid = BPF_CORE_READ(cred, euid.val);
	struct image image;

	image_of_task(task, &image);
	if (!has_plain_cred(cred) && !is_namespace_of(BPF_CORE_READ(cred, user_ns), uid))
		return true;
	return image.dumpable != SUID_DUMP_USER && !is_namespace_of(image.user_ns, uid);
}

#endif
