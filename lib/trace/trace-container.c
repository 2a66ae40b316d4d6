/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trace-container.h. */
#include "lib/trace/trace-container.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/idmap.h"
#include "lib/snapshot/decode.h"

struct selected {
	char path[2 * RSP_NAME_MAX]; /* of its cgroup */
	struct rsp_container container;
	bool runs, competes;
};

struct process {
	uint64_t switch_cnt; /* how often its threads left a CPU while in the container */
	size_t container;    /* index in containers of the process's last container */
	bool ended;
};

struct search {
	const struct rsp_trace *trace;
	const char *text;
	/* maps the id of a cgroup to 1 + an index in containers; 0: the cgroup does not match */
	struct rsp_idmap matches;
	struct {
		struct selected *v;
		size_t cnt, cap;
	} containers;
	struct rsp_idmap of_tgid; /* maps a tgid to an index in processes */
	struct {
		struct process *v;
		size_t cnt, cap;
	} processes;
};

static int add_selected(struct search *s, const char *path, size_t len,
			const struct rsp_container *c, uint64_t *ret)
{
	struct selected *slot;

	for (size_t i = 0; i < s->containers.cnt; i++) {
		*ret = i + 1;
		if (strlen(s->containers.v[i].path) == len &&
		    memcmp(s->containers.v[i].path, path, len) == 0)
			return 0;
	}
	slot = rsp_array_add(&s->containers);
	if (!slot)
		return -ENOMEM;
	*slot = (struct selected){.container = *c};
	memcpy(slot->path, path, len);
	*ret = s->containers.cnt;
	return 0;
}

static int match(struct search *s, __u64 cgroup_id, uint64_t *ret)
{
	const struct rsp_ev_object *obj = rsp_trace_cgroup(s->trace, cgroup_id);
	char path[2 * RSP_NAME_MAX];
	struct rsp_container c;
	size_t len;
	int r = 0;

	if (rsp_idmap_get(&s->matches, cgroup_id, ret))
		return 0;
	*ret = 0;
	if (obj && rsp_container_of_path(rsp_object_name(obj, path, sizeof(path)), &c, &len)) {
		rsp_container_add_names(rsp_trace_container_names(s->trace, cgroup_id), &c);
		if (rsp_container_matches(&c, s->text))
			r = add_selected(s, path, len, &c, ret);
	}
	return r < 0 ? r : rsp_idmap_put(&s->matches, cgroup_id, *ret);
}

static int see(struct search *s, const struct rsp_ev_task *task, unsigned int times)
{
	struct process *process;
	uint64_t matched, index;
	int r = task ? match(s, task->cgroup_id, &matched) : 0;

	if (r < 0 || !task || !matched)
		return r;
	if (!rsp_idmap_get(&s->of_tgid, task->tgid, &index)) {
		index = s->processes.cnt;
		process = rsp_array_add(&s->processes);
		if (!process || rsp_idmap_put(&s->of_tgid, task->tgid, index) < 0)
			return -ENOMEM;
		*process = (struct process){0};
	}
	process = &s->processes.v[index];
	process->container = matched - 1;
	process->switch_cnt += times;
	/* times is 0 for a TASK record, which shows that the pid is in use again */
	process->ended &= times != 0;
	return 0;
}

static void see_exit(struct search *s, const struct rsp_ev_exit *ev)
{
	uint64_t index;

	/* only exits of main threads are found, because other threads have no entry in of_tgid */
	if (!(ev->hdr.flags & RSP_EXIT_EXEC) && rsp_idmap_get(&s->of_tgid, ev->tid, &index))
		s->processes.v[index].ended = true;
}

