/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds waits to a profile, by waker. The stack of the waker is upside down above the stack of the
 * wait, so that the innermost functions of the sleeping thread and of the waker are neighbors.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/profile/profile-parts.h"

#define LABEL_MAX 512

/* Maximum length of a chain of wakers. Chains of real programs have a handful of links. */
#define LINKS_MAX 32

/*
 * Maximum number of waits of wakers that a profile follows, which takes a second or two. The time
 * of all further waits counts as time of the waker.
 */
#define STEPS_MAX 10000000

#define NO_SPAN UINT32_MAX

/* --- one waker -------------------------------------------------------------------------------- */

static __u32 thread_node(struct rsp_profile_builder *b, __u32 node, __u32 thread, __u64 ts_ns)
{
	const struct rsp_thread *t = &b->model->threads.v[thread];

	return rsp_profile_child(b, node,
				 rsp_names_text(b->names, rsp_names_thread(b->names, t, ts_ns)), "",
				 RSP_PROFILE_WAKER);
}

static __u32 word_node(struct rsp_profile_builder *b, __u32 node, const char *word,
		       const char *name, enum rsp_profile_ink ink)
{
	char label[LABEL_MAX];

	snprintf(label, sizeof(label), *name ? "%s: %s" : "%s", word, name);
	return rsp_profile_child(b, node, label, "", ink);
}

static __u32 task_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 node)
{
	const struct rsp_ev_waking *waking = s->waking;

	node = thread_node(b, node, s->cause_id, waking ? waking->hdr.ts_ns : s->from_ns);
	if (!waking)
		return node;
	return rsp_profile_waker_stack(b, node, waking->kstack, waking->ustack);
}

static __u32 net_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 node)
{
	const struct rsp_arrival *a = &b->model->ops.arrivals.v[s->cause_id];
	__u32 peer = a->sock ? rsp_names_object(b->names, a->sock->id) : 0;

	node = word_node(b, node, "network", rsp_names_text(b->names, peer),
			 RSP_PROFILE_WAIT_NETWORK);
	return a->sender == RSP_NO_THREAD ? node : thread_node(b, node, a->sender, a->send_ns);
}

static __u32 waker_node(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
			__u32 node)
{
	const struct rsp_span *s = &t->spans.v[i];
	const char *name;

	switch (s->cause) {
	case RSP_CAUSE_TASK:
	case RSP_CAUSE_READER:
		return task_node(b, s, node);
	case RSP_CAUSE_DISK:
		return word_node(b, node, "disk", rsp_profile_disk_name(b, s),
				 RSP_PROFILE_WAIT_DISK);
	case RSP_CAUSE_NET:
		return net_node(b, s, node);
	case RSP_CAUSE_SLEEP:
		return rsp_profile_child(b, node, "its own timer", "", RSP_PROFILE_WAIT);
	case RSP_CAUSE_TIMEOUT:
		return rsp_profile_child(b, node, "timeout", "", RSP_PROFILE_WAIT);
	case RSP_CAUSE_HARDWARE:
		name = rsp_names_text(b->names, rsp_names_object(b->names, s->waking->cause));
		return word_node(b, node, "hardware", name, RSP_PROFILE_WAIT);
	case RSP_CAUSE_KERNEL:
		name = rsp_names_text(b->names, rsp_names_interrupt(b->names, s->waking));
		return word_node(b, node, "kernel", name, RSP_PROFILE_WAIT);
	}
	name = rsp_span_end(t, i) > b->end_ns ? "[still waiting at the end]" : "[unknown]";
	return rsp_profile_child(b, node, name, "", RSP_PROFILE_NOTE);
}

void rsp_profile_wakeup(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];
		__u64 ns = rsp_profile_span_within(b, t, i);

		if (s->kind != RSP_SPAN_BLOCKED || !ns)
			continue;
		rsp_profile_add_off(b, waker_node(b, t, i, rsp_profile_wait_node(b, s, base)), ns,
				    1);
	}
}

/* --- chains ----------------------------------------------------------------------------------- */

/* With this table, the waits of a waker before a wakeup are found without a search. */
static int find_former(struct rsp_profile_builder *b)
{
	const struct rsp_model *m = b->model;

	b->steps_left = STEPS_MAX;
	b->former = malloc((m->span_cnt + 1) * sizeof(*b->former));
	if (!b->former)
		return -ENOMEM;
	for (size_t i = 0; i < m->threads.cnt; i++) {
		const struct rsp_thread *t = &m->threads.v[i];
		__u32 last = NO_SPAN;

		for (size_t j = 0; j < t->spans.cnt; j++) {
			b->former[t->first_span + j] = last;
			if (t->spans.v[j].kind == RSP_SPAN_BLOCKED)
				last = (__u32)j;
		}
	}
	return 0;
}

