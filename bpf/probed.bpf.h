/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the callers of functions that a tracer has probed, for unwind.bpf.c. While a function with
 * a uretprobe runs, the kernel replaces the function's return address on the stack by the address
 * of a trampoline. It keeps the original address in a list of the thread, newest first
 * (kernel/events/uprobes.c). An instance in this list belongs to one place on the stack. Instances
 * may be left over from calls that longjmp() left, so an instance is used only if its place
 * matches.
 *
 * The process has one page for probes, [uprobes]. The trampoline is at its beginning. The rest of
 * the page contains copies of probed instructions, which threads execute there.
 *
 * The functions work for the current task only: no other task changes its list.
 */
#ifndef RSP_PROBED_BPF_H
#define RSP_PROBED_BPF_H

#include "bpf/rsp.bpf.h"

/* Members that a kernel without uprobes lacks. */
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
	unsigned long vaddr;	 /* address of a probed instruction */
	unsigned long xol_vaddr; /* address of its copy while that is executed; else 0 */
} __attribute__((preserve_access_index));

struct task_struct___probed {
	struct uprobe_task___probed *utask;
} __attribute__((preserve_access_index));

#define INSTANCES_MAX	 64  /* MAX_URETPROBE_DEPTH of kernel/events/uprobes.c */
#define PROBED_SLOT_SIZE 128 /* UPROBE_XOL_SLOT_BYTES of arch/x86/include/asm/uprobes.h */

/*
 * arch/x86/kernel/uprobes.c. Up to 6.10, the trampoline is a breakpoint. Since 6.11, it pushes rax,
 * rcx and r11, makes a system call, pops r11 and rcx, and returns. The system call first removes
 * the three values from the saved stack pointer and sets its saved number to -1. It then removes
 * the instance, adds the three values again, and replaces rax on the stack by the original return
 * address. The offsets are those of pc while the kernel handles the breakpoint or the call. A
 * thread is rarely interrupted at the other instructions.
 */
#define TRAMPOLINE_BREAKPOINT_END 1
#define TRAMPOLINE_CALL_END	  13
#define TRAMPOLINE_PUSHED_BYTES	  24

/* A constant for the verifier: whether the kernel has the members above. */
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
 * An address in a trampoline has this form, and nearly no other address does. This check saves a
 * call of trampoline_of().
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
 * Returns the instance that belongs to a place on the stack; 0: there is none. The search begins
 * after the instance `after`; 0: at the newest. Not static, so that the verifier checks the
 * function only once.
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

/* Returns 0 for instance 0. */
static __always_inline __u64 original_return(__u64 instance)
{
	return BPF_CORE_READ((struct return_instance___probed *)instance, orig_ret_vaddr);
}

/*
 * Returns the address of the probed instruction if pc is in its copy, else 0. After the thread has
 * executed the copy, pc is behind it.
 */
static __always_inline __u64 probed_instruction(__u64 pc)
{
	struct uprobe_task___probed *utask = this_uprobe_task();
	__u64 off = pc - BPF_CORE_READ(utask, xol_vaddr);

	return off < PROBED_SLOT_SIZE ? BPF_CORE_READ(utask, vaddr) + off : 0;
}

/*
 * Returns whether the system call of the trampoline has replaced rax. From then on rcx equals pc;
 * before, rcx has the program's value.
 */
static __always_inline bool has_handled_return(__u64 pc)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());

	return regs->ip == pc && regs->cx == pc;
}

#endif
