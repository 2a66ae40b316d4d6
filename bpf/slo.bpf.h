/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the rules (rsp/slo.h) that measure a latency, and stores the start of the latency until its
 * end; slo.bpf.c counts the latencies. If no rule is configured, an event costs one load and one
 * branch.
 */
#ifndef RSP_SLO_BPF_H
#define RSP_SLO_BPF_H

#include "bpf/rsp.bpf.h"
#include "rsp/slo.h"

/*
 * rsp_slo_active contains a bit for each rule in use. The daemon writes a rule before it sets the
 * rule's bit, and writes since_ns before the rest of the rule.
 */
extern struct rsp_slo_active rsp_slo_active;
extern struct rsp_slo_rule rsp_slo_rules[RSP_SLO_MAX];

/*
 * Returns the rules, from the set `rules` (one bit each), that select the task at the given address
 * (address_of()). port: local port of the connection; 0: none.
 *
 * The functions rsp_slo_*() are global, so the verifier checks each only once.
 */
__u32 rsp_slo_matching(__u64 task, __u32 rules, __u32 port);
/*
 * Returns the rules, from the set `rules`, that measure waits in this system call. syscall_nr -1:
 * waits outside of system calls.
 */
__u32 rsp_slo_counting(__u32 rules, __s32 syscall_nr);
/*
 * Counts a latency for each rule of the set. pid_tgid: tgid and tid, as from
 * bpf_get_current_pid_tgid().
 */
int rsp_slo_note(__u32 rules, __u64 pid_tgid, __u64 start_ns, __u64 end_ns);
/* Counts, for each rule of the set, a latency that is not measured, because no slot was free. */
int rsp_slo_miss(__u32 rules);
/*
 * Drops the latencies that are being measured for a thread, which may have slept and run without
 * being recorded.
 */
int rsp_slo_forget(__u32 tid);

static __always_inline __u32 slo_matching(struct task_struct *task, __u32 rules, __u32 port)
{
	return rules ? rsp_slo_matching(address_of(task), rules, port) : 0;
}

static __always_inline __u64 slo_pid_tgid(struct task_struct *task)
{
	return (__u64)task->tgid << 32 | task->pid;
}

/* --- starts of measured latencies ------------------------------------------------------------- */

#define SLO_PENDING_SLOTS (1 << 14)

/* Maximum age of a stored start, in ns. If a start is older, the end was probably missed. */
#define SLO_PENDING_MAX_NS 600000000000LL

struct slo_pending {
	__u64 key; /* 0: free */
	__u64 start_ns;
	/* measure DISK: the sector; measure FUNCTION: the stack pointer at the entry */
	__u64 detail;
	__u64 pid_tgid;
	__u64 rules;
};

/*
 * Direct-mapped by the key, so nothing is allocated or locked. If two starts collide, the older one
 * keeps the slot, because it may be that of a slow operation.
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

/*
 * Replaces an earlier start with the same key, and a start that is older than SLO_PENDING_MAX_NS.
 * Returns NULL if the slot contains a newer start with another key.
 */
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
