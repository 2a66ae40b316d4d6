/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes TASK and EXIT records for births, execs and deaths of threads to the control ring, and
 * TASK records for new names and ACCOUNT records to the CPU's ring. An iterator makes a census: a
 * TASK record for each living thread, and a SEED record for each blocked one.
 */
#include "bpf/account.bpf.h"
#include "bpf/cgroup.bpf.h"
#include "bpf/owner.bpf.h"
#include "bpf/seed.bpf.h"

/* Returns the process ID in the process's innermost pid namespace. */
static __always_inline __u32 ns_tgid_of(struct task_struct *task, __u32 *ret_pidns)
{
	struct pid *pid = BPF_CORE_READ(task, group_leader, thread_pid);
	__u32 level = BPF_CORE_READ(pid, level);
	struct upid *upid = (void *)&pid->numbers + level * bpf_core_type_size(struct upid);

	*ret_pidns = BPF_CORE_READ(upid, ns, ns.inum);
	return BPF_CORE_READ(upid, nr);
}

/* RSP_TASK_ATTR_LENT: a kernel thread that belongs to a process, such as an io_uring worker. */
static __always_inline __u32 attrs_of(struct task_struct *task)
{
	__u32 attrs = is_closed(task) ? RSP_TASK_ATTR_CLOSED : 0;

	if (is_kernel_thread(task))
		attrs |= RSP_TASK_ATTR_KTHREAD;
	if (is_kernel_thread(task) && !(task->flags & PF_KTHREAD))
		attrs |= RSP_TASK_ATTR_LENT;
	return attrs;
}

static __always_inline void fill_task(struct rsp_ev_task *rec, struct task_struct *task, __u32 ptid,
				      __u16 reason)
{
	/* the memory of the ring is not zeroed */
	__builtin_memset(rec->comm, 0, sizeof(rec->comm));
	fill_header(&rec->hdr, RSP_EV_TASK, sizeof(*rec), reason, bpf_ktime_get_ns());
	rec->tid = task->pid;
	rec->tgid = task->tgid;
	rec->ptid = ptid;
	rec->uid = BPF_CORE_READ(task, real_cred, euid.val);
	rec->cgroup_id = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	rec->start_ns = task->start_time;
	rec->ns_tgid = ns_tgid_of(task, &rec->pidns);
	rec->mntns = BPF_CORE_READ(task, nsproxy, mnt_ns, ns.inum);
	rec->attrs = attrs_of(task);
	bpf_probe_read_kernel_str(rec->comm, sizeof(rec->comm), task->comm);
}

static __always_inline int task_event(struct task_struct *task, __u32 ptid, __u16 reason)
{
	struct rsp_ev_task *rec = rsp_reserve_control(rsp_ev_task, RSP_EV_TASK);

	if (!rec)
		return 0;
	fill_task(rec, task, ptid, reason);
	rsp_submit_control(rec);
	return 0;
}

static __always_inline __u32 parent_of(struct task_struct *task)
{
	return BPF_CORE_READ(task, real_parent, tgid);
}

SEC("tp_btf/sched_process_fork")
int RSP_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	return task_event(child, parent->pid, RSP_TASK_FORK);
}

static __always_inline void exit_event(__u32 tid, __u32 tgid, __u32 code, __u32 attrs, __u16 flags)
{
	struct rsp_ev_exit *rec = rsp_reserve_control(rsp_ev_exit, RSP_EV_EXIT);

	if (!rec)
		return;
	fill_header(&rec->hdr, RSP_EV_EXIT, sizeof(*rec), flags, bpf_ktime_get_ns());
	rec->tid = tid;
	rec->tgid = tgid;
	rec->code = code;
	rec->attrs = attrs;
	rsp_submit_control(rec);
}

/*
 * --- renaming ---------------------------------------------------------------------------------
 *
 * If the thread's last recorded name is at least NAME_INTERVAL_NS old, a new name is recorded at
 * once. Otherwise the name is pending: only the newest name is recorded, when the thread leaves the
 * CPU or exits. A thread can rename itself very often, so names do not go to the control ring.
 */

#define NAME_INTERVAL_NS 100000000

struct naming {
	__u64 recorded_ns; /* time of the last recorded name */
	__u32 is_owed;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct naming);
} rsp_namings SEC(".maps");

/* number of threads with a pending name; while it is 0, no pending name is looked up */
__u32 rsp_names_owed = 0;

/* name: address in kernel memory. */
static __always_inline void send_name(struct task_struct *task, const char *name)
{
	struct rsp_ev_task *rec = rsp_reserve(rsp_ev_task, RSP_EV_TASK, RSP_TASK_NAME);

	if (!rec)
		return;
	fill_task(rec, task, parent_of(task), RSP_TASK_NAME);
	bpf_probe_read_kernel_str(rec->comm, sizeof(rec->comm), name);
	rsp_submit(rec);
}

