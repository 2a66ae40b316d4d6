/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See util-report.h. Chooses the processes to show. Names system calls, tasks and the sources of
 * times.
 */
#include "lib/report/util-view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/syscalls.h"

/* --- words ------------------------------------------------------------------------------------ */

const char *rsp_util_call_name(__s32 nr, char *buf, size_t len)
{
	if (nr < 0)
		return "other calls";
	if (!(nr & RSP_CALLS_COMPAT))
		return rsp_syscall_label(nr, buf, len);
	snprintf(buf, len, "i386 call %d", nr & (RSP_CALLS_COMPAT - 1));
	return buf;
}

const char *rsp_util_container(const struct rsp_util_view *v, const struct rsp_use_process *process)
{
	const struct rsp_ev_task *task = rsp_trace_task(v->trace, process->tgid, v->use.until_ns);

	return rsp_names_text(v->names, rsp_names_container(v->names, task));
}

char *rsp_util_id(__u32 id, __s32 image, char *buf, size_t len)
{
	if (image < 0)
		snprintf(buf, len, "%u", id);
	else
		snprintf(buf, len, "%u-%d", id, image);
	return buf;
}

const char *rsp_util_source_name(unsigned int source)
{
	static const char *const names[] = {"none", "account", "samples", "both"};

	return names[source & (RSP_USE_ACCOUNT | RSP_USE_SAMPLES)];
}

/* --- choice ----------------------------------------------------------------------------------- */

static bool is_shown(const struct rsp_util_view *v, const struct rsp_use_process *process)
{
	const struct rsp_util_options *opt = v->opt;

	if (opt->pid)
		return process->tgid == opt->pid;
	return !opt->comm || strcmp(rsp_names_text(v->names, process->name), opt->comm) == 0;
}

static bool shows_all(const struct rsp_util_options *opt)
{
	return !opt->pid && !opt->comm;
}

static void leave_out_others(struct rsp_util_view *v)
{
	memset(v->shows, 0, v->use.processes.cnt * sizeof(*v->shows));
	for (size_t i = 0; i < v->use.tasks.cnt; i++) {
		const struct rsp_use_task *task = &v->use.tasks.v[i];

		v->shows[task->process] |= rsp_trace_lists(
			v->trace, rsp_trace_task(v->trace, task->tid, task->to_ns - 1));
	}
}

/*
 * Sets the totals to the sum of the visible processes, because the totals of the machine are
 * unknown.
 */
static void sum_shown(struct rsp_util_view *v)
{
	struct rsp_utilization *u = &v->use;

	u->all = (struct rsp_use){0};
	u->source = 0;
	u->migration_cnt = u->asked_cnt = 0;
	u->knows_stolen = false;
	u->cpus.cnt = 0;
	for (size_t i = 0; i < u->processes.cnt; i++) {
		const struct rsp_use_process *process = &u->processes.v[i];

		if (!v->shows[i])
			continue;
		rsp_use_add(&u->all, &process->use);
		u->source |= process->source;
		u->migration_cnt += process->migration_cnt;
		u->asked_cnt += process->asked_cnt;
	}
	u->all.idle_ns = 0; /* the totals of this view do not contain idle CPUs */
}

static int choose(const struct rsp_model *m, struct rsp_util_view *v)
{
	const struct rsp_util_options *opt = v->opt;
	_cleanup_free_ bool *marked = NULL;
	bool any = false;

	v->shows = calloc(v->use.processes.cnt + 1, sizeof(*v->shows));
	if (!v->shows)
		return -ENOMEM;
	if (opt->descendants && rsp_model_find_family(m, opt->pid, &marked) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < v->use.processes.cnt; i++)
		v->shows[i] = is_shown(v, &v->use.processes.v[i]);
	if (v->redacted && shows_all(opt))
		leave_out_others(v);
	for (size_t i = 0; marked && i < v->use.tasks.cnt; i++)
		v->shows[v->use.tasks.v[i].process] |= marked[v->use.tasks.v[i].thread];
	for (size_t i = 0; i < v->use.processes.cnt; i++)
		any |= v->shows[i];
	if (v->redacted)
		sum_shown(v);
	/*
	 * If the user asked for descendants, it is no error to find no process: a damaged recording
	 * of a command may contain no record of the command.
	 */
	return any || opt->descendants || shows_all(opt) ? 0 : -ESRCH;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void view_done(struct rsp_util_view *v)
{
	rsp_utilization_done(&v->use);
	rsp_names_free(v->names);
	free(v->shows);
}

static int report(const struct rsp_model *m, struct rsp_util_view *v, FILE *out)
{
	int r = rsp_names_new(v->trace, &v->names);

	if (r == 0)
		r = rsp_utilization_make(m, v->names, &v->use);
	if (r == 0)
		r = choose(m, v);
	if (r == 0)
		r = v->opt->json ? rsp_util_json(v, out) : rsp_util_text(v, out);
	return r;
}

int rsp_util_report(const struct rsp_trace *trace, const struct rsp_util_options *opt, FILE *out,
		    bool *ret_lossy)
{
	struct rsp_util_view v = {
		.opt = opt, .trace = trace, .redacted = trace->snap->meta.redacted};
	struct rsp_model *m;
	int r = rsp_model_new(trace, &m);

	if (r < 0)
		return r;
	v.lost_cnt = rsp_trace_lost(trace, m->since_ns, m->until_ns);
	r = report(m, &v, out);
	*ret_lossy = v.lost_cnt > 0;
	view_done(&v);
	rsp_model_free(m);
	return r;
}
