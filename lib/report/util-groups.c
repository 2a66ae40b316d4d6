/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See util-groups.h. */
#include "lib/report/util-groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

/*
 * Returns an array with a flag for each process, which is set if no task of the process lived
 * during the whole span. The flag of the process of interest is never set. NULL: out of memory.
 */
static bool *find_short(const struct rsp_util_view *v)
{
	const struct rsp_utilization *u = &v->use;
	bool *is_short = calloc(u->processes.cnt + 1, sizeof(*is_short));

	for (size_t i = 0; is_short && i < u->processes.cnt; i++)
		is_short[i] = u->processes.v[i].tgid != v->trace->snap->meta.target_pid;
	for (size_t i = 0; is_short && i < u->tasks.cnt; i++) {
		const struct rsp_use_task *task = &u->tasks.v[i];

		if (task->from_ns <= u->since_ns && task->to_ns >= u->until_ns)
			is_short[task->process] = false;
	}
	return is_short;
}

static size_t name_cnt(const struct rsp_utilization *u)
{
	size_t cnt = 0;

	for (size_t i = 0; i < u->processes.cnt; i++)
		if (u->processes.v[i].name >= cnt)
			cnt = u->processes.v[i].name + (size_t)1;
	return cnt;
}

/*
 * Returns whether the name of the process is known. Otherwise, its name is its process ID in
 * brackets.
 */
static bool has_name(const struct rsp_util_view *v, const struct rsp_use_process *process)
{
	return *rsp_names_text(v->names, process->name) != '[';
}

static bool is_alike(const struct rsp_util_view *v, const struct rsp_use_process *a,
		     const struct rsp_use_process *b)
{
	return a->name == b->name &&
	       strcmp(rsp_util_container(v, a), rsp_util_container(v, b)) == 0;
}

static void add_process(struct rsp_util_group *g, const struct rsp_use_process *process)
{
	if (!g->process)
		g->process = process;
	g->process_cnt++;
	g->task_cnt += process->task_cnt;
	g->migration_cnt += process->migration_cnt;
	g->source |= process->source;
	rsp_use_add(&g->use, &process->use);
}

static int compare_groups(const void *pa, const void *pb)
{
	const struct rsp_util_group *a = pa, *b = pb;
	__u64 a_ns = rsp_use_run_ns(&a->use), b_ns = rsp_use_run_ns(&b->use);

	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->process < b->process ? -1 : 1; /* the order of u->processes */
}

int rsp_util_groups_make(const struct rsp_util_view *v, struct rsp_util_groups *ret)
{
	const struct rsp_utilization *u = &v->use;
	bool joins = !v->opt->pid && !v->opt->comm;
	_cleanup_free_ bool *is_short = find_short(v);
	/*
	 * For each name: 1 + the index of the latest group of short processes with this name; 0: no
	 * group yet.
	 */
	_cleanup_free_ __u32 *group_of = calloc(name_cnt(u) + 1, sizeof(*group_of));
	struct rsp_util_groups g = {.v = calloc(u->processes.cnt + 1, sizeof(*g.v))};

	if (!is_short || !group_of || !g.v) {
		free(g.v);
		return -ENOMEM;
	}
	for (size_t i = 0; i < u->processes.cnt; i++) {
		const struct rsp_use_process *process = &u->processes.v[i];
		__u32 *group = &group_of[process->name];
		bool joinable = joins && is_short[i] && has_name(v, process);

		if (!v->shows[i])
			continue;
		if (joinable && *group && is_alike(v, g.v[*group - 1].process, process)) {
			add_process(&g.v[*group - 1], process);
			continue;
		}
		if (joinable)
			*group = (__u32)g.cnt + 1;
		add_process(&g.v[g.cnt++], process);
	}
	qsort(g.v, g.cnt, sizeof(*g.v), compare_groups);
	*ret = g;
	return 0;
}

void rsp_util_groups_done(struct rsp_util_groups *g)
{
	free(g->v);
}
