/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds waits for a CPU to a profile, by the stack with which the thread continues. */
#include <stdio.h>

#include "lib/profile/profile-parts.h"

#define LABEL_MAX 512

static bool is_woken_throttled(const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *wait = i ? &t->spans.v[i - 1] : NULL;

	return wait && wait->kind == RSP_SPAN_BLOCKED && wait->waking &&
	       wait->waking->hdr.flags & RSP_WK_THROTTLED;
}

/* If the result is false, *ret_cgroup has no meaning. */
static bool is_throttled(const struct rsp_thread *t, size_t i, __u64 *ret_cgroup)
{
	const struct rsp_span *s = &t->spans.v[i];

	if (s->kind == RSP_SPAN_RUNNABLE) {
		*ret_cgroup = t->quota;
		return is_woken_throttled(t, i);
	}
	*ret_cgroup = s->out ? s->out->object : 0;
	return s->flags & RSP_SW_THROTTLED;
}

static void describe(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
		     char *label, size_t len)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u64 cgroup;

	if (is_throttled(t, i, &cgroup))
		snprintf(label, len, "throttled: CPU quota of %s",
			 rsp_names_text(b->names, rsp_names_object(b->names, cgroup)));
	else if (s->kind == RSP_SPAN_PREEMPTED && s->out && s->out->next_tid)
		snprintf(label, len, "preempted by %s",
			 rsp_names_text(b->names, rsp_names_tid(b->names, s->out->next_tid,
								s->out->hdr.ts_ns)));
	else if (s->kind == RSP_SPAN_PREEMPTED)
		snprintf(label, len, "preempted");
	else
		snprintf(label, len, i ? "woken, waits for a CPU" : "new, waits for a CPU");
}

static __u32 runqueue_node(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
			   __u32 base)
{
	const struct rsp_ev_switch *out = t->spans.v[i].out;
	char label[LABEL_MAX];
	__u32 node = base;

	if (out)
		node = rsp_profile_stack(b, base, out->kstack, out->ustack);
	else if (i)
		node = rsp_profile_no_stack(b, base);
	describe(b, t, i, label, sizeof(label));
	return rsp_profile_child(b, node, label, "", RSP_PROFILE_WAIT_CPU);
}

void rsp_profile_runqueue(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];
		__u64 ns = rsp_profile_span_within(b, t, i);

		if ((s->kind == RSP_SPAN_RUNNABLE || s->kind == RSP_SPAN_PREEMPTED) && ns)
			rsp_profile_add_off(b, runqueue_node(b, t, i, base), ns, 1);
	}
}
