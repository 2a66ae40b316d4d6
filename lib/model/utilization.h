/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model -> how the CPUs and their tasks spent the span: running in user or kernel mode, serving
 * interrupts, waiting for a CPU, asleep. A task that executed another program within the span has a
 * row for each program.
 *
 * The time on CPUs is measured, by switches. Its division into user and system time is the kernel's
 * own account where the recording contains it for that task and time, else an estimate from
 * samples, else unknown (busy_ns).
 *
 * All times in nanoseconds.
 */
#ifndef RSP_LIB_UTILIZATION_H
#define RSP_LIB_UTILIZATION_H

#include "model.h"
#include "names.h"

/* user, system and busy time exclude interrupts. The sum of all is the time of the row. */
struct rsp_use {
	__u64 user_ns, system_ns;
	__u64 busy_ns; /* ran, in a mode that is not known */
	__u64 irq_ns, softirq_ns;
	__u64 runnable_ns; /* waited for a CPU */
	__u64 idle_ns;
	__u64 unknown_ns; /* its state is not known: records are missing, or the recorder paused */
};

/* Where the division into user and system time is from. */
enum rsp_use_source {
	RSP_USE_NONE = 0, /* no time of the row was divided */
	RSP_USE_ACCOUNT = 1 << 0,
	RSP_USE_SAMPLES = 1 << 1, /* an estimate */
};

/* A part of a task: what it ran on one CPU. */
struct rsp_use_place {
	__u32 cpu;
	__u64 run_ns; /* interrupts included */
};

/* The calls of one system call by one task. Pending ones are in none of the other figures. */
struct rsp_use_call {
	__s32 nr; /* RSP_CALLS_OTHER, RSP_CALLS_COMPAT: as in CALLS records */
	__u64 cnt, sum_ns, min_ns, max_ns;
	__u64 pending_ns;
};

struct rsp_use_task {
	__u32 tid, tgid;
	__u32 thread;  /* of the model */
	__u32 process; /* index of its row */
	__s32 image;   /* -1: the last program in the span; else the program's number, from 0 */
	__u32 name;    /* rsp_names_text() */
	__u64 from_ns, to_ns;
	struct rsp_use use;
	unsigned int source; /* bits of enum rsp_use_source */
	__u32 migration_cnt; /* runs on another CPU than the run before */
	__u32 asked_cnt;     /* of which it asked for itself: sched_setaffinity() */
	struct {
		struct rsp_use_place *v; /* by CPU */
		size_t cnt, cap;
	} places;
	struct {
		struct rsp_use_call *v; /* the one that took most first */
		size_t cnt, cap;
	} calls;
};

struct rsp_use_process {
	__u32 tgid;
	__s32 image;
	__u32 name;
	__u32 task_cnt, migration_cnt, asked_cnt;
	unsigned int source;
	struct rsp_use use; /* sum over its tasks */
};

struct rsp_use_cpu {
	__u32 cpu;
	struct rsp_use use; /* runnable_ns is 0 */
	unsigned int source;
	bool knows_steal;
	__u64 steal_ns; /* by the kernel's account; part of the times in use */
};

/*
 * A handler of interrupts or a softirq. Those that began before the span or ended after it are in
 * pending_ns alone.
 */
struct rsp_use_irq {
	__u32 name;
	__u64 cnt, sum_ns, max_ns, pending_ns;
	__u64 min_ns;  /* of those recorded one by one */
	bool has_sums; /* some were recorded as sums, and may be shorter than min_ns */
};

#define RSP_USE_TABLE(type)                                                                        \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t cnt, cap;                                                                   \
	}

struct rsp_utilization {
	__u64 since_ns, until_ns;
	bool has_calls;	     /* system calls were counted */
	__u64 calls_from_ns; /* since then */
	struct rsp_use all;  /* of all CPUs; runnable_ns: of all tasks */
	unsigned int source;
	bool knows_steal;
	__u64 steal_ns;
	__u64 migration_cnt, asked_cnt;
	RSP_USE_TABLE(struct rsp_use_task) tasks;	 /* the one that ran most first */
	RSP_USE_TABLE(struct rsp_use_process) processes; /* the same */
	RSP_USE_TABLE(struct rsp_use_cpu) cpus;
	RSP_USE_TABLE(struct rsp_use_irq) irqs; /* the one that took most first */
};

/* 0 or -ENOMEM. */
int rsp_utilization_make(const struct rsp_model *m, struct rsp_names *names,
			 struct rsp_utilization *ret);
void rsp_utilization_done(struct rsp_utilization *u);

/* Time on a CPU, interrupts included. */
static inline __u64 rsp_use_run_ns(const struct rsp_use *use)
{
	return use->user_ns + use->system_ns + use->busy_ns + use->irq_ns + use->softirq_ns;
}

static inline __u64 rsp_use_total_ns(const struct rsp_use *use)
{
	return rsp_use_run_ns(use) + use->runnable_ns + use->idle_ns + use->unknown_ns;
}

#endif
