/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up calls of allocators by stack, and keeps a table of the blocks that are not freed yet.
 * Included only by memory-watch.bpf.c.
 *
 * Only the outermost call counts, since an allocator's calloc() may call its malloc(). A nested
 * call has a lower stack pointer. If longjmp() left a call without a return, the next call with the
 * same or a higher stack pointer replaces it.
 *
 * A block is removed from the table at the beginning of free() and realloc(), because another
 * thread may get the same address before the call ends.
 */
#ifndef RSP_MALLOC_BPF_H
#define RSP_MALLOC_BPF_H

#include "bpf/memory-sums.bpf.h"
#include "rsp/allocator.h"

/* --- blocks ----------------------------------------------------------------------------------- */

/* The key also depends on the program image, since exec discards all blocks. */
static __always_inline __u64 block_key(struct task_struct *task, __u64 address)
{
	return mix(mix(mix(rsp_secret, (__u64)task->tgid << 32 | task->self_exec_id),
		       task->group_leader->start_time),
		   address);
}

static __always_inline void *block_table(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rsp_memory_blocks, &zero);
}

static __always_inline void add_live(__u64 key, __s64 cnt, __s64 bytes)
{
	struct rsp_memory_sum *sum = memory_sum(key);

	if (!sum)
		return;
	__sync_fetch_and_add(&sum->live_cnt, cnt);
	__sync_fetch_and_add(&sum->live_bytes, bytes);
}

/*
 * Removes a block from the table and sets *ret to its entry. A block that is older than the watch
 * has no entry; ret->sum is then 0.
 */
static __always_inline void forget_block(__u64 key, struct rsp_memory_block *ret)
{
	void *table = block_table();
	struct rsp_memory_block *block = table ? bpf_map_lookup_elem(table, &key) : NULL;

	ret->sum = ret->bytes = 0;
	if (!block)
		return;
	*ret = *block;
	if (bpf_map_delete_elem(table, &key) == 0)
		add_live(ret->sum, -1, -(__s64)ret->bytes);
}

static __always_inline void remember_block(__u64 key, const struct rsp_memory_block *block)
{
	struct rsp_memory_block old;
	void *table = block_table();

	if (!table || !block->sum)
		return;
	/* if an entry exists, a function without a probe has freed that block */
	forget_block(key, &old);
	if (bpf_map_update_elem(table, &key, block, BPF_ANY) == 0)
		add_live(block->sum, 1, block->bytes);
	else
		lose_memory(RSP_MEMORY_LOST_BLOCKS);
}

/* --- calls ------------------------------------------------------------------------------------ */

static __always_inline __u64 size_of_call(__u32 function, struct pt_regs *ctx)
{
	switch (function) {
	case RSP_ALLOC_CALLOC:
		return PT_REGS_PARM1(ctx) * PT_REGS_PARM2(ctx);
	case RSP_ALLOC_REALLOCARRAY:
		return PT_REGS_PARM2(ctx) * PT_REGS_PARM3(ctx);
	case RSP_ALLOC_REALLOC:
	case RSP_ALLOC_MEMALIGN:
	case RSP_ALLOC_ALIGNED:
		return PT_REGS_PARM2(ctx);
	case RSP_ALLOC_POSIX_MEMALIGN:
		return PT_REGS_PARM3(ctx);
	}
	return PT_REGS_PARM1(ctx);
}

SEC("uprobe")
int BPF_KPROBE(on_allocator_entry)
{
	__u32 function = bpf_get_attach_cookie(ctx);
	struct task_struct *task = bpf_get_current_task_btf();
	struct memory_thread *t = memory_thread_of(task);
	struct rsp_memory_block old;

	if (!t || (t->call_sp && PT_REGS_SP(ctx) < t->call_sp))
		return 0;
	t->call_sp = 0;
	if (function >= RSP_ALLOC_FREE) {
		forget_block(block_key(task, PT_REGS_PARM1(ctx)), &old);
		return 0;
	}
	t->old_address = 0;
	if (function == RSP_ALLOC_REALLOC || function == RSP_ALLOC_REALLOCARRAY) {
		t->old_address = PT_REGS_PARM1(ctx);
		forget_block(block_key(task, t->old_address), &old);
		t->old = old;
	}
	t->place = function == RSP_ALLOC_POSIX_MEMALIGN ? PT_REGS_PARM1(ctx) : 0;
	t->size = size_of_call(function, ctx);
	t->ustack = memory_user_stack();
	t->call_sp = PT_REGS_SP(ctx);
	return 0;
}

/* 0: the allocation failed. */
static __always_inline __u64 result_of(const struct memory_thread *t, __u64 returned)
{
	__u64 address = 0;

	if (!t->place)
		return returned;
	if (returned == 0)
		bpf_probe_read_user(&address, sizeof(address), (void *)t->place);
	return address;
}

/*
 * The return address is no longer on the stack, so the stack pointer is 8 bytes higher than at the
 * entry.
 */
SEC("uretprobe")
int BPF_KPROBE(on_allocator_return)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct memory_thread *t = memory_thread_of(task);
	struct rsp_memory_block block;
	__u64 address;

	if (!t || !t->call_sp || PT_REGS_SP(ctx) - sizeof(__u64) != t->call_sp)
		return 0;
	t->call_sp = 0;
	address = result_of(t, PT_REGS_RC(ctx));
	if (address) {
		block.bytes = t->size;
		block.sum = add_memory(task, RSP_MEMORY_MALLOC, 0, t->ustack, t->size);
		remember_block(block_key(task, address), &block);
	} else if (t->old_address && t->size) {
		/* realloc() failed, and the old block is still there. */
		block = t->old;
		remember_block(block_key(task, t->old_address), &block);
	}
	return 0;
}

#endif
