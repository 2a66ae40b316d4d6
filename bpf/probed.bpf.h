/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the callers of functions that a tracer has probed, for unwind.bpf.c. While a function with
 * a uretprobe runs, the kernel replaces the function's return address on the stack by the address
 * of a trampoline. The kernel keeps the original address in a return instance in a list of the
 * thread, newest first (kernel/events/uprobes.c). If longjmp() skips a return, the instance stays
 * in the list. So an instance is used only if its stack address matches.
 *
 * The process has one page for probes, [uprobes]. The page begins with the trampoline. Copies of
 * probed instructions, which threads execute, follow.
 *
 * The functions work only for the current task: no other task changes its list.
 */
#ifndef RSP_PROBED_BPF_H
#define RSP_PROBED_BPF_H

#include "bpf/rsp.bpf.h"

/*
 * The members of the kernel's structures that are read here. A kernel without uprobes lacks some.
 */
struct xol_area___probed {
	unsigned long vaddr;
} __attribute__((preserve_access_index));

struct uprobes_state___probed {
	struct xol_area___probed *xol_area;
} __attribute__((preserve_access_index));

struct mm_struct___probed {
	struct uprobes_state___probed uprobes_state;
} __attribute__((preserve_access_index));

struct return_instance___probed {
	unsigned long stack;
	unsigned long orig_ret_vaddr;
	struct return_instance___probed *next;
} __attribute__((preserve_access_index));

struct uprobe_task___probed {
	struct return_instance___probed *return_instances;
	unsigned long vaddr; /* address of a probed instruction */
	/* address of the instruction's copy while the thread executes the copy; else 0 */
	unsigned long xol_vaddr;
} __attribute__((preserve_access_index));

struct task_struct___probed {
	struct uprobe_task___probed *utask;
} __attribute__((preserve_access_index));

#define INSTANCES_MAX	 64  /* MAX_URETPROBE_DEPTH of kernel/events/uprobes.c */
#define PROBED_SLOT_SIZE 128 /* UPROBE_XOL_SLOT_BYTES of arch/x86/include/asm/uprobes.h */

/*
 * Offsets of pc from the begin of the trampoline, while the kernel handles the breakpoint or the
 * system call in it (arch/x86/kernel/uprobes.c). Up to Linux 6.10, the trampoline is a breakpoint.
 * Since 6.11, the trampoline pushes rax, rcx and r11, and makes a system call. This system call
 * first removes the three values from the saved stack pointer and sets the saved system call number
 * to -1. It then removes the return instance, adds the three values again, and replaces rax on the
 * stack by the original return address.
 */
#define TRAMPOLINE_BREAKPOINT_END 1
#define TRAMPOLINE_CALL_END	  13
#define TRAMPOLINE_PUSHED_BYTES	  24

/* The result is a constant for the verifier. */
static __always_inline bool has_uprobes(void)
{
	return bpf_core_field_exists(struct mm_struct___probed, uprobes_state.xol_area) &&
	       bpf_core_field_exists(struct xol_area___probed, vaddr) &&
	       bpf_core_field_exists(struct task_struct___probed, utask) &&
	       bpf_core_field_exists(struct uprobe_task___probed, return_instances) &&
	       bpf_core_field_exists(struct uprobe_task___probed, vaddr) &&
	       bpf_core_field_exists(struct uprobe_task___probed, xol_vaddr) &&
	       bpf_core_field_exists(struct return_instance___probed, stack) &&
	       bpf_core_field_exists(struct return_instance___probed, orig_ret_vaddr) &&
	       bpf_core_field_exists(struct return_instance___probed, next);
}

/*
 * A trampoline begins a page, and nearly no other return address does. This check saves a call of
 * trampoline_of().
 */
static __always_inline bool begins_page(__u64 address)
{
	return !(address & 4095);
}

/* Returns 0 if the process has no trampoline. */
static __always_inline __u64 trampoline_of(__u64 mm)
{
	if (!has_uprobes())
		return 0;
	return BPF_CORE_READ((struct mm_struct___probed *)mm, uprobes_state.xol_area, vaddr);
}

static __always_inline struct uprobe_task___probed *this_uprobe_task(void)
{
	struct task_struct___probed *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, utask);
}

/*
 * Returns the address of the return instance that belongs to an address on the stack; 0: there is
 * none. The search begins after the instance `after`, or at the newest instance if `after` is 0.
 * This function is global, so the verifier checks it only once.
 */
__noinline __u64 rsp_return_instance(__u64 after, __u64 place)
{
	struct return_instance___probed *instance = (void *)after;

	if (!has_uprobes())
		return 0;
	instance = instance ? BPF_CORE_READ(instance, next)
			    : BPF_CORE_READ(this_uprobe_task(), return_instances);
	for (int i = 0; i < INSTANCES_MAX && instance; i++) {
		if (BPF_CORE_READ(instance, stack) == place)
			return (__u64)instance;
		instance = BPF_CORE_READ(instance, next);
	}
	return 0;
}

static __always_inline __u64 original_return(__u64 instance)
{
	return BPF_CORE_READ((struct return_instance___probed *)instance, orig_ret_vaddr);
}

/*
 * Returns the address of the probed instruction if pc is in the copy of this instruction, else 0.
 * If the thread has already executed the copy, the result is the address behind the probed
 * instruction.
 */
static __always_inline __u64 probed_instruction(__u64 pc)
{
	struct uprobe_task___probed *utask = this_uprobe_task();
	__u64 off = pc - BPF_CORE_READ(utask, xol_vaddr);

	return off < PROBED_SLOT_SIZE ? BPF_CORE_READ(utask, vaddr) + off : 0;
}

/*
 * After the system call of the trampoline has replaced rax on the stack, rcx equals pc; before, rcx
 * contains the program's value.
 */
static __always_inline bool has_handled_return(__u64 pc)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());

	return regs->ip == pc && regs->cx == pc;
}

#endif
