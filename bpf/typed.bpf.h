/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads kernel memory with plain loads if the kernel has bpf_rdonly_cast() (since Linux 6.2),
 * otherwise with a helper, which is slower. Of the BPF objects, only sched.bpf.c may include this
 * file, directly or through other headers: bpftool 7.1 cannot link two objects that call
 * bpf_rdonly_cast().
 */
#ifndef RSP_TYPED_BPF_H
#define RSP_TYPED_BPF_H

#include "bpf/rsp.bpf.h"

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

const volatile bool rsp_reads_in_place = false;

/*
 * Converts an address to a typed pointer, through which the verifier allows loads. A load returns 0
 * if no memory is mapped at the address.
 */
#define typed(type, address)                                                                       \
	(rsp_reads_in_place                                                                        \
		 ? (type *)bpf_rdonly_cast((const void *)(address), bpf_core_type_id_kernel(type)) \
		 : (type *)(address))

/*
 * Converts a task to a pointer that the verifier does not trust. If a program loads a pointer from
 * a trusted object, the verifier of Linux 6.18 searches the names of all kernel types several
 * times.
 */
#define untrusted(task) typed(struct task_struct, task)

#define LOAD(pointer, member) rsp_load(rsp_reads_in_place, pointer, member)

/* May be called only if rsp_reads_in_place is set. */
static __always_inline __u64 word_in_place(__u64 address)
{
	/* struct timespec64 begins with a 64-bit integer */
	return typed(struct timespec64, address)->tv_sec;
}

/*
 * Distance from the beginning of a process's kernel stack to the registers saved on entry to the
 * kernel; 0: not known yet. The distance is the same for all processes, but may differ for kernel
 * threads.
 */
static __u64 regs_offset;

static __always_inline __u64 regs_address(struct task_struct *task)
{
	__u64 stack = address_of(task->stack), address;
	bool is_process = untrusted(task)->mm;

	if (is_process && regs_offset)
		return stack + regs_offset;
	address = address_of((void *)bpf_task_pt_regs(task));
	if (is_process)
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
