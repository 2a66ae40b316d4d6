/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the object for which a blocked task waits. The registers that the task saved on entry to
 * its system call contain the number and the arguments of the call, so no system call needs to be
 * traced. If a task blocks outside a system call, the reason is usually a page fault.
 */
#ifndef RSP_WAIT_BPF_H
#define RSP_WAIT_BPF_H

#include "bpf/object.bpf.h"
#include <asm/unistd_64.h>

/* Before Linux 5.14, the member __state was called state. */
struct task_struct___old {
	volatile long state;
} __attribute__((preserve_access_index));

static __always_inline __u32 state_of(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return BPF_CORE_READ((struct task_struct___old *)task, state);
}

/* Exists since Linux 5.2, with CONFIG_CGROUPS. */
struct task_struct___freezer {
	unsigned int frozen : 1;
} __attribute__((preserve_access_index));

#define JOBCTL_TRAP_FREEZE (1UL << 23)

/*
 * Returns a state bit if cgroup.freeze has stopped the task, else 0. The bit JOBCTL_TRAP_FREEZE
 * alone means that the task has to freeze soon. `frozen` alone is also set while a tracer has
 * stopped the task.
 */
static __always_inline __u32 freezer_state(struct task_struct *task)
{
	struct task_struct___freezer *t = (void *)task;

	if (!(task->jobctl & JOBCTL_TRAP_FREEZE) || !bpf_core_field_exists(t->frozen))
		return 0;
	return BPF_CORE_READ_BITFIELD_PROBED(t, frozen) ? RSP_TASK_FROZEN : 0;
}

struct rsp_wait {
	__s32 syscall_nr;
	__u16 flags;  /* enum rsp_switch_flags */
	__s32 fd;     /* descriptor on which the task waits; the caller finds its file; -1: none */
	__u64 object; /* address of the futex, else 0 */
};

enum {
	CALL_FD = 1 << 0,    /* first argument: file descriptor */
	CALL_FUTEX = 1 << 1, /* first argument: futex address */
	CALL_SLEEP = 1 << 2, /* a deliberate sleep, such as nanosleep() */
	CALL_POLL = 1 << 3,  /* first argument: struct pollfd[], second: number of entries */
	/* CALL_ARG(): number of the argument that contains the timeout */
	CALL_TIMEOUT_MS = 1 << 4,  /* milliseconds; negative: no timeout */
	CALL_TIMEOUT_PTR = 1 << 5, /* pointer to a timespec or timeval; NULL: no timeout */
#define CALL_ARG(n)	   ((n) << 6)
#define CALL_ARG_OF(trait) ((trait) >> 6 & 7)
	CALL_SELECT = 1 << 9, /* first argument: highest descriptor plus one */
};

static const __u16 call_traits[512] = {
	[__NR_read] = CALL_FD,
	[__NR_write] = CALL_FD,
	[__NR_pread64] = CALL_FD,
	[__NR_pwrite64] = CALL_FD,
	[__NR_readv] = CALL_FD,
	[__NR_writev] = CALL_FD,
	[__NR_preadv] = CALL_FD,
	[__NR_pwritev] = CALL_FD,
	[__NR_preadv2] = CALL_FD,
	[__NR_pwritev2] = CALL_FD,
	[__NR_ioctl] = CALL_FD,
	[__NR_fcntl] = CALL_FD,
	[__NR_flock] = CALL_FD,
	[__NR_fsync] = CALL_FD,
	[__NR_fdatasync] = CALL_FD,
	[__NR_syncfs] = CALL_FD,
	[__NR_sync_file_range] = CALL_FD,
	[__NR_ftruncate] = CALL_FD,
	[__NR_fallocate] = CALL_FD,
	[__NR_getdents] = CALL_FD,
	[__NR_getdents64] = CALL_FD,
	[__NR_sendfile] = CALL_FD,
	[__NR_splice] = CALL_FD,
	[__NR_copy_file_range] = CALL_FD,
	[__NR_connect] = CALL_FD,
	[__NR_accept] = CALL_FD,
	[__NR_accept4] = CALL_FD,
	[__NR_sendto] = CALL_FD,
	[__NR_sendmsg] = CALL_FD,
	[__NR_sendmmsg] = CALL_FD,
	[__NR_recvfrom] = CALL_FD,
	[__NR_recvmsg] = CALL_FD,
	[__NR_recvmmsg] = CALL_FD | CALL_TIMEOUT_PTR | CALL_ARG(4),
	[__NR_close] = CALL_FD,
	[__NR_epoll_wait] = CALL_FD | CALL_TIMEOUT_MS | CALL_ARG(3),
	[__NR_epoll_pwait] = CALL_FD | CALL_TIMEOUT_MS | CALL_ARG(3),
	[__NR_epoll_pwait2] = CALL_FD | CALL_TIMEOUT_PTR | CALL_ARG(3),
	[__NR_io_uring_enter] = CALL_FD,
	[__NR_poll] = CALL_POLL | CALL_TIMEOUT_MS | CALL_ARG(2),
	[__NR_ppoll] = CALL_POLL | CALL_TIMEOUT_PTR | CALL_ARG(2),
	[__NR_select] = CALL_SELECT | CALL_TIMEOUT_PTR | CALL_ARG(4),
	[__NR_pselect6] = CALL_SELECT | CALL_TIMEOUT_PTR | CALL_ARG(4),
	[__NR_futex] = CALL_FUTEX | CALL_TIMEOUT_PTR | CALL_ARG(3),
	[__NR_futex_waitv] = CALL_TIMEOUT_PTR | CALL_ARG(3),
	[455] = CALL_FUTEX | CALL_TIMEOUT_PTR | CALL_ARG(4), /* futex_wait, of 6.7 */
	[__NR_nanosleep] = CALL_SLEEP,
	[__NR_clock_nanosleep] = CALL_SLEEP,
	[__NR_rt_sigtimedwait] = CALL_TIMEOUT_PTR | CALL_ARG(2),
	[__NR_semtimedop] = CALL_TIMEOUT_PTR | CALL_ARG(3),
	[__NR_mq_timedsend] = CALL_TIMEOUT_PTR | CALL_ARG(4),
	[__NR_mq_timedreceive] = CALL_TIMEOUT_PTR | CALL_ARG(4),
	[__NR_io_getevents] = CALL_TIMEOUT_PTR | CALL_ARG(4),
};

