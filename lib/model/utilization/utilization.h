/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a model into the times that CPUs and tasks spent in each state within the span: running in
 * user or kernel mode, serving interrupts, waiting for a CPU, or asleep. A task that executed
 * another program within the span has a row for each program.
 *
 * The kernel's account of a task divides its time on CPUs into user and system time. Without an
 * account, the task's samples divide it; without samples, the mode is unknown (busy_ns).
 *
 * All times are in nanoseconds.
 */
#ifndef RSP_LIB_UTILIZATION_H
#define RSP_LIB_UTILIZATION_H

#include "lib/model/model.h"
#include "lib/model/names.h"

/*
 * User, system and busy time exclude interrupts and stolen time. The sum of all fields is the time
 * of the row.
 */
struct rsp_use {
	__u64 user_ns, system_ns;
	__u64 busy_ns; /* running in an unknown mode */
	__u64 irq_ns, softirq_ns;
	__u64 stolen_ns;   /* time in which the hypervisor ran something else on the row's CPU */
	__u64 runnable_ns; /* waiting for a CPU */
	__u64 idle_ns;	   /* time in which the task was blocked, or the CPU was idle */
	/* time in an unknown state: records are missing, or the recorder paused */
	__u64 unknown_ns;
};

/* The source of the division into user and system time. */
enum rsp_use_source {
	RSP_USE_NONE = 0, /* no time of the row was divided */
	RSP_USE_ACCOUNT = 1 << 0,
	RSP_USE_SAMPLES = 1 << 1, /* an estimate */
};

struct rsp_use_place {
	__u32 cpu;
	__u64 run_ns; /* includes irq_ns, softirq_ns and stolen_ns */
	__u64 irq_ns, softirq_ns, stolen_ns;
};

/* The calls of one system call by one task. Pending calls count only in pending_ns. */
struct rsp_use_call {
	__s32 nr;
	__u64 cnt, sum_ns, min_ns, max_ns;
	__u64 pending_ns;
};

struct rsp_use_task {
	__u32 tid, tgid;
	__u32 thread;  /* index in the model */
	__u32 process; /* index of the process's row */
	/*
	 * number of the program among the thread's programs in the span, from 0; -1: the last one
	 */
	__s32 image;
	__u32 name; /* number of a text, see rsp_names_text() */
	__u64 from_ns, to_ns;
	struct rsp_use use;
	unsigned int source; /* bits of enum rsp_use_source */
	__u32 migration_cnt; /* number of runs on another CPU than the previous run */
	/* migrations that the task requested with sched_setaffinity() */
	__u32 asked_cnt;
	struct {
		struct rsp_use_place *v; /* by CPU */
		size_t cnt, cap;
	} places;
	struct {
		struct rsp_use_call *v; /* by time, longest first */
		size_t cnt, cap;
	} calls;
};

struct rsp_use_process {
	__u32 tgid;
	__s32 image;
	__u32 name;
	__u32 task_cnt, migration_cnt, asked_cnt;
	unsigned int source;
	struct rsp_use use; /* sum over the process's tasks */
};

struct rsp_use_cpu {
	__u32 cpu;
	struct rsp_use use; /* runnable_ns is 0 */
	unsigned int source;
	bool knows_stolen;
};

/*
 * An interrupt handler or a softirq. Interrupts that began before the span or ended after it count
 * only in pending_ns.
 */
struct rsp_use_irq {
	__u32 name;
	__u64 cnt, sum_ns, max_ns, pending_ns;
	__u64 min_ns; /* shortest of the interrupts that have records of their own */
	/* some records are sums of several interrupts, which may be shorter than min_ns */
	bool has_sums;
};

#define RSP_USE_TABLE(type)                                                                        \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t cnt, cap;                                                                   \
	}

struct rsp_utilization {
	__u64 since_ns, until_ns;
	bool has_calls;	     /* system calls were counted */
	__u64 calls_from_ns; /* begin of the counting */
	struct rsp_use all;  /* sums over all CPUs; runnable_ns is a sum over all tasks */
	unsigned int source;
	bool knows_stolen;
	__u64 migration_cnt, asked_cnt;
	RSP_USE_TABLE(struct rsp_use_task) tasks;	 /* sorted by time on CPUs, longest first */
	RSP_USE_TABLE(struct rsp_use_process) processes; /* sorted by time on CPUs, longest first */
	RSP_USE_TABLE(struct rsp_use_cpu) cpus;
	RSP_USE_TABLE(struct rsp_use_irq) irqs; /* by time, longest first */
};

/* Returns 0 or -ENOMEM. */
int rsp_utilization_make(const struct rsp_model *m, struct rsp_names *names,
			 struct rsp_utilization *ret);
void rsp_utilization_done(struct rsp_utilization *u);

void rsp_use_add(struct rsp_use *sum, const struct rsp_use *use);
/* Returns the time on a CPU, including interrupts and stolen time. */
static inline __u64 rsp_use_run_ns(const struct rsp_use *use)
{
	return use->user_ns + use->system_ns + use->busy_ns + use->irq_ns + use->softirq_ns +
	       use->stolen_ns;
}

static inline __u64 rsp_use_total_ns(const struct rsp_use *use)
{
	return rsp_use_run_ns(use) + use->runnable_ns + use->idle_ns + use->unknown_ns;
}

#endif
