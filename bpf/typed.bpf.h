/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel memory read in place, where the kernel has bpf_rdonly_cast() (6.2): such a load costs
 * about a nanosecond, a helper's some thirty. Only sched.bpf.c may include this: bpftool 7.1 cannot
 * link two objects that call bpf_rdonly_cast().
 */
#ifndef RSP_TYPED_BPF_H
#define RSP_TYPED_BPF_H

#include "rsp.bpf.h"

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

const volatile bool rsp_reads_in_place = false;

/*
 * An address with a type: the verifier allows loads through it, which yield 0 where nothing is
 * mapped.
 */
#define typed(type, address)                                                                       \
	(rsp_reads_in_place                                                                        \
		 ? (type *)bpf_rdonly_cast((const void *)(address), bpf_core_type_id_kernel(type)) \
		 : (type *)(address))

#define LOAD(pointer, member) rsp_load(rsp_reads_in_place, pointer, member)

/* The word at an address; only where rsp_reads_in_place. */
static __always_inline __u64 word_in_place(__u64 address)
{
	/* Any type that begins with a number of 64 bits. */
	return typed(struct timespec64, address)->tv_sec;
}

/*
 * The registers that a task saved when it entered the kernel. They lie at the end of its stack, in
 * all processes as far from the beginning; so the distance is learned once, and the helper's call
 * saved. Kernel threads, and idle tasks above all, may have them elsewhere.
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
