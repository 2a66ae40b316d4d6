/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the system calls of each thread, and measures their time, during a watch
 * (daemon/capture/watch.h). The programs write CALLS records when a thread executes another program
 * or exits, and when the daemon reads the tables of all live threads. The iterator also writes
 * ACCOUNT records.
 */
#include "bpf/account.bpf.h"
#include "bpf/wait.bpf.h"
#include "rsp/watch.h"

/* Maximum number of system calls that have sums of their own, per thread; a power of two. */
#define CALL_SLOTS 64

struct call_sum {
	__u32 is_used;
	__s32 nr;
	__u64 cnt;
	__u64 sum_ns;
	__u64 min_ns;
	__u64 max_ns;
	__u64 pending_ns;
};

struct calls {
	__u32 watch; /* number of the watch; 0: the table is new */
	__s32 nr;
	/* start of this call; 0: no call is in progress, or its start was not seen */
	__u64 entered_ns;
	struct call_sum sums[CALL_SLOTS];
	struct call_sum others; /* calls that have no slot in sums */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct calls);
} rsp_calls SEC(".maps");

struct rsp_watch_knobs rsp_watch = {};

/* Returns the thread's table for this watch, or NULL if memory runs out. */
static __always_inline struct calls *calls_of(struct task_struct *task)
{
	struct calls *calls = bpf_task_storage_get(&rsp_calls, task, NULL,
						   BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (calls && calls->watch && calls->watch != rsp_watch.number) {
		bpf_task_storage_delete(&rsp_calls, task);
		calls = bpf_task_storage_get(&rsp_calls, task, NULL,
					     BPF_LOCAL_STORAGE_GET_F_CREATE);
	}
	if (calls)
		calls->watch = rsp_watch.number;
	return calls;
}

static __always_inline struct calls *present_calls(struct task_struct *task)
{
	struct calls *calls = bpf_task_storage_get(&rsp_calls, task, NULL, 0);

	return calls && calls->watch == rsp_watch.number ? calls : NULL;
}

/*
 * A 32-bit program uses the same numbers for other system calls, so RSP_CALLS_COMPAT is added to
 * them.
 */
static __always_inline __s32 number_of(struct task_struct *task, __s64 nr)
{
	if (nr < 0 || nr >= RSP_CALLS_COMPAT)
		return RSP_CALLS_OTHER;
	return task->thread_info.status & TS_COMPAT ? nr | RSP_CALLS_COMPAT : nr;
}

/*
 * Finds the sum of a system call by open addressing. Returns calls->others if nr is negative or all
 * slots are in use.
 */
static __always_inline struct call_sum *sum_of(struct calls *calls, __s32 nr)
{
	if (nr < 0)
		return &calls->others;
	for (__u32 i = 0; i < CALL_SLOTS; i++) {
		__u32 slot = ((__u32)nr + i) & (CALL_SLOTS - 1);
		struct call_sum *sum = &calls->sums[slot];

		if (!sum->is_used) {
			*sum = (struct call_sum){.is_used = true, .nr = nr};
			return sum;
		}
		if (sum->nr == nr)
			return sum;
	}
	return &calls->others;
}

static __always_inline void add_call(struct call_sum *sum, __u64 dur_ns)
{
	if (!sum->cnt || dur_ns < sum->min_ns)
		sum->min_ns = dur_ns;
	if (dur_ns > sum->max_ns)
		sum->max_ns = dur_ns;
	sum->cnt++;
	sum->sum_ns += dur_ns;
}

/*
 * Returns the earliest possible start of a system call whose start was not seen: the begin of the
 * watch or, if that was later, the thread's birth inside its parent's clone().
 */
static __always_inline __u64 pending_since(struct task_struct *task)
{
	return task->start_time > rsp_watch.from_ns ? task->start_time : rsp_watch.from_ns;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(on_call, struct pt_regs *regs, long nr)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct calls *calls = calls_of(task);

	if (!calls) {
		count_loss(RSP_EV_CALLS);
		return 0;
	}
	calls->nr = number_of(task, nr);
	calls->entered_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_call_end, struct pt_regs *regs, long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 now_ns = bpf_ktime_get_ns(), since_ns;
	struct calls *calls = calls_of(task);

	if (!calls) {
		count_loss(RSP_EV_CALLS);
		return 0;
	}
	if (calls->entered_ns) {
		add_call(sum_of(calls, calls->nr), now_ns - calls->entered_ns);
		calls->entered_ns = 0;
		return 0;
	}
	since_ns = pending_since(task);
	if (now_ns > since_ns)
		sum_of(calls, number_of(task, (__s64)regs->orig_ax))->pending_ns += now_ns -
										    since_ns;
	return 0;
}

/* --- records of a table ----------------------------------------------------------------------- */

static __always_inline void fill_calls(struct rsp_ev_calls *rec, __u32 tid,
				       const struct call_sum *sum)
{
	rec->tid = tid;
	rec->syscall_nr = sum->nr;
	rec->from_ns = rsp_watch.from_ns;
	rec->cnt = sum->cnt;
	rec->sum_ns = sum->sum_ns;
	rec->min_ns = sum->min_ns;
	rec->max_ns = sum->max_ns;
	rec->pending_ns = sum->pending_ns;
}

/* This function is global, so the verifier checks it only once, instead of once for each slot. */
__noinline int rsp_send_calls(const struct call_sum *sum, __u32 tid, __u16 reason)
{
	struct rsp_ev_calls *rec;

	if (!sum)
		return 0;
	rec = rsp_reserve(rsp_ev_calls, RSP_EV_CALLS, reason);
	if (!rec)
		return 0;
	fill_calls(rec, tid, sum);
	rsp_submit(rec);
	return 0;
}

static __always_inline void flush_calls(struct task_struct *task, struct calls *calls, __u16 reason)
{
	for (__u32 i = 0; i < CALL_SLOTS; i++) {
		if (!calls->sums[i].is_used)
			continue;
		rsp_send_calls(&calls->sums[i], task->pid, reason);
		calls->sums[i].is_used = false;
	}
	calls->others.nr = RSP_CALLS_OTHER;
	if (calls->others.cnt || calls->others.pending_ns)
		rsp_send_calls(&calls->others, task->pid, reason);
	calls->others = (struct call_sum){.nr = RSP_CALLS_OTHER};
}

/* The execve() call itself counts for the new program, in which it returns. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_calls_exec, struct task_struct *task)
{
	struct calls *calls = present_calls(task);

	if (calls)
		flush_calls(task, calls, RSP_ACCOUNT_EXEC);
	return 0;
}

/* A call that does not return, such as exit_group(), counts as pending. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_calls_exit, struct task_struct *task)
{
	struct calls *calls = present_calls(task);

	if (!calls)
		return 0;
	if (calls->entered_ns)
		sum_of(calls, calls->nr)->pending_ns += bpf_ktime_get_ns() - calls->entered_ns;
	calls->entered_ns = 0;
	flush_calls(task, calls, RSP_ACCOUNT_EXIT);
	return 0;
}

/* --- the tables of live threads --------------------------------------------------------------- */

static __always_inline void write_account(struct seq_file *seq, struct task_struct *task,
					  __u16 reason)
{
	struct rsp_ev_account rec = {};

	fill_header(&rec.hdr, RSP_EV_ACCOUNT, sizeof(rec), reason, bpf_ktime_get_ns());
	fill_account(&rec, task);
	bpf_seq_write(seq, &rec, sizeof(rec));
}

static __always_inline void write_sum(struct seq_file *seq, struct task_struct *task,
				      const struct call_sum *sum, __u64 ts_ns, __u64 pending_ns)
{
	struct rsp_ev_calls rec = {};

	fill_header(&rec.hdr, RSP_EV_CALLS, sizeof(rec), RSP_ACCOUNT_READ, ts_ns);
	fill_calls(&rec, task->pid, sum);
	rec.pending_ns += pending_ns;
	bpf_seq_write(seq, &rec, sizeof(rec));
}

static __always_inline void write_calls(struct seq_file *seq, struct task_struct *task,
					struct calls *calls, __u64 ts_ns)
{
	__u64 entered_ns = calls->entered_ns;
	__u64 pending_ns = entered_ns && ts_ns > entered_ns ? ts_ns - entered_ns : 0;
	struct call_sum sum = {.nr = calls->nr};

	for (__u32 i = 0; i < CALL_SLOTS; i++) {
		__u64 pending_here_ns = 0;

		if (!calls->sums[i].is_used)
			continue;
		if (calls->sums[i].nr == sum.nr) {
			pending_here_ns = pending_ns;
			pending_ns = 0;
		}
		write_sum(seq, task, &calls->sums[i], ts_ns, pending_here_ns);
	}
	calls->others.nr = RSP_CALLS_OTHER;
	if (calls->others.cnt || calls->others.pending_ns)
		write_sum(seq, task, &calls->others, ts_ns, 0);
	if (pending_ns)
		write_sum(seq, task, &sum, ts_ns, pending_ns);
}

/* Writes a record of a system call that began before the watch; the thread has no table then. */
static __always_inline void write_pending(struct seq_file *seq, struct task_struct *task,
					  __u64 ts_ns)
{
	struct call_sum sum = {};
	__u64 since_ns = pending_since(task);
	struct rsp_wait wait;

	if (is_kernel_thread(task) || BPF_CORE_READ_BITFIELD(task, on_cpu) || ts_ns <= since_ns)
		return;
	wait_of(task, (struct pt_regs *)bpf_task_pt_regs(task), false, &wait);
	if (wait.syscall_nr < 0)
		return;
	sum.nr = wait.syscall_nr;
	write_sum(seq, task, &sum, ts_ns, ts_ns - since_ns);
}

SEC("iter/task")
int on_watch(struct bpf_iter__task *ctx)
{
	__u64 ts_ns = bpf_ktime_get_ns();
	struct task_struct *task = ctx->task;
	__u32 step = rsp_watch.step;
	struct calls *calls;

	if (!task)
		return 0;
	if (step == RSP_WATCH_END) {
		bpf_task_storage_delete(&rsp_calls, task);
		return 0;
	}
	if (task->exit_state)
		return 0;
	write_account(ctx->meta->seq, task,
		      step == RSP_WATCH_BEGIN ? RSP_ACCOUNT_BEGIN : RSP_ACCOUNT_READ);
	if (step == RSP_WATCH_BEGIN || !rsp_watch.is_counting)
		return 0;
	calls = present_calls(task);
	if (calls)
		write_calls(ctx->meta->seq, task, calls, ts_ns);
	else
		write_pending(ctx->meta->seq, task, ts_ns);
	return 0;
}
