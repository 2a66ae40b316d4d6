/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a WORK record when a kernel worker begins an item of a workqueue. Until then, a table
 * stores the thread or interrupt that queued the item. Busy devices queue very many items, so no
 * stacks are taken.
 */
#include "bpf/rsp.bpf.h"

/*
 * Number of slots for items that are queued and not begun. If two items share a slot, the later one
 * overwrites the earlier one, whose WORK record then names no queuer.
 */
#define QUEUED_SLOTS (1 << 13)

/*
 * Any CPU may write to any slot at any time. check shows whether all members belong to one item,
 * and identifies this item.
 */
struct queued {
	__u64 check;
	__u64 ts_ns;
	__u64 cause;
	__u32 tid;
	__u32 context;
};

/*
 * Direct-mapped by the item's identity. Unlike a hash map, the table needs no removal of cancelled
 * items, no allocation and no locks.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, QUEUED_SLOTS);
	__type(key, __u32);
	__type(value, struct queued);
} rsp_queued SEC(".maps");

static __always_inline struct queued *slot_of(__u64 item)
{
	__u32 slot = item & (QUEUED_SLOTS - 1);

	return bpf_map_lookup_elem(&rsp_queued, &slot);
}

static __always_inline __u64 check_of(__u64 item, const struct queued *queued)
{
	__u64 pid_tgid = (__u64)queued->context << 32 | queued->tid;

	return mix(mix(mix(item, queued->ts_ns), queued->cause), pid_tgid);
}

SEC("tp_btf/workqueue_queue_work")
int RSP_PROG(on_queue_work, int cpu_nr, struct pool_workqueue *pwq, struct work_struct *work)
{
	__u64 item = identity(work);
	struct queued *slot = slot_of(item);
	struct rsp_cpu *cpu = this_cpu();
	struct queued now = {};

	if (!slot || !cpu)
		return 0;
	now.ts_ns = bpf_ktime_get_ns();
	now.tid = bpf_get_current_task_btf()->pid;
	now.context = wake_context(cpu, &now.cause);
	now.check = check_of(item, &now);
	*slot = now;
	return 0;
}

SEC("tp_btf/workqueue_execute_start")
int RSP_PROG(on_begin_work, struct work_struct *work)
{
	__u64 item = identity(work), function = (__u64)work->func;
	struct queued *slot = slot_of(item);
	struct queued by = {};
	struct rsp_ev_work *rec;

	/*
	 * flush_work() queues this barrier directly after the item for which it waits. The barrier
	 * then wakes the thread in flush_work() on behalf of that item.
	 */
	if (function == rsp_fn_wq_barrier_func)
		return 0;

	if (slot)
		by = *slot;
	if (slot && by.check == check_of(item, &by))
		/* use the entry only once: some items begin without a record of their queueing */
		slot->check = 0;
	else
		by = (struct queued){};
	rec = rsp_reserve(rsp_ev_work, RSP_EV_WORK, 0);
	if (!rec)
		return 0;
	rec->worker_tid = bpf_get_current_task_btf()->pid;
	rec->queuer_tid = by.tid;
	rec->context = by.context;
	rec->pad = 0;
	rec->cause = by.cause;
	rec->queued_ns = by.ts_ns;
	rec->function = function;
	rsp_submit(rec);
	return 0;
}
