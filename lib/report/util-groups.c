/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See util-groups.h. */
#include "lib/report/util-groups.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/base/cleanup.h"
#include "lib/base/idmap.h"

/*
 * The flag of a process is set if none of its tasks lived during the whole span. The flag of the
 * process of interest is never set. NULL: out of memory.
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

/* An unknown name is the process ID in brackets. */
static bool has_name(const struct rsp_util_view *v, const struct rsp_use_process *process)
{
	return *rsp_names_text(v->names, process->name) != '[';
}

static uint64_t key_of(const struct rsp_util_view *v, const struct rsp_use_process *process)
{
	return (uint64_t)process->name << 32 |
	       rsp_names_add(v->names, rsp_util_container(v, process));
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

static int join(const struct rsp_util_view *v, struct rsp_util_groups *g, struct rsp_idmap *of_key,
		const struct rsp_use_process *process)
{
	uint64_t key = key_of(v, process), i;

	if (!rsp_idmap_get(of_key, key, &i)) {
		i = g->cnt++;
		if (rsp_idmap_put(of_key, key, i) < 0)
			return -ENOMEM;
	}
	add_process(&g->v[i], process);
	return v->names->error;
}

int rsp_util_groups_make(const struct rsp_util_view *v, struct rsp_util_groups *ret)
{
	const struct rsp_utilization *u = &v->use;
	bool joins = !v->opt->pid && !v->opt->comm;
	_cleanup_free_ bool *is_short = find_short(v);
	_cleanup_(rsp_idmap_done) struct rsp_idmap of_key = {0};
	struct rsp_util_groups g = {.v = calloc(u->processes.cnt + 1, sizeof(*g.v))};
	int r = is_short && g.v ? 0 : -ENOMEM;

	for (size_t i = 0; i < u->processes.cnt && r == 0; i++) {
		const struct rsp_use_process *process = &u->processes.v[i];

		if (!v->shows[i])
			continue;
		if (joins && is_short[i] && has_name(v, process))
			r = join(v, &g, &of_key, process);
		else
			add_process(&g.v[g.cnt++], process);
	}
	if (r < 0) {
		free(g.v);
		return r;
	}
	qsort(g.v, g.cnt, sizeof(*g.v), compare_groups);
	*ret = g;
	return 0;
}

void rsp_util_groups_done(struct rsp_util_groups *g)
{
	free(g->v);
}