static int see_all(struct search *s)
{
	int r = 0;

	for (size_t i = 0; i < s->trace->event_cnt && r == 0; i++) {
		const struct rsp_ev_hdr *hdr = s->trace->events[i];
		const struct rsp_ev_switch *sw = (const void *)hdr;

		if (hdr->kind == RSP_EV_TASK)
			r = see(s, (const void *)hdr, 0);
		else if (hdr->kind == RSP_EV_SWITCH)
			r = see(s, rsp_trace_task(s->trace, sw->prev_tid, hdr->ts_ns), 1);
		else if (hdr->kind == RSP_EV_EXIT)
			see_exit(s, (const void *)hdr);
	}
	return r;
}

/*
 * If a process still runs in one of these containers at the end of the recording, containers
 * without running processes do not count. Returns -ENOTUNIQ if several containers count.
 */
static int compete(struct search *s, char ret_candidates[static RSP_CANDIDATES_BYTES])
{
	bool one_runs = false;
	size_t cnt = 0;

	for (size_t i = 0; i < s->processes.cnt; i++) {
		const struct process *process = &s->processes.v[i];

		s->containers.v[process->container].runs |= !process->ended;
		one_runs |= !process->ended;
	}
	*ret_candidates = '\0';
	for (size_t i = 0; i < s->processes.cnt; i++) {
		struct selected *of = &s->containers.v[s->processes.v[i].container];

		if (of->competes || of->runs != one_runs)
			continue;
		of->competes = true;
		cnt++;
		rsp_candidates_add(ret_candidates, &of->container);
	}
	return cnt > 1 ? -ENOTUNIQ : 0;
}

static int decide(const struct search *s, __u32 *ret_tgid)
{
	const struct process *best = NULL;
	uint64_t tgid, best_tgid = 0, index;
	size_t pos = 0;

	while (rsp_idmap_next(&s->of_tgid, &pos, &tgid, &index)) {
		const struct process *process = &s->processes.v[index];

		if (!s->containers.v[process->container].competes ||
		    (best && (process->switch_cnt < best->switch_cnt ||
			      (process->switch_cnt == best->switch_cnt && tgid > best_tgid))))
			continue;
		best = process;
		best_tgid = tgid;
	}
	if (!best)
		return -ESRCH;
	*ret_tgid = (__u32)best_tgid;
	return 0;
}

static int find(struct search *s, __u32 *ret_tgid, char ret_candidates[static RSP_CANDIDATES_BYTES])
{
	const struct rsp_meta *meta = &s->trace->snap->meta;
	__u64 until_ns = meta->until_ns ? meta->until_ns : UINT64_MAX;
	const struct rsp_ev_task *target = rsp_trace_task(s->trace, meta->target_pid, until_ns);
	uint64_t matched = 0;
	int r = target ? match(s, target->cgroup_id, &matched) : 0;

	if (r == 0 && matched) {
		*ret_tgid = meta->target_pid;
		return 0;
	}
	if (r == 0)
		r = see_all(s);
	if (r == 0)
		r = compete(s, ret_candidates);
	return r < 0 ? r : decide(s, ret_tgid);
}

int rsp_trace_find_container(const struct rsp_trace *trace, const char *text, __u32 *ret_tgid,
			     char ret_candidates[static RSP_CANDIDATES_BYTES])
{
	struct search s = {.trace = trace, .text = text};
	int r = find(&s, ret_tgid, ret_candidates);

	rsp_idmap_done(&s.matches);
	rsp_idmap_done(&s.of_tgid);
	free(s.containers.v);
	free(s.processes.v);
	return r;
}

char *rsp_trace_container(const struct rsp_trace *trace, __u64 cgroup_id,
			  char buf[static RSP_CONTAINER_PRINTED_BYTES])
{
	const struct rsp_ev_object *obj = rsp_trace_cgroup(trace, cgroup_id);
	char path[2 * RSP_NAME_MAX];
	struct rsp_container c;
	size_t len;

	*buf = '\0';
	if (!obj || !rsp_container_of_path(rsp_object_name(obj, path, sizeof(path)), &c, &len))
		return buf;
	path[len] = '\0';
	rsp_container_add_names(rsp_trace_container_names(trace, cgroup_id), &c);
	rsp_container_print(&c, path, buf);
	return buf;
}
