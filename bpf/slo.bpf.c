/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds measured latencies to the counts of their rules, and sends events of latencies above a
 * rule's limit to the daemon. Also measures functions in user space.
 */
#include "bpf/slo.bpf.h"

struct rsp_slo_active rsp_slo_active = {};
struct rsp_slo_rule rsp_slo_rules[RSP_SLO_MAX] = {};
struct rsp_slo_pending_map rsp_slo_pending SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RSP_SLO_MAX);
	__type(key, __u32);
	__type(value, struct rsp_slo_counts);
} rsp_slo_counts SEC(".maps");

/*
 * Breaches of limits. In each tenth of a second, a rule sends an event only for a latency above all
 * its earlier ones of this tenth, so a small ring is sufficient.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} rsp_slo_events SEC(".maps");

/*
 * The worst latency that a rule has sent in a tenth of a second. All CPUs write to it without a
 * lock, so an event may also contain a smaller latency.
 */
struct slo_reported {
	__u64 since_ns;
	__u64 tenth;
	__u64 worst_ns;
};

static struct slo_reported slo_reported[RSP_SLO_MAX];

static __always_inline struct rsp_slo_counts *counts_of(__u32 index, __u64 since_ns)
{
	struct rsp_slo_counts *counts = bpf_map_lookup_elem(&rsp_slo_counts, &index);
	/* volatile: otherwise the compiler makes the loop a call of memset() */
	volatile __u64 *words = (volatile __u64 *)counts;

	if (counts && counts->since_ns != since_ns) {
		for (__u32 i = 0; i < sizeof(*counts) / sizeof(*words); i++)
			words[i] = 0;
		counts->since_ns = since_ns;
	}
	return counts;
}

static __always_inline bool report(__u32 index, __u64 since_ns, __u64 pid_tgid, __u64 start_ns,
				   __u64 end_ns)
{
	struct slo_reported *reported = &slo_reported[index & (RSP_SLO_MAX - 1)];
	__u64 tenth = end_ns / RSP_SLO_TENTH_NS;
	struct rsp_slo_event *event;

	if (reported->since_ns == since_ns && reported->tenth == tenth &&
	    end_ns - start_ns <= reported->worst_ns)
		return true;
	event = bpf_ringbuf_reserve(&rsp_slo_events, sizeof(*event), 0);
	if (!event)
		return false;
	event->since_ns = since_ns;
	event->start_ns = start_ns;
	event->end_ns = end_ns;
	event->rule = index;
	event->tgid = pid_tgid >> 32;
	event->tid = pid_tgid;
	event->pad = 0;
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	reported->since_ns = since_ns;
	reported->tenth = tenth;
	reported->worst_ns = end_ns - start_ns;
	return true;
}

/*
 * The event is sent before the latency is counted, so the daemon has the event when it sees the
 * count. The additions are atomic, because programs interrupt each other on one CPU.
 */
__noinline int slo_note_one(__u32 index, __u64 pid_tgid, __u64 start_ns, __u64 end_ns)
{
	volatile struct rsp_slo_rule *rule = &rsp_slo_rules[index & (RSP_SLO_MAX - 1)];
	__u64 since_ns = rule->since_ns, threshold_ns = rule->threshold_ns;
	__u64 latency_ns = end_ns - start_ns;
	struct rsp_slo_counts *counts;
	__u32 bucket;

	if (!since_ns || start_ns < since_ns || end_ns < start_ns)
		return 0;
	counts = counts_of(index, since_ns);
	if (!counts)
		return 0;
	if (latency_ns > threshold_ns) {
		if (!report(index, since_ns, pid_tgid, start_ns, end_ns))
			__sync_fetch_and_add(&counts->lost_cnt, 1);
		__sync_fetch_and_add(&counts->over_cnt, 1);
	}
	bucket = rsp_slo_bucket_of(latency_ns);
	__sync_fetch_and_add(&counts->buckets[bucket & (RSP_SLO_BUCKET_CNT - 1)], 1);
	__sync_fetch_and_add(&counts->sum_ns, latency_ns);
	if (latency_ns > counts->max_ns)
		counts->max_ns = latency_ns;
	return 0;
}

__noinline int rsp_slo_note(__u32 rules, __u64 pid_tgid, __u64 start_ns, __u64 end_ns)
{
	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i))
			slo_note_one(i, pid_tgid, start_ns, end_ns);
	return 0;
}

__noinline int slo_miss_one(__u32 index)
{
	__u64 since_ns = rsp_slo_rules[index & (RSP_SLO_MAX - 1)].since_ns;
	struct rsp_slo_counts *counts = since_ns ? counts_of(index, since_ns) : NULL;

	if (counts)
		__sync_fetch_and_add(&counts->unmeasured_cnt, 1);
	return 0;
}

__noinline int rsp_slo_miss(__u32 rules)
{
	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i))
			slo_miss_one(i);
	return 0;
}

/* --- selection ------------------------------------------------------------------------------- */

