/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds waits to a profile, by stack, system call and object. */
#include <stdio.h>
#include <string.h>

#include "lib/model/waits/disk-states.h"
#include "lib/profile/profile-parts.h"

/*
 * Maximum length of a label. A path may have PATH_MAX bytes, but a box of a graph shows about a
 * hundred.
 */
#define LABEL_MAX 512

static enum rsp_profile_ink ink_of(const struct rsp_span *s)
{
	if (s->cause == RSP_CAUSE_DISK)
		return RSP_PROFILE_WAIT_DISK;
	return s->cause == RSP_CAUSE_NET ? RSP_PROFILE_WAIT_NETWORK : RSP_PROFILE_WAIT;
}

__u32 rsp_profile_wait_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 base)
{
	const struct rsp_ev_switch *out = s->out;
	const char *call, *object;
	char label[LABEL_MAX];
	__u32 node;

	if (!out)
		return rsp_profile_no_stack(b, base);
	node = rsp_profile_stack(b, base, out->kstack, out->ustack);
	call = rsp_names_text(b->names, rsp_names_syscall(b->names, out));
	object = rsp_names_text(b->names, rsp_names_wait(b->names, out));
	if (!*call && !*object)
		return node == base ? rsp_profile_no_stack(b, base) : node;
	if (*call && *object && strcmp(call, object) != 0)
		snprintf(label, sizeof(label), "%s: %s", call, object);
	else
		snprintf(label, sizeof(label), "%s", *call ? call : object);
	return rsp_profile_child(b, node, label, "", ink_of(s));
}

void rsp_profile_offcpu(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];
		__u64 ns = rsp_profile_span_within(b, t, i);

		if (s->kind == RSP_SPAN_BLOCKED && ns)
			rsp_profile_add_off(b, rsp_profile_wait_node(b, s, base), ns, 1);
	}
}

/* --- disks ------------------------------------------------------------------------------------ */

const char *rsp_profile_disk_name(struct rsp_profile_builder *b, const struct rsp_span *s)
{
	const struct rsp_ops *ops = &b->model->ops;
	const struct rsp_request *req = &ops->requests.v[ops->disk_waits.v[s->cause_id].request];
	__u64 file = rsp_ops_file(b->model->trace, req, s->out);
	__u32 name = file ? rsp_names_object(b->names, file) : rsp_names_device(b->names, req->dev);

	return rsp_names_text(b->names, name);
}

static __u32 state_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 base,
			const struct rsp_in_flight *fl, enum rsp_disk_state state, __u64 at_ns)
{
	const char *limit;
	char label[LABEL_MAX];

	switch (state) {
	case RSP_DISK_HELD:
		limit = rsp_names_text(b->names,
				       rsp_names_object(b->names, rsp_in_flight_limit(fl, at_ns)));
		snprintf(label, sizeof(label), "held back by the I/O limit of %s", limit);
		return rsp_profile_child(b, base, label, "", RSP_PROFILE_WAIT_QUEUE);
	case RSP_DISK_QUEUED:
		snprintf(label, sizeof(label), "disk queue: %s", rsp_profile_disk_name(b, s));
		return rsp_profile_child(b, base, label, "", RSP_PROFILE_WAIT_QUEUE);
	case RSP_DISK_ACTIVE:
		snprintf(label, sizeof(label), "disk: %s", rsp_profile_disk_name(b, s));
		return rsp_profile_child(b, base, label, "", RSP_PROFILE_WAIT_DISK);
	case RSP_DISK_NONE:
		break;
	}
	return rsp_profile_child(b, base, "kernel, before or after the request", "",
				 RSP_PROFILE_WAIT);
}

static void add_disk_wait(struct rsp_profile_builder *b, const struct rsp_thread *t, size_t i,
			  __u32 base)
{
	const struct rsp_span *s = &t->spans.v[i];
	__u32 node = rsp_profile_wait_node(b, s, base);
	__u64 at_ns = s->from_ns > b->since_ns ? s->from_ns : b->since_ns;
	__u64 to_ns = rsp_span_end(t, i) < b->until_ns ? rsp_span_end(t, i) : b->until_ns;
	struct rsp_in_flight fl;
	__u64 cnt = 1;

	rsp_in_flight_find(&b->model->ops, s->cause_id, &fl);
	while (at_ns < to_ns && !b->error) {
		__u64 until_ns;
		enum rsp_disk_state state = rsp_in_flight_state(&fl, at_ns, to_ns, &until_ns);

		rsp_profile_add_off(b, state_node(b, s, node, &fl, state, at_ns), until_ns - at_ns,
				    cnt);
		at_ns = until_ns;
		cnt = 0;
	}
}

void rsp_profile_disk(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];

		if (s->kind == RSP_SPAN_BLOCKED && s->cause == RSP_CAUSE_DISK &&
		    rsp_profile_span_within(b, t, i))
			add_disk_wait(b, t, i, base);
	}
}

/* --- network ---------------------------------------------------------------------------------- */

/* Returns the last node. */
static __u32 arrival_node(struct rsp_profile_builder *b, const struct rsp_span *s, __u32 node)
{
	const struct rsp_model *m = b->model;
	const struct rsp_arrival *a;
	__u32 who;
	__u64 at_ns;

	if (s->cause == RSP_CAUSE_READER) {
		node = rsp_profile_child(b, node, "until the other end reads", "",
					 RSP_PROFILE_WAIT_NETWORK);
		who = s->cause_id;
		at_ns = s->waking ? s->waking->hdr.ts_ns : s->from_ns;
	} else {
		a = &m->ops.arrivals.v[s->cause_id];
		node = rsp_profile_child(
			b, node, a->is_request ? "until a request comes" : "until an answer comes",
			"", RSP_PROFILE_WAIT_NETWORK);
		who = a->sender;
		at_ns = a->send_ns;
	}
	if (who == RSP_NO_THREAD)
		return node;
	return rsp_profile_child(
		b, node,
		rsp_names_text(b->names, rsp_names_thread(b->names, &m->threads.v[who], at_ns)), "",
		RSP_PROFILE_WAKER);
}

void rsp_profile_network(struct rsp_profile_builder *b, const struct rsp_thread *t, __u32 base)
{
	for (size_t i = 0; i < t->spans.cnt && !b->error; i++) {
		const struct rsp_span *s = &t->spans.v[i];
		__u64 ns = rsp_profile_span_within(b, t, i);

		if (s->kind != RSP_SPAN_BLOCKED || !ns)
			continue;
		if (s->cause == RSP_CAUSE_NET || s->cause == RSP_CAUSE_READER)
			rsp_profile_add_off(
				b, arrival_node(b, s, rsp_profile_wait_node(b, s, base)), ns, 1);
	}
}
