/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rules (rsp/slo.h) an event is about, and where its beginning is kept until it ends. For the
 * programs that see beginnings and ends; what comes of it is in slo.bpf.c. Where nothing is to be
 * measured, a hook costs a load and a branch.
 */
#ifndef RSP_SLO_BPF_H
#define RSP_SLO_BPF_H

#include "rsp.bpf.h"
#include "rsp/slo.h"

/* Written by the daemon: a rule before its bit is set, its since_ns before the rest of it. */
extern struct rsp_slo_active rsp_slo_active;
extern struct rsp_slo_rule rsp_slo_rules[RSP_SLO_MAX];

/* who: tgid and tid, as of bpf_get_current_pid_tgid(). */
int rsp_slo_note(__u32 rule, __u64 who, __u64 start_ns, __u64 end_ns);
/* It began, and there was no room to remember when. */
int rsp_slo_miss(__u32 rule);

static __always_inline void slo_note_all(__u32 rules, __u64 who, __u64 start_ns, __u64 end_ns)
{
	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i))
			rsp_slo_note(i, who, start_ns, end_ns);
}

static __always_inline void slo_miss_all(__u32 rules)
{
	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i))
			rsp_slo_miss(i);
}

static __always_inline __u64 slo_who(struct task_struct *task)
{
	return (__u64)task->tgid << 32 | task->pid;
}

/* --- selection ------------------------------------------------------------------------------- */

static __always_inline bool slo_comm_fits(const struct rsp_slo_rule *rule, const void *kernel_comm)
{
	__u64 comm[2] = {};

	bpf_probe_read_kernel(comm, sizeof(comm), kernel_comm);
	return (comm[0] & rule->comm_mask[0]) == rule->comm[0] &&
	       (comm[1] & rule->comm_mask[1]) == rule->comm[1];
}

static __always_inline bool slo_cgroup_fits(const struct rsp_slo_rule *rule,
					    struct task_struct *task)
{
	struct cgroup *cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp), *ancestor = NULL;
	__u32 level = rule->cgroup_level;

	if (BPF_CORE_READ(cgroup, level) < (int)level)
		return false;
	bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
			      (void *)cgroup + bpf_core_field_offset(struct cgroup, ancestors) +
				      level * sizeof(ancestor));
	return BPF_CORE_READ(ancestor, kn, id) == rule->cgroup_id;
}

static __always_inline bool slo_selects(const struct rsp_slo_rule *rule, struct task_struct *task,
					__u16 port)
{
	if (rule->tgid && rule->tgid != (__u32)task->tgid)
		return false;
	if (rule->port && rule->port != port)
		return false;
	if (task->flags & PF_KTHREAD && !(rule->flags & RSP_SLO_KERNEL_THREADS))
		return false;
	if (rule->comm_mask[0] && !slo_comm_fits(rule, task->comm) &&
	    !slo_comm_fits(rule, task->group_leader->comm))
		return false;
	return !rule->cgroup_id || slo_cgroup_fits(rule, task);
}

/*
 * Those of rules that select the task; port: 0 where there is none. The bits come from memory: did
 * the verifier know them, it would follow each set of rules by itself.
 */
static __noinline __u32 slo_matching(struct task_struct *task, __u32 rules, __u32 port)
{
	__u32 matching = 0;

	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i) && slo_selects(&rsp_slo_rules[i], task, port))
			matching |= rsp_slo_rules[i].bit;
	return matching;
}

/* --- what has begun -------------------------------------------------------------------------- */

/* As many as a busy machine has requests, disk requests and calls under way at once. */
#define SLO_PENDING_SLOTS (1 << 14)

/*
 * What is older has lost its end: a window reaches back a minute or two, and nobody would look at
 * it.
 */
#define SLO_PENDING_MAX_NS 600000000000LL

struct slo_pending {
	__u64 key; /* 0: free */
	__u64 start_ns;
	__u64 detail; /* DISK: its sector; FUNCTION: the stack pointer at its entry */
	__u64 who;
	__u64 rules;
};

/*
 * Direct-mapped by the key: nothing is allocated or locked. Of two that want one slot, the older
 * keeps it: to be slow, it must grow old.
 */
extern struct rsp_slo_pending_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SLO_PENDING_SLOTS);
	__type(key, __u32);
	__type(value, struct slo_pending);
} rsp_slo_pending SEC(".maps");

static __always_inline struct slo_pending *slo_slot(__u64 key)
{
	__u32 slot = key & (SLO_PENDING_SLOTS - 1);

	return bpf_map_lookup_elem(&rsp_slo_pending, &slot);
}

static __always_inline struct slo_pending *slo_find(__u64 key)
{
	struct slo_pending *pending = slo_slot(key);

	return pending && pending->key == key ? pending : NULL;
}

/* Begins, or begins anew. NULL: the slot is another's. */
static __always_inline struct slo_pending *slo_begin(__u64 key, __u64 start_ns)
{
	struct slo_pending *pending = slo_slot(key);
	__u64 held;

	if (!pending)
		return NULL;
	held = pending->key;
	if (held != key) {
		if (held && (__s64)(start_ns - pending->start_ns) < SLO_PENDING_MAX_NS)
			return NULL;
		if (__sync_val_compare_and_swap(&pending->key, held, key) != held)
			return NULL;
	}
	pending->start_ns = start_ns;
	return pending;
}

#endif
