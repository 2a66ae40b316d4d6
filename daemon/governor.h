/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What recording costs, held against a budget. Above it something is left out, step by step, the
 * least missed first, and taken up again when there is room; who waited for whom never is.
 */
#ifndef RSP_DAEMON_GOVERNOR_H
#define RSP_DAEMON_GOVERNOR_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct rsp_bpf;
struct rsp_governor;

/* Each step includes those before it. */
enum rsp_shed {
	RSP_SHED_NOTHING,
	RSP_SHED_WAKER_STACKS,
	RSP_SHED_SAMPLES,
	RSP_SHED_HOT_STACKS, /* stacks of tasks that switch most often */
	RSP_SHED_STACKS,     /* all of them */
	RSP_SHED_CNT,
};

struct rsp_program_cost {
	char name[64];
	__u64 run_cnt; /* since the start; estimated, as time is, from the spans that were measured
			*/
	__u64 run_ns;
};

#define RSP_PROGRAM_MAX 64

struct rsp_cost_stats {
	__u32 budget_ppm; /* of all CPUs together; 0: none */
	__u32 cost_ppm;	  /* of late: programs and daemon */
	__u32 programs_ppm, daemon_ppm;
	__u64 daemon_cpu_ns; /* since the start, with its children */
	enum rsp_shed shed;
	__u64 shed_since_ns; /* 0: nothing is shed */
	__u64 shed_cnt;	     /* how often a step was taken since the start */
	size_t program_cnt;
	struct rsp_program_cost programs[RSP_PROGRAM_MAX];
};

/* Told when the step changes. */
typedef void (*rsp_governor_fn)(enum rsp_shed from, enum rsp_shed to,
				const struct rsp_cost_stats *stats, void *userdata);

/* bpf: loaded, outlives it. 0 or -errno. */
int rsp_governor_new(struct rsp_bpf *bpf, __u32 budget_ppm, rsp_governor_fn told, void *userdata,
		     struct rsp_governor **ret);
struct rsp_governor *rsp_governor_free(struct rsp_governor *g);
void rsp_governor_set_budget(struct rsp_governor *g, __u32 budget_ppm);

/* Ten times a second, by the drain loop. */
void rsp_governor_poll(struct rsp_governor *g, __u64 now_ns);

void rsp_governor_get(const struct rsp_governor *g, struct rsp_cost_stats *ret);

/* "waker stacks", …: what this step leaves out beyond the one before it. */
const char *rsp_shed_name(enum rsp_shed shed);

#endif
