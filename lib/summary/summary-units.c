/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups processes by unit. A process belongs to the last cgroup of its main thread. If the path of
 * this cgroup is unknown, the process belongs to a unit without a name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/model/roots.h"
#include "lib/report/report.h"
#include "lib/snapshot/decode.h"
#include "lib/snapshot/unit.h"
#include "lib/summary/summary-parts.h"
#include "lib/trace/trace-container.h"

/* --- units ------------------------------------------------------------------------------------ */

static int put_text(struct rsp_summary *s, const char *text, size_t len, __u32 *ret)
{
	return rsp_intern_put(&s->texts, text, len, ret);
}

static int put_container(struct rsp_summary *s, __u64 cgroup_id, struct rsp_summary_unit *ret)
{
	char text[RSP_CONTAINER_PRINTED_BYTES];

	rsp_trace_container(s->trace, cgroup_id, text);
	return put_text(s, text, strlen(text), &ret->container);
}

/* If the beginning of the cgroup's path is missing, the known end of the path replaces the unit. */
static int fill_unit(struct rsp_summary *s, __u64 cgroup_id, struct rsp_summary_unit *ret)
{
	const struct rsp_ev_object *obj = rsp_trace_cgroup(s->trace, cgroup_id);
	char path[2 * RSP_NAME_MAX] = "";
	bool is_cut;
	struct rsp_unit unit;
	int r;

	*ret = (struct rsp_summary_unit){0};
	if (!obj)
		return 0;
	rsp_object_name(obj, path, sizeof(path));
	is_cut = obj->hdr.flags & RSP_OBJ_TRUNCATED;
	rsp_unit_of_path(path, &unit);
	if (is_cut)
		unit = (struct rsp_unit){.group_len = strlen(path)};
	r = put_text(s, path, unit.group_len, &ret->cgroup);
	if (r == 0 && !is_cut)
		r = put_container(s, cgroup_id, ret);
	return r == 0 ? put_text(s, path + unit.name_off, unit.name_len, &ret->name) : r;
}

static int find_or_add_unit(struct rsp_summary *s, __u64 cgroup_id, uint64_t *ret)
{
	struct rsp_summary_unit unit, *slot;
	int r = fill_unit(s, cgroup_id, &unit);

	if (r < 0 || rsp_idmap_get(&s->unit_of_text, unit.cgroup, ret))
		return r;
	*ret = s->units.cnt;
	slot = rsp_array_add(&s->units);
	if (!slot)
		return -ENOMEM;
	*slot = unit;
	return rsp_idmap_put(&s->unit_of_text, unit.cgroup, *ret);
}

static int find_unit(struct rsp_summary *s, const struct rsp_ev_task *task, uint64_t *ret)
{
	int r = 0;

	if (!rsp_idmap_get(&s->unit_of_cgroup, task->cgroup_id, ret)) {
		r = find_or_add_unit(s, task->cgroup_id, ret);
		if (r == 0)
			r = rsp_idmap_put(&s->unit_of_cgroup, task->cgroup_id, *ret);
	}
	return r == 0 ? rsp_idmap_put(&s->unit_of_tgid, task->tgid, *ret) : r;
}

/* --- processes -------------------------------------------------------------------------------- */

/* The first finding for which this is true is the cause of a unit's time. */
static bool is_cause(const struct rsp_finding *finding)
{
	return strcmp(finding->kind, "idle") != 0 && strcmp(finding->kind, "requests") != 0;
}

static int note_cause(struct rsp_summary_unit *unit, struct rsp_explanation *e)
{
	_cleanup_(rsp_findings_done) struct rsp_findings findings = {0};
	__u64 busy_ns = e->total_ns - e->cat_ns[RSP_CAT_IDLE];
	int r;

	if (busy_ns <= unit->cause_ns)
		return 0;
	/* without a trace, findings do not compare slow requests with typical requests */
	e->trace = NULL;
	r = rsp_findings_make(e, &findings);
	if (r < 0)
		return r;
	unit->cause_ns = busy_ns;
	free(rsp_take_ptr(unit->cause));
	for (size_t i = 0; i < findings.cnt; i++)
		if (is_cause(&findings.v[i])) {
			unit->cause = rsp_take_ptr(findings.v[i].text);
			break;
		}
	return 0;
}

static int add_explanation(struct rsp_summary *s, struct rsp_summary_unit *unit,
			   struct rsp_explanation *e)
{
	int r;

	unit->thread_cnt += e->root_cnt + e->idle_root_cnt;
	unit->total_ns += e->total_ns;
	for (size_t cat = 0; cat < RSP_CAT_MAX; cat++)
		unit->cat_ns[cat] += e->cat_ns[cat];
	r = rsp_summary_add_chains(s, unit, e);
	return r == 0 ? note_cause(unit, e) : r;
}

static int add_process(struct rsp_summary *s, const struct rsp_ev_task *task)
{
	struct rsp_meta *meta = &s->snap->meta;
	struct rsp_explanation *e;
	uint64_t unit;
	int r;

	rsp_meta_choose_process(meta, task->tgid);
	meta->target_start_ns = task->start_ns;
	r = rsp_explainer_chains(s->explainer, &e);
	if (r < 0)
		return r == -ESRCH ? 0 : r;
	r = find_unit(s, task, &unit);
	if (r == 0)
		r = add_explanation(s, &s->units.v[unit], e);
	rsp_explanation_free(e);
	return r;
}

static bool is_main_thread(const struct rsp_ev_task *task)
{
	return task && task->tid == task->tgid && !(task->attrs & RSP_TASK_ATTR_KTHREAD);
}

/*
 * A process may have several lives of its main thread: another thread takes the pid over when it
 * executes a program.
 */
static bool is_explained(const struct rsp_idmap *starts, const struct rsp_ev_task *task)
{
	uint64_t start_ns;

	return rsp_idmap_get(starts, task->tgid, &start_ns) && start_ns == task->start_ns;
}

int rsp_summary_add_processes(struct rsp_summary *s)
{
	_cleanup_(rsp_idmap_done) struct rsp_idmap starts = {0};
	int r = 0;

	for (size_t i = 0; i < s->model->threads.cnt && r == 0; i++) {
		const struct rsp_thread *t = &s->model->threads.v[i];
		const struct rsp_ev_task *task = rsp_thread_identity(s->model, t);

		if (!is_main_thread(task) || is_explained(&starts, task))
			continue;
		r = rsp_idmap_put(&starts, task->tgid, task->start_ns);
		if (r == 0)
			r = add_process(s, task);
	}
	return r;
}
