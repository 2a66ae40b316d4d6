/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads kernel memory in place if the kernel has bpf_rdonly_cast() (6.2). Such a load takes about
 * one nanosecond, a helper about thirty. Only sched.bpf.c may include this file: bpftool 7.1 cannot
 * link two objects that call bpf_rdonly_cast().
 */
#ifndef RSP_TYPED_BPF_H
#define RSP_TYPED_BPF_H

#include "bpf/rsp.bpf.h"

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

const volatile bool rsp_reads_in_place = false;

/*
 * Gives an address a type, so that the verifier allows loads through it. Such a load returns 0 if
 * nothing is mapped at the address.
 */
#define typed(type, address)                                                                       \
	(rsp_reads_in_place                                                                        \
		 ? (type *)bpf_rdonly_cast((const void *)(address), bpf_core_type_id_kernel(type)) \
		 : (type *)(address))

#define LOAD(pointer, member) rsp_load(rsp_reads_in_place, pointer, member)

/* Reads the word at an address. Valid only if rsp_reads_in_place is set. */
static __always_inline __u64 word_in_place(__u64 address)
{
	/* Any type works that begins with a 64-bit integer. */
	return typed(struct timespec64, address)->tv_sec;
}

/*
 * Returns the address of the registers that a task saved on entry to the kernel. They lie near the
 * end of its kernel stack, at the same distance from the beginning in all processes. So the
 * distance is learned once, which saves a helper call. Kernel threads, in particular idle tasks,
 * may keep them elsewhere, so their stacks are neither used for learning nor read this way.
 */
static __u64 regs_offset;

static __always_inline __u64 regs_address(struct task_struct *task)
{
	__u64 stack = address_of(task->stack), address;

	if (task->mm && regs_offset)
		return stack + regs_offset;
	address = address_of((void *)bpf_task_pt_regs(task));
	if (task->mm)
		regs_offset = address - stack;
	return address;
}

static __always_inline struct pt_regs *regs_of(struct task_struct *task)
{
	if (!rsp_reads_in_place)
		return (struct pt_regs *)bpf_task_pt_regs(task);
	return typed(struct pt_regs, regs_address(task));
}

#endif
