/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides whether the user stack of a task in a system call can be taken for the one unwound last.
 * If not, unwind.bpf.c unwinds the stack.
 *
 * A task that makes many system calls makes them at the same few places. The system call, the
 * instruction, stack and frame pointer and the process's mappings identify a place. If unwinding
 * gave the same stack many times in a row at a place, this stack is reused for REPEAT_NS and then
 * unwound again as a check. If the check finds another stack (as when a function is called from two
 * places), the stack is not reused at that place for MISTRUST_NS. If a task makes fewer system
 * calls, or was interrupted in user code, its stack is always unwound.
 */
#ifndef RSP_USTACK_BPF_H
#define RSP_USTACK_BPF_H

#include "rsp.bpf.h"

struct rsp_repeat {
	__u64 check; /* seal of task, mappings, registers, id and epoch */
	__u64 id;
	__u64 until_ns;	   /* end of reuse; 0: not reused */
	__u64 mistrust_ns; /* no reuse before this time */
	__u32 same_cnt;	   /* times in a row that unwinding gave this id */
	__u32 epoch;	   /* epoch in which its record was sent */
};

/* Direct-mapped: places that collide are unwound more often. */
extern struct rsp_repeats_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_repeat);
} rsp_repeats SEC(".maps");

/* A value that changes when the process maps other code. mm: the task's mm_struct. */
#define RSP_SPACE_OF(mm)                                                                           \
	blend(rsp_secret ^ address_of(mm), (mm)->exec_vm, (mm)->mmap_base ^ (mm)->start_stack)

struct rsp_place {
	__u64 pc, sp, fp;
	__s64 call;
};

static __always_inline __u64 repeat_key(__u64 space, const struct rsp_place *place, __u32 tid)
{
	return mix(space + blend(place->pc, place->sp, place->fp ^ (__u64)place->call << 48), tid);
}

static __always_inline struct rsp_repeat *repeat_of(__u64 key)
{
	__u32 slot = key >> 32 & rsp_slot_mask;

	return bpf_map_lookup_elem(&rsp_repeats, &slot);
}

static __always_inline __u64 repeat_check(__u64 key, __u64 id, __u32 epoch)
{
	return seal(key, id + epoch);
}

static __always_inline __u64 repeated(const struct rsp_repeat *last, __u64 key, __u64 now_ns)
{
	__u64 id = last ? last->id : 0;

	if (!id || now_ns >= last->until_ns || last->epoch != (__u32)rsp_epoch ||
	    last->check != repeat_check(key, id, rsp_epoch))
		return 0;
	return id;
}

#endif
