/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a DELAY record at the end of a direct reclaim: a thread that allocates memory has to free
 * memory first, because the machine is short of memory or a cgroup has reached its limit.
 */
#include "bpf/cgroup.bpf.h"

/*
 * Number of slots for reclaims in progress, direct-mapped by tid. If two threads share a slot, the
 * earlier reclaim gets no record.
 */
#define RECLAIM_SLOTS 4096

struct reclaim {
	__u64 from_ns;
	__u64 cgroup; /* OBJECT id of the cgroup that has reached its limit; 0: none */
	__u32 tid;    /* 0: the slot is free */
	__u32 pad;
};

static struct reclaim reclaims[RECLAIM_SLOTS];

static __always_inline struct reclaim *reclaim_slot(__u32 tid)
{
	return &reclaims[bounded_index(tid, RECLAIM_SLOTS - 1)];
}

static __always_inline int begin_reclaim(__u64 cgroup)
{
	__u32 tid = bpf_get_current_task_btf()->pid;
	struct reclaim *slot = reclaim_slot(tid);

	slot->tid = tid;
	slot->cgroup = cgroup;
	slot->from_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int end_reclaim(void)
{
	__u32 tid = bpf_get_current_task_btf()->pid;
	struct reclaim *slot = reclaim_slot(tid);
	__u64 from_ns = slot->from_ns, cgroup = slot->cgroup;
	struct rsp_ev_delay *rec;

	if (slot->tid != tid)
		return 0;
	slot->tid = 0;
	rec = rsp_reserve(rsp_ev_delay, RSP_EV_DELAY, RSP_DELAY_RECLAIM);
	if (!rec)
		return 0;
	rec->tid = tid;
	rec->pad = 0;
	rec->from_ns = from_ns;
	rec->subject = 0;
	rec->object = cgroup;
	rsp_submit(rec);
	return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int RSP_PROG(on_reclaim_begin)
{
	return begin_reclaim(0);
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int RSP_PROG(on_reclaim_end)
{
	return end_reclaim();
}

/* --- the cgroup ----------------------------------------------------------------------------- */

enum cgroup_subsys_id___rsp {
	memory_cgrp_id___rsp = 0,
};

struct page_counter___rsp {
	atomic_long_t usage;
	unsigned long high, max; /* pages */
} __attribute__((preserve_access_index));

struct mem_cgroup___rsp {
	struct cgroup_subsys_state css;
	struct page_counter___rsp memory;
} __attribute__((preserve_access_index));

/* Reclaim begins when an allocation, of one huge page at most, would exceed the limit. */
#define CHARGE_SLACK_PAGES 512

static __always_inline bool is_at_limit(struct mem_cgroup___rsp *memcg)
{
	unsigned long usage = BPF_CORE_READ(memcg, memory.usage.counter) + CHARGE_SLACK_PAGES;

	return usage >= BPF_CORE_READ(memcg, memory.max) ||
	       usage >= BPF_CORE_READ(memcg, memory.high);
}

/*
 * Returns the id of the innermost cgroup of the current thread that has reached a limit; 0: none.
 */
static __always_inline __u64 cgroup_at_memory_limit(void)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 i = bpf_core_enum_value(enum cgroup_subsys_id___rsp, memory_cgrp_id___rsp);
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgroup_subsys_state **all = __builtin_preserve_access_index(&set->subsys[0]);
	struct cgroup_subsys_state *css = NULL;
	__u32 draft;
	__u64 id;

	bpf_probe_read_kernel(&css, sizeof(css), all + i);
	for (int depth = 0; depth < CGROUP_DEPTH_MAX && css; depth++) {
		if (is_at_limit((void *)css)) /* css is the first member of struct mem_cgroup */
			break;
		css = BPF_CORE_READ(css, parent);
	}
	if (!css)
		return 0;
	draft = take_draft();
	id = cgroup_object(draft, BPF_CORE_READ(css, cgroup, kn));
	give_back_level(draft);
	return id;
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int RSP_PROG(on_memcg_reclaim_begin)
{
	return begin_reclaim(cgroup_at_memory_limit());
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int RSP_PROG(on_memcg_reclaim_end)
{
	return end_reclaim();
}
