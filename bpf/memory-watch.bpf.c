/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches the memory of a process and its descendants: page faults, mmap(), brk() and calls of
 * allocators (malloc.bpf.h). A program is attached only during a watch that needs it.
 */
#include "bpf/malloc.bpf.h"
#include "bpf/memory-files.bpf.h"

#define PAGE_MASK 4095ULL
#define ERRNO_MAX 4095ULL

#define PF_INSTR 0x10 /* bit of a page fault's error code: instruction fetch */

#define NR_MMAP	   9
#define NR_BRK	   12
#define NR_MREMAP  25
#define PARENT_MAX 32 /* maximum number of processes that is_descendant() reads */

/* --- page faults ------------------------------------------------------------------------------ */

SEC("tp_btf/page_fault_user")
int BPF_PROG(on_user_fault, unsigned long address, struct pt_regs *regs, unsigned long error_code)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (memory_thread_of(task))
		add_memory(task, RSP_MEMORY_FAULTS, 0, memory_user_stack(), 0);
	return 0;
}

/*
 * Counts page faults in kernel code that accesses the process's memory, except while page faults
 * are disabled, for example when a BPF program reads this memory.
 */
SEC("tp_btf/page_fault_kernel")
int BPF_PROG(on_kernel_fault, unsigned long address, struct pt_regs *regs, unsigned long error_code)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 kstack = 0, ustack = 0;
	__u32 level, frame_cnt;

	if ((__s64)address < 0 || task->pagefault_disabled || !memory_thread_of(task))
		return 0;
	level = take_level(RSP_SCRATCH_PROBE, RSP_SCRATCH_STACK_CNT);
	if (level < RSP_SCRATCH_STACK_CNT) {
		kstack = unwind_kernel(ctx, level, 0, &frame_cnt);
		ustack = rsp_user_stack(level, bpf_ktime_get_ns());
		give_back_level(level);
	}
	add_memory(task, RSP_MEMORY_FAULTS, kstack, ustack, 0);
	return 0;
}

/* --- mmap() and brk() ------------------------------------------------------------------------- */

static __always_inline __u64 page_aligned(__u64 bytes)
{
	return (bytes + PAGE_MASK) & ~PAGE_MASK;
}

/* Returns whether the task is in a 32-bit system call, whose number has another meaning. */
static __always_inline bool is_compat(struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_brk, struct pt_regs *regs, long nr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct memory_thread *t;

	if (nr != NR_BRK || is_compat(task))
		return 0;
	t = memory_thread_of(task);
	if (t)
		t->brk = BPF_CORE_READ(task, mm, brk);
	return 0;
}

static __always_inline void add_growth(struct task_struct *task, enum rsp_memory_kind kind,
				       __u64 from, __u64 to)
{
	if (to > from && watches_memory(kind))
		add_memory(task, kind, 0, memory_user_stack(), to - from);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_growth, struct pt_regs *regs, long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__s64 nr = regs->orig_ax;
	struct memory_thread *t;

	if ((nr != NR_MMAP && nr != NR_BRK && nr != NR_MREMAP) || is_compat(task))
		return 0;
	t = memory_thread_of(task);
	if (!t || (__u64)ret >= -ERRNO_MAX)
		return 0;
	if (nr == NR_MMAP)
		add_growth(task, RSP_MEMORY_MMAP, 0, page_aligned(regs->si));
	else if (nr == NR_MREMAP)
		add_growth(task, RSP_MEMORY_MMAP, page_aligned(regs->si), page_aligned(regs->dx));
	else if (t->brk)
		add_growth(task, RSP_MEMORY_BRK, t->brk, ret);
	t->brk = 0;
	return 0;
}

/* --- watched threads -------------------------------------------------------------------------- */

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_memory_fork, struct task_struct *parent, struct task_struct *child)
{
	if (!memory_thread_of(parent))
		return 0;
	watch_thread(child);
	if (child->tgid != parent->tgid && watches_memory(RSP_MEMORY_MALLOC))
		send_notice(child->tgid, 0, 0, 0, true);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_memory_exec, struct task_struct *task)
{
	if (memory_thread_of(task))
		notice_program(task);
	return 0;
}

/*
 * Detects newly mapped files of a watched process: the first instruction fetch from a file usually
 * causes a page fault. A program at the exit of mmap() would run at each system call of each
 * process.
 */
SEC("tp_btf/page_fault_user")
int BPF_PROG(on_memory_text, unsigned long address, struct pt_regs *regs, unsigned long error_code)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (error_code & PF_INSTR && memory_thread_of(task))
		notice_mapping(task, address);
	return 0;
}

static __always_inline bool is_descendant(struct task_struct *task, __u32 tgid)
{
	struct task_struct *at = task;

	for (int i = 0; i < PARENT_MAX; i++) {
		__u32 id = BPF_CORE_READ(at, tgid);

		if (id == tgid)
			return true;
		if (id <= 1)
			return false;
		at = BPF_CORE_READ(at, real_parent);
	}
	return false;
}

/*
 * At the begin of a watch, begins to watch the threads of the process and its descendants. At the
 * end, frees the states of all threads.
 */
SEC("iter/task")
int on_memory_watch(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (!task)
		return 0;
	if (rsp_watch.step == RSP_WATCH_END)
		bpf_task_storage_delete(&rsp_memory_threads, task);
	else if (!task->exit_state && !is_kernel_thread(task) &&
		 is_descendant(task, rsp_watch.memory_tgid) && !memory_thread_of(task)) {
		watch_thread(task);
		if (task->pid == task->tgid && rsp_watch.memory_kinds & 1U << RSP_MEMORY_MALLOC)
			send_notice(task->tgid, 0, 0, 0, false);
	}
	return 0;
}
