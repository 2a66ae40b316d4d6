/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user stack of a task in a system call, if it is to be taken for the one that it had before;
 * else unwind.bpf.c unwinds it.
 *
 * A task that often makes system calls makes them where it made them before. Where the same call,
 * instruction, stack and frame pointer in the same mappings have given the same stack many times in
 * a row, it is taken to be the same for a moment; then it is unwound again, which tells whether
 * that was right. Once it was not (one function calls another from two places), it is no more for a
 * while. Who makes fewer calls than that, and who was interrupted in the middle of his code, is
 * always unwound.
 */
#ifndef RSP_USTACK_BPF_H
#define RSP_USTACK_BPF_H

#include "rsp.bpf.h"

struct rsp_repeat {
	__u64 check; /* of task, registers, id and epoch */
	__u64 id;
	__u64 until_ns;	   /* 0: not to be repeated */
	__u64 mistrust_ns; /* not before then */
	__u32 same_cnt;	   /* times in a row that it was unwound to the same */
	__u32 epoch;	   /* in which its record was sent */
};

/* Direct-mapped: what collides repeats less. */
extern struct rsp_repeats_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RSP_SLOTS_MIN);
	__type(key, __u32);
	__type(value, struct rsp_repeat);
} rsp_repeats SEC(".maps");

/* Changes with what the process has mapped; mm_struct: of the task. */
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