struct link {
	__u32 thread;
	__u64 at_ns;
};

/*
 * Returns the thread that ended the wait, and the time at which this thread woke the waiting
 * thread, sent the data, or queued the work for a kernel worker.
 */
static struct link ender_of(const struct rsp_model *m, const struct rsp_thread *t, size_t i)
{
	const struct rsp_span *s = &t->spans.v[i];
	struct link link = {rsp_span_ender(m, t, i), rsp_span_end(t, i)};
	const struct rsp_thread *worker;
	__u32 work;

	if (link.thread == RSP_NO_THREAD)
		return link;
	if (s->cause == RSP_CAUSE_NET && m->ops.arrivals.v[s->cause_id].send_ns)
		link.at_ns = m->ops.arrivals.v[s->cause_id].send_ns;
	if (s->cause != RSP_CAUSE_TASK || link.thread == s->cause_id)
		return link;
	worker = &m->threads.v[s->cause_id];
	work = rsp_work_at(worker, link.at_ns);
	if (work != RSP_NO_WORK && worker->works.v[work].ev->queued_ns)
		link.at_ns = worker->works.v[work].ev->queued_ns;
	return link;
}

static __u32 last_wait(const struct rsp_profile_builder *b, struct link link)
{
	const struct rsp_thread *t = &b->model->threads.v[link.thread];

	if (t->spans.cnt == 0 || t->spans.v[0].from_ns > link.at_ns)
		return NO_SPAN;
	return b->former[t->first_span + rsp_span_at(t, link.at_ns)];
}

struct part {
	const struct rsp_thread *t;
	size_t span; /* index of the wait */
	__u64 from_ns, to_ns;
	int links; /* number of wakers below this part in the chain */
	__u64 cnt; /* number of events to count: 1 for a wait itself, 0 for a waker's wait */
};

static void add_part(struct rsp_profile_builder *b, const struct part *part, __u32 node);

/*
 * Divides a part of a wait. If the waker itself waited during this part, this time goes to the
 * threads that ended the waker's waits. Returns the rest, in which the waker did not wait.
 */
static __u64 add_waits_of(struct rsp_profile_builder *b, const struct part *part, struct link link,
			  __u32 node)
{
	const struct rsp_thread *t = &b->model->threads.v[link.thread];
	__u64 rest_ns = part->to_ns - part->from_ns;
	__u32 i = last_wait(b, link);

	for (; i != NO_SPAN && rsp_span_end(t, i) > part->from_ns;
	     i = b->former[t->first_span + i]) {
		struct part inner = {.t = t, .span = i, .links = part->links + 1};
		__u64 end_ns = rsp_span_end(t, i), begin_ns = t->spans.v[i].from_ns;

		if (b->error || b->steps_left == 0)
			break;
		b->steps_left--;
		inner.from_ns = begin_ns > part->from_ns ? begin_ns : part->from_ns;
		inner.to_ns = end_ns < part->to_ns ? end_ns : part->to_ns;
		if (inner.from_ns >= inner.to_ns)
			continue;
		add_part(b, &inner, node);
		rest_ns -= inner.to_ns - inner.from_ns;
	}
	return rest_ns;
}

static void add_part(struct rsp_profile_builder *b, const struct part *part, __u32 node)
{
	const struct rsp_span *s = &part->t->spans.v[part->span];
	struct link link = ender_of(b->model, part->t, part->span);
	__u64 rest_ns = part->to_ns - part->from_ns;

	node = waker_node(b, part->t, part->span, node);
	if (link.thread != RSP_NO_THREAD) {
		if (s->cause == RSP_CAUSE_TASK && link.thread != s->cause_id)
			node = thread_node(b, node, link.thread, link.at_ns);
		if (part->links < LINKS_MAX)
			rest_ns = add_waits_of(b, part, link, node);
	}
	rsp_profile_add_off(b, node, rest_ns, part->cnt);
}

static void add_wait(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
		     __u32 base)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u64 end_ns = rsp_span_end(t, i);
	struct part part = {.t = t, .span = i, .cnt = 1};

	part.from_ns = s->from_ns > b->since_ns ? s->from_ns : b->since_ns;
	part.to_ns = end_ns < b->until_ns ? end_ns : b->until_ns;
	add_part(b, &part, rsp_profile_wait_node(b, s, base));
}

void rsp_profile_chain(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	if (!b->former && find_former(b) < 0)
		b->error = -ENOMEM;
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++)
		if (t->spans.v[i].kind == RSP_SPAN_BLOCKED && rsp_profile_span_within(b, t, i))
			add_wait(b, t, i, base);
}
