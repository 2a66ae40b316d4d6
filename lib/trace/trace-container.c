/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See trace-container.h. */
#include "trace-container.h"

#include <errno.h>

#include "lib/base/idmap.h"
#include "lib/snapshot/container.h"

struct search {
	const struct rsp_trace *trace;
	const char *text;
	struct rsp_idmap matches; /* id of a cgroup -> whether it matches */
	struct rsp_idmap counts;  /* process in such a container -> how often it left a CPU */
};

static bool matches(const struct search *s, __u64 cgroup_id)
{
	const struct rsp_ev_object *obj = rsp_trace_cgroup(s->trace, cgroup_id);
	struct rsp_container c;

	return obj && rsp_container_of_object(obj, &c) && rsp_container_matches(&c, s->text);
}

static int see(struct search *s, const struct rsp_ev_task *task, unsigned int times)
{
	uint64_t match, cnt = 0;

	if (!task)
		return 0;
	if (!rsp_idmap_get(&s->matches, task->cgroup_id, &match)) {
		match = matches(s, task->cgroup_id);
		if (rsp_idmap_put(&s->matches, task->cgroup_id, match) < 0)
			return -ENOMEM;
	}
	if (!match)
		return 0;
	rsp_idmap_get(&s->counts, task->tgid, &cnt);
	return rsp_idmap_put(&s->counts, task->tgid, cnt + times);
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
	}
	return r;
}

static int decide(const struct search *s, __u32 *ret_tgid)
{
	uint64_t tgid, cnt, best_cnt = 0, best = 0;
	size_t pos = 0;

	while (rsp_idmap_next(&s->counts, &pos, &tgid, &cnt)) {
		if (best && (cnt < best_cnt || (cnt == best_cnt && tgid > best)))
			continue;
		best = tgid;
		best_cnt = cnt;
	}
	if (!best)
		return -ESRCH;
	*ret_tgid = (__u32)best;
	return 0;
}

int rsp_trace_find_container(const struct rsp_trace *trace, const char *text, __u32 *ret_tgid)
{
	const struct rsp_meta *meta = &trace->snap->meta;
	__u64 until_ns = meta->until_ns ? meta->until_ns : UINT64_MAX;
	struct search s = {.trace = trace, .text = text};
	const struct rsp_ev_task *target = rsp_trace_task(trace, meta->target_pid, until_ns);
	int r = 0;

	if (target && matches(&s, target->cgroup_id)) {
		*ret_tgid = meta->target_pid;
		return 0;
	}
	r = see_all(&s);
	if (r == 0)
		r = decide(&s, ret_tgid);
	rsp_idmap_done(&s.matches);
	rsp_idmap_done(&s.counts);
	return r;
}