/* Runs before the name changes; comm is the new name. */
SEC("tp_btf/task_rename")
int RSP_PROG(on_rename, struct task_struct *task, const char *comm)
{
	__u64 now_ns = bpf_ktime_get_ns();
	struct naming *naming;

	if (BPF_CORE_READ_BITFIELD(task, in_execve)) /* on_exec will report the name */
		return 0;
	naming = bpf_task_storage_get(&rsp_namings, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (naming && now_ns - naming->recorded_ns < NAME_INTERVAL_NS) {
		if (!__sync_lock_test_and_set(&naming->is_owed, 1))
			__sync_fetch_and_add(&rsp_names_owed, 1);
		return 0;
	}
	if (naming)
		naming->recorded_ns = now_ns;
	send_name(task, comm);
	return 0;
}

/*
 * Called when the current task leaves the CPU or exits. A preempted task runs again soon, so its
 * name can wait for the end of the interval.
 */
__noinline int rsp_record_pending_name(bool is_preempted)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 now_ns = bpf_ktime_get_ns();
	struct naming *naming;

	if (!has_part(RSP_PART_TASKS))
		return 0;
	naming = bpf_task_storage_get(&rsp_namings, task, NULL, 0);
	if (!naming || !naming->is_owed ||
	    (is_preempted && now_ns - naming->recorded_ns < NAME_INTERVAL_NS) ||
	    !__sync_lock_test_and_set(&naming->is_owed, 0))
		return 0;
	__sync_fetch_and_sub(&rsp_names_owed, 1);
	naming->recorded_ns = now_ns;
	send_name(task, task->comm);
	return 0;
}

/* --- exec ------------------------------------------------------------------------------------- */

/*
 * Drops a pending name of the old program, so that the first name of the new program is recorded at
 * once.
 */
static __always_inline void forget_names(struct task_struct *task)
{
	struct naming *naming = bpf_task_storage_get(&rsp_namings, task, NULL, 0);

	if (!naming)
		return;
	if (__sync_lock_test_and_set(&naming->is_owed, 0))
		__sync_fetch_and_sub(&rsp_names_owed, 1);
	naming->recorded_ns = 0;
}

/*
 * If a thread other than the main thread calls exec, this thread gets the main thread's tid;
 * old_pid is its former tid.
 */
SEC("tp_btf/sched_process_exec")
int RSP_PROG(on_exec, struct task_struct *task, int old_pid)
{
	if (old_pid != task->pid)
		exit_event(old_pid, task->tgid, 0, 0, RSP_EXIT_EXEC);
	forget_names(task);
	send_account(task, RSP_ACCOUNT_EXEC);
	return task_event(task, parent_of(task), RSP_TASK_EXEC);
}

/* --- death ------------------------------------------------------------------------------------ */

/* Records the path of the process's cgroup, which may be gone when a snapshot is made. */
static __always_inline void name_cgroup(struct task_struct *task)
{
	struct kernfs_node *kn = task->cgroups->dfl_cgrp->kn;
	__u32 draft;

	/*
	 * Most processes end in a cgroup whose path was already sent. This check uses direct loads,
	 * which are cheaper than helpers.
	 */
	if (was_sent(cgroup_object_id(kn, kn->id, kn->hash)))
		return;
	draft = take_draft();
	cgroup_object(draft, kn);
	give_back_level(draft);
}

SEC("tp_btf/sched_process_exit")
int RSP_PROG(on_exit, struct task_struct *task)
{
	/*
	 * Before Linux 6.16, the thread has already released its memory here, so is_closed() cannot
	 * decide.
	 */
	__u32 attrs = task->mm && is_closed(task) ? RSP_TASK_ATTR_CLOSED : 0;

	if (rsp_names_owed)
		rsp_record_pending_name(false);
	send_account(task, RSP_ACCOUNT_EXIT);
	if (task->pid == task->tgid)
		name_cgroup(task);
	exit_event(task->pid, task->tgid, task->exit_code, attrs, 0);
	return 0;
}

/* --- census ---------------------------------------------------------------------------------- */

#define PF_EXITING 0x4

__u32 rsp_census_again = false; /* set by the daemon before each census but the first */

/*
 * A zombie never runs again. The EXIT record of an exiting thread may already have been sent,
 * except before the first census.
 */
static __always_inline bool is_gone(struct task_struct *task)
{
	return task->exit_state || (rsp_census_again && task->flags & PF_EXITING);
}

SEC("iter/task")
int on_census(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	/*
	 * Read the clock first: the record of an event during this function is then newer than the
	 * census record.
	 */
	__u64 ts_ns = bpf_ktime_get_ns();
	struct rsp_ev_task rec = {};

	if (!task || is_gone(task))
		return 0;
	fill_task(&rec, task, BPF_CORE_READ(task, real_parent, tgid), RSP_TASK_SEED);
	rec.hdr.ts_ns = ts_ns;
	bpf_seq_write(ctx->meta->seq, &rec, sizeof(rec));
	if (!BPF_CORE_READ_BITFIELD(task, on_cpu) && !BPF_CORE_READ_BITFIELD(task, on_rq))
		write_seed(ctx->meta->seq, task, ts_ns, 0);
	return 0;
}