static __always_inline bool comm_fits(const struct rsp_slo_rule *rule, const void *kernel_comm)
{
	__u64 comm[2] = {};

	bpf_probe_read_kernel(comm, sizeof(comm), kernel_comm);
	return (comm[0] & rule->comm_mask[0]) == rule->comm[0] &&
	       (comm[1] & rule->comm_mask[1]) == rule->comm[1];
}

static __always_inline bool cgroup_fits(const struct rsp_slo_rule *rule, struct task_struct *task)
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

/*
 * Not inlined: the verifier checks a global function only once, but inlined code in each iteration
 * of the caller's loop.
 */
__noinline int slo_selects(__u32 index, __u64 task_address, __u32 tgid, __u32 flags, __u32 port)
{
	const struct rsp_slo_rule *rule = &rsp_slo_rules[index & (RSP_SLO_MAX - 1)];
	struct task_struct *task = (struct task_struct *)task_address;

	if (!has_part(RSP_PART_LIMITS))
		return false;
	if (rule->tgid && rule->tgid != tgid)
		return false;
	if (rule->port && rule->port != port)
		return false;
	if (flags & PF_KTHREAD && !(rule->flags & RSP_SLO_KERNEL_THREADS))
		return false;
	if (rule->comm_mask[0] && !comm_fits(rule, task->comm) &&
	    !comm_fits(rule, BPF_CORE_READ(task, group_leader)->comm))
		return false;
	return !rule->cgroup_id || cgroup_fits(rule, task);
}

/*
 * Reads each rule's bit from memory: if the verifier knew the bits, it would follow each
 * combination of them.
 */
__noinline __u32 rsp_slo_matching(__u64 task_address, __u32 rules, __u32 port)
{
	struct task_struct *task = (struct task_struct *)task_address;
	__u32 tgid, flags, matching = 0;

	if (!has_part(RSP_PART_LIMITS))
		return 0;
	tgid = BPF_CORE_READ(task, tgid);
	flags = BPF_CORE_READ(task, flags);

	for (__u32 i = 0; i < RSP_SLO_MAX; i++)
		if (rules & (1U << i) && slo_selects(i, task_address, tgid, flags, port))
			matching |= rsp_slo_rules[i].bit;
	return matching;
}

__noinline __u32 rsp_slo_counting(__u32 rules, __s32 syscall_nr)
{
	__u32 counting = 0, nr = syscall_nr;

	for (__u32 i = 0; i < RSP_SLO_MAX; i++) {
		const struct rsp_slo_rule *rule = &rsp_slo_rules[i];

		if (syscall_nr < 0 ? rule->flags & RSP_SLO_FAULTS
				   : rule->syscalls[nr / 64 % 8] >> nr % 64 & 1)
			counting |= rule->bit;
	}
	return counting & rules;
}

/* --- functions ------------------------------------------------------------------------------- */

static __always_inline __u64 call_key(__u32 index)
{
	return mix(mix(rsp_secret, (__u32)bpf_get_current_pid_tgid()), index + 1);
}

/*
 * Only the outermost call of a function counts; a nested call has a lower stack pointer. If
 * longjmp() left a call without a return, the next call with the same or a higher stack pointer
 * replaces it.
 */
SEC("uprobe")
int RSP_KPROBE(on_function_entry)
{
	__u32 index = bpf_get_attach_cookie(ctx) & (RSP_SLO_MAX - 1);
	__u32 rules = rsp_slo_active.function & (1U << index);
	__u64 key = call_key(index);
	struct slo_pending *pending = slo_find(key);

	if ((pending && PT_REGS_SP(ctx) < pending->detail) ||
	    !slo_matching(bpf_get_current_task_btf(), rules, 0))
		return 0;
	pending = slo_begin(key, bpf_ktime_get_ns());
	if (pending)
		pending->detail = PT_REGS_SP(ctx);
	else
		rsp_slo_miss(1U << index);
	return 0;
}

/*
 * The return address is no longer on the stack, so the stack pointer is 8 bytes higher than at the
 * entry.
 */
SEC("uretprobe")
int RSP_KPROBE(on_function_return)
{
	__u32 index = bpf_get_attach_cookie(ctx) & (RSP_SLO_MAX - 1);
	struct slo_pending *pending = slo_find(call_key(index));
	__u64 start_ns;

	if (!pending || PT_REGS_SP(ctx) - sizeof(__u64) != pending->detail)
		return 0;
	start_ns = pending->start_ns;
	pending->key = 0;
	rsp_slo_note(rsp_slo_active.function & (1U << index), bpf_get_current_pid_tgid(), start_ns,
		     bpf_ktime_get_ns());
	return 0;
}

/* --- cgroups --------------------------------------------------------------------------------- */

/*
 * Returns the level of the root of the daemon's cgroup namespace. The daemon sees only paths below
 * this root, but the kernel counts levels from the top.
 */
SEC("syscall")
int slo_root_level(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!has_part(RSP_PART_LIMITS))
		return 0;
	return BPF_CORE_READ(task, nsproxy, cgroup_ns, root_cset, dfl_cgrp, level);
}
