/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the memory use of threads, by thread and stack. The daemon creates the tables for a watch
 * (rsp/watch.h), puts them into the maps below, and reads them.
 */
#ifndef RSP_MEMORY_SUMS_BPF_H
#define RSP_MEMORY_SUMS_BPF_H

#include "bpf/rsp.bpf.h"
#include "rsp/watch.h"

extern struct rsp_watch_knobs rsp_watch; /* defined in calls.bpf.c */

__u64 rsp_memory_lost[RSP_MEMORY_LOST_CNT] = {};

struct rsp_memory_hash {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(struct rsp_memory_sum));
};

struct rsp_block_hash {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u64));
	__uint(value_size, sizeof(struct rsp_memory_block));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rsp_memory_hash);
} rsp_memory_sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rsp_block_hash);
} rsp_memory_blocks SEC(".maps");

/* The state of a thread whose memory is watched. */
struct memory_thread {
	__u32 watch;
	__u32 pad;
	__u64 brk; /* end of the heap at the begin of the current brk(); 0: none */
	/* The following members describe the allocator call that the thread is executing. */
	__u64 call_sp; /* stack pointer at the begin of the call; 0: no call is in progress */
	__u64 size;
	__u64 place; /* posix_memalign(): address of the pointer to the new block; else 0 */
	__u64 ustack;
	__u64 old_address;	     /* address of the block that realloc() replaces; else 0 */
	struct rsp_memory_block old; /* entry of the block at old_address */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct memory_thread);
} rsp_memory_threads SEC(".maps");

static __always_inline void lose_memory(enum rsp_memory_lost reason)
{
	__sync_fetch_and_add(&rsp_memory_lost[reason], 1);
}

/* --- threads ---------------------------------------------------------------------------------- */

static __always_inline bool watches_memory(enum rsp_memory_kind kind)
{
	return rsp_watch.memory_kinds & 1U << kind;
}

/* NULL: the thread's memory is not watched. */
static __always_inline struct memory_thread *memory_thread_of(struct task_struct *task)
{
	struct memory_thread *t = bpf_task_storage_get(&rsp_memory_threads, task, NULL, 0);

	return t && t->watch == rsp_watch.number ? t : NULL;
}

static __always_inline void watch_thread(struct task_struct *task)
{
	struct memory_thread *t = bpf_task_storage_get(&rsp_memory_threads, task, NULL,
						       BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t) {
		lose_memory(RSP_MEMORY_LOST_THREADS);
		return;
	}
	t->brk = 0;
	t->call_sp = 0;
	t->watch = rsp_watch.number;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* Never returns 0, which stands for no sum. */
static __always_inline __u64 sum_key(struct task_struct *task, enum rsp_memory_kind kind,
				     __u64 kstack, __u64 ustack)
{
	return mix(mix(mix(rsp_secret, (__u64)kind << 32 | (__u32)task->pid), kstack), ustack) | 1;
}

static __always_inline struct rsp_memory_sum *memory_sum(__u64 key)
{
	__u32 zero = 0;
	void *table = bpf_map_lookup_elem(&rsp_memory_sums, &zero);

	return table ? bpf_map_lookup_elem(table, &key) : NULL;
}

static __always_inline struct rsp_memory_sum *make_memory_sum(__u64 key, struct task_struct *task,
							      enum rsp_memory_kind kind,
							      __u64 kstack, __u64 ustack)
{
	struct rsp_memory_sum fresh = {.kstack = kstack, .ustack = ustack, .kind = kind};
	__u32 zero = 0;
	void *table = bpf_map_lookup_elem(&rsp_memory_sums, &zero);

	if (!table)
		return NULL;
	fresh.tid = task->pid;
	fresh.tgid = task->tgid;
	bpf_map_update_elem(table, &key, &fresh, BPF_NOEXIST);
	return bpf_map_lookup_elem(table, &key);
}

/* Returns the key of the sum, or 0 if the table has no room for a new sum. */
static __always_inline __u64 add_memory(struct task_struct *task, enum rsp_memory_kind kind,
					__u64 kstack, __u64 ustack, __u64 bytes)
{
	__u64 key = sum_key(task, kind, kstack, ustack);
	struct rsp_memory_sum *sum = memory_sum(key);

	if (!sum)
		sum = make_memory_sum(key, task, kind, kstack, ustack);
	if (!sum) {
		lose_memory(RSP_MEMORY_LOST_STACKS);
		return 0;
	}
	__sync_fetch_and_add(&sum->cnt, 1);
	__sync_fetch_and_add(&sum->bytes, bytes);
	return key;
}

/* --- stacks ----------------------------------------------------------------------------------- */

static __always_inline __u64 memory_user_stack(void)
{
	__u32 level = take_level(RSP_SCRATCH_PROBE, RSP_SCRATCH_STACK_CNT);
	__u64 id;

	if (level == RSP_SCRATCH_CNT)
		return 0;
	id = rsp_user_stack(level, bpf_ktime_get_ns());
	give_back_level(level);
	return id;
}

#endif