static __always_inline __u64 call_arg(struct pt_regs *regs, int n)
{
	switch (n) {
	case 0:
		return regs->di;
	case 1:
		return regs->si;
	case 2:
		return regs->dx;
	case 3:
		return regs->r10;
	default:
		return regs->r8;
	}
}

static __always_inline __s32 polled_fd(struct pt_regs *regs)
{
	struct pollfd pollfd = {};

	if (call_arg(regs, 1) != 1 ||
	    bpf_probe_read_user(&pollfd, sizeof(pollfd), (void *)call_arg(regs, 0)))
		return -1;
	return pollfd.fd;
}

/* Programs use poll() or select() without descriptors, but with a timeout, to sleep. */
static __always_inline bool polls_nothing(struct pt_regs *regs, __u16 traits)
{
	if (traits & CALL_POLL)
		return !(__u32)call_arg(regs, 1);
	return traits & CALL_SELECT && !(__u32)call_arg(regs, 0);
}

/* select() gets a limit of the descriptors, not their number, and counts as several. */
static __always_inline bool polls_several(struct pt_regs *regs, __u16 traits)
{
	return traits & CALL_SELECT || (traits & CALL_POLL && (__u32)call_arg(regs, 1) > 1);
}

/*
 * regs: the registers that the task saved on entry to the kernel. may_read_user: the task is the
 * current one, so its user memory can be read.
 */
static __always_inline void wait_of(struct task_struct *task, struct pt_regs *regs,
				    bool may_read_user, struct rsp_wait *ret)
{
	__u16 traits;
	__s64 nr;

	*ret = (struct rsp_wait){.syscall_nr = -1, .fd = -1};
	if (is_kernel_thread(task)) {
		ret->flags = RSP_SW_KTHREAD;
		return;
	}
	if (!has_part(RSP_PART_SYSCALLS) || !task->mm || BPF_CORE_READ_BITFIELD(task, in_execve) ||
	    task->thread_info.status & TS_COMPAT) {
		ret->flags = RSP_SW_UNREADABLE;
		return;
	}
	nr = regs->orig_ax;
	if (nr < 0) { /* the entry code stores -1 for exceptions */
		ret->flags = RSP_SW_FAULT;
		return;
	}
	ret->syscall_nr = nr;
	traits = call_traits[nr & 511];
	if (traits & CALL_SLEEP)
		ret->flags |= RSP_SW_SLEEP;
	if (traits & CALL_TIMEOUT_MS && (__s32)call_arg(regs, CALL_ARG_OF(traits)) >= 0)
		ret->flags |= RSP_SW_TIMEOUT;
	if (traits & CALL_TIMEOUT_PTR && call_arg(regs, CALL_ARG_OF(traits)))
		ret->flags |= RSP_SW_TIMEOUT;
	if (ret->flags & RSP_SW_TIMEOUT && polls_nothing(regs, traits))
		ret->flags ^= RSP_SW_TIMEOUT | RSP_SW_SLEEP;
	if (traits & CALL_FUTEX) {
		ret->flags |= RSP_SW_FUTEX;
		ret->object = call_arg(regs, 0);
	} else if (traits & CALL_FD) {
		ret->fd = call_arg(regs, 0);
	} else if (traits & CALL_POLL && may_read_user) {
		ret->fd = polled_fd(regs);
	} else if (!may_read_user && polls_several(regs, traits)) {
		ret->flags |= RSP_SW_SEVERAL;
	}
}

#endif
