/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups processes into the rows of the table of processes. Processes without a task that lived
 * during the whole span share a row if they have the same name and container, because a build runs
 * thousands of them. The process of interest has a row of its own.
 */
#ifndef RSP_REPORT_UTIL_GROUPS_H
#define RSP_REPORT_UTIL_GROUPS_H

#include "lib/report/util-view.h"

struct rsp_util_group {
	const struct rsp_use_process *process; /* the first process of the group */
	__u32 process_cnt, task_cnt, migration_cnt;
	unsigned int source; /* see struct rsp_use_process */
	struct rsp_use use;  /* sum over the processes */
};

/* The groups, by time on CPUs, longest first. */
struct rsp_util_groups {
	struct rsp_util_group *v;
	size_t cnt;
};

/* Returns 0 or -ENOMEM. */
int rsp_util_groups_make(const struct rsp_util_view *v, struct rsp_util_groups *ret);
void rsp_util_groups_done(struct rsp_util_groups *g);

#endif
